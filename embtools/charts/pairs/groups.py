"""Charts of the Pairs page: sentences on a map by their groups, and how good so many groups are."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import labels
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
    tint,
    wrap,
)

_LETTERS, _ROOM = 26, (480, 330)


def places(sentences: pd.DataFrame, kept: float) -> go.Figure:
    """The sentences as points, a colour and a shape for each group, the typical ones by name where there is room.

    sentences: sentence, named, group, x, y, typical; kept: the share of the differences that the plane keeps.
    """
    figure = go.Figure()
    spots = sentences[["x", "y"]].to_numpy()
    order = sentences.reset_index(drop=True).sort_values("typical").query("typical <= 2").index.tolist()
    short = [
        sentence if len(sentence) <= _LETTERS else sentence[: _LETTERS - 1] + "…" for sentence in sentences["sentence"]
    ]
    settled = labels.arranged(spots, [len(text) for text in short], order, _ROOM)
    for group, rows in sentences.reset_index(drop=True).groupby("group"):
        named = [f"{name}: " if name else "" for name in rows["named"]]
        figure.add_scatter(
            x=floats(rows["x"]),
            y=floats(rows["y"]),
            mode="markers+text",
            name=f"group {group}",
            text=[label(short[row]) if row in settled else "" for row in rows.index],
            textposition=[settled.get(row, "top center") for row in rows.index],
            textfont={"size": 11},
            marker={"color": GROUPS[int(group) - 1], "symbol": SYMBOLS[(int(group) - 1) % len(SYMBOLS)], "size": 11},
            customdata=[wrap(a + b, 50) for a, b in zip(named, rows["sentence"], strict=True)],
            hovertemplate="%{customdata}<extra>group " + str(group) + "</extra>",
        )
    axis = {"showgrid": False, "zeroline": False, "showticklabels": False}
    figure.update_layout(
        height=430,
        margin=MARGIN,
        legend=LEGEND,
        xaxis={"title": f"principal components 1 and 2: {kept:.0%} of the differences", **axis},
        yaxis={"scaleanchor": "x", **axis},
    )
    return figure


def places_alt(sentences: pd.DataFrame, kept: float) -> str:
    """The map in a sentence."""
    counts = sentences.groupby("group").size()
    return (
        f"{len(sentences)} sentences as points in {len(counts)} groups of {', '.join(map(str, counts))}, on a plane"
        f" that keeps {kept:.0%} of the differences."
    )


def silhouettes(curve: pd.DataFrame, count: int) -> go.Figure:
    """The silhouette over the number of groups, with the ranges of what has no groups as bands.

    curve: groups, silhouette, dealt_low, dealt_high, cloud_low, cloud_high; `count` has a ring.
    """
    figure = go.Figure()
    x = floats(curve["groups"])
    for name, kind, colour, dash in (
        ("clouds without groups", "cloud", GREY, "dot"),
        ("same words dealt anew", "dealt", VERMILLION, "dash"),
    ):
        line = {"color": colour, "width": 1.5, "dash": dash}
        figure.add_scatter(
            x=x, y=floats(curve[f"{kind}_low"]), mode="lines", line=line, showlegend=False, hoverinfo="skip"
        )
        figure.add_scatter(
            x=x, y=floats(curve[f"{kind}_high"]), mode="lines+markers", name=name, line=line, fill="tonexty",
            fillcolor=tint(colour, 0.15), marker={"size": 5}, hovertemplate="up to %{y:.2f}<extra></extra>",
        )  # fmt: skip
    figure.add_scatter(
        x=x,
        y=floats(curve["silhouette"]),
        mode="lines+markers",
        name="your sentences",
        line={"color": BLUE, "width": 3},
        marker={"size": 8},
        hovertemplate="%{x} groups: %{y:.2f}<extra></extra>",
    )
    at = curve[curve["groups"] == count]
    figure.add_scatter(
        x=floats(at["groups"]),
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
        xaxis={"title": "groups", "dtick": 1},
        yaxis={"title": "mean silhouette"},
    )
    return figure


def silhouettes_alt(curve: pd.DataFrame, count: int) -> str:
    """The silhouettes in a sentence."""
    row = curve.set_index("groups").loc[count]
    return (
        f"Mean silhouette of {count} groups: {row['silhouette']:.2f}. The same words dealt anew: up to"
        f" {row['dealt_high']:.2f}; clouds without groups: up to {row['cloud_high']:.2f}."
    )
