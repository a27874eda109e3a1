"""How often the expected word comes first: by the formula, and without arithmetic."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, floats

_LINES = {"without_inputs": "without the three words", "with_inputs": "with the three words"}
_BARS = {"formula": ("formula", BLUE, ""), "baseline": ("nearest to the first word", GREY, "/")}


def shares(frame: pd.DataFrame) -> go.Figure:
    """Two bars each, with and without the inputs among the answers. frame: of, with_inputs, without_inputs."""
    figure = go.Figure()
    for kind, (name, colour, pattern) in _BARS.items():
        row = frame[frame["of"] == kind]
        values = floats(row[list(_LINES)].iloc[0].astype(float))
        figure.add_bar(
            x=values,
            y=list(_LINES.values()),
            orientation="h",
            name=name,
            marker={"color": colour, "pattern": {"shape": pattern}},
            text=[f"{value:.0%}" for value in values],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.1%}<extra>" + name + "</extra>",
        )
    figure.update_layout(
        height=230,
        margin=MARGIN,
        legend=LEGEND | {"traceorder": "normal"},
        xaxis={
            "range": [0, 1.12],
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
            "tickformat": ".0%",
            "title": "share of choices in which it is first",
        },
        yaxis={"autorange": "reversed"},
    )
    return figure


def shares_alt(frame: pd.DataFrame, expected: str) -> str:
    """The bars in a sentence."""
    parts = [
        f"{_BARS[str(row.of)][0]}: {row.without_inputs:.0%} without, {row.with_inputs:.0%} with the three words"
        for row in frame.itertuples()
    ]
    return f"How often {expected} is first. {'; '.join(parts)}."
