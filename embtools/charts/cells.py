"""Invisible marks on the cells of a heatmap, because plotly reports clicks on marks only."""

from collections.abc import Sequence

import plotly.graph_objects as go

from embtools.charts.style import INK
from embtools.vectors import Array


def marks(x: Array, y: Array, names: Sequence[str], texts: Sequence[str], hover: str, size: int = 26) -> go.Scatter:
    """Marks at the centres of cells. Their customdata are the names; `texts` are for the hover text."""
    return go.Scatter(
        x=x,
        y=y,
        mode="markers",
        customdata=names,
        text=texts,
        hovertemplate=hover,
        marker={"symbol": "square-open", "size": size, "opacity": 0, "color": INK, "line": {"width": 3}},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )
