"""Charts of an edit: the answers before and after it, and its top answer compared with the controls."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import AFTER, BEFORE, LEGEND, LOSS, MARGIN, floats, label, saved, whiskers
from embtools.statistics.percentages import compared, percents

WHOLE = "the whole formula"
_ROOM, _CONTROLS, _NUMBERS = 92, 156, 112
"""Pixels left of the bars, enough for most words and for the controls, so that the bars do not move; and right of them,
for the numbers of the controls, which no line crosses there."""


def bars(rows: pd.DataFrame, edited: bool, answers: pd.DataFrame | None = None) -> Chart:
    """Draw two bars per word, its probability before (hatched) and after (solid) the edit; without an edit, one bar.

    The axis always ends at 100%, so that an unsure answer has a short bar. rows: token, probability_before,
    probability_after, rank_before, rank_after, from top to bottom. answers: the table of the chart if it has more rows
    than are drawn.
    """
    return Chart(_bars(rows, edited), rows if answers is None else answers, _bars_alt(rows, edited))


def _bars(rows: pd.DataFrame, edited: bool) -> go.Figure:
    rows = rows.iloc[::-1]
    tokens = [label(t) for t in rows["token"]]
    # The two bars of a word are compared: their labels must differ if their lengths do.
    texts, exact = (
        [
            percents(*pair, digits=digits)
            for pair in zip(rows["probability_before"], rows["probability_after"], strict=True)
        ]
        for digits in (None, 1)
    )
    runs: list[tuple[str, str, dict[str, Any]]] = [
        ("probability_after", "after" if edited else "probability", {"color": AFTER})
    ]
    if edited:
        hatched = {"color": BEFORE, "pattern": {"shape": "/", "fgopacity": 1, "fillmode": "replace", "size": 5}}
        runs = [("probability_before", "before", hatched), *runs]
    figure = go.Figure(
        [
            {
                "type": "bar",
                "x": floats(rows[column]),
                "y": tokens,
                "orientation": "h",
                "name": name,
                "marker": marker,
                "text": [
                    pair[column == "probability_after"] if value >= 0.005 else ""
                    for pair, value in zip(texts, rows[column], strict=True)
                ],
                "textposition": "outside",
                "textfont": {"size": 13},
                "cliponaxis": False,
                "customdata": [pair[column == "probability_after"] for pair in exact],
                "hovertemplate": f"%{{y}}: %{{customdata}} {name}<extra></extra>",
            }
            for column, name, marker in runs
        ],
        {
            "height": 34 + 36 * len(rows),
            "legend": LEGEND | {"traceorder": "reversed"},
            "showlegend": edited,
            "margin": MARGIN | {"l": _ROOM, "r": 54, "t": 2, "b": 30 if edited else 4},
            "bargap": 0.22,
            "xaxis": {"range": [0, 1], "visible": False},
            "yaxis": {
                "type": "category", "categoryorder": "array", "categoryarray": tokens, "tickfont": {"size": 14},
                "showgrid": edited,  # without an edit, the line of a word would cross its number
            },
            **saved(xaxis="probability at the mask", yaxis="answer"),
        },
    )  # fmt: skip
    return figure


def _bars_alt(rows: pd.DataFrame, edited: bool) -> str:
    """Describe the bars in a sentence."""
    first = rows.loc[rows["rank_before"].idxmin()]
    best = rows.loc[rows["rank_after"].idxmin()]
    old, new, was = percents(
        first["probability_before"], best["probability_after"], best["probability_before"], digits=1
    )
    if not edited:
        return f"Probability of {len(rows)} words at the mask. The top answer is {best['token']} ({new})."
    return (
        f"Probability of {len(rows)} words before and after the edit. The top answer is {first['token']} ({old}) before"
        f" the edit and {best['token']} ({new}, was {was}) after it."
    )


def comparison(lines: pd.DataFrame, token: str, probability: float) -> Chart:
    """Draw the top answer's probability with the whole edit (bar) and with each control (mean and range of its draws).

    lines: control, draws, mean, lowest, highest, description.
    """
    return Chart(_comparison(lines, token, probability), lines, _comparison_alt(lines, token, probability))


def _comparison(lines: pd.DataFrame, token: str, probability: float) -> go.Figure:
    names = [WHOLE, *lines["control"]][::-1]
    whole, means = compared(probability, list(lines["mean"]))
    _, highest = compared(probability, list(lines["highest"]))
    numbers = [
        mean if draws == 1 else f"{mean} (max {most})"
        for mean, most, draws in zip(means, highest, lines["draws"], strict=True)
    ]
    word = label(token)
    figure = go.Figure(
        [
            {
                "type": "bar",
                "x": [probability],
                "y": [WHOLE],
                "orientation": "h",
                "marker": {"color": AFTER},
                "width": 0.5,
                "text": [whole],
                "textposition": "outside",
                "cliponaxis": False,
                "hovertemplate": f"{word}: %{{x:.1%}}<extra></extra>",
            },
            {
                "type": "scatter",
                "x": floats(lines["mean"]),
                "y": lines["control"],
                "mode": "markers",
                "cliponaxis": False,
                "marker": {"symbol": "diamond-open", "size": 11, "color": LOSS, "line": {"width": 2}},
                "error_x": whiskers(lines["mean"], lines["lowest"], lines["highest"], color=LOSS, thickness=2, width=4),
                "customdata": lines[["description", "draws"]],
                "hovertemplate": (
                    f"{word}: %{{x:.1%}} (mean; draws: %{{customdata[1]}})<br>%{{customdata[0]}}<extra>%{{y}}</extra>"
                ),
            },
            {
                "type": "scatter",
                "x": [1.0] * len(lines),
                "y": lines["control"],
                "mode": "text",
                "text": [f" \u2002{number}" for number in numbers],
                "textposition": "middle right",
                "cliponaxis": False,
                "hoverinfo": "skip",
            },
        ],
        {
            "height": 40 + 26 * len(names),
            "margin": MARGIN | {"l": _CONTROLS, "r": _NUMBERS, "t": 2, "b": 44},
            "showlegend": False,
            "xaxis": {
                "tickformat": ".0%",
                "range": [0, 1],
                "title": {"text": f"probability of {word}", "standoff": 4},
                "nticks": 5,
            },
            "yaxis": {
                "type": "category", "categoryorder": "array", "categoryarray": names, "tickfont": {"size": 13},
                "ticklabelstandoff": 6,
            },
            **saved(yaxis="edit and controls"),
            "shapes": [
                {
                    "type": "line", "xref": "x", "yref": "paper", "x0": probability, "x1": probability, "y0": 0,
                    "y1": 1, "line": {"width": 1, "dash": "dot", "color": AFTER},
                }
            ],
        },
    )  # fmt: skip
    return figure


def _comparison_alt(lines: pd.DataFrame, token: str, probability: float) -> str:
    """Describe the comparison with the controls in a sentence."""
    whole, means = compared(probability, list(lines["mean"]), digits=1)
    _, highest = compared(probability, list(lines["highest"]), digits=1)
    parts = [
        f"{control} {mean}" + (f" on average and {most} at most" if draws > 1 else "")
        for control, mean, most, draws in zip(lines["control"], means, highest, lines["draws"], strict=True)
    ]
    return f"Probability of {token} with {WHOLE}: {whole}. With each control: {', '.join(parts)}."
