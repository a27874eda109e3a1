"""How often each piece of a text is asked for, over many draws."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, GREEN, INK, LEGEND, MARGIN, VERMILLION, floats, label
from embtools.inputs.masking import KEPT, MASKED, RANDOM

_LOOKS = {MASKED: (BLUE, ""), RANDOM: (VERMILLION, "/"), KEPT: (GREEN, "x")}
_MOST = 60  # pieces whose names are written


def tokens(table: pd.DataFrame, expected: float) -> go.Figure:
    """A bar a piece, of the shares in which it was masked, exchanged and kept. table: of `masking.Check.tokens`."""
    names = [label(str(token)) for token in table["token"]]
    figure = go.Figure()
    for column, (colour, pattern) in _LOOKS.items():
        figure.add_bar(
            x=list(range(len(table))),
            y=floats(table[column]),
            name=column,
            marker={"color": colour, "pattern": {"shape": pattern}},
            customdata=names,
            hovertemplate="%{customdata}: %{y:.1%}<extra>" + column + "</extra>",
        )
    figure.add_hline(y=expected, line={"color": INK, "dash": "dash", "width": 2})
    figure.update_layout(
        height=300,
        barmode="stack",
        bargap=0.2,
        margin=MARGIN | {"t": 6, "b": 70},
        legend=LEGEND,
        xaxis={"tickvals": list(range(len(names))), "ticktext": names, "tickangle": -60}
        if len(names) <= _MOST
        else {"title": "piece"},
        yaxis={"tickformat": ".0%", "title": "share of draws", "rangemode": "tozero"},
    )
    return figure


def alt(table: pd.DataFrame, expected: float) -> str:
    """The bars in a sentence."""
    low, high = table["asked"].min(), table["asked"].max()
    share = f"{low:.1%} to {high:.1%}, by the rule {expected:.1%}"
    return f"Share of draws in which each of {len(table)} pieces was asked for: {share}."
