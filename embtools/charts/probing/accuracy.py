"""Charts of the Probing page: how often a probe is right in each layer, and under each recipe, beside its control."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, SLATE, VERMILLION, floats, tint, whiskers, wrap

SERIES = {
    "accuracy": ("the labels as they are", BLUE, "circle", "solid"),
    "control": ("random labels (control)", VERMILLION, "diamond", "dash"),
}
_PERCENT = {"tickformat": ".0%", "range": [0, 1.03], "title": "right on held-out items"}


def over_layers(table: pd.DataFrame, baseline: float, chosen: int) -> go.Figure:
    """Accuracy and control over the layers in their bands; the most frequent label as a rule, the chosen layer ringed.

    table: a row a layer; accuracy, control and selectivity, each with …_low and …_high.
    """
    figure = go.Figure()
    layers = np.arange(len(table), dtype=np.float32)
    for column in SERIES:
        _band(figure, layers, table, column)
    for column in SERIES:
        _line(figure, layers, table, column, "layer %{x}")
    row = table.iloc[chosen]
    figure.add_scatter(
        x=[chosen],
        y=[float(row["accuracy"])],
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


def over_layers_alt(table: pd.DataFrame, baseline: float) -> str:
    """The lines in a sentence."""
    first, last, best = table.iloc[0], table.iloc[-1], table.loc[table["accuracy"].idxmax()]
    return (
        f"Accuracy of a probe over {len(table)} layers: {first['accuracy']:.0%} in layer 0, {last['accuracy']:.0%} in"
        f" the last, highest {best['accuracy']:.0%} in {best['recipe']}. Random labels: {table['control'].min():.0%} to"
        f" {table['control'].max():.0%}. Guessing (most frequent label): {baseline:.0%}."
    )


def over_items(table: pd.DataFrame, baseline: float) -> go.Figure:
    """The learning curve: accuracy and control over the number of items that a probe learns from.

    table: items; accuracy and control, each with …_low and …_high.
    """
    figure = go.Figure()
    items = floats(table["items"])
    for column in SERIES:
        _band(figure, items, table, column)
    for column in SERIES:
        _line(figure, items, table, column, "from %{x:.0f} items")
    _rule(figure, baseline)
    figure.update_layout(
        height=380,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"title": "items that the probe learns from", "rangemode": "tozero"},
        yaxis=_PERCENT,
    )
    return figure


def over_items_alt(table: pd.DataFrame) -> str:
    """The learning curve in a sentence."""
    few, most = table.iloc[0], table.iloc[-1]
    return (
        f"Accuracy goes from {few['accuracy']:.0%} with {few['items']:.0f} items to {most['accuracy']:.0%} with"
        f" {most['items']:.0f}; with random labels from {few['control']:.0%} to {most['control']:.0%}."
    )


def recipes(table: pd.DataFrame, baseline: float) -> go.Figure:
    """A row for each recipe: accuracy and control as marks with their intervals; the most frequent label as a rule."""
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
        yaxis={
            "tickvals": list(range(len(table))),
            "ticktext": [wrap(recipe, 22) for recipe in table["recipe"]],
            "range": [len(table) - 0.4, -0.6],
            "zeroline": False,
        },
    )
    return figure


def recipes_alt(table: pd.DataFrame) -> str:
    """The rows in a sentence."""
    best, worst = table.loc[table["accuracy"].idxmax()], table.loc[table["accuracy"].idxmin()]
    return (
        f"Accuracy under {len(table)} recipes: highest {best['accuracy']:.0%} ({best['recipe']}), lowest"
        f" {worst['accuracy']:.0%} ({worst['recipe']})."
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
    """The most frequent label as a line of its own, so that the legend says what it is."""
    x = [float(min(trace.x.min() for trace in figure.data[:1])), float(max(trace.x.max() for trace in figure.data[:1]))]
    figure.add_scatter(
        x=x,
        y=[baseline, baseline],
        mode="lines",
        name="guessing (most frequent label)",
        line={"color": GREY, "dash": "dot", "width": 2},
        hovertemplate="guessing (always the most frequent label): %{y:.1%}<extra></extra>",
    )
