"""A map of words as a result: its points, how far it can be trusted, and how it describes itself."""

from dataclasses import dataclass

import pandas as pd

from embtools.clusters import trust as clusters_trust
from embtools.clusters.points import NO_LABEL, Points, Words
from embtools.clusters.view import View
from embtools.drawing import Displayed
from embtools.models.vectors_as_model import CONTEXT
from embtools.statistics.neighbour_test import NeighbourTest, finding


@dataclass(frozen=True)
class Map(Displayed):
    """A map and how far it can be trusted.

    points          the frame of the points with x, y[, z], and neighbours_kept (share, if all points are measured)
    axes            a title for each axis; empty for t-SNE, whose axes have no meaning
    trust           frame of `trust.trust`, over `measured` of the points
    neighbour_test  test of whether nearest neighbours share a group; None if there are no groups to compare
    reason          why there is no such test, or ""
    words, view     what the map shows, and its settings
    left_out        words that were left out because they consist of several tokens
    source          the points with their vectors; None for more than 2,000
    title           what the vectors are, if they take the place of a model's
    """

    points: pd.DataFrame
    axes: tuple[str, ...]
    trust: pd.DataFrame
    measured: int
    neighbour_test: NeighbourTest | None
    reason: str
    words: Words
    view: View
    left_out: tuple[str, ...] = ()
    source: Points | None = None
    title: str = ""

    @property
    def headline(self) -> str:
        """How often the nearest neighbour of a point is in the same group; otherwise what the map shows."""
        if self.words.shuffled is not None:
            return "The groups are shuffled: any pattern of groups that you still see is due to chance"
        if self.neighbour_test is None:
            return f"A map of {len(self):,} points"
        of = f"labelled {self.item}" if (self.points["group"] == NO_LABEL).any() else self.item
        return finding(self.neighbour_test, of=of)

    @property
    def reading(self) -> str:
        """How far the map can be trusted: `trust.reading` of its measures."""
        return clusters_trust.reading(self.trust, len(self), self.item)

    @property
    def item(self) -> str:
        """What one of the points is called: "point" for occurrences and sentences, otherwise "word"."""
        return "point" if CONTEXT in self.points else "word"

    @property
    def several(self) -> tuple[str, ...]:
        """The words of several tokens that are on the map."""
        return tuple(self.points["word"][(self.points["tokens"] > 1).fillna(False)])

    @property
    def settings(self) -> str:
        """The settings of the map in one line."""
        words, view = self.words, self.view
        parts = [
            f"{len(self):,} points",
            f"layer {words.layer} in a sentence" if words.template else self.title or "static embeddings",
            "centred" if view.centre else "not centred",
            "normalised" if view.normalise else "not normalised",
            f"{'cosine' if view.metric == 'cosine' else 'Euclidean'} distances",
            f"t-SNE, perplexity {view.perplexity:g}, start {view.start}" if view.method == "t-SNE" else view.method,
            f"seed {view.seed}",
        ]
        return " · ".join(parts)

    def __len__(self) -> int:
        """The number of points."""
        return len(self.points)
