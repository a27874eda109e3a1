"""Words that describe learned features: those that a feature promotes, and those at which it is strongest."""

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.decomposition.feature_table import FeatureTable, read_features
from embtools.limits import within
from embtools.messages import quoted
from embtools.models.output_head import scores_along
from embtools.occurrences.corpus import Corpus
from embtools.progress import Progress, silent
from embtools.vectors import top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST = 12
"""Number of words, features or occurrences in a list."""


def features_of_word(
    word: str, model: "EmbeddingModel", *, corpus: Corpus, dictionary: str, progress: Progress = silent
) -> pd.DataFrame:
    """Return the features that are active at the occurrences of a word in a text, the most common first.

    Parameters
    ----------
    word : str
        A word of the text.
    model : EmbeddingModel
    corpus : Corpus
    dictionary : str
        The name of a learned dictionary of the model, such as "layer 3".
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    DataFrame
        Columns: feature (from 1), share (of the word's occurrences at which it is active), activation (its mean
        there), words (the words at which it is strongest).

    Raises
    ------
    ValueError
        For a word that is not in the text, a dictionary that does not exist, and as
        `embtools.occurrences.encode_corpus` does.
    """
    if not (word.strip() and corpus.having(word.strip()).sentences):  # found before the text is read
        raise ValueError(_missing(word, corpus))
    table = read_features(corpus, model, dictionary=dictionary, progress=progress)
    rows = table.occurrences.of("".join(piece.removeprefix("##") for piece in model.pieces(word)))
    if not len(rows):
        raise ValueError(_missing(word, corpus))
    features, values = table.codes.features[rows].ravel(), table.codes.activations[rows].ravel()
    frame = pd.DataFrame({"feature": features[values > 0] + 1, "activation": values[values > 0].astype(float)})
    grouped = frame.groupby("feature")["activation"].agg(["size", "mean"]).reset_index()
    grouped = grouped.sort_values(["size", "mean"], ascending=False).head(MOST)
    return pd.DataFrame(
        {
            "feature": grouped["feature"].to_numpy(),
            "share": grouped["size"].to_numpy() / len(rows),
            "activation": grouped["mean"].to_numpy(),
            "words": strongest_words(table, grouped["feature"].to_numpy() - 1),
        }
    )


def _missing(word: str, corpus: Corpus) -> str:
    words = Counter(re.findall(r"[a-z]{5,}", " ".join(corpus.sentences).lower()))
    example = "".join(f", for example {common}" for common, _ in words.most_common(1))
    if not word.strip():
        return f"There is no word to search for. Write a word of the text{example}."
    return f"The text does not contain {quoted(word)}. Write one word that occurs in it{example}."


def strongest_words(table: FeatureTable, features: NDArray[np.int64], *, n: int = 3) -> list[str]:
    """Return the n different words at which each feature (from 0) is strongest, comma-separated."""
    within(n, MOST, "words")
    words = table.occurrences.table["word"].to_numpy()
    return [", ".join(list(dict.fromkeys(words[table.of(int(feature))[0]]))[:n]) for feature in features]


def promoted_words(directions: NDArray[np.float32], model: "EmbeddingModel", *, n: int = MOST) -> list[pd.DataFrame]:
    """Return the n whole words that each direction (f, d) promotes most: word, along.

    `along` is the score along the direction with BERT's output matrix, in standard deviations above the mean of all
    whole words. It holds for a state at the last layer; the layers in between are left out. Raises ValueError for
    directions of another length than the model's.
    """
    within(n, 1_000, "words")
    ids = np.flatnonzero(model.whole_words)
    found = []
    for scores in scores_along(directions, model)[:, ids]:
        spread = float(scores.std()) or 1.0
        top = top_k(scores, n)
        words = [model.vocabulary[ids[i]] for i in top]
        found.append(pd.DataFrame({"word": words, "along": (scores[top] - scores.mean()).astype(float) / spread}))
    return found


def within_dictionary(feature: int, count: int) -> None:
    """Raise ValueError unless a feature has a number from 1 to the number of features."""
    if not 1 <= feature <= count:
        raise ValueError(f"There is no feature {feature}. Choose 1 to {count}.")
