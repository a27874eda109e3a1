"""The nearest words of a word by cosine, compared with random pairs and with a model's static embeddings."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.limits import enough, within
from embtools.messages import listed, shortened
from embtools.models.vectors_as_model import Vectors
from embtools.own_vectors.frequency import random_pairs_of, why_unmatched
from embtools.own_vectors.word_vectors import in_model, table_or_example
from embtools.statistics.decimals import decimal
from embtools.statistics.ranks import equal_to_first, share_below
from embtools.vectors import Array, check_finite, cosine, top_k, unit
from embtools.words.frequency import than_random

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_NEIGHBOURS = 50


@dataclass(frozen=True, eq=False)
class NearestWords:
    """The nearest words of a word.

    word        as the vectors have it
    table       frame of rank, word, cosine, the nearest first
    mean        mean cosine of all pairs of words of the table
    above       share of random pairs that are less similar than the word and its nearest word
    note        why the random pairs are not of equally common words; "" if they are
    in_model    frame of rank, word, cosine in the model, among the words that both have; None if not compared
    shared      how many of the k nearest words among those are the same
    expected    how many would be the same by chance
    in_common   number of words that both have, without the word itself
    """

    word: str
    table: pd.DataFrame
    mean: float
    above: float
    note: str = ""
    in_model: pd.DataFrame | None = None
    shared: int = 0
    expected: float = 0.0
    in_common: int = 0

    @property
    def headline(self) -> str:
        """The nearest word, compared with random pairs."""
        best = self.table.iloc[0]
        if (equal := equal_to_first(self.table["cosine"])) > 1:
            words = listed(f"“{shortened(word)}”" for word in self.table["word"].head(min(equal, 3)))
            return (
                f"{words} are equally near to “{shortened(self.word)}” (cosine {decimal(best['cosine'])}"
                f"{f'; of {equal} such words among the nearest' if equal > 3 else ''})."
            )
        return (
            f"The word nearest to “{shortened(self.word)}” is “{shortened(best['word'])}” (cosine"
            f" {decimal(best['cosine'])}; {than_random(self.above, matched=not self.note)})."
        )

    @property
    def comparison(self) -> str:
        """How many of the nearest words are also nearest in the model, if there are enough; "" if not compared."""
        if self.in_model is None:
            return ""
        if len(self.in_model) >= self.in_common:  # both lists have the same words
            return (
                f"The model knows only {self.in_common} of the other words as single tokens, too few for a comparison."
            )
        return (
            f"Among the {self.in_common:,} other words that the model also has as single tokens, {self.shared} of the"
            f" {len(self.in_model)} nearest are also among the {len(self.in_model)} nearest in the model"
            f" (expected by chance: {self.expected:.1f})."
        )


def nearest_words(word: str, model: "EmbeddingModel", *, table: Vectors | None = None, k: int = 10) -> NearestWords:
    """The k nearest words of a word by cosine.

    Parameters
    ----------
    word : str
        One of the words of the table.
    model : EmbeddingModel
        Its static embeddings are compared with the table.
    table : Vectors, optional
        By default the example: static embeddings of the model.
    k : int, default 10
        Number of words.

    Returns
    -------
    NearestWords

    Raises
    ------
    ValueError
        For a word that the table does not have, and k out of range.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    used = table_or_example(table, model)
    row = used.token_id(word)
    ranked = _ranked(used.matrix, row, used.names, k)
    best = ranked.iloc[0]
    (first, second), draw = random_pairs_of((used.names[row], best["word"]), model, table=table)
    above = float(share_below(best["cosine"], draw(first, second)))
    result = NearestWords(used.names[row], ranked, mean_cosine(used.matrix), above, why_unmatched(table, model))
    if table is None:
        return result
    rows, own = in_model(table.names, model)
    at = np.flatnonzero(rows == row)
    if not len(at) or len(rows) < 3:
        return result
    names, others = [table.names[i] for i in rows], len(rows) - 1
    k = min(k, others)
    there = _ranked(own, int(at[0]), names, k)
    here = _ranked(table.matrix[rows], int(at[0]), names, k)
    shared = len(set(there["word"]) & set(here["word"]))
    return replace(result, in_model=there, shared=shared, expected=k * k / others, in_common=others)


def mean_cosine(vectors: Array) -> float:
    """Mean cosine of two different vectors of (n, d), exact over all pairs.

    With unit vectors u it is (|Σ u|² − n) / (n (n − 1)). Raises ValueError for fewer than two vectors, and for values
    that are not finite.

    >>> mean_cosine(np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 0.0]]))
    -0.3333333333333333
    """
    enough(vectors, "vectors", least=2)
    check_finite(vectors)
    directions = unit(np.asarray(vectors, np.float64))
    n = len(directions)
    return float((np.square(directions.sum(0)).sum() - np.square(directions).sum()) / (n * (n - 1)))


def _ranked(vectors: Array, row: int, words: "tuple[str, ...] | list[str]", k: int) -> pd.DataFrame:
    cosines = cosine(vectors[row].astype(np.float64), vectors.astype(np.float64))[0]
    cosines[row] = -np.inf
    best = top_k(cosines, min(k, len(words) - 1))
    return pd.DataFrame(
        {"rank": np.arange(1, len(best) + 1), "word": [words[i] for i in best], "cosine": cosines[best]}
    )
