"""The codelength of the labels by layer in bits, next to random labels, equal codes and the frequencies alone."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.probing.accuracy import SERIES
from embtools.charts.style import GREY, LEGEND, MARGIN, PURPLE, SLATE, floats, tint
from embtools.probing.description_length import LayerCodes, bits

_COLUMNS = {"codelength": SERIES["accuracy"], "control_codelength": SERIES["control"]}


def codelengths(result: LayerCodes, also: LayerCodes | None = None) -> Chart:
    """Draw the codelength by layer with its range over the orders, the compression as a number, one layer as a ring.

    `also` is the result of another model whose chart gets the same scale.
    """
    both = [result, *([also] if also else [])]
    top = 1.12 * max(max(each.table["control_codelength_highest"].max(), each.frequencies) for each in both)
    return Chart(_codelengths(result, float(top)), result.table, _codelengths_alt(result))


def _codelengths(result: LayerCodes, top: float) -> go.Figure:
    figure, table, chosen = go.Figure(), result.table, result.layer
    layers = np.arange(len(table), dtype=np.float32)
    for column in _COLUMNS:
        _band(figure, layers, table, column)
    for column in _COLUMNS:
        _line(figure, layers, table, column, chosen)
    figure.add_scatter(
        x=[chosen],
        y=[float(table["codelength"].iloc[chosen])],
        mode="markers",
        showlegend=False,
        hoverinfo="skip",
        cliponaxis=False,
        marker={"size": 20, "symbol": "circle-open", "color": SLATE, "line": {"width": 3}},
    )
    for length, name, colour, dash in (
        (result.uniform, "equal codes", GREY, "dot"),
        (result.frequencies, "frequencies alone", PURPLE, "dashdot"),
    ):
        figure.add_scatter(
            x=[0.0, float(layers[-1])],
            y=[length, length],
            mode="lines",
            name=name,
            line={"color": colour, "dash": dash, "width": 2},
            hovertemplate=f"{name}: %{{y:.1f}} bits<extra></extra>",
        )
    figure.update_layout(
        height=350,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"title": "layer (0: embeddings, no context)", "dtick": 1 if len(table) <= 13 else 4},
        yaxis={"title": "codelength of the labels, bits", "range": [0, top]},
        dragmode=False,
    )
    return figure


def _codelengths_alt(result: LayerCodes) -> str:
    table = result.table
    first, last, best = table.iloc[0], table.iloc[-1], table.iloc[result.code.shortest]
    return (
        f"Codelength of the labels with probes on {len(table)} layers: {bits(first['codelength'])} bits in layer 0,"
        f" {bits(last['codelength'])} in the last layer, and {bits(best['codelength'])} in {best['combination']}, the"
        f" shortest (compression {best['compression']:.2f}). With random labels it is"
        f" {bits(table['control_codelength'].min())} to {bits(table['control_codelength'].max())} bits, with equal"
        f" codes {bits(result.uniform)}, and with the frequencies alone {bits(result.frequencies)}."
    )


def _band(figure: go.Figure, x: np.ndarray, table: pd.DataFrame, column: str) -> None:
    figure.add_scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([floats(table[f"{column}_lowest"]), floats(table[f"{column}_highest"])[::-1]]),
        fill="toself",
        fillcolor=tint(_COLUMNS[column][1], 0.18),
        mode="none",
        showlegend=False,
        hoverinfo="skip",
    )


def _numbers(compression: np.ndarray, chosen: int) -> list[str]:
    """Return the compressions as labels; that of the ring begins a line lower, below it."""
    return [f"{'<br>' * (layer == chosen)}{value:.1f}×" for layer, value in enumerate(compression)]


def _line(figure: go.Figure, x: np.ndarray, table: pd.DataFrame, column: str, chosen: int) -> None:
    name, colour, symbol, dash = _COLUMNS[column]
    compression = floats(table[column.replace("codelength", "compression")])
    ends = [floats(table[f"{column}_{end}"]) for end in ("lowest", "highest")]
    own = column == "codelength"  # only the line that matters has numbers, so that the others do not cover them
    figure.add_scatter(
        x=x,
        y=floats(table[column]),
        mode="lines+markers+text" if own else "lines+markers",
        name=name,
        line={"color": colour, "dash": dash, "width": 2.5},
        marker={"symbol": symbol, "size": 9},
        text=_numbers(compression, chosen) if own else None,
        textposition="bottom center",
        cliponaxis=False,
        customdata=np.stack([*ends, compression, floats(table["accuracy"])], axis=1),
        hovertemplate=f"{name}, layer %{{x}}: %{{y:.1f}} bits<br>%{{customdata[0]:.1f}} to %{{customdata[1]:.1f}} bits"
        " in the orders<br>compression %{customdata[2]:.2f}"
        + ("<br>accuracy %{customdata[3]:.1%}" if own else "")
        + "<extra></extra>",
    )
