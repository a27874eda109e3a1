"""What each layer and method of an erasure leaves on the half of the items that chooses, and the choice on the rest."""

import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREEN, GREY, LEGEND, MARGIN, SLATE, VERMILLION, floats, whiskers
from embtools.directions.sweep_result import Sweep
from embtools.spaces.erasers import INLP, LEACE, PROJECTION
from embtools.statistics.percentages import rounded

_HEIGHT = 320
_LOOKS = {PROJECTION: (BLUE, "solid", "circle"), INLP: (GREEN, "dash", "square"), LEACE: (VERMILLION, "dot", "diamond")}


def choices(result: Sweep) -> Chart:
    """Lines of the accuracy by layer before and after each method; a ring: what was chosen; a star: on other items."""
    rows, chosen, own = result.choices, result.chosen, result.reported.iloc[1:2]
    before = rows.drop_duplicates("layer")
    figure = go.Figure()
    figure.add_scatter(
        x=floats(before["layer"]), y=floats(before["accuracy_before"]), mode="lines+markers", name="before",
        line={"color": GREY, "width": 2, "dash": "longdash"}, marker={"size": 7, "symbol": "x"},
        hovertemplate="layer %{x}: %{y:.0%}<extra>before</extra>",
    )  # fmt: skip
    for method, (colour, dash, symbol) in _LOOKS.items():
        part = rows[rows["method"] == method]
        figure.add_scatter(
            x=floats(part["layer"]), y=floats(part["accuracy"]), mode="lines+markers", name=method,
            customdata=floats(part["cost"]), line={"color": colour, "width": 2, "dash": dash},
            marker={"size": 8, "symbol": symbol},
            hovertemplate=f"layer %{{x}}: %{{y:.0%}}, cost %{{customdata:+.3f}} nats<extra>{method}</extra>",
        )  # fmt: skip
    figure.add_scatter(
        x=[result.layer], y=[float(chosen["accuracy"])], mode="markers", name="chosen", hoverinfo="skip",
        cliponaxis=False, marker={"size": 20, "symbol": "circle-open", "color": SLATE, "line": {"width": 3}},
    )  # fmt: skip
    figure.add_scatter(
        x=[result.layer + 0.15], y=floats(own["accuracy"]), mode="markers", name="chosen, on the other half",
        error_y=whiskers(own["accuracy"], own["accuracy_low"], own["accuracy_high"], thickness=2, width=5),
        marker={"size": 14, "symbol": "star", "color": SLATE}, cliponaxis=False,
        hovertemplate="%{y:.0%}<extra>chosen, on the other half</extra>",
    )  # fmt: skip
    figure.add_hline(y=result.guess, line={"dash": "dot", "width": 2, "color": GREY})
    layers = len(before)
    figure.update_layout(
        height=_HEIGHT,
        margin={**MARGIN, "t": 8, "b": 108, "l": 64},
        legend=LEGEND,
        dragmode=False,
        xaxis={"title": "layer (0: embeddings)", "dtick": 1 if layers <= 13 else 4, "fixedrange": True},
        yaxis={"title": "accuracy", "tickformat": ".0%", "range": [0, 1.05], "fixedrange": True},
    )
    alt = (
        f"Accuracy of a new classifier by layer and method on half of the {result.kind}. Chosen: {result.method} in"
        f" layer {result.layer}, {rounded(chosen['accuracy'])}; on the other half"
        f" {rounded(result.reported['accuracy'].iloc[1])}."
    )
    return Chart(figure, rows, alt)
