"""The occurrences of a word as points that move through the layers."""

from collections.abc import Sequence

from embtools.charts import trajectories as charts
from embtools.layers.trajectories import Trajectories
from embtools.layers.word import Word
from embtools.ui import figures, page, shown
from embtools.ui.layers import player, sentences

_NAME = "trajectories"


def show(result: Word, results: Sequence[Word]) -> None:
    """Draw the moving points, on the same scale for all `results`."""
    moving = result.moving
    field = sentences.OTHER_LAYER if shown.suffix() else sentences.LAYER
    last = int(moving.layers["layer"].max())
    figures.show(
        charts.trajectories,
        moving,
        int(field.value) if 0 <= field.value <= last else last,
        animated=not player.still(f"{_NAME}{shown.suffix()}", field),
        span=max(charts.span(each.moving.points) for each in results) if len(results) > 1 else 0.0,
        name=_NAME,
    )
    if shown.suffix():
        page.caption("Both have their own planes, drawn on the same scale. The values of the [[AUC]] can be compared.")


def caption(result: Word) -> str:
    """Return what the points show, and how the headline was tested."""
    moving: Trajectories = result.moving
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
    return f"{text} {result.test_caption}".strip()
