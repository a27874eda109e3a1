"""Charts of log-probability scores: their ranges over sentences, and their relation to projections on a direction."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.bias.occupations import Occupations
from embtools.charts.bias.groups import rows_of
from embtools.charts.chart import Chart
from embtools.charts.labels import arranged
from embtools.charts.labels import ends as edges
from embtools.charts.style import COLOURS, GREY, LEGEND, MARGIN, TITLE, floats, label, saved, whiskers, wrap
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

_NAMED, _ROOM = 24, (240, 250)  # labels of the scatter plot (more would overlap); pixels of the narrowest one


Ends = tuple[tuple[float, float], tuple[float, float]]
"""The lowest and the highest value on the horizontal and on the vertical axis."""


def ranges(result: Occupations, every: bool = False, reach: float = 0) -> Chart:
    """One row per word: its mean score over the sentences and their range; a hollow mark if the sentences disagree.

    The highest score is at the top. every: draw all words, not only those at both ends. reach: the length of the axis
    on either side of zero, for two charts that share an axis; see `reach_of`.
    """
    drawn = result.summary if every else result.ends
    return Chart(_ranges(drawn, *result.names, reach), result.summary, _ranges_alt(result.summary, *result.names))


def reach_of(results: Sequence[Occupations], every: bool = False) -> float:
    """The largest end of a range in several results; 0 for a single one."""
    drawn = [result.summary if every else result.ends for result in results]
    return max(float(each[["lowest", "highest"]].abs().to_numpy().max()) for each in drawn) if len(drawn) > 1 else 0.0


def agreement(result: Occupations, ends: Ends | None = None) -> Chart:
    """Scatter plot of two measures of the same words: the projection on the direction, and the score in sentences.

    ends: those of both axes, for two charts that share them; see `ends_of`.
    """
    alt = f"{_agreement_alt(result.both, *result.names)} {result.agreement}"
    return Chart(_agreement(result.both, *result.names, ends), result.both, alt)


def ends_of(results: Sequence[Occupations]) -> Ends | None:
    """The lowest and highest projection and score in several results, with room around them; None for a single one."""
    if len(results) < 2:
        return None
    return _ends(results, "projection"), _ends(results, "score")


def _ends(results: Sequence[Occupations], column: str) -> tuple[float, float]:
    values = [value for result in results for value in result.both[column]]
    room = 0.08 * (max(values) - min(values))
    return min(values) - room, max(values) + room


def _ranges(summary: pd.DataFrame, first: str, second: str, reach: float) -> go.Figure:
    figure = go.Figure()
    agree, low = summary["same_side"], summary["score"] < 0
    for name, symbol, width, colour, part in (
        (f"leans towards {label(first)}", "circle", 0, COLOURS[0], agree & low),
        (f"leans towards {label(second)}", "diamond", 0, COLOURS[1], agree & ~low),
        ("sentences disagree", "circle-open", 2, GREY, ~agree),
    ):
        rows = summary[part]
        if len(rows):
            figure.add_scatter(
                x=floats(rows["score"]),
                y=[label(w) for w in rows["occupation"]],
                mode="markers",
                name=name,
                marker={"color": colour, "size": 10, "symbol": symbol, "line": {"width": width}},
                error_x=whiskers(rows["score"], rows["lowest"], rows["highest"], thickness=1.5, width=0, color=colour),
                hovertemplate="%{y}: %{x:+.2f}<extra></extra>",
            )
    figure.add_vline(x=0, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=110 + (20 if len(summary) <= 12 else 18) * len(summary),
        legend=LEGEND | {"xref": "container"},
        margin=MARGIN | {"t": 4},
        **saved(yaxis="occupation"),
        xaxis={
            "title": wrap(f"← {first} · score (nats) · {second} →", TITLE),
            "zeroline": False,
            **({"range": [-1.06 * reach, 1.06 * reach]} if reach else {}),
        },
        yaxis=rows_of([label(w) for w in summary["occupation"]]),
    )
    return figure


def _ranges_alt(summary: pd.DataFrame, first: str, second: str) -> str:
    low, high = summary.iloc[0], summary.iloc[-1]
    ends = (
        f"{decimal(row['score'], signed=True)} ({row['occupation']}, towards {first if row['score'] < 0 else second})"
        for row in (low, high)
    )
    if len(summary) == 1:
        return f"Score of 1 word: {next(ends)}."
    return f"Scores of {len(summary)} words, from {' to '.join(ends)}."


def _agreement(both: pd.DataFrame, first: str, second: str, ends: Ends | None) -> go.Figure:
    figure = go.Figure()
    order = (-(_rank(both["projection"]) ** 2 + _rank(both["score"]) ** 2)).argsort().tolist()
    spread = both[["projection", "score"]].to_numpy(np.float64)
    # Only extreme words are labelled, because more labels would overlap. The others show their name on hover.
    pixel = np.maximum(np.ptp(spread, axis=0), 1e-9) / _ROOM  # in data units
    pixels = spread / pixel
    shown = arranged(pixels, [round(1.4 * len(w)) for w in both["occupation"]], order[:_NAMED], _ROOM)
    positions = pd.Series([shown.get(n, "") for n in range(len(both))], index=both.index)
    for agree, name, symbol, colour in (
        (True, "all sentences agree", "circle", COLOURS[0]),
        (False, "sentences disagree", "circle-open", GREY),
    ):
        group = both[both["same_side"] == agree]
        where = positions[group.index]
        figure.add_scatter(
            x=floats(group["projection"]),
            y=floats(group["score"]),
            name=name,
            mode="markers+text",
            text=[label(w) if position else "" for w, position in zip(group["occupation"], where, strict=True)],
            textposition=[position or "top center" for position in where],
            customdata=[label(w) for w in group["occupation"]],
            marker={"symbol": symbol, "color": colour, "size": 9, "line": {"width": 0 if agree else 2}},
            hovertemplate="%{customdata}: projection %{x:.3f}, score %{y:.2f}<extra></extra>",
        )
    figure.add_hline(y=0, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.add_vline(x=0, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=340,
        legend=LEGEND,
        margin=MARGIN | {"t": 4},
        xaxis={
            "title": wrap(f"← {first} · cosine with the direction, minus the mean · {second} →", TITLE),
            "zeroline": False,
        },
        yaxis={"title": wrap(f"← {first} · score in sentences · {second} →", TITLE), "zeroline": False},
    )
    if ends is None:
        ((left, right), (low, high)), (width, height) = edges(pixels, _ROOM), pixel
        ends = (left * width, right * width), (low * height, high * height)
    figure.update_layout(xaxis={"range": ends[0]}, yaxis={"range": ends[1]})
    return figure


def _agreement_alt(both: pd.DataFrame, first: str, second: str) -> str:
    low, high = (both.loc[both["score"].agg(which)] for which in ("idxmin", "idxmax"))
    ends = (f"{row['occupation']} ({first if row['score'] < 0 else second})" for row in (low, high))
    if len(both) == 1:
        return f"1 word by projection and score: {next(ends)}."
    return f"{len(both)} words by projection and score. The lowest score is {next(ends)}, the highest {next(ends)}."


def _rank(values: pd.Series) -> Array:
    """Ranks from -1 to 1: extreme words are labelled first."""
    return (2 * (values.rank() - 1) / max(len(values) - 1, 1) - 1).to_numpy()
