"""The headline about one word, and its occurrences as points that move through the layers."""

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
class View:
    """The points of a comparison, the headline, and the texts about them."""

    moving: Trajectories
    table: pd.DataFrame
    headline: str
    caption: str
    alt: str


def view(comparison: Comparison, word: str, picked: Picked) -> View:
    """The view of a comparison for the selected occurrences."""
    comparison = asking.with_senses(comparison, picked.together)
    moving = trajectories.trajectories(comparison, picked.pooling, picked.keep)
    return View(
        moving,
        moving.points.merge(moving.layers, on="layer"),
        verdict.finding(moving, word),
        _caption(moving),
        charts.alt(moving.points, moving.layers),
    )


def show(view: View, layer: int, beside: Beside, second: View | None) -> None:
    """Show the moving points, on the same scale as those of a second model if there is one."""
    _points(view, layer, asking.LAYER, _NAME, beside.alt(view.alt), second)


def show_second(view: View, layer: int, beside: Beside, first: View) -> None:
    """Show the moving points of the second model."""
    _points(view, layer, asking.OTHER_LAYER, f"{_NAME}-second", beside.alt(view.alt, second=True), first)
    page.seen("Each model has its own plane, drawn on the same scale. The [[AUC]] can be compared between the models.")


def _points(view: View, layer: int, field: Number, name: str, alt: str, other: View | None) -> None:
    moving = view.moving
    span = max(charts.span(moving.points), charts.span(other.moving.points)) if other else 0.0
    figure = cached.figure(
        charts.trajectories, moving.points, moving.layers, layer, animated=not player.still(name, field), span=span
    )
    figures.chart(figure, view.table, name=name, alt=alt)


def _caption(moving: Trajectories) -> str:
    """The caption: what the points show, and how the headline was tested."""
    text = (
        "Each point is an occurrence of the word. Points that are close together have similar [[hidden state|vectors]]."
        " Press ▶ or move the slider to go through the [[layer|layers]]. All layers share one plane ([[PCA]]). The"
        " dotted line shows how much of the variance the plane keeps."
    )
    if moving.layers["auc"].notna().any():
        text += (
            " The solid line is the [[AUC]], which measures how well the full vectors separate the [[sense|senses]];"
            " 0.5 is chance."
        )
    return f"{text} {verdict.sense_test_caption(moving.test)}".strip()
