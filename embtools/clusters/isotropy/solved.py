"""The built-in analogies and senses in a space and its controls, item by item."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.clusters.isotropy import tasks
from embtools.clusters.isotropy.population import population
from embtools.clusters.isotropy.spaces import DEFAULT, Source
from embtools.drawing import Displayed
from embtools.messages import column_name
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
        """Share of analogies whose expected word ranks 1st: relation, n, and one column per space."""
        shares = {
            column_name(name): (table["rank"] == 1).groupby(table["relation"], sort=False).mean()
            for name, table in self.spaces.items()
        }
        sizes = next(iter(self.spaces.values())).groupby("relation", sort=False).size()
        return pd.DataFrame({"n": sizes, **shares}).reset_index(names="relation")

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """Ranks of the expected word in each space, the largest changes first, with the raw rank by nearness to c
        alone."""
        first = next(iter(self.spaces.values()))
        ranks = {column_name(name): table["rank"].to_numpy() for name, table in self.spaces.items()}
        question = [f"{row.a} : {row.b} = {row.c} : {row.expected}" for row in first.itertuples()]
        frame = pd.DataFrame({"analogy": question, **ranks, "rank_by_c": first["rank_by_c"]})
        raw, *others = ranks
        change = (frame[others[0] if others else raw] - frame[raw]).abs().to_numpy()
        return frame.iloc[np.argsort(-change, kind="stable")].reset_index(drop=True)


@dataclass(frozen=True, eq=False)
class SeparatedSenses(Displayed):
    """How well the senses of words are separated in each space, word by word (see `tasks.senses`)."""

    spaces: dict[str, pd.DataFrame]

    @cached_property
    def headline(self) -> str:
        """How many nearest occurrences have the same sense in each space, and how many are expected by chance."""
        first = next(iter(self.spaces.values()))
        counts = [f"{int(table['correct'].sum())} ({name})" for name, table in self.spaces.items()]
        counts[0] = counts[0].replace(" (", f" of {int(first['occurrences'].sum())} cases (", 1)
        return (
            f"The nearest other occurrence has the same sense in {', '.join(counts)}; {first['chance'].sum():.0f} are"
            " expected by chance."
        )

    @cached_property
    def table(self) -> pd.DataFrame:
        """AUC of each word's senses in each space: word, and one column per space."""
        columns = {column_name(name): table.set_index("word")["auc"] for name, table in self.spaces.items()}
        return pd.DataFrame(columns).reset_index(names="word")


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
