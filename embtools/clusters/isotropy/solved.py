"""The built-in analogies and senses in a space and its controls, item by item."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.clusters.isotropy import tasks
from embtools.clusters.isotropy.population import population
from embtools.clusters.isotropy.spaces import DEFAULT, Source
from embtools.drawing import Displayed
from embtools.limits import enough
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
        return by_relation(self.spaces)

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """Rank of the expected word of each analogy in each space: see the function of this name."""
        return ranks_by_space(self.spaces)


@dataclass(frozen=True, eq=False)
class SeparatedSenses(Displayed):
    """How well the senses of words are separated in each space, word by word (see `tasks.senses`)."""

    spaces: dict[str, pd.DataFrame]

    @cached_property
    def headline(self) -> str:
        """How many nearest occurrences have the same sense in each space, and how many are expected by chance."""
        return senses_finding(self.spaces)

    @cached_property
    def table(self) -> pd.DataFrame:
        """AUC of each word's senses in each space: word, and one column per space."""
        return senses_by_space(self.spaces)


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


def by_relation(by_space: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Share of analogies whose expected word ranks 1st, by relation: relation, n, and one column per space."""
    enough(by_space, "spaces")
    first = next(iter(by_space.values()))
    sizes = first.groupby("relation", sort=False).size()
    shares = {
        column_name(name): (table["rank"] == 1).groupby(table["relation"], sort=False).mean()
        for name, table in by_space.items()
    }
    frame = pd.DataFrame({"n": sizes, **shares})
    return frame.reset_index(names="relation")


def ranks_by_space(by_space: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Ranks of the expected word in each space, the largest changes first, with the raw rank by nearness to c alone."""
    enough(by_space, "spaces")
    first = next(iter(by_space.values()))
    ranks = {column_name(name): table["rank"].to_numpy() for name, table in by_space.items()}
    question = [f"{row.a} : {row.b} = {row.c} : {row.expected}" for row in first.itertuples()]
    frame = pd.DataFrame({"analogy": question, **ranks, "rank_by_c": first["rank_by_c"]})
    raw, *others = ranks
    change = (frame[others[0] if others else raw] - frame[raw]).abs().to_numpy()
    return frame.iloc[np.argsort(-change, kind="stable")].reset_index(drop=True)


def senses_by_space(by_space: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """AUC of each word's senses in each space: word, and one column per space."""
    enough(by_space, "spaces")
    columns = {column_name(name): table.set_index("word")["auc"] for name, table in by_space.items()}
    return pd.DataFrame(columns).reset_index(names="word")


def senses_finding(by_space: Mapping[str, pd.DataFrame]) -> str:
    """Sentence with the number of nearest occurrences that have the same sense in each space, and by chance.

    >>> table = pd.DataFrame({"word": ["bank"], "occurrences": [8], "correct": [6], "chance": [3.4], "auc": [0.9]})
    >>> senses_finding({"raw": table})
    'The nearest other occurrence has the same sense in 6 of 8 cases (raw); 3 are expected by chance.'
    """
    enough(by_space, "spaces")
    total = int(next(iter(by_space.values()))["occurrences"].sum())
    counts = [f"{int(table['correct'].sum())} ({name})" for name, table in by_space.items()]
    counts[0] = counts[0].replace(" (", f" of {total} cases (", 1)
    chance = float(next(iter(by_space.values()))["chance"].sum())
    return (
        f"The nearest other occurrence has the same sense in {', '.join(counts)}; {chance:.0f} are expected by chance."
    )
