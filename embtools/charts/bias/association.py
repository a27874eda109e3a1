"""Chart of the effects of all published association tests; the words of one test are in `charts.associations`."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.bias.published_tests import PublishedTests
from embtools.charts.bias.groups import rows_of
from embtools.charts.chart import Chart
from embtools.charts.style import (
    COLOURS,
    GREY,
    LEGEND,
    MARGIN,
    floats,
    label,
    saved,
    whiskers,
)
from embtools.words.word_sets import SHORT

ROWS = tuple(f"{number} {name}" for number, name in SHORT.items())


def battery(result: PublishedTests, reach: float = 0.0, names: Sequence[str] = ROWS) -> Chart:
    """One row per published test: its effect in this model with the interval, and the published effect.

    Tests without an effect are left out. reach: the length of the axis on either side of zero, for two charts that
    share an axis; see `reach_of`. names: those of the rows.
    """
    alt = f"Effect sizes of the published tests on this model. {result.clear}"
    return Chart(_battery(result.frame, names, reach), result.frame, alt)


def reach_of(results: Sequence[PublishedTests]) -> float:
    """The largest effect or end of an interval in several results; 0 for a single one."""
    columns = ["effect", "low", "high", "published"]
    return 1.06 * max(float(each.frame[columns].abs().max().max()) for each in results) if len(results) > 1 else 0.0


def _battery(tests: pd.DataFrame, names: Sequence[str], reach: float) -> go.Figure:
    rows = tests.assign(name=list(names)).dropna(subset="effect").iloc[::-1]
    labels = [label(name) for name in rows["name"]]
    figure = go.Figure()
    figure.add_scatter(
        x=floats(rows["published"]),
        y=labels,
        mode="markers",
        name="published (GloVe)",
        marker={"symbol": "x-thin-open", "size": 10, "color": COLOURS[1], "line": {"width": 2.5}},
        hovertemplate="%{y}: %{x:.2f} (published)<extra></extra>",
    )
    figure.add_scatter(
        x=floats(rows["effect"]),
        y=labels,
        mode="markers",
        name="this model, with 95% interval",
        marker={"size": 11, "color": COLOURS[0]},
        error_x=whiskers(rows["effect"], rows["low"], rows["high"], thickness=1.5, width=4, color=COLOURS[0]),
        hovertemplate="%{y}: %{x:.2f}<extra></extra>",
    )
    figure.add_vline(x=0, line={"width": 1.5, "dash": "dot", "color": GREY})
    figure.update_layout(
        height=110 + 28 * len(rows),
        legend=LEGEND,
        margin=MARGIN | {"t": 4},
        **saved(yaxis="published test"),
        xaxis={"title": "effect size d", "zeroline": False, **({"range": [-reach, reach]} if reach else {})},
        yaxis=rows_of(labels),
    )
    return figure
