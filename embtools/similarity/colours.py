"""Colour words: how similar their vectors are, compared with how similar the colours look."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.progress import Progress, silent
from embtools.similarity.matrix import compare_words
from embtools.similarity.verdict import numbers, strength
from embtools.statistics.permutations import Mantel, mantel
from embtools.vectors import Array
from embtools.words.colours import colour_differences, hexes
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

# Pairs that "BERT Embedding Math" names: two that are neighbours in its figure, and two that look similar.
NAMED = (("black", "white"), ("silver", "gold"), ("silver", "gray"), ("gold", "yellow"))

FEWEST = 4  # colours
IN_ARTICLE = "named in the article"
IN_USE, TO_THE_EYE = "more similar as vectors than in appearance", "more similar in appearance than as vectors"


@dataclass(frozen=True)
class ColourComparison(Displayed):
    """Similarities of the vectors of colour words compared with colour perception.

    words    the n words that name a colour
    hexes    their sRGB values
    pairs    frame: first, second, cosine, difference (CIEDE2000), rank_by_cosine, rank_by_difference (1 is the most
             similar pair), gap (rank_by_difference minus rank_by_cosine, as a share of all pairs: near 1 if the words
             have similar vectors but look different, near -1 for the reverse)
    test     Mantel test of Spearman's rho between cosine and visual similarity
    """

    words: tuple[str, ...]
    hexes: tuple[str, ...]
    pairs: pd.DataFrame
    test: Mantel

    @property
    def headline(self) -> str:
        """The correlation between the cosines of colour words and how similar the colours look."""
        return (
            f"There is {strength(self.test)} between how similar the vectors of colours are and how similar the colours"
            f" look {numbers(self.test)}."
        )

    @property
    def named(self) -> pd.DataFrame:
        """The pairs that "BERT Embedding Math" names: frame of `named_pairs` without the gap."""
        return named_pairs(self).drop(columns="gap")

    @property
    def marked(self) -> pd.DataFrame:
        """The pairs to name in a chart, with a column kind: up to four and three whose two ranks differ most, and those
        of the article."""
        in_use, to_the_eye = self.pairs[self.pairs["gap"] > 0].head(4), self.pairs[self.pairs["gap"] < 0].tail(3)
        extreme = [in_use.assign(kind=IN_USE), to_the_eye.assign(kind=TO_THE_EYE)]
        return pd.concat([*extreme, named_pairs(self).assign(kind=IN_ARTICLE)]).drop_duplicates(["first", "second"])

    @property
    def most(self) -> list[tuple[str, pd.Series]]:
        """The most extreme pair of each kind, if there is one: kind, row of `pairs`."""
        found = [(IN_USE, self.pairs.iloc[0], 1), (TO_THE_EYE, self.pairs.iloc[-1], -1)]
        return [(kind, row) for kind, row, sign in found if row["gap"] * sign > 0]


def compare_colours(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
    progress: Progress = silent,
) -> ColourComparison:
    """Compare how similar a model finds the colour words of a list with how similar the colours look.

    Parameters
    ----------
    words : sequence of str
        2 to 150 words, of which at least 4 name a colour.
    model : EmbeddingModel
    pieces, layer, template, progress
        The vectors, as in `compare_with_random_words`.

    Returns
    -------
    ColourComparison

    Raises
    ------
    ValueError
        As `similarity_matrix` does, and for fewer than 4 words that name a colour.
    """
    result = compare_words(words, model, pieces=pieces, layer=layer, template=template, progress=progress)
    return compare_with_perception(result.words, result.values)


def compare_with_perception(
    words: Sequence[str], cosines: Array, *, permutations: int = 9_999, seed: int = 0
) -> ColourComparison:
    """Compare the cosines of colour words with how similar the colours look, leaving out words that do not name a
    colour."""
    if np.shape(cosines) != (len(words), len(words)):
        raise ValueError(f"There are {len(words)} words. Give the cosines of all pairs of them.")
    known = hexes(words)
    if len(known) < FEWEST:
        raise ValueError(
            f"Only {len(known)} of these words name a CSS colour. The comparison needs {FEWEST}: add words such as red"
            " and green."
        )
    keep = [i for i, word in enumerate(words) if word in known]
    cosines = cosines[np.ix_(keep, keep)]
    names = tuple(words[i] for i in keep)
    differences = colour_differences(tuple(known.values()))
    i, j = np.triu_indices(len(names), 1)
    pairs = pd.DataFrame(
        {
            "first": [names[k] for k in i],
            "second": [names[k] for k in j],
            "cosine": cosines[i, j],
            "difference": differences[i, j],
        }
    )
    pairs["rank_by_cosine"] = pairs["cosine"].rank(ascending=False, method="average")
    pairs["rank_by_difference"] = pairs["difference"].rank(method="average")
    pairs["gap"] = (pairs["rank_by_difference"] - pairs["rank_by_cosine"]) / len(pairs)
    test = mantel(cosines, -differences, permutations=permutations, seed=seed)
    return ColourComparison(
        names, tuple(known.values()), pairs.sort_values("gap", ascending=False, ignore_index=True), test
    )


def named_pairs(comparison: ColourComparison) -> pd.DataFrame:
    """The pairs that "BERT Embedding Math" discusses, if their words are in the list."""
    wanted = {frozenset(pair): n for n, pair in enumerate(NAMED)}
    order = [wanted.get(frozenset(p)) for p in zip(comparison.pairs["first"], comparison.pairs["second"], strict=True)]
    return comparison.pairs.assign(order=order).dropna(subset="order").sort_values("order").drop(columns="order")
