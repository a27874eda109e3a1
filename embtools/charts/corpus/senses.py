"""A word's occurrences on a map, and how well its senses are recovered, recipe by recipe."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.corpus.looks import NO_SENSE, looks
from embtools.charts.style import BLUE, GREY, INK, LEGEND, MARGIN, VERMILLION, floats, label, tint, wrap
from embtools.recipes import CONCAT_FOUR, SECOND_TO_LAST, SUM_ALL, SUM_FOUR


def word_map(points: pd.DataFrame) -> go.Figure:
    """The occurrences as points. points: rank (the number), sense, text, x, y; the number is in `customdata`."""
    figure = go.Figure()
    for sense, (colour, symbol) in looks(points["sense"]).items():
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
    figure.update_layout(
        margin=MARGIN,
        legend=LEGEND,
        showlegend=True,
        xaxis=bare,
        yaxis={**bare, "scaleanchor": "x"},
    )
    return figure


def map_alt(points: pd.DataFrame, word: str) -> str:
    """The map in a sentence."""
    counts = points.groupby("sense").size()
    parts = ", ".join(f"{count} {sense or NO_SENSE}" for sense, count in counts.items())
    return f"{len(points)} occurrences of {word} as points: {parts}."


_NAMES = {
    SECOND_TO_LAST: "last<br>but 1",
    SUM_FOUR: "sum<br>last 4",
    CONCAT_FOUR: "join<br>last 4",
    SUM_ALL: "sum<br>all",
}
MEASURES = {"neighbours": ("nearest neighbour has the sense (share)", BLUE, "circle"),
            "kmeans": ("k-means finds the senses (adjusted Rand index)", VERMILLION, "diamond")}  # fmt: skip


def recovery(frame: pd.DataFrame, chosen: str = "") -> go.Figure:
    """Both measures of every recipe, with the mean of shuffled labels (open) and their 95th percentile (a line to it).

    frame: recipe, and for each measure its value, `_shuffled` and `_95`.
    """
    figure = go.Figure()
    names = [_NAMES.get(recipe, recipe.removeprefix("layer ")) for recipe in frame["recipe"]]
    layers = int(frame["recipe"].str.startswith("layer ").sum())
    for measure, (name, colour, symbol) in MEASURES.items():
        low, high = frame[f"{measure}_shuffled"], frame[f"{measure}_95"]
        figure.add_scatter(
            x=names,
            y=floats(low),
            error_y={
                "type": "data",
                "symmetric": False,
                "array": floats(high - low),
                "arrayminus": np.zeros(len(frame)),
                "color": colour,
            },
            mode="markers",
            name="shuffled labels, 95%",
            showlegend=measure == "neighbours",
            marker={"color": colour, "symbol": f"{symbol}-open", "size": 8},
            hovertemplate="shuffled labels: %{y:.2f}<extra></extra>",
        )
        figure.add_scatter(
            x=[
                *names[:layers],
                None,
                *names[layers:],
            ],  # combinations follow no order: no line joins them to the layers
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
            "title": "layer (0: embeddings), and combinations",
            "tickangle": 0,
            "tickfont": {"size": 10},
        },
        yaxis={"range": [min(-0.3, float(frame[["neighbours", "kmeans"]].min().min()) - 0.05), 1.08]},
    )
    if chosen in set(frame["recipe"]):
        figure.add_vline(x=list(frame["recipe"]).index(chosen), line={"color": GREY, "dash": "dot"})
    return figure


def recovery_alt(frame: pd.DataFrame) -> str:
    """The curves in a sentence."""
    parts = []
    for measure, (name, _, _) in MEASURES.items():
        best = frame.loc[frame[measure].idxmax()]
        parts.append(
            f"{name}: {frame[measure].iloc[0]:.2f} in {frame['recipe'].iloc[0]}, at most {best[measure]:.2f}"
            f" ({best['recipe']}), shuffled labels {best[f'{measure}_shuffled']:.2f}"
        )
    return "; ".join(parts) + "."
