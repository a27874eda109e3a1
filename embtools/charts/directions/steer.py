"""The odds of answers, the cost in other sentences, and the fluency of a text over the strength of a direction."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, INK, LEGEND, MARGIN, SLATE, VERMILLION, floats, label, tint
from embtools.directions.fluency import BREAK
from embtools.directions.steer_result import Steered
from embtools.statistics.decimals import decimal, signed

FLUENCY = "fluency_low", "fluency_high", "random_fluency_lowest", "random_fluency_highest"
"""The columns that `fluency` shows, for `ends`."""
_HEIGHT = 256


def odds(result: Steered, ends: tuple[float, float] | None = None) -> Chart:
    """The change in the log odds over the strength, with its interval or sentences, next to shuffled groups."""
    rows = result.strengths
    figure = go.Figure()
    _band(figure, rows, "random_lowest", "random_highest", VERMILLION)
    _band(figure, rows, "low", "high", BLUE)
    _sentences(figure, result)
    _line(figure, rows, "random", "shuffled groups (mean)", VERMILLION, "dash", "diamond")
    _line(figure, rows, "change", "this direction", BLUE, "solid", "circle")
    low, high = ends or odds_ends([result])
    _laid_out(figure, "change in the log odds, in nats", (low, high))
    own, random = result.at(1.0)["change"], result.at(1.0)["random"]
    alt = (
        f"Change in the log odds of {result.answers_of[1]} over {result.answers_of[0]} by strength: {signed(own)} nats"
        f" at strength 1 (shuffled groups {signed(random)}), {signed(result.at(-1.0)['change'])} at −1."
    )
    return Chart(figure, rows, alt)


def cost(result: Steered, ends: tuple[float, float] | None = None) -> Chart:
    """The change in the log probability of acceptable answers in other sentences over the strength."""
    rows = result.strengths
    figure = go.Figure()
    _band(figure, rows, "cost_low", "cost_high", BLUE)
    _line(figure, rows, "random_cost", "shuffled groups (mean)", VERMILLION, "dash", "diamond")
    _line(figure, rows, "cost", "this direction", BLUE, "solid", "circle")
    _laid_out(figure, "change in log p, in nats", ends or _ends([result], ("cost_low", "cost_high", "random_cost")))
    alt = (
        f"Change in the log probability of acceptable answers in other sentences: {signed(result.at(1.0)['cost'])} nats"
        f" at strength 1, {signed(result.at(3.0)['cost'])} at strength 3."
    )
    return Chart(figure, rows, alt)


def fluency(result: Steered, ends: tuple[float, float] | None = None) -> Chart:
    """The change in the pseudo-log-likelihood of the fixed text over the strength; a line: where fluency breaks."""
    rows, found = result.fluency.curve, result.fluency
    figure = go.Figure()
    _band(figure, rows, "random_fluency_lowest", "random_fluency_highest", VERMILLION)
    _band(figure, rows, "fluency_low", "fluency_high", BLUE)
    _line(figure, rows, "random_fluency", "shuffled groups (mean)", VERMILLION, "dash", "diamond")
    _line(figure, rows, "fluency", "this direction", BLUE, "solid", "circle")
    _laid_out(figure, "change, in nats per token", ends or _ends([result], FLUENCY))
    figure.add_hline(y=-BREAK, line={"dash": "dash", "width": 1.5, "color": SLATE})
    own, random = ([signed(value) for value in rows.iloc[[0, -1]][name]] for name in ("fluency", "random_fluency"))
    alt = (
        f"Change in the pseudo-log-likelihood of a fixed text of {found.tokens} tokens: {own[1]} nats per token at"
        f" strength {rows['strength'].max():g} (shuffled groups {random[1]}), {own[0]} at strength"
        f" {decimal(rows['strength'].min(), 0)} (shuffled groups {random[0]})."
        f" Fluency counts as broken if the change is below −{BREAK:g} nat per token."
    )
    return Chart(figure, rows, alt)


def ends(results: Sequence[Steered], *columns: str) -> tuple[float, float] | None:
    """The ends of the vertical axis for several results with these columns; None for one result."""
    return _ends(results, columns) if len(results) > 1 else None


def odds_ends(results: Sequence[Steered]) -> tuple[float, float]:
    """The ends of the vertical axis of `odds` for several results: intervals, sentences without one, and controls."""
    found = [_ends([each], ("change", "low", "high", "random_lowest", "random_highest")) for each in results]
    found += [_span(each.sentences["change"].to_numpy()) for each in results if each.strengths["low"].isna().any()]
    return min(low for low, _ in found), max(high for _, high in found)


def _line(figure: go.Figure, rows: pd.DataFrame, column: str, name: str, colour: str, dash: str, symbol: str) -> None:
    figure.add_scatter(
        x=floats(rows["strength"]), y=floats(rows[column]), mode="lines+markers", name=name,
        line={"color": colour, "dash": dash, "width": 2.5}, marker={"size": 7, "symbol": symbol},
        hovertemplate=f"strength %{{x}}: %{{y:+.2f}}<extra>{name}</extra>",
    )  # fmt: skip


def _band(figure: go.Figure, rows: pd.DataFrame, low: str, high: str, colour: str) -> None:
    if rows[low].isna().any():
        return
    x = floats(rows["strength"])
    figure.add_scatter(
        x=np.concatenate([x, x[::-1]]), y=np.concatenate([floats(rows[low]), floats(rows[high])[::-1]]),
        fill="toself", fillcolor=tint(colour, 0.18), mode="none", showlegend=False, hoverinfo="skip",
    )  # fmt: skip


def _sentences(figure: go.Figure, result: Steered) -> None:
    """Draw each sentence as a thin line where there are too few for an interval."""
    if not result.strengths["low"].isna().any() or result.sentences["sentence"].nunique() < 2:
        return
    for sentence, rows in result.sentences.groupby("sentence", sort=False):
        figure.add_scatter(
            x=floats(rows["strength"]), y=floats(rows["change"]), mode="lines", showlegend=False,
            line={"color": tint(BLUE, 0.5), "width": 1},
            hovertemplate=f"{label(str(sentence))}: %{{y:+.2f}}<extra></extra>",
        )  # fmt: skip


def _laid_out(figure: go.Figure, title: str, ends: tuple[float, float]) -> None:
    figure.add_hline(y=0, line={"dash": "dot", "width": 1.5, "color": INK})
    figure.update_layout(
        height=_HEIGHT,
        margin={**MARGIN, "t": 8, "b": 88, "l": 64},
        legend=LEGEND,
        dragmode=False,
        xaxis={"title": "strength", "dtick": 1, "fixedrange": True},
        yaxis={"title": title, "range": list(ends), "fixedrange": True, "zeroline": False},
    )


def _ends(results: Sequence[Steered], columns: Sequence[str]) -> tuple[float, float]:
    frames = [each.fluency.curve if columns[0] in each.fluency.curve else each.strengths for each in results]
    values = np.concatenate([frame[list(columns)].to_numpy().ravel() for frame in frames])
    return _span(values)


def _span(values: np.ndarray) -> tuple[float, float]:
    """Return the ends of an axis for values, with some room; nan does not count."""
    low, high = min(-0.5, float(np.nanmin(values))), max(0.5, float(np.nanmax(values)))
    room = 0.06 * (high - low)
    return low - room, high + room
