"""What a word attends to: its attention as bars, and all heads as a heatmap for one or two targets."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.attention.attended_words import BEFORE, CONTROL, NOW, VERSUS
from embtools.charts.style import BLUE, INK, LEGEND, MARGIN, MAUVE, PAPER, VERMILLION, floats, label, tint

MOST = 24
"""Maximum number of bars; in a longer text, the words that get most attention have one, in reading order."""
_MARKS = {
    BEFORE: ("before the edit", "circle-open", MAUVE),
    CONTROL: ("control sentence", "diamond-open", VERMILLION),
}


def shown(words: pd.DataFrame, targets: tuple[str, ...], hide_special: bool = False) -> pd.DataFrame:
    """Return the rows that have a bar: at most `MOST` and the targets, without [CLS] and [SEP] if they are hidden."""
    rows = words[~words["special"]] if hide_special else words
    if len(rows) > MOST:
        keep = rows[NOW].nlargest(MOST).index.union(rows.index[rows["word"].isin(targets)])
        rows = rows.loc[keep]
    return rows


def shares(
    words: pd.DataFrame, target: tuple[str, ...], hide_special: bool = False, versus: tuple[str, ...] = ()
) -> go.Figure:
    """Draw a bar for each word in reading order, with hatched targets, and marks for the other readings.

    The two targets have different hatching. words: word, special, share, and optionally share_before and share_control.
    The customdata of each bar is its word.
    """
    rows = shown(words, (*target, *versus), hide_special)
    names = [label(_short(word)) for word in rows["word"]]
    heights = np.arange(len(rows), dtype=np.float32)
    first, second = (rows["word"].isin(group).to_numpy() for group in (target, versus))
    marked = first | second
    figure = go.Figure(
        go.Bar(
            x=floats(rows[NOW]),
            y=heights,
            orientation="h",
            name="this sentence",
            marker={
                "color": BLUE,
                "pattern": {
                    "shape": ["/" if a else "x" if b else "" for a, b in zip(first, second, strict=True)],
                    "fillmode": "overlay",
                    "fgcolor": PAPER,
                },
            },
            customdata=rows["word"].tolist(),
            text=[f"{share:.0%}" if share >= 0.03 else "" for share in rows[NOW]],
            textposition="outside",
            textfont={"color": INK, "size": 11},
            cliponaxis=False,
            hovertemplate="%{x:.1%}<extra></extra>",
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
        )
    )
    top = float(rows[NOW].max())
    for column, (name, symbol, colour) in _MARKS.items():
        if column in rows:
            top = max(top, float(np.nan_to_num(rows[column]).max()))
            figure.add_scatter(
                x=floats(rows[column]),
                y=heights,
                mode="markers",
                name=name,
                customdata=rows["word"].tolist(),
                marker={"symbol": symbol, "size": 9, "color": colour, "line": {"width": 2}, "opacity": 1},
                cliponaxis=False,  # a mark at zero is not cut off
                hovertemplate=name + ": %{x:.1%}<extra></extra>",
                selected={"marker": {"opacity": 1}},
                unselected={"marker": {"opacity": 1}},
            )
    bold = [f"<b>{name}</b>" if m else name for name, m in zip(names, marked, strict=True)]
    figure.update_layout(
        margin={**MARGIN, "t": 4, "b": 40},
        legend=LEGEND,
        showlegend=any(column in rows for column in _MARKS),
        bargap=0.25,
        dragmode=False,
        xaxis={"range": [0, max(top, 0.05) * 1.14], "tickformat": ".0%", "nticks": 6, "fixedrange": True},
        yaxis={
            **{"tickmode": "array", "tickvals": heights, "ticktext": bold, "range": [len(rows) - 0.5, -0.5]},
            **{"showgrid": False, "zeroline": False, "fixedrange": True, "tickfont": {"size": 11}},
        },
    )
    return figure


def overview(cells: pd.DataFrame, column: str = NOW) -> go.Figure:
    """Draw all heads: layers down, heads across, the share as stronger blue. cells: layer, head, `column` (0 … 1).

    Each cell is covered by a transparent mark, because Streamlit does not report clicks on a heatmap. The customdata
    of the mark is the name of the head, such as "4.2".
    """
    figure = go.Figure()
    figure.add_traces(_cells(cells, column, _most(cells[column])))
    figure.update_layout(margin={**MARGIN, "t": 4, "b": 40}, dragmode=False, **_axes(cells))
    return figure


def overviews(cells: pd.DataFrame, names: tuple[str, str]) -> go.Figure:
    """Draw all heads twice, side by side on one colour scale: the share of each of two targets, named in the titles.

    cells: layer, head, share, share_second. As in `overview`, the customdata of a cell is the name of its head.
    """
    most = _most(cells[[NOW, VERSUS]].to_numpy())
    figure = go.Figure()
    for number, column in enumerate((NOW, VERSUS), 1):
        where = {"xaxis": f"x{number}", "yaxis": "y"}
        figure.add_traces([trace.update(where) for trace in _cells(cells, column, most, 14)])
    axes = _axes(cells)
    titles = [
        {
            "text": f"to <b>{label(_short(name))}</b>",
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


def _most(values: np.ndarray | pd.Series) -> float:
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
        text=[f"{share:.1%}" for share in cells[column]],
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


def marking(selector: str, number: int) -> str:
    """Return CSS that frames the cell with this number (0 … l · h - 1, row by row) in each overview within `selector`.

    The figure itself does not change, because the chart would flicker if every click drew a new figure.
    """
    point = f"{selector} .points path:nth-child({number + 1})"
    return f"{point} {{ opacity: 1 !important; stroke: currentColor !important; }}"


def _short(word: str) -> str:
    return word if len(word) <= 18 else word[:17] + "…"
