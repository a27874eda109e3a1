"""Chart of the rates of a battery: the edit and its controls with their intervals."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREEN, LEGEND, MARGIN, VERMILLION, floats, saved, whiskers, wrap
from embtools.evidence.rates import ENDS, LOG_ODDS, MEASURES, RATE
from embtools.evidence.result import Battery
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rate_text

STYLES = dict(zip(MEASURES, ((BLUE, "circle"), (GREEN, "diamond"), (VERMILLION, "square")), strict=True))
"""Colour and symbol of each measure."""


def rates(result: Battery, *, form: str = RATE, correct: bool = False) -> Chart:
    """Each measure for the edit and each control, with 95% intervals.

    `form` is a column of the rates: "rate", "preferred" or "log_odds_change". `correct` shows the rates over the pairs
    whose unedited answer was right.
    """
    frame = result.rates_of_correct if correct else result.rates
    conditions = list(dict.fromkeys(frame["condition"]))
    figure = go.Figure()
    measures = [measure for measure in MEASURES if (frame["measure"] == measure).any()]
    low, high = ENDS[form]
    number = ":+.2f" if form == LOG_ODDS else ":.0%"
    for index, measure in enumerate(measures):
        rows = frame[frame["measure"] == measure]
        colour, symbol = STYLES[measure]
        heights = [conditions.index(name) + 0.22 * (index - (len(measures) - 1) / 2) for name in rows["condition"]]
        figure.add_scatter(
            x=floats(rows[form]),
            y=np.array(heights, np.float32),
            mode="markers",
            name=measure,
            marker={"color": colour, "symbol": symbol, "size": 10},
            error_x=whiskers(rows[form], rows[low], rows[high], thickness=1.5, width=4, color=colour),
            customdata=rows[["condition", low, high]].to_numpy(),
            hovertemplate="%{customdata[0]}: %{x" + number + "} (%{customdata[1]" + number + "} to %{customdata[2]"
            f"{number}}})<extra>{measure}</extra>",
        )
    axis = (
        {"title": "mean change in the log odds of c", "zeroline": True}
        if form == LOG_ODDS
        else {"title": "rate", "range": [-0.02, 1.02], "tickformat": ".0%", "dtick": 0.25}
    )
    figure.update_layout(
        height=110 + 46 * len(conditions),
        margin=MARGIN | {"b": 84, "l": 130, "r": 26},  # the last tick label is centred at the end of the axis
        legend=LEGEND,
        **saved(yaxis="condition"),
        xaxis=axis,
        yaxis={
            "tickvals": list(range(len(conditions))),
            "ticktext": [wrap(name, 16) for name in conditions],
            "autorange": "reversed",
            "zeroline": False,
        },
    )
    return Chart(figure, frame, _alt(frame, form))


def _alt(frame: pd.DataFrame, form: str) -> str:
    edit = frame[frame["condition"] == frame["condition"].iloc[0]] if len(frame) else frame
    parts = ", ".join(
        f"{row['measure']} {decimal(row[form], 1, signed=True)}"
        if form == LOG_ODDS
        else f"{row['measure']} {rate_text(row[form])}"
        for _, row in edit.iterrows()
    )
    what = "Changes in the log odds with" if form == LOG_ODDS else "Rates of"
    return f"{what} the edit: {parts}." if parts else "There are no cases."
