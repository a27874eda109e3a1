"""Bars of what is lost of an effect without attention to the changed words, layer by layer."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import MARGIN, MAUVE, label
from embtools.charts.tracing.positions import SMALLEST, number
from embtools.tracing.components import Components
from embtools.tracing.knockout import KNOCKOUT
from embtools.vectors import Array


def ends(results: Sequence[Components]) -> tuple[float, float]:
    """The ends of the axis of `layers` for several results."""
    values = np.concatenate([_values(each) for each in results])
    low, high = min(0.0, float(values.min())), max(float(values.max()), 1.0 if results[0].runs.defined else SMALLEST)
    room = 0.12 * (high - low)
    return (low - room if low else 0.0, high + room)


def layers(result: Components, ends: tuple[float, float] | None = None) -> Chart:
    """One bar per layer, and one for all layers; the hover text names both top answers without this attention.

    Hatched bars: without this attention, the answer no longer changes.
    """
    table, values = result.knockouts, _values(result)
    same = table["first_answer"] == table["second_answer"]
    hatched = same & (result.runs.tops[0] != result.runs.tops[1])
    figure = go.Figure(
        go.Bar(
            x=table["layer"],
            y=values.astype(np.float32),
            marker={"color": MAUVE, "pattern": {"shape": np.where(hatched, "/", "").tolist()}},
            text=[number(value, result.runs.defined) for value in values],
            textposition="outside",
            cliponaxis=False,
            customdata=[
                f"{label(first)} → {label(second)}"
                for first, second in zip(table["first_answer"], table["second_answer"], strict=True)
            ],
            hovertemplate="layer %{x}: %{text}<br>top answers: %{customdata}<extra></extra>",
        )
    )
    form = {"tickformat": ".0%"} if result.runs.defined else {}
    figure.update_layout(
        height=260,
        margin={**MARGIN, "t": 22, "b": 44, "l": 60},
        xaxis={"title": "layer without this attention", "type": "category"},
        yaxis={"title": "share lost" if result.runs.defined else "difference lost", **form}
        | ({"range": list(ends)} if ends else {}),
    )
    return Chart(figure, table, _alt(result))


def _values(result: Components) -> Array:
    name = KNOCKOUT if result.runs.defined else f"{KNOCKOUT}_difference"
    return result.knockouts[name].to_numpy(np.float64)


def _alt(result: Components) -> str:
    values = _values(result)
    most = int(values[:-1].argmax())
    return (
        f"Bar chart of the {'share of the ' * result.runs.defined}effect that is lost without attention to the"
        f" changed words. The largest loss in a single layer is in layer {most + 1}"
        f" ({number(values[most], result.runs.defined)}). With this attention blocked in all layers together, the loss"
        f" is {number(values[-1], result.runs.defined)}."
    )
