"""Overview of all attention heads as a heatmap, for one or two target words."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.attention.attended import NOW, VERSUS, AttendedWords, named, percent
from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, INK, MARGIN, label, tint
from embtools.messages import shortened
from embtools.statistics.percentages import rounded


def heads(result: AttendedWords, *, most: float = 0.0) -> Chart:
    """All heads: layers down, heads across, for one or two targets; `most` is the share of the strongest colour.

    The customdata of each cell is the name of its head, such as "4.2".
    """
    if not result.versus:
        return overview(result.cells, _alt(result), most=most)
    names = " + ".join(result.target), " + ".join(result.versus)
    return Chart(_overviews(result.cells, names, most=most), result.cells, _alt(result))


def strongest(results: Sequence[AttendedWords]) -> float:
    """The highest share among the heads of some results, so that their charts have the same colours."""
    return max(_most(result.cells[[NOW, VERSUS] if result.versus else [NOW]]) for result in results)


def overview(cells: pd.DataFrame, alt: str, column: str = NOW, *, most: float = 0.0) -> Chart:
    """All heads: layers down, heads across, the share as stronger blue with a scale. cells: layer, head, `column`.

    Each cell is covered by a transparent mark, because Streamlit does not report clicks on a heatmap. The customdata
    of the mark is the name of the head, such as "4.2".
    """
    figure = go.Figure()
    heat, marks = _cells(cells, column, max(most, _most(cells[column])))
    heat.update(showscale=True, colorbar={"thickness": 10, "tickformat": ".0%", "outlinewidth": 0})
    figure.add_traces([heat, marks])
    figure.update_layout(margin={**MARGIN, "t": 4, "b": 40}, dragmode=False, **_axes(cells))
    return Chart(figure, cells, alt)


def _overviews(cells: pd.DataFrame, names: tuple[str, str], *, most: float = 0.0) -> go.Figure:
    """Draw all heads twice, side by side on one colour scale: the share of each of two targets, named in the titles.

    cells: layer, head, share, share_second. As in `overview`, the customdata of a cell is the name of its head.
    """
    most = max(most, _most(cells[[NOW, VERSUS]]))
    figure = go.Figure()
    for number, column in enumerate((NOW, VERSUS), 1):
        where = {"xaxis": f"x{number}", "yaxis": "y"}
        figure.add_traces([trace.update(where) for trace in _cells(cells, column, most, 14)])
    axes = _axes(cells)
    titles = [
        {
            "text": f"to <b>{label(shortened(name, 18))}</b>",
            **{"x": x, "y": 1, "xref": "paper", "yref": "paper", "showarrow": False, "yanchor": "bottom"},
        }
        for name, x in zip(names, (0.24, 0.76), strict=True)
    ]
    few = {"nticks": 6, "tickmode": "auto"}
    figure.update_layout(
        margin={**MARGIN, "t": 26, "b": 40},
        dragmode=False,
        annotations=titles,
        xaxis={**axes["xaxis"], **few, "domain": [0, 0.48]},
        xaxis2={**axes["xaxis"], **few, "domain": [0.52, 1]},
        yaxis=axes["yaxis"],
    )
    return figure


def marking(selector: str, number: int) -> str:
    """Return CSS that frames the cell with this number (0 … l · h - 1, row by row) in each overview within `selector`.

    The figure itself does not change, because the chart would flicker if every click drew a new figure.
    """
    point = f"{selector} .points path:nth-child({number + 1})"
    return f"{point} {{ opacity: 1 !important; stroke: currentColor !important; }}"


def _most(values: pd.DataFrame | pd.Series) -> float:
    """Return the share that has the strongest colour."""
    shares = np.asarray(values, np.float64)
    return max(float(np.nanmax(shares)) if np.isfinite(shares).any() else 1.0, 0.01)


def _cells(cells: pd.DataFrame, column: str, most: float, size: int = 22) -> list[Any]:
    """Return a heatmap of all heads, and the transparent marks that can be clicked."""
    grid = cells.pivot(index="layer", columns="head", values=column)
    heat = go.Heatmap(
        x=grid.columns.to_numpy(),
        y=grid.index.to_numpy(),
        z=grid.to_numpy(np.float32),
        zmin=0,
        zmax=most,
        colorscale=[[0, tint(BLUE, 0)], [1, tint(BLUE, 1)]],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    marks = go.Scatter(
        x=cells["head"].to_numpy(np.float32),
        y=cells["layer"].to_numpy(np.float32),
        mode="markers",
        customdata=[f"{layer}.{head}" for layer, head in zip(cells["layer"], cells["head"], strict=True)],
        text=[rounded(share, 1) for share in cells[column]],
        hovertemplate="layer %{y}, head %{x}: %{text}<extra></extra>",
        marker={"symbol": "square-open", "size": size, "opacity": 0, "color": INK, "line": {"width": 3}},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )
    return [heat, marks]


def _axes(cells: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the axes of an overview: a tick for each head and layer, the first layer at the top."""
    heads, layers = cells["head"].unique(), cells["layer"].unique()
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickmode": "array"}
    return {
        "xaxis": {**bare, "title": "head", "tickvals": heads, "range": [0.5, max(heads) + 0.5]},
        "yaxis": {**bare, "title": "layer", "tickvals": layers, "range": [max(layers) + 0.5, 0.5]},
    }


def _alt(result: AttendedWords) -> str:
    """Return the alt text of the overview of all heads: one part for each target."""
    return " ".join(
        _cells_alt(result.cells, column, named(words))
        for column, words in ((NOW, result.target), (VERSUS, result.versus))
        if words
    )


def _cells_alt(cells: pd.DataFrame, column: str, target: str) -> str:
    best, least = cells.loc[cells[column].idxmax()], cells.loc[cells[column].idxmin()]
    return (
        f"Heatmap of {len(cells)} heads. Attention to {target} is highest in layer {best['layer']:.0f}, head"
        f" {best['head']:.0f} ({percent(best[column])}) and lowest in layer {least['layer']:.0f}, head"
        f" {least['head']:.0f} ({percent(least[column])}); the mean is {percent(cells[column].mean())}."
    )
