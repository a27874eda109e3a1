"""Charts of a dose curve: rates over the strength at one place, and efficacy at all places."""

import numpy as np
import plotly.graph_objects as go

from embtools.charts.cells import marks
from embtools.charts.chart import Chart
from embtools.charts.evidence.battery import STYLES
from embtools.charts.style import BLUE, GREY, INK, LEGEND, NUMBERED_WITH_LEGEND, floats, saved, tint
from embtools.evidence.dose_result import Dose
from embtools.evidence.dose_runs import EDIT, RANDOM
from embtools.evidence.rates import EFFICACY, MEASURES
from embtools.messages import counted
from embtools.statistics.percentages import rounded

_DASHES = dict(zip(MEASURES, ("solid", "dash", "dot"), strict=True))

MOST_NAMED = 7
"""Largest number of strengths below the heatmap of places that have room next to each other."""


def curves(result: Dose, place: str) -> Chart:
    """Each measure over the strength, and the efficacy of a random difference, at one place; a band for the edit."""
    figure = go.Figure()
    for measure in result.measures:
        colour, symbol = STYLES[measure]
        _line(figure, result, place, (EDIT, measure), measure, colour, _DASHES[measure], symbol)
    _line(figure, result, place, (RANDOM, EFFICACY), "efficacy of a random difference", GREY, "dashdot", "cross")
    row = result.at(place)
    middle = (min(result.strengths) + max(result.strengths)) / 2
    for name, text, height in (("half", "half changed", 1.0), ("harm", "harm", 1.13)):  # above both vertical lines
        if np.isfinite(row[name]):
            figure.add_vline(x=float(row[name]), line={"color": INK, "width": 1, "dash": "dot"})
            figure.add_annotation(
                x=float(row[name]), y=height, yref="paper", text=f"{text}: {row[name]:.2f}", showarrow=False,
                xanchor="left" if row[name] < middle else "right", yanchor="bottom", font={"size": 11, "color": INK},
            )  # fmt: skip
    figure.update_layout(
        height=324,
        margin=NUMBERED_WITH_LEGEND | {"t": 52, "r": 16},
        legend=LEGEND,
        xaxis={
            "title": "strength",
            "dtick": 0.5,
            "range": [min(result.strengths) - 0.05, max(result.strengths) + 0.05],
        },
        yaxis={"title": "rate", "tickformat": ".0%", "range": [-0.03, 1.03], "dtick": 0.25},
    )
    return Chart(figure, result.curve, f"Rates by strength. {result.sentence(place)}")


def places(result: Dose) -> Chart:
    """Efficacy at every place (rows) and strength (columns). The customdata of each mark is its place."""
    names, strengths = list(result.places), list(result.strengths)
    values = np.stack([result.of(place, EDIT, EFFICACY)["rate"].to_numpy() for place in names])
    rows, columns = (axis.ravel() for axis in np.mgrid[: len(names), : len(strengths)])
    heat = go.Heatmap(
        z=values.astype(np.float32),
        text=[[f"{100 * value:.0f}" for value in row] for row in values],
        texttemplate="%{text}" if len(strengths) <= 16 else None,
        textfont={"color": INK, "size": 10},
        zmin=0,
        zmax=1,
        colorscale=[(0.0, "rgba(127, 127, 127, 0)"), (1.0, tint(BLUE, 0.45))],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    clicks = marks(
        columns.astype(np.float32),
        rows.astype(np.float32),
        [names[row] for row in rows],
        [f"{names[i]}, strength {strengths[j]:g}: {rounded(values[i, j])}" for i, j in zip(rows, columns, strict=True)],
        "%{text}<extra></extra>",
    )  # fmt: skip
    named = list(range(0, len(strengths), -(-len(strengths) // MOST_NAMED)))
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickmode": "array"}
    figure = go.Figure([heat, clicks])
    figure.update_layout(
        height=90 + 30 * len(names),
        margin={"l": 110, "r": 8, "t": 8, "b": 56},
        dragmode=False,
        **saved(yaxis="place of the edit"),
        xaxis={**bare, "title": "strength", "tickvals": named, "tickangle": 0,
               "ticktext": [f"{strengths[number]:g}".replace("-", "−") for number in named],
               "range": [-0.5, len(strengths) - 0.5]},
        yaxis={**bare, "tickvals": list(range(len(names))), "ticktext": names, "range": [len(names) - 0.5, -0.5]},
    )  # fmt: skip
    best, *others = np.flatnonzero(values.max(axis=1) == values.max())
    more = f" and {counted(len(others), 'other place')}" if others else ""
    alt = (
        f"Efficacy at {len(names)} places and {len(strengths)} strengths. The highest is {rounded(values.max())}, at"
        f" {'the input' if names[best] == 'input' else names[best]}"
        f"{more}. {result.deepest}".strip()
    )
    return Chart(figure, result.points, alt)


def _line(
    figure: go.Figure, result: Dose, place: str, key: tuple[str, str], name: str, colour: str, dash: str, symbol: str
) -> None:
    """Add a line; only the efficacy of the edit has a band, because several would cover each other."""
    rows = result.of(place, *key)
    x = floats(rows["strength"])
    if key == (EDIT, EFFICACY):
        figure.add_scatter(
            x=np.concatenate([x, x[::-1]]),
            y=np.concatenate([floats(rows["high"]), floats(rows["low"])[::-1]]),
            fill="toself",
            fillcolor=tint(colour, 0.12),
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
            showlegend=False,
            legendgroup=name,
        )
    figure.add_scatter(
        x=x,
        y=floats(rows["rate"]),
        mode="lines+markers",
        name=name,
        legendgroup=name,
        line={"color": colour, "dash": dash, "width": 2},
        marker={"color": colour, "symbol": symbol, "size": 7},
        customdata=rows[["low", "high"]].to_numpy(),
        hovertemplate="strength %{x}: %{y:.0%} (%{customdata[0]:.0%} to %{customdata[1]:.0%})<extra>"
        + name
        + "</extra>",
    )
