"""A map of a word's occurrences, and how well each layer combination recovers its senses."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.corpus.sense_marks import NO_SENSE, sense_marks
from embtools.charts.style import BLUE, GREY, INK, LEGEND, MARGIN, VERMILLION, floats, label, saved, tint, wrap
from embtools.corpus.occurrence_map import WordMap
from embtools.corpus.senses import Recovery
from embtools.layer_combinations import CONCAT_FOUR, SECOND_TO_LAST, SUM_ALL, SUM_FOUR
from embtools.statistics.decimals import decimal


def word_map(result: WordMap) -> Chart:
    """The occurrences as points on a map, coloured by sense or by cluster; their numbers are in `customdata`."""
    figure, points = go.Figure(), result.points
    for sense, (colour, symbol) in sense_marks(points["sense"]).items():
        group = points[points["sense"] == sense]
        figure.add_scatter(
            x=floats(group["x"]),
            y=floats(group["y"]),
            mode="markers",
            name=label(sense or NO_SENSE),
            marker={
                "color": colour if sense else tint(GREY, 0.35),
                "symbol": symbol,
                "size": 13 if sense else 9,
                "line": {"width": 1, "color": INK},
            },
            customdata=group["rank"].tolist(),
            text=[wrap(text, 60, 4) for text in group["text"]],
            hovertemplate="%{text}<extra></extra>",
        )
    bare = {"showticklabels": False, "zeroline": False, "showgrid": False}
    axis = "t-SNE dimension" if result.kept is None else "principal component"
    figure.update_layout(
        margin=MARGIN,
        legend=LEGEND,
        showlegend=True,
        **saved(xaxis=f"{axis} 1", yaxis=f"{axis} 2"),
        xaxis=bare,
        yaxis={**bare, "scaleanchor": "x"},
    )
    return Chart(figure, points, _map_alt(points, result.word))


def _map_alt(points: pd.DataFrame, word: str) -> str:
    counts = points.groupby("sense").size()
    parts = ", ".join(f"{count} {sense or NO_SENSE}" for sense, count in counts.items())
    return f"Map of {len(points)} occurrences of {word}: {parts}."


_NAMES = {
    SECOND_TO_LAST: "2nd to<br>last",
    SUM_FOUR: "sum<br>last 4",
    CONCAT_FOUR: "concat.<br>last 4",
    SUM_ALL: "sum<br>all",
}
MEASURES = {"neighbours": ("share whose nearest neighbour has the same sense", BLUE, "circle"),
            "kmeans": ("agreement of k-means and senses (adjusted Rand index)", VERMILLION, "diamond")}  # fmt: skip


def lowest(results: Sequence[Recovery]) -> float:
    """The lower end of an axis with both measures of several results."""
    return min(-0.3, min(float(result.frame[list(MEASURES)].min().min()) for result in results) - 0.05)


def recovery(result: Recovery, low: float | None = None) -> Chart:
    """Both measures for every layer combination, with the mean and 95th percentile for shuffled labels.

    Open marks are the mean for shuffled labels; a line runs up to the 95th percentile. `low` is the lower end of the
    axis, see `lowest`.
    """
    figure, frame = go.Figure(), result.frame
    names = [_NAMES.get(combination, combination.removeprefix("layer ")) for combination in frame["combination"]]
    layers = int(frame["combination"].str.startswith("layer ").sum())
    for measure, (name, colour, symbol) in MEASURES.items():
        mean, high = frame[f"{measure}_shuffled"], frame[f"{measure}_shuffled_95"]
        figure.add_scatter(
            x=names,
            y=floats(mean),
            error_y={
                "type": "data",
                "symmetric": False,
                "array": floats(high - mean),
                "arrayminus": np.zeros(len(frame)),
                "color": colour,
            },
            mode="markers",
            name="shuffled labels (mean, 95th percentile)",
            showlegend=measure == "neighbours",
            marker={"color": colour, "symbol": f"{symbol}-open", "size": 8},
            hovertemplate="shuffled labels: %{y:.2f}<extra></extra>",
        )
        figure.add_scatter(
            x=[
                *names[:layers],
                None,
                *names[layers:],
            ],  # no line to the combinations: they have no order
            y=np.insert(floats(frame[measure]), layers, np.nan),
            mode="lines+markers",
            name=name,
            line={"color": colour, "dash": "solid" if measure == "neighbours" else "dash"},
            marker={"color": colour, "symbol": symbol, "size": 10},
            hovertemplate="%{x}: %{y:.2f}<extra></extra>",
        )
    figure.update_layout(
        height=340,
        margin=MARGIN,
        legend=LEGEND | {"traceorder": "reversed"},
        xaxis={
            "type": "category",
            "title": "layer or layer combination",
            "tickangle": 0,
            "tickfont": {"size": 10},
        },
        yaxis={"range": [lowest([result]) if low is None else low, 1.08]},
        **saved(yaxis="share, or adjusted Rand index"),
    )
    figure.add_vline(x=list(frame["combination"]).index(result.combination), line={"color": GREY, "dash": "dot"})
    return Chart(figure, frame, _recovery_alt(frame))


def _recovery_alt(frame: pd.DataFrame) -> str:
    parts = []
    for measure, (name, _, _) in MEASURES.items():
        best = frame.loc[frame[measure].idxmax()]
        parts.append(
            f"{name[:1].upper()}{name[1:]}: {decimal(frame[measure].iloc[0])} in {frame['combination'].iloc[0]}; the"
            f" highest value is {decimal(best[measure])} (in {best['combination']}; with shuffled labels"
            f" {decimal(best[f'{measure}_shuffled'])})"
        )
    return ". ".join(parts) + "."
