"""Heatmap of what every head carries, and bars for the attention and feed-forward outputs of each layer."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts.cells import marks
from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, INK, LEGEND, MARGIN, VERMILLION, floats, label
from embtools.charts.tracing.positions import SMALLEST, cells, number
from embtools.tracing.components import PARTS, Components
from embtools.tracing.knockout import ANSWERS, KNOCKOUT
from embtools.tracing.positions import SUFFICIENCY
from embtools.vectors import Array


def largest(results: Sequence[Components], column: str) -> float:
    """The value of the strongest colour for several results: the largest one, or 20% if all shares are smaller."""
    values = [max(float(np.abs(_grid(each, column)).max()), 0.2 if each.runs.defined else SMALLEST) for each in results]
    return max(values)


def heads(result: Components, column: str, *, most: float = 0.0) -> Chart:
    """All heads: layers down, heads across. column is "sufficiency" or "knockout".

    Differences are shown if the shares are undefined. `most` is the value of the strongest colour. The customdata of
    each mark is the name of its head, such as "6.6". Crosses mark the heads without which the answer no longer changes.
    """
    values, most = _grid(result, column), most or largest([result], column)
    layers, count = values.shape
    texts = [[number(value, result.runs.defined) for value in row] for row in values]
    heat = cells(values / most, values, texts, list(range(1, count + 1)), list(range(1, layers + 1)))
    clicks = marks(
        floats(result.heads["head"]),
        floats(result.heads["layer"]),
        [f"{layer}.{head}" for layer, head in zip(result.heads["layer"], result.heads["head"], strict=True)],
        _hover([text for row in texts for text in row], result, column),
        "layer %{y}, head %{x}: %{text}<extra></extra>",
    )
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickmode": "array"}
    figure = go.Figure([heat, *_crosses(result, column), clicks])
    figure.update_layout(
        margin={**MARGIN, "t": 4, "b": 40, "l": 50},
        dragmode=False,
        xaxis={**bare, "title": "head", "tickvals": list(range(1, count + 1)), "range": [0.5, count + 0.5]},
        yaxis={**bare, "title": "layer", "tickvals": list(range(1, layers + 1)), "range": [layers + 0.5, 0.5]},
    )
    return Chart(figure, result.heads, _heads_alt(result, column))


def _hover(texts: Sequence[str], result: Components, column: str) -> list[str]:
    """Return the text of each head; with blocked attention, both top answers too."""
    if column != KNOCKOUT:
        return list(texts)
    tops = zip(texts, *(result.heads[name] for name in ANSWERS), strict=True)
    return [f"{text}<br>top answers: {label(first)} → {label(second)}" for text, first, second in tops]


def _crosses(result: Components, column: str) -> list[go.Scatter]:
    """Return the marks of heads without which both runs have the same answer, in the upper corners of their cells."""
    rows = result.unchanged_heads
    if column != KNOCKOUT or rows.empty:
        return []
    return [
        go.Scatter(
            x=floats(rows["head"]) + np.float32(0.33),
            y=floats(rows["layer"]) - np.float32(0.3),
            mode="markers",
            marker={"symbol": "x", "size": 7, "color": INK},
            hoverinfo="skip",
            showlegend=False,
        )
    ]


def ends(results: Sequence[Components]) -> tuple[float, float]:
    """The ends of the axis of `parts` for several results."""
    values = np.concatenate([_parts(each) for each in results])
    low, high = min(0.0, float(values.min())), max(float(values.max()), 1.0 if results[0].runs.defined else SMALLEST)
    room = 0.08 * (high - low)
    return (low - room if low else 0.0, high + room)


def parts(result: Components, ends: tuple[float, float] | None = None) -> Chart:
    """Bars for the attention and the feed-forward output of each layer; `ends` are those of the axis."""
    figure = go.Figure()
    values = _parts(result)
    for name, colour, pattern in zip(PARTS, (BLUE, VERMILLION), ("", "/"), strict=True):
        rows = (result.layers["component"] == name).to_numpy()
        figure.add_bar(
            x=[str(layer) for layer in result.layers["layer"][rows]],
            y=values[rows].astype(np.float32),
            name=name,
            marker={"color": colour, "pattern": {"shape": pattern}},
            text=[number(value, result.runs.defined) for value in values[rows]],
            hovertemplate="layer %{x}: %{text}",
            textposition="none",
        )
    form = {"tickformat": ".0%"} if result.runs.defined else {}
    figure.update_layout(
        height=260,
        margin={**MARGIN, "t": 10, "b": 70, "l": 60},
        legend=LEGEND,
        barmode="group",
        xaxis={"title": "layer", "type": "category"},
        yaxis={"title": "share of the effect" if result.runs.defined else "difference", **form}
        | ({"range": list(ends)} if ends else {}),
    )
    return Chart(figure, result.layers, _parts_alt(result))


def _grid(result: Components, column: str) -> Array:
    name = column if result.runs.defined else f"{column}_difference"
    return result.heads[name].to_numpy(np.float64).reshape(int(result.heads["layer"].max()), -1)


def _parts(result: Components) -> Array:
    name = SUFFICIENCY if result.runs.defined else f"{SUFFICIENCY}_difference"
    return result.layers[name].to_numpy(np.float64)


def _heads_alt(result: Components, column: str) -> str:
    values = _grid(result, column)
    layer, head = (int(part) + 1 for part in np.unravel_index(values.argmax(), values.shape))
    text = f"Heatmap of {values.size} heads ({column} at {result.runs.words[result.position]})."
    if not result.runs.defined:
        return f"{text} The effect is too small for shares; the largest difference is {np.abs(values).max():.2f}."
    share = number(values.max(), True)
    if column != KNOCKOUT:
        return f"{text} Head {layer}.{head} carries the largest share, {share} of the effect."
    return f"{text} The largest loss is without head {layer}.{head}, {share} of the effect. {_without(result)}".rstrip()


def _without(result: Components) -> str:
    """State without how many single heads the answer no longer changes; "" if it does not change with them either."""
    if result.runs.tops[0] == result.runs.tops[1]:
        return ""
    if not (count := len(result.unchanged_heads)):
        return "The answer still changes without any one of them."
    return f"The answer no longer changes without {'one' if count == 1 else f'any one of {count}'} of them."


def _parts_alt(result: Components) -> str:
    values = _parts(result)
    row = result.layers.iloc[int(values.argmax())]
    if not result.runs.defined:
        return (
            "Bar chart of the parts of each layer. The effect is too small for shares; the largest is"
            f" {values.max():.2f}."
        )
    return (
        "Bar chart of the share of the effect that the attention and feed-forward output of each layer carry at"
        f" {result.runs.words[result.position]}. The {row['component']} of layer {row['layer']} has the largest share,"
        f" {number(values.max(), True)} of the effect."
    )
