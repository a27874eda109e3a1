"""Your own analogy in a space and its controls."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools.clusters.isotropy import verdict, words_in_spaces
from embtools.clusters.isotropy.population import STATIC, population
from embtools.clusters.isotropy.spaces import DEFAULT, Source
from embtools.spaces.controls import with_controls
from embtools.spaces.space import Space

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class OwnAnalogy:
    """The rank of the fourth of four words in each space; `table`: see `words_in_spaces.analogy_ranks`."""

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
    return OwnAnalogy(words, words_in_spaces.analogy_ranks(population(source, model), words, with_controls(space)))
