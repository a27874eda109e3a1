"""Lines of an average effect over layers, for the edit and its controls, and its heads on held-out cases."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import (
    BLUE,
    GREEN,
    GREY,
    LEGEND,
    LINES,
    MARGIN,
    MAUVE,
    SYMBOLS,
    VERMILLION,
    floats,
    saved,
    whiskers,
    wrap,
)
from embtools.charts.tracing.positions import number
from embtools.tracing.averages import Average
from embtools.tracing.cases import CONDITIONS, EDIT, EDITED, MASK, ROLES
from embtools.tracing.knockout import KNOCKOUT
from embtools.tracing.positions import SUFFICIENCY

_WIDTH, _GAP = 0.31, 0.035
_FARTHEST = -1.0, 2.0  # shares up to which an axis shows intervals
_COLOURS = dict(zip(ROLES, (GREY, BLUE, GREEN, VERMILLION, MAUVE), strict=True))


def ends(results: Sequence[Average], column: str) -> tuple[float, float]:
    """The ends of the vertical axis for several results."""
    low, high = reach([each.frame for each in results], column, [f"{column}_low", f"{column}_high"])
    return min(-0.1, low - 0.05), max(1.1, high + 0.05)


def reach(
    frames: Sequence[pd.DataFrame], column: str, intervals: Sequence[str] = ("low", "high")
) -> tuple[float, float]:
    """The lowest and the highest of 0, all shares and their intervals; with few words, intervals are cut off.

    Intervals of two or three words can be many times as long as the effect, and the shares could not be told apart.
    """
    shares = np.concatenate([frame[column].to_numpy(float) for frame in frames])
    ends = np.concatenate([frame[list(intervals)].to_numpy(float).ravel() for frame in frames])
    values = np.concatenate([shares, np.clip(ends, *_FARTHEST)])
    values = values[np.isfinite(values)]
    return float(values.min(initial=0)), float(values.max(initial=0))


def lines(result: Average, column: str, ends: tuple[float, float] | None = None) -> Chart:
    """One panel per condition: the share of the edit's effect over the layers, one line per role, with intervals.

    column is "sufficiency" or "necessity"; `ends` are those of the vertical axis.
    """
    figure = go.Figure()
    for panel, condition in enumerate(CONDITIONS):
        for role, line, symbol in zip(ROLES, LINES, SYMBOLS, strict=False):
            rows = result.of(condition, role)
            if not np.isfinite(rows[column]).any():
                continue
            values = rows[column]
            figure.add_scatter(
                x=floats(rows["layer"]),
                y=floats(values),
                error_y=whiskers(values, rows[f"{column}_low"], rows[f"{column}_high"], thickness=1.2, width=3),
                mode="lines+markers",
                name=role,
                legendgroup=role,
                showlegend=panel == 0,
                line={"color": _COLOURS[role], "dash": line, "width": 2.5 if role in (EDITED, MASK) else 1.5},
                marker={"size": 8 if role in (EDITED, MASK) else 5, "symbol": symbol},
                xaxis=axis(panel),
                yaxis="y",
                hovertemplate=f"{role}, layer %{{x}}: %{{y:.0%}}<extra>{condition}</extra>",
            )
    figure.update_layout(
        height=360,
        margin={**MARGIN, "t": 58, "b": 84, "l": 64},
        legend=LEGEND,
        yaxis={"title": "share of the edit's effect", "tickformat": ".0%", "fixedrange": True}
        | ({"range": list(ends)} if ends else {}),
        **panels({"title": "layer", "dtick": 1, "fixedrange": True}),
    )
    return Chart(figure, result.frame, _lines_alt(result, column))


def axis(panel: int) -> str:
    """Return the name of the horizontal axis of a condition, by its number."""
    return f"x{panel + 1 if panel else ''}"


def panels(xaxis: dict[str, Any]) -> dict[str, Any]:
    """Return the layout of one panel per condition next to each other, each with its title and this axis."""
    layout: dict[str, Any] = {"annotations": []}
    for panel, condition in enumerate(CONDITIONS):
        start = panel * (_WIDTH + _GAP)
        layout[f"xaxis{panel + 1 if panel else ''}"] = {**xaxis, "domain": [start, start + _WIDTH]}
        layout["annotations"].append(
            {
                "text": wrap(condition, 10),  # narrow enough for a phone
                "x": start + _WIDTH / 2,
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "showarrow": False,
                "yanchor": "bottom",
            }
        )
    return layout


def heads(result: Average, most: float = 0.0) -> Chart:
    """The selected heads: filled marks with intervals on the second half, hollow marks on the half of the selection.

    Each head is shown with both controls too, on the second half.
    """
    table = result.heads
    names = [f"head {layer}.{head}" for layer, head in zip(table["layer"], table["head"], strict=True)]
    lost = [number(value, True) if np.isfinite(value) else "undefined" for value in table[KNOCKOUT]]
    figure = go.Figure()
    figure.add_scatter(
        x=floats(table["selected"]), y=names, mode="markers", name="cases used for the selection",
        marker={"size": 11, "color": MAUVE, "symbol": "circle-open", "line": {"width": 2}},
        hovertemplate="%{y}: %{x:.0%}",
    )  # fmt: skip
    figure.add_scatter(
        x=floats(table[SUFFICIENCY]), y=names, mode="markers", name="other cases",
        error_x=whiskers(table[SUFFICIENCY], table["low"], table["high"], thickness=2),
        marker={"size": 11, "color": MAUVE}, customdata=lost,
        hovertemplate="%{y}: %{x:.0%}; without its attention to the edited word, %{customdata} of the effect is lost",
    )  # fmt: skip
    for condition, colour, symbol in zip(CONDITIONS[1:], (GREY, GREEN), ("diamond", "square"), strict=True):
        rows = result.head_controls[result.head_controls["condition"] == condition]
        figure.add_scatter(
            x=floats(rows[SUFFICIENCY]), y=names, mode="markers", name=f"other cases, {condition}",
            marker={"size": 8, "color": colour, "symbol": symbol}, hovertemplate="%{y}: %{x:.0%}",
        )  # fmt: skip
    ends = [min(-0.05, 1.05 * _heads_reach([result])[0]), most or largest([result])]
    figure.update_layout(
        height=300,
        margin={**MARGIN, "t": 10, "b": 84, "l": 80},
        legend=LEGEND,
        **saved(yaxis="head"),
        xaxis={"title": "share of the edit's effect", "tickformat": ".0%", "range": ends},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return Chart(figure, table, _heads_alt(result, names))


def largest(results: Sequence[Average]) -> float:
    """The end of the axis of `heads` for several results."""
    return max(0.2, 1.05 * _heads_reach(results)[1])


def _heads_reach(results: Sequence[Average]) -> tuple[float, float]:
    """The lowest and the highest share of the selected heads, on both halves and with both controls."""
    parts = [reach([each.heads for each in results], name) for name in (SUFFICIENCY, "selected")]
    parts.append(reach([each.head_controls for each in results], SUFFICIENCY, ()))
    return min(low for low, _ in parts), max(high for _, high in parts)


def _lines_alt(result: Average, column: str) -> str:
    word, mask = result.of(EDIT, EDITED)[column].to_numpy(), result.of(EDIT, MASK)[column].to_numpy()
    if not np.isfinite(word).all():
        return "Lines over the layers. The edit has no effect, so there are no shares."
    return (
        f"Line chart of {column} by layer. With the edit, the edited word has {number(word[0], True)} of the effect"
        f" in layer 0 and {number(word[-2], True)} in layer {len(word) - 2}; [MASK] has {number(mask[-2], True)} there,"
        f" and {number(mask[-1], True)} in the last layer."
    )


def _heads_alt(result: Average, names: Sequence[str]) -> str:
    shares = ", ".join(
        f"{name} {number(share, True)}" if np.isfinite(share) else f"{name} undefined"
        for name, share in zip(names, result.heads[SUFFICIENCY], strict=True)
    )
    controls = result.head_controls[SUFFICIENCY].abs()
    most = f" In the controls, each has at most {number(controls.max(), True)}." if controls.notna().all() else ""
    return f"Shares of the selected heads in cases that were not used to select them: {shares}.{most}"
