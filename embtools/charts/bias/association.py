"""Charts of association tests: the words of one test, and the effects of all published tests."""

from collections.abc import Sequence

import numpy as np
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
    TITLE,
    floats,
    label,
    rows_around,
    saved,
    whiskers,
    wrap,
)
from embtools.statistics.association import Association
from embtools.statistics.decimals import decimal
from embtools.words.word_sets import SHORT

ROWS = tuple(f"{number} {name}" for number, name in SHORT.items())


def words(result: Association, ends: tuple[float, float] | None = None) -> Chart:
    """Each target word at its association; the two sets are two rows with a line at their means.

    ends: the lowest and highest value of several charts that share an axis; see `ends_of`.
    """
    return Chart(_words(result.scores, result.names, ends), result.scores, _words_alt(result.scores))


def ends_of(results: Sequence[Association]) -> tuple[float, float] | None:
    """The lowest and highest association of several tests; None for a single one, whose axis fits its own words."""
    return _ends([result.scores for result in results]) if len(results) > 1 else None


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


def _words(scores: pd.DataFrame, names: tuple[str, str, str, str], ends: tuple[float, float] | None) -> go.Figure:
    x_name, y_name, a_name, b_name = names
    figure = go.Figure()
    for number, (row, name, symbol) in enumerate((("X", x_name, "circle"), ("Y", y_name, "diamond"))):
        group = scores[scores["set"] == row].sort_values("association")
        figure.add_scatter(
            x=floats(group["association"]),
            y=rows_around(1 - number, len(group)),
            mode="markers+text",
            name=f"{row}: {label(name)}",
            text=[label(w) for w in group["word"]],
            textposition="middle right",
            textfont={"size": 12},
            marker={"color": COLOURS[number], "symbol": symbol, "size": 9},
            hovertemplate="%{text}: %{x:+.3f}<extra></extra>",
        )
        figure.add_scatter(
            x=np.full(2, group["association"].mean(), np.float32),
            y=np.array([0.62, 1.38], np.float32) - number,
            mode="lines",
            name=f"mean of {row}",
            line={"color": COLOURS[number], "width": 2, "dash": "dash"},
            hovertemplate=f"mean of {row}: %{{x:+.3f}}<extra></extra>",
        )
    figure.add_vline(x=0, line={"width": 1.5, "dash": "dot", "color": GREY})
    low, high = ends or _ends([scores])
    figure.update_layout(
        height=310,
        legend=LEGEND,
        margin=MARGIN | {"t": 4},
        **saved(yaxis="target words"),
        xaxis={
            "title": wrap(f"← {b_name} (B) · association · {a_name} (A) →", TITLE),
            "zeroline": False,
            "range": [low - 0.06 * (high - low), high + 0.16 * (high - low)],
        },
        yaxis={"tickvals": [0, 1], "ticktext": ["Y", "X"], "range": [-0.45, 1.45], "zeroline": False},
    )
    return figure


def _ends(scores: Sequence[pd.DataFrame]) -> tuple[float, float]:
    values = [frame["association"] for frame in scores]
    return min(float(v.min()) for v in values), max(float(v.max()) for v in values)


def _words_alt(scores: pd.DataFrame) -> str:
    highest, lowest = scores.iloc[[0, -1]]["word"]
    means = scores.groupby("set")["association"].mean()
    return (
        f"Associations of {len(scores)} words. The mean is {decimal(means['X'], 3, signed=True)} for X and"
        f" {decimal(means['Y'], 3, signed=True)} for Y. {highest} has the highest association and {lowest} the lowest."
    )


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
