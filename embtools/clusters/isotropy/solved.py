"""The built-in analogies and senses in a space and its controls, item by item."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from embtools.clusters.isotropy import answers, tasks
from embtools.clusters.isotropy.population import population
from embtools.clusters.isotropy.spaces import DEFAULT, Source
from embtools.drawing import Displayed
from embtools.spaces.controls import with_controls
from embtools.spaces.space import Space

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class SolvedAnalogies:
    """The built-in analogies in each space, one by one (see `tasks.analogies`)."""

    spaces: dict[str, pd.DataFrame]

    @cached_property
    def by_relation(self) -> pd.DataFrame:
        """The frame of `answers.by_relation`."""
        return answers.by_relation(self.spaces)

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """The frame of `answers.ranks_by_space`."""
        return answers.ranks_by_space(self.spaces)


@dataclass(frozen=True, eq=False)
class SeparatedSenses(Displayed):
    """How well the senses of words are separated in each space, word by word (see `tasks.senses`)."""

    spaces: dict[str, pd.DataFrame]

    @cached_property
    def headline(self) -> str:
        """How many nearest occurrences have the same sense in each space, and how many are expected by chance."""
        return answers.senses_finding(self.spaces)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The frame of `answers.senses_by_space`."""
        return answers.senses_by_space(self.spaces)


def solve_analogies(source: Source, model: "EmbeddingModel", *, space: Space = DEFAULT) -> SolvedAnalogies:
    """Solve the built-in analogies in a space and its controls."""
    vectors, result = population(source, model), {}
    for name, one in with_controls(space).items():
        rows = vectors.fit(one).apply(vectors.vectors)
        result[name] = tasks.analogies(vectors, vectors.means(rows, vectors.owner))
    return SolvedAnalogies(result)


def separate_senses(source: Source, model: "EmbeddingModel", *, space: Space = DEFAULT) -> SeparatedSenses:
    """Measure how well senses are separated in a space and its controls."""
    vectors, result = population(source, model), {}
    for name, one in with_controls(space).items():
        result[name] = tasks.senses(vectors, vectors.fit(one).apply(vectors.vectors))
    return SeparatedSenses(result)
