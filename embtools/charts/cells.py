"""Invisible marks on the cells of a heatmap, because plotly reports clicks on marks only."""

from collections.abc import Sequence
from typing import Any

from embtools.charts.style import INK
from embtools.vectors import Array


def covers(
    x: Array, y: Array, names: Sequence[Any], texts: Sequence[str] | None, hover: str, size: int = 26
) -> dict[str, Any]:
    """The trace of marks at the centres of cells. Their customdata are the names; `texts` are for the hover text."""
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "markers",
        "customdata": names,
        "text": texts,
        "hovertemplate": hover,
        "marker": {"symbol": "square-open", "size": size, "opacity": 0, "color": INK, "line": {"width": 3}},
        "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
        "showlegend": False,
    }
