"""Histogram of the cosines of random pairs in several spaces."""

from collections.abc import Sequence

import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.own_vectors.isotropy import CENTRED, GIVEN, IN_MODEL, RANDOM, Isotropy
from embtools.statistics.decimals import decimal

_LOOK = {
    GIVEN: (style.BLUE, "solid"),
    CENTRED: (style.GREEN, "dash"),
    RANDOM: (style.GREY, "dot"),
    IN_MODEL: (style.VERMILLION, "dashdot"),
}
_NAMES = {GIVEN: "vectors as they are", CENTRED: "centred vectors"}  # in the description; the others are clear


def cosines(result: Isotropy, ends: tuple[float, float]) -> Chart:
    """One line per space: how many random pairs have which cosine. For `ends` see `ends_of`."""
    frame = result.histogram
    figure = go.Figure()
    for space, rows in frame.groupby("space", sort=False):
        colour, dash = _LOOK[str(space)]
        figure.add_scatter(
            x=style.floats((rows["bin_start"] + rows["bin_end"]) / 2),
            y=style.floats(rows["count"] / max(1, rows["count"].sum())),
            mode="lines",
            name=str(space),
            line={"color": colour, "dash": dash, "width": 2.5, "shape": "hvh"},
            hovertemplate=f"{space}, cosine %{{x:.2f}}: %{{y:.1%}} of the pairs<extra></extra>",
        )
    figure.add_vline(x=0, line={"width": 1.5, "dash": "dot", "color": style.GREY})
    figure.update_layout(
        height=360,
        legend=style.LEGEND,
        margin=style.NUMBERED_WITH_LEGEND | {"t": 8},
        xaxis={"title": "cosine of a random pair", "range": list(ends), "zeroline": False},
        yaxis={"title": "share of the pairs", "rangemode": "tozero", "tickformat": ".0%"},
    )
    means = "; ".join(
        f"{_NAMES.get(name, name)}: {decimal(each.mean_cosine)}" for name, each in result.measures.items()
    )
    return Chart(figure, frame, f"Histogram of the cosines of random pairs. Mean cosines: {means}.")


def ends_of(results: Sequence[Isotropy]) -> tuple[float, float]:
    """The ends of the axis of cosines for some results."""
    return (
        min(float(each.histogram["bin_start"].min()) for each in results),
        max(float(each.histogram["bin_end"].max()) for each in results),
    )
