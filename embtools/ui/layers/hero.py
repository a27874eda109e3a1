"""The first sight of the Layers page: what was found, and the occurrences as points that move through the layers."""

from dataclasses import dataclass

import pandas as pd

from embtools.charts.layers import trajectories as charts
from embtools.layers import trajectories, verdict
from embtools.layers.comparisons import Comparison
from embtools.layers.trajectories import Trajectories
from embtools.ui import cached, figures, page
from embtools.ui.compare import Beside
from embtools.ui.fields import Number
from embtools.ui.layers import asking, player
from embtools.ui.layers.asking import Picked

_NAME = "trajectories"


@dataclass(frozen=True)
class Sight:
    """What follows from a comparison for the first sight."""

    moving: Trajectories
    table: pd.DataFrame
    finding: str
    said: str
    alt: str


def sight(comparison: Comparison, word: str, picked: Picked) -> Sight:
    """The points and the sentences about them, for what was picked."""
    comparison = asking.with_senses(comparison, picked.together)
    moving = trajectories.trajectories(comparison, picked.pooling, picked.keep)
    return Sight(
        moving,
        moving.points.merge(moving.layers, on="layer"),
        verdict.finding(moving, word),
        _caption(moving),
        charts.alt(moving.points, moving.layers),
    )


def show(seen: Sight, layer: int, beside: Beside, second: Sight | None) -> None:
    """The moving points; on the scale of a second model's, if there is one."""
    _points(seen, layer, asking.LAYER, _NAME, beside.alt(seen.alt), second)


def show_second(seen: Sight, layer: int, beside: Beside, first: Sight) -> None:
    """The second model's moving points."""
    _points(seen, layer, asking.OTHER_LAYER, f"{_NAME}-second", beside.alt(seen.alt, second=True), first)
    page.seen("Each model has a plane of its own, on one scale; [[AUC]] can be compared between them.")


def _points(seen: Sight, layer: int, field: Number, name: str, alt: str, other: Sight | None) -> None:
    moving = seen.moving
    span = max(charts.span(moving.points), charts.span(other.moving.points)) if other else 0.0
    figure = cached.figure(
        charts.trajectories, moving.points, moving.layers, layer, animated=not player.still(name, field), span=span
    )
    figures.chart(figure, seen.table, name=name, alt=alt)


def _caption(moving: Trajectories) -> str:
    """What the points are, and how the headline was tested."""
    text = (
        "Each point is an occurrence of the word; near points have similar [[hidden state|vectors]]. Press ▶ or pull"
        " the slider to go through the [[layer|layers]]. All layers share one plane ([[PCA]]); the dotted line shows"
        " how much of the variance it keeps."
    )
    if moving.layers["auc"].notna().any():
        text += " [[AUC]]: how well the full vectors separate the [[sense|senses]]; 0.5 is chance."
    return f"{text} {verdict.sense_test_caption(moving.test)}".strip()
