"""Strips of the tokens of two sentences with their log probabilities."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import INK, TINTS, VERMILLION, label, saved, tint
from embtools.evidence.minimal_pairs import MinimalPair
from embtools.statistics.decimals import decimal

_ROW = 25  # pixels


def strips(result: MinimalPair, reach: tuple[float, float] | None = None) -> Chart:
    """The tokens of both sentences from top to bottom, with their log probabilities, and their differences.

    Darker cells of the first two columns are less probable tokens. An arrow marks the part that decides.

    reach: the log probability and the difference of the strongest colours, for two charts that share them; see
    `reach_of`.
    """
    frame = result.tokens
    n = len(frame)
    lowest, largest = reach or reach_of([result])
    sides = frame[["log_probability_first", "log_probability_second"]].to_numpy()
    texts = [
        [_cell(token, value) for token, value in zip(row[:2], row[2:], strict=True)]
        for row in frame[["first", "second", "log_probability_first", "log_probability_second"]].itertuples(
            index=False, name=None
        )
    ]
    deciding = result.deciding.name
    changes = [
        "" if np.isnan(value) else f"{decimal(value, signed=True)}{' ◀' if row == deciding else ''}"
        for row, value in frame["difference"].items()
    ]
    cell = {"texttemplate": "%{text}", "showscale": False, "xgap": 3, "ygap": 2, "y": np.arange(n)}
    look = {**cell, "textfont": {"color": INK, "size": 13}}
    figure = go.Figure(
        [
            go.Heatmap(
                z=-sides.astype(np.float32), x=[0, 1], text=texts, zmin=0, zmax=lowest,
                colorscale=[(0.0, "rgba(127, 127, 127, 0)"), (1.0, tint(VERMILLION, 0.45))],
                hovertemplate="%{text} nats<extra></extra>", hoverongaps=False, **look,
            ),
            go.Heatmap(
                z=frame[["difference"]].to_numpy(np.float32), x=[2], text=[[text] for text in changes], zmin=-largest,
                zmax=largest, colorscale=[list(stop) for stop in TINTS],
                hovertemplate="%{text} nats<extra></extra>", hoverongaps=False, **look,
            ),
        ]
    )  # fmt: skip
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "ticks": ""}
    figure.update_layout(
        height=58 + _ROW * n,
        margin={"l": 8, "r": 8, "t": 44, "b": 6},
        dragmode=False,
        **saved(xaxis="sentence", yaxis="token"),
        xaxis={
            **bare, "side": "top", "tickvals": [0, 1, 2], "tickangle": 0, "range": [-0.5, 2.5],
            "ticktext": ["first<br>sentence", "second<br>sentence", "first −<br>second"],
        },
        yaxis={**bare, "showticklabels": False, "range": [n - 0.5, -0.5]},
    )  # fmt: skip
    alt = f"Log probabilities of the tokens of two sentences. {result.headline} {result.decision}"
    return Chart(figure, frame, alt)


def reach_of(results: Sequence[MinimalPair]) -> tuple[float, float]:
    """The largest log probability and the largest difference of several results, without their signs."""
    sides = ["log_probability_first", "log_probability_second"]
    return (
        max(float(np.nanmax(np.abs(result.tokens[sides].to_numpy()))) for result in results),
        max(float(result.tokens["difference"].abs().max()) for result in results),
    )


def _cell(token: str, value: float) -> str:
    """The text of a cell: the token and its log probability, if it has one."""
    return label(token) if np.isnan(value) else f"{label(token)} {decimal(value)}"
