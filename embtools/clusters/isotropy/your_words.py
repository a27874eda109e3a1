"""Your own words in a space and its controls: groups and an analogy."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools.clusters.isotropy import verdict, words_in_spaces
from embtools.clusters.isotropy.overview import with_controls
from embtools.clusters.isotropy.population import STATIC, population
from embtools.clusters.isotropy.spaces import DEFAULT, Source
from embtools.clusters.isotropy.words_in_spaces import Grouped
from embtools.spaces.space import Space
from embtools.words.groups import read_groups

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


def grouped_words(text: str, model: "EmbeddingModel", *, source: Source = STATIC, space: Space = DEFAULT) -> Grouped:
    """Compare words in groups in a space and its controls.

    Parameters
    ----------
    text : str
        One group per line, written as name: word, word.
    model : EmbeddingModel
    source, space
        As in `measure_spaces`.

    Returns
    -------
    Grouped
        Cosines and group averages in each space.

    Raises
    ------
    ValueError
        For groups that cannot be read, more than 60 words, fewer than three that occur, and as `measure_spaces` does.
    """
    groups = read_groups(text)
    return words_in_spaces.compare_groups(population(source, model), groups, with_controls(space))


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
