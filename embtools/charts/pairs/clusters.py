"""Map of sentence clusters, and silhouettes by number of clusters."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import labels
from embtools.charts.chart import Chart
from embtools.charts.style import (
    BLUE,
    GREY,
    GROUPS,
    LEGEND,
    MARGIN,
    SLATE,
    SYMBOLS,
    VERMILLION,
    floats,
    label,
    saved,
    tint,
    wrap,
)
from embtools.pairs.clusters import Clusters
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

_LETTERS, _ROOM = 26, (290, 330)  # of a label; pixels of the narrowest map, into which the labels must fit
_MARGIN = 0.06  # of the length of an axis, on each side


def sentence_map(result: Clusters) -> Chart:
    """Map of the sentences: one point each, one colour and shape per cluster, labels for typical sentences if they fit.

    The axes are the first two principal components.
    """
    sentences, explained = result.sentences, result.explained
    return Chart(_map(sentences, explained), sentences, _map_alt(sentences, explained))


def _map(sentences: pd.DataFrame, explained: float) -> go.Figure:
    figure = go.Figure()
    points = sentences[["x", "y"]].to_numpy()
    ranked = sentences.reset_index(drop=True).sort_values("rank_in_cluster")
    order = ranked.query("rank_in_cluster <= 2").index.tolist()
    short = [
        sentence if len(sentence) <= _LETTERS else sentence[: _LETTERS - 1] + "…" for sentence in sentences["sentence"]
    ]
    labelled = labels.arranged(points, [len(text) for text in short], order, _ROOM)
    for cluster, rows in sentences.reset_index(drop=True).groupby("cluster"):
        named = [f"{name}: " if name else "" for name in rows["group"]]
        figure.add_scatter(
            x=floats(rows["x"]),
            y=floats(rows["y"]),
            mode="markers+text",
            name=f"cluster {cluster}",
            text=[label(short[row]) if row in labelled else "" for row in rows.index],
            textposition=[labelled.get(row, "top center") for row in rows.index],
            textfont={"size": 11},
            marker={
                "color": GROUPS[int(cluster) - 1],
                "symbol": SYMBOLS[(int(cluster) - 1) % len(SYMBOLS)],
                "size": 11,
            },
            customdata=[wrap(a + b, 50) for a, b in zip(named, rows["sentence"], strict=True)],
            hovertemplate="%{customdata}<extra>cluster " + str(cluster) + "</extra>",
        )
    axis = {"showgrid": False, "zeroline": False, "showticklabels": False}
    title = f"principal components 1 and 2 ({rounded(explained)} of the variance)"
    figure.update_layout(
        height=430,
        margin=MARGIN,
        legend=LEGEND,
        **saved(yaxis="principal component 2"),
        xaxis={"title": title, "range": labels.ends(points, _ROOM)[0], **axis},
        yaxis={"scaleanchor": "x", **axis},
    )
    return figure


def _map_alt(sentences: pd.DataFrame, explained: float) -> str:
    counts = sentences.groupby("cluster").size()
    return (
        f"Map of {len(sentences)} sentences in {len(counts)} clusters of {', '.join(map(str, counts))} sentences. The"
        f" map keeps {rounded(explained)} of the variance."
    )


def silhouettes(result: Clusters, ends: tuple[float, float] | None = None) -> Chart:
    """The silhouette by number of clusters, with bands for the ranges of the two controls without clusters.

    A ring marks the number of clusters of the result. `ends` are the ends of the vertical axis, see `ends`; without
    them, it ends where the lines do.
    """
    figure = _silhouettes(result.curve, result.count)
    if ends is not None:
        figure.update_yaxes(range=ends)
    return Chart(figure, result.curve, _silhouettes_alt(result.curve, result.count))


def ends(results: Sequence[Clusters]) -> tuple[float, float]:
    """The ends of an axis that has room for the silhouettes of some results and of their controls."""
    values = [value for result in results for value in result.curve.drop(columns="clusters").to_numpy().ravel()]
    room = _MARGIN * (max(values) - min(values)) or _MARGIN
    return min(values) - room, max(values) + room


def _silhouettes(curve: pd.DataFrame, count: int) -> go.Figure:
    figure = go.Figure()
    x = floats(curve["clusters"])
    for name, kind, colour, dash in (
        ("clouds of points without clusters", "cloud", GREY, "dot"),
        ("shuffled words", "shuffled", VERMILLION, "dash"),
    ):
        line = {"color": colour, "width": 1.5, "dash": dash}
        figure.add_scatter(
            x=x, y=floats(curve[f"{kind}_lowest"]), mode="lines", line=line, showlegend=False, hoverinfo="skip"
        )
        figure.add_scatter(
            x=x, y=floats(curve[f"{kind}_highest"]), mode="lines+markers", name=name, line=line, fill="tonexty",
            fillcolor=tint(colour, 0.15), marker={"size": 5}, hovertemplate="highest: %{y:.2f}<extra></extra>",
        )  # fmt: skip
    figure.add_scatter(
        x=x,
        y=floats(curve["silhouette"]),
        mode="lines+markers",
        name="your sentences",
        line={"color": BLUE, "width": 3},
        marker={"size": 8},
        hovertemplate="%{x} clusters: %{y:.2f}<extra></extra>",
    )
    at = curve[curve["clusters"] == count]
    figure.add_scatter(
        x=floats(at["clusters"]),
        y=floats(at["silhouette"]),
        mode="markers",
        showlegend=False,
        marker={"symbol": "circle-open", "size": 17, "color": SLATE, "line": {"width": 2.5}},
        hoverinfo="skip",
    )
    figure.update_layout(
        height=300,
        margin=MARGIN | {"t": 8},
        legend=LEGEND,
        xaxis={"title": "number of clusters", "dtick": 1},
        yaxis={"title": "mean silhouette"},
    )
    return figure


def _silhouettes_alt(curve: pd.DataFrame, count: int) -> str:
    row = curve.set_index("clusters").loc[count]
    return (
        f"The mean silhouette of {count} clusters is {decimal(row['silhouette'])}. With this number of clusters,"
        f" shuffled words reach up to {decimal(row['shuffled_highest'])}, and clouds of points without clusters up to"
        f" {decimal(row['cloud_highest'])}."
    )
