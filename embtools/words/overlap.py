"""How alike texts are by the words that stand in both: the control for everything a model says about sentences."""

from collections.abc import Sequence

import numpy as np

from embtools.vectors import Array

CONTROL = "shared words, no model"


def shared_words(sentences: Sequence[str]) -> Array:
    """Cosines (n, n) of sentences by the words they share, weighted by rarity: a baseline without any model.

    Words have two letters or more; a sentence without any shares nothing, also with itself.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer()
    split = vectoriser.build_analyzer()
    if not any(map(split, sentences)):  # scikit-learn refuses an empty vocabulary
        return np.zeros((len(sentences), len(sentences)), np.float32)
    rows = vectoriser.fit_transform(sentences)
    return (rows @ rows.T).toarray().astype(np.float32)
