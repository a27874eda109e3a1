"""The accuracy of probes by layer, by layer combination and by number of training items, with the control task."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, SLATE, VERMILLION, floats, saved, tint, whiskers, wrap
from embtools.messages import counted
from embtools.probing.accuracy import Combinations
from embtools.probing.curve import LearningCurve
from embtools.probing.layers import LayerProbes
from embtools.probing.verdict import share

SERIES = {
    "accuracy": ("true labels", BLUE, "circle", "solid"),
    "control": ("random labels (control)", VERMILLION, "diamond", "dash"),
}
_PERCENT = {"tickformat": ".0%", "range": [0, 1.03], "title": "accuracy on held-out items"}


def over_layers(result: LayerProbes) -> Chart:
    """Draw accuracy and control by layer with their intervals, guessing as a dotted line; rings: the headline."""
    rings = [result.layer] if result.chosen is not None else result.best_layers
    figure = _over_layers(result.table, result.baseline, rings)
    return Chart(figure, result.table, _over_layers_alt(result.table, result.baseline))


def over_items(result: LearningCurve) -> Chart:
    """Draw the learning curve: accuracy and control by the number of training items."""
    return Chart(_over_items(result.table, result.baseline), result.table, _over_items_alt(result.table))


def combinations(result: Combinations) -> Chart:
    """Draw one row per layer combination: accuracy and control with their intervals, and guessing as a dotted line."""
    return Chart(_combinations(result.table, result.baseline), result.table, _combinations_alt(result.table))


def _over_layers(table: pd.DataFrame, baseline: float, rings: Sequence[int]) -> go.Figure:
    figure = go.Figure()
    layers = np.arange(len(table), dtype=np.float32)
    for column in SERIES:
        _band(figure, layers, table, column)
    for column in SERIES:
        _line(figure, layers, table, column, "layer %{x}")
    figure.add_scatter(
        x=list(rings),
        y=floats(table["accuracy"].iloc[list(rings)]),
        mode="markers",
        showlegend=False,
        hoverinfo="skip",
        cliponaxis=False,
        marker={"size": 20, "symbol": "circle-open", "color": SLATE, "line": {"width": 3}},
    )
    _rule(figure, baseline)
    figure.update_layout(
        height=350,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"title": "layer (0: embeddings, no context)", "dtick": 1 if len(table) <= 13 else 4},
        yaxis=_PERCENT,
        dragmode=False,
    )
    return figure


def _over_layers_alt(table: pd.DataFrame, baseline: float) -> str:
    first, last, best = table.iloc[0], table.iloc[-1], table.loc[table["accuracy"].idxmax()]
    where = f"{best['combination']}{_others(table, best['accuracy'], 'layer')}"
    return (
        f"Accuracy of a probe on {len(table)} layers: {share(first['accuracy'])} in layer 0, {share(last['accuracy'])}"
        f" in the last layer, and {share(best['accuracy'])} in {where}, the highest. With random labels it is"
        f" {share(table['control'].min())} to {share(table['control'].max())}, and guessing (most frequent label) gets"
        f" {share(baseline)}."
    )


def _others(table: pd.DataFrame, value: float, kind: str) -> str:
    """Name how many other rows, of this kind, have the same accuracy as the first one with it."""
    count = int((table["accuracy"] == value).sum()) - 1
    return f" and {counted(count, f'other {kind}')}" if count else ""


def _over_items(table: pd.DataFrame, baseline: float) -> go.Figure:
    figure = go.Figure()
    items = floats(table["items"])
    for column in SERIES:
        _band(figure, items, table, column)
    for column in SERIES:
        _line(figure, items, table, column, "%{x:.0f} training items")
    _rule(figure, baseline)
    figure.update_layout(
        height=380,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"title": "number of training items", "rangemode": "tozero"},
        yaxis=_PERCENT,
    )
    return figure


def _over_items_alt(table: pd.DataFrame) -> str:
    few, most = table.iloc[0], table.iloc[-1]
    return (
        f"The accuracy goes from {share(few['accuracy'])} with {few['items']:.0f} training items to"
        f" {share(most['accuracy'])} with {most['items']:.0f}; with random labels it goes from {share(few['control'])}"
        f" to {share(most['control'])}."
    )


def _combinations(table: pd.DataFrame, baseline: float) -> go.Figure:
    figure = go.Figure()
    for number, (column, (name, colour, symbol, _)) in enumerate(SERIES.items()):
        figure.add_scatter(
            x=floats(table[column]),
            y=np.arange(len(table), dtype=np.float32) + (number - 0.5) * 0.2,
            mode="markers",
            name=name,
            marker={"color": colour, "symbol": symbol, "size": 9},
            error_x=whiskers(table[column], table[f"{column}_low"], table[f"{column}_high"], thickness=1.5, width=0),
            hovertemplate=f"{name}: %{{x:.1%}}<extra></extra>",
        )
    figure.add_vline(x=baseline, line={"width": 2, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=120 + 32 * len(table),
        margin=MARGIN,
        legend=LEGEND,
        xaxis=_PERCENT,
        **saved(yaxis="layer combination"),
        yaxis={
            "tickvals": list(range(len(table))),
            "ticktext": [wrap(name, 22) for name in table["combination"]],
            "range": [len(table) - 0.4, -0.6],
            "zeroline": False,
        },
    )
    return figure


def _combinations_alt(table: pd.DataFrame) -> str:
    best, worst = table.loc[table["accuracy"].idxmax()], table.loc[table["accuracy"].idxmin()]
    if best["accuracy"] == worst["accuracy"]:
        return f"The accuracy of probes is {share(best['accuracy'])} on each of {len(table)} layer combinations."
    high, low = (f"{row['combination']}{_others(table, row['accuracy'], 'combination')}" for row in (best, worst))
    return (
        f"Accuracy of probes on {len(table)} layer combinations: the highest is {share(best['accuracy'])} ({high}), the"
        f" lowest {share(worst['accuracy'])} ({low})."
    )


def _band(figure: go.Figure, x: np.ndarray, table: pd.DataFrame, column: str) -> None:
    _, colour, _, _ = SERIES[column]
    figure.add_scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([floats(table[f"{column}_low"]), floats(table[f"{column}_high"])[::-1]]),
        fill="toself",
        fillcolor=tint(colour, 0.18),
        mode="none",
        showlegend=False,
        hoverinfo="skip",
    )


def _line(figure: go.Figure, x: np.ndarray, table: pd.DataFrame, column: str, where: str) -> None:
    name, colour, symbol, dash = SERIES[column]
    figure.add_scatter(
        x=x,
        y=floats(table[column]),
        mode="lines+markers",
        name=name,
        line={"color": colour, "dash": dash, "width": 2.5},
        marker={"symbol": symbol, "size": 9},
        customdata=np.stack([floats(table[f"{column}_low"]), floats(table[f"{column}_high"])], axis=1),
        hovertemplate=f"{name}, {where}: %{{y:.1%}}<br>%{{customdata[0]:.1%}} to %{{customdata[1]:.1%}}<extra></extra>",
    )


def _rule(figure: go.Figure, baseline: float) -> None:
    """Draw guessing as a trace, so that it has an entry in the legend."""
    x = [float(min(trace.x.min() for trace in figure.data[:1])), float(max(trace.x.max() for trace in figure.data[:1]))]
    figure.add_scatter(
        x=x,
        y=[baseline, baseline],
        mode="lines",
        name="guessing (most frequent label)",
        line={"color": GREY, "dash": "dot", "width": 2},
        hovertemplate="guessing (always the most frequent label): %{y:.1%}<extra></extra>",
    )
