"""Similarity of texts by shared words: the control for everything a model says about sentences."""

from collections.abc import Sequence

import numpy as np

from embtools.vectors import Array

CONTROL = "shared words, no model"


def shared_words(sentences: Sequence[str]) -> Array:
    """Cosines (n, n) between sentences by shared words of at least two letters, weighted by rarity (tf-idf), a baseline
    without a model; a sentence without such words has a cosine of 0, even with itself.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer()
    split = vectoriser.build_analyzer()
    if not any(map(split, sentences)):  # scikit-learn does not accept an empty vocabulary
        return np.zeros((len(sentences), len(sentences)), np.float32)
    rows = vectoriser.fit_transform(sentences)
    return (rows @ rows.T).toarray().astype(np.float32)
