"""How often each token of a text is selected for prediction over many draws."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREEN, INK, LEGEND, MARGIN, VERMILLION, floats, label, saved
from embtools.inputs.masking import KEPT, MASKED, RANDOM, Check
from embtools.messages import column_name
from embtools.statistics.percentages import rounded

_STYLES = {MASKED: (BLUE, ""), RANDOM: (VERMILLION, "/"), KEPT: (GREEN, "x")}
_MOST = 60  # with more tokens, the axis has no labels


def tokens(check: Check, high: float | None = None) -> Chart:
    """Draw one bar per token, stacked from the shares of its treatments; the dashed line is the share that is expected.

    `high` is the upper end of the vertical axis, see `high`.
    """
    figure = _figure(check.tokens, check.expected)
    if high is not None:
        figure.update_yaxes(range=(0, high))
    return Chart(figure, check.tokens, _alt(check.tokens, check.expected))


def high(checks: Sequence[Check]) -> float:
    """The upper end of an axis that has room for the highest bars of some results."""
    return 1.05 * max(max(float(check.tokens["selected"].max()), check.expected) for check in checks)


def _figure(table: pd.DataFrame, expected: float) -> go.Figure:
    names = [label(str(token)) for token in table["token"]]
    figure = go.Figure()
    for name, (colour, pattern) in _STYLES.items():
        figure.add_bar(
            x=list(range(len(table))),
            y=floats(table[column_name(name)]),
            name=name,
            marker={"color": colour, "pattern": {"shape": pattern}},
            customdata=names,
            hovertemplate="%{customdata}: %{y:.1%}<extra>" + name + "</extra>",
        )
    figure.add_hline(y=expected, line={"color": INK, "dash": "dash", "width": 2})
    figure.update_layout(
        height=300,
        barmode="stack",
        bargap=0.2,
        margin=MARGIN | {"t": 6, "b": 70},
        legend=LEGEND,
        **saved(xaxis="token"),
        xaxis={"tickvals": list(range(len(names))), "ticktext": names, "tickangle": -60}
        if len(names) <= _MOST
        else {"title": "token"},
        yaxis={"tickformat": ".0%", "title": "share of draws", "rangemode": "tozero"},
    )
    return figure


def _alt(table: pd.DataFrame, expected: float) -> str:
    low, high = table["selected"].min(), table["selected"].max()
    return (
        f"Share of draws in which each of {len(table)} tokens was selected: {rounded(low, 1)} to {rounded(high, 1)};"
        f" the rule gives {rounded(expected, 1)}."
    )
