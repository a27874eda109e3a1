"""Your own analogy in a space and its controls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.clusters.isotropy import verdict
from embtools.clusters.isotropy.population import STATIC, Population, population
from embtools.clusters.isotropy.spaces import DEFAULT, Source
from embtools.spaces.controls import with_controls
from embtools.spaces.space import Space
from embtools.vectors import unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class OwnAnalogy:
    """The rank of the fourth of four words in each space; `table` has a row per space."""

    words: tuple[str, ...]
    table: pd.DataFrame

    @property
    def headline(self) -> str:
        """The ranks before and after processing, and without arithmetic."""
        return verdict.analogy_finding(self.words, self.table)


def own_analogy(
    words: tuple[str, ...], model: "EmbeddingModel", *, source: Source = STATIC, space: Space = DEFAULT
) -> OwnAnalogy:
    """Rank the fourth of four words in a space and its controls.

    Parameters
    ----------
    words : tuple of str
        Four words: the first is to the second as the third is to the fourth.
    model : EmbeddingModel
    source, space
        As in `measure_spaces`.

    Returns
    -------
    OwnAnalogy
        With `table`, the answer and the rank of the fourth word in each space.

    Raises
    ------
    ValueError
        For more or fewer than four words, a word that does not occur, a fourth word that is one of the others, and as
        `measure_spaces` does.
    """
    return OwnAnalogy(words, analogy_ranks(population(source, model), words, with_controls(space)))


Spaces = Mapping[str, Space]
"""Spaces by name: "raw", "processed", …"""


def analogy_ranks(source: Population, words: Sequence[str], spaces: Spaces) -> pd.DataFrame:
    """Rank of the fourth of four words for "a is to b as c is to …" in each space, by 3CosAdd without the first
    three."""
    if len(words) != 4:
        raise ValueError("Enter four words, separated by commas, such as man, king, woman, queen.")
    a, b, c, expected = (source.number(word) for word in words)
    if expected in (a, b, c):
        raise ValueError(
            "The fourth word repeats one of the first three, which are excluded as answers. Choose another word."
        )
    allowed = source.answers.copy()
    allowed[[a, b, c]], allowed[expected] = False, True
    result = []
    for name, space in spaces.items():
        rows = unit(source.means(source.fit(space).apply(source.vectors), source.owner))
        queries = np.stack([rows[b] - rows[a] + rows[c], rows[b], rows[c]])
        scores = np.where(allowed, queries @ rows.T, -np.inf)
        ranks = (scores > scores[:, expected, None]).sum(1) + 1
        result.append((name, source.words[int(scores[0].argmax())], *ranks.tolist()))
    return pd.DataFrame(result, columns=["space", "answer", "rank", "rank_by_b", "rank_by_c"])
