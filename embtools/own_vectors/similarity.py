"""Cosines of chosen words, compared with those in a model's static embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.messages import shortened
from embtools.own_vectors.nearest import mean_cosine
from embtools.own_vectors.word_vectors import WordVectors, in_model, table_or_example
from embtools.statistics.decimals import decimal
from embtools.statistics.permutations import Mantel, mantel
from embtools.statistics.reporting import LEVEL, p_value
from embtools.vectors import Array, cosine

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_WORDS = 60


@dataclass(frozen=True, eq=False)
class SimilarWords:
    """Cosines of n words.

    words      in the spelling of the vectors
    cosines    (n, n)
    mean       mean cosine of all pairs of the table
    left_out   words that the table does not have
    in_model   (n, n) cosines in the model, nan for words that are no single tokens there; None if not compared
    agreement  rank correlation of both over the common pairs, with Mantel's test; None for fewer than four words
    """

    words: tuple[str, ...]
    cosines: Array
    mean: float
    left_out: tuple[str, ...]
    in_model: Array | None = None
    agreement: Mantel | None = None

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Every pair: first, second, cosine, and model_cosine if compared; the most similar first."""
        i, j = np.triu_indices(len(self.words), 1)
        frame = pd.DataFrame(
            {
                "first": [self.words[n] for n in i],
                "second": [self.words[n] for n in j],
                "cosine": self.cosines[i, j],
            }
        )
        if self.in_model is not None:
            frame["model_cosine"] = self.in_model[i, j]
        return frame.sort_values("cosine", ascending=False, ignore_index=True, kind="stable")

    @property
    def headline(self) -> str:
        """The most similar pair, compared with the mean of all pairs of the table."""
        best = self.pairs.iloc[0]
        return (
            f"“{shortened(best['first'])}” and “{shortened(best['second'])}” are most similar"
            f" (cosine {decimal(best['cosine'])}; mean of all pairs of words {decimal(self.mean)})."
        )

    @property
    def comparison(self) -> str:
        """Whether the model ranks the pairs in the same order; "" if not compared."""
        if self.in_model is None:
            return ""
        if self.agreement is None:
            return "The model has fewer than four of these words as single tokens, too few to compare."
        rho, p = self.agreement.rho, self.agreement.p
        order = "no clearly common order" if p >= LEVEL else "a similar order" if rho > 0 else "opposite orders"
        known = int(np.isfinite(np.diag(self.in_model)).sum())
        return (
            f"Both rank the pairs of the {known} words that the model has in {order}"
            f" (ρ = {decimal(rho)}, {p_value(p)}, Mantel test)."
        )


def similar_words(words: Sequence[str], model: "EmbeddingModel", *, table: WordVectors | None = None) -> SimilarWords:
    """Cosines of all pairs of words; words that the table does not have are left out.

    Parameters
    ----------
    words : sequence of str
        Two to MAX_WORDS words of the table.
    model : EmbeddingModel
        Its static embeddings are compared with the table.
    table : WordVectors, optional
        By default the example: static embeddings of the model.

    Returns
    -------
    SimilarWords

    Raises
    ------
    ValueError
        If the table has fewer than two of the words, and for more than MAX_WORDS.
    """
    used = table_or_example(table, model)
    if len(words) > MAX_WORDS:
        raise ValueError(f"There are {len(words):,} words; at most {MAX_WORDS} can be compared. Remove some.")
    known, left_out = used.known(words)
    if len(known) < 2:
        few = "none" if not known else "only one"
        raise ValueError(
            f"The vectors have {few} of these words; two are needed. They have, for example,"
            f" {', '.join(used.words[:4])}."
        )
    vectors = used.of(known).astype(np.float64)
    result = SimilarWords(known, cosine(vectors, vectors), mean_cosine(used.vectors), left_out)
    if table is None:
        return result
    rows, own = in_model(known, model)
    there = np.full((len(known), len(known)), np.nan)
    there[np.ix_(rows, rows)] = cosine(own.astype(np.float64), own.astype(np.float64))
    agreement = None
    if len(rows) >= 4:
        try:
            agreement = mantel(result.cosines[np.ix_(rows, rows)], there[np.ix_(rows, rows)])
        except ValueError:  # all pairs of one side are equally similar
            agreement = None
    return SimilarWords(known, result.cosines, result.mean, left_out, there, agreement)
