"""How often the expected word ranks 1st: by the formula, and by nearness without arithmetic."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, floats, saved
from embtools.corpus.analogy_results import Choices
from embtools.statistics.percentages import rounded

_LINES = {"without_inputs": "three words excluded", "with_inputs": "three words included"}
_BARS = {"formula": ("formula", BLUE, ""), "baseline": ("nearness to the first word", GREY, "/")}


def shares(result: Choices) -> Chart:
    """Bars for the formula and the baseline, with the three words excluded and included."""
    frame, figure = result.shares, go.Figure()
    for kind, (name, colour, pattern) in _BARS.items():
        row = frame[frame["of"] == kind]
        values = floats(row[list(_LINES)].iloc[0].astype(float))
        figure.add_bar(
            x=values,
            y=list(_LINES.values()),
            orientation="h",
            name=name,
            marker={"color": colour, "pattern": {"shape": pattern}},
            text=[rounded(value) for value in values],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.1%}<extra>" + name + "</extra>",
        )
    figure.update_layout(
        height=205,
        margin=MARGIN,
        legend=LEGEND | {"traceorder": "normal"},
        xaxis={
            "range": [0, 1.12],
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
            "tickformat": ".0%",
            "title": "share of choices with rank 1",
        },
        **saved(yaxis="method"),
        yaxis={"autorange": "reversed"},
    )
    return Chart(figure, frame, _alt(frame, result.expected))


def _alt(frame: pd.DataFrame, expected: str) -> str:
    parts = [
        f"By {'the formula' if row.of == 'formula' else _BARS[str(row.of)][0]}: {rounded(row.without_inputs)} with the"
        f" three words excluded, {rounded(row.with_inputs)} with them included."
        for row in frame.itertuples()
    ]
    return f"Share of choices in which {expected} ranks 1st. {' '.join(parts)}"
