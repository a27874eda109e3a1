"""Cosines of chosen words, compared with random pairs, and with those in a model's static embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.messages import shortened
from embtools.models.vectors_as_model import Vectors
from embtools.own_vectors.frequency import random_pairs_of, why_unmatched
from embtools.own_vectors.word_vectors import in_model, table_or_example
from embtools.statistics.decimals import decimal
from embtools.statistics.permutations import Mantel, mantel
from embtools.statistics.ranks import equal_to_first
from embtools.statistics.reporting import LEVEL, p_value
from embtools.vectors import Array, cosine
from embtools.words.frequency import compared_pairs, than_random

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_WORDS = 60


@dataclass(frozen=True, eq=False)
class SimilarWords:
    """Cosines of n words.

    words      in the spelling of the vectors
    cosines    (n, n)
    pairs      frame of `compared_pairs`: each pair compared with random pairs, the most similar first; with
               model_cosine if compared with the model
    left_out   words that the table does not have
    note       why the random pairs are not of equally common words; "" if they are
    in_model   (n, n) cosines in the model, nan for words that are no single tokens there; None if not compared
    agreement  rank correlation of both over the common pairs, with Mantel's test; None for fewer than four words
    """

    words: tuple[str, ...]
    cosines: Array
    pairs: pd.DataFrame
    left_out: tuple[str, ...]
    note: str = ""
    in_model: Array | None = None
    agreement: Mantel | None = None

    @property
    def headline(self) -> str:
        """The most similar pair: that with the largest share of random pairs that are less similar."""
        best = self.pairs.iloc[0]
        if (equal := equal_to_first(self.pairs["cosine"])) > 1 and equal_to_first(self.pairs["above"]) > 1:
            cosine_of_all = decimal(best["cosine"])
            return f"{equal} pairs are equally similar (cosine {cosine_of_all}), so none is the most similar one."
        return (
            f"“{shortened(best['first'])}” and “{shortened(best['second'])}” are"
            f" {'' if len(self.pairs) == 1 else 'most similar: '}{than_random(best['above'], matched=not self.note)}"
            f" (cosine {decimal(best['cosine'])})."
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


def similar_words(words: Sequence[str], model: "EmbeddingModel", *, table: Vectors | None = None) -> SimilarWords:
    """Cosines of all pairs of words; words that the table does not have are left out.

    Parameters
    ----------
    words : sequence of str
        Two to MAX_WORDS words of the table.
    model : EmbeddingModel
        Its static embeddings are compared with the table.
    table : Vectors, optional
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
            f" {', '.join(used.names[:4])}."
        )
    vectors = used.of(known).astype(np.float64)
    cosines = cosine(vectors, vectors)
    groups, draw = random_pairs_of(known, model, table=table)
    result = SimilarWords(
        known, cosines, compared_pairs(cosines, known, groups, draw), left_out, why_unmatched(table, model)
    )
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
    number = {word: n for n, word in enumerate(known)}
    at = [[number[word] for word in result.pairs[column]] for column in ("first", "second")]
    return replace(
        result, pairs=result.pairs.assign(model_cosine=there[at[0], at[1]]), in_model=there, agreement=agreement
    )
