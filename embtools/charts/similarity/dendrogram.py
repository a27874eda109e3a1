"""A tree of clusters drawn to the right of a heatmap, its leaves on the heatmap's rows."""

import html

import numpy as np
import plotly.graph_objects as go

from embtools.similarity.matrix import Similarity

GREY = "#7F7F7F"


def branches(tree: Similarity) -> tuple[list[list[float]], list[list[float]], list[str]]:
    """The tree as brackets: four heights and four places each (leaf i of `order` at place i), and who is joined."""
    n = len(tree.words)
    place = {leaf: float(i) for i, leaf in enumerate(tree.order)}
    height = dict.fromkeys(range(n), 0.0)
    members = {i: [tree.words[i]] for i in range(n)}
    xs, ys, names = [], [], []
    for m, (first, second, distance, _) in enumerate(tree.merges, n):
        a, b = sorted((int(first), int(second)), key=place.__getitem__)
        xs.append([height[a], float(distance), float(distance), height[b]])
        ys.append([place[a], place[a], place[b], place[b]])
        place[m], height[m], members[m] = (place[a] + place[b]) / 2, float(distance), members[a] + members[b]
        names.append(", ".join(members[m][:6]) + (f" and {len(members[m]) - 6} more" if len(members[m]) > 6 else ""))
    return xs, ys, names


def add(figure: go.Figure, tree: Similarity) -> None:
    """Draw the tree on its own horizontal axis, over the figure's vertical one (leaf i of `order` at i)."""
    xs, ys, names = branches(tree)
    gap = [float("nan")]
    figure.add_scatter(
        x=np.array([v for x in xs for v in x + gap], np.float32),
        y=np.array([v for y in ys for v in y + gap], np.float32),
        xaxis="x2",
        mode="lines",
        line={"color": GREY, "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_scatter(
        x=np.array([x[1] for x in xs], np.float32),
        y=np.array([(y[1] + y[2]) / 2 for y in ys], np.float32),
        xaxis="x2",
        mode="markers",
        marker={"size": 6, "color": GREY, "opacity": 1},
        showlegend=False,
        text=[html.escape(name) for name in names],
        hovertemplate="%{text}<br>joined at %{x:.3f}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    figure.update_layout(
        xaxis2={
            "domain": [0.78, 1],
            "anchor": "y",
            "title": "distance",
            "rangemode": "tozero",
            "zeroline": False,
            "nticks": 4,
        }
    )
