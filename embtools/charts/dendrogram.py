"""A tree of clusters to the right of a heatmap, with its leaves at the heatmap's rows."""

import numpy as np
import plotly.graph_objects as go

from embtools.charts import style
from embtools.similarity.matrix import Similarity


def branches(tree: Similarity) -> tuple[list[list[float]], list[list[float]], list[str]]:
    """The tree as brackets: four heights and four positions each (leaf i of `order` at i), and the words they join."""
    from scipy.cluster import hierarchy

    # scipy's names of link colours are used to return the index of each node.
    drawn = hierarchy.dendrogram(tree.merges, no_plot=True, link_color_func=str)
    _, nodes = hierarchy.to_tree(tree.merges, rd=True)
    xs, ys, names = [], [], []
    for node, x, y in sorted(zip(map(int, drawn["color_list"]), drawn["dcoord"], drawn["icoord"], strict=True)):
        members = [tree.words[leaf] for leaf in nodes[node].pre_order()]
        xs.append([float(height) for height in x])
        ys.append([(float(position) - 5) / 10 for position in y])  # scipy puts the leaves at 5, 15, 25 …
        names.append(", ".join(members[:6]) + (f" and {len(members) - 6} more" if len(members) > 6 else ""))
    return xs, ys, names


def add(figure: go.Figure, tree: Similarity, left: float) -> None:
    """Draw the tree from `left` (0 … 1) to the right edge; leaf i of `order` is at i on the figure's y axis."""
    xs, ys, names = branches(tree)
    gap = [float("nan")]
    figure.add_scatter(
        x=np.array([v for x in xs for v in x + gap], np.float32),
        y=np.array([v for y in ys for v in y + gap], np.float32),
        xaxis="x2",
        mode="lines",
        line={"color": style.GREY, "width": 1.5},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=np.array([x[1] for x in xs], np.float32),
        y=np.array([(y[1] + y[2]) / 2 for y in ys], np.float32),
        xaxis="x2",
        mode="markers",
        marker={"size": 6, "color": style.GREY, "opacity": 1},
        text=[style.label(name) for name in names],
        hovertemplate="%{text}<br>joined at distance %{x:.3f}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    figure.update_layout(
        xaxis2={
            "domain": [left, 1],
            "anchor": "y",
            "title": "distance",
            "rangemode": "tozero",
            "zeroline": False,
            "nticks": 4,
        }
    )
