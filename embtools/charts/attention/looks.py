"""What a word looks at: its shares as bars, and all heads at a glance."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.attention.looks import BEFORE, CONTROL, NOW
from embtools.charts.style import BLUE, INK, LEGEND, MARGIN, MAUVE, PAPER, VERMILLION, floats, label, tint

MOST = 24
"""Words that have a bar: of a longer text those that get most, in the order of the text."""
_MARKS = {BEFORE: ("circle-open", MAUVE), CONTROL: ("diamond-open", VERMILLION)}


def shares(words: pd.DataFrame, target: tuple[str, ...], hide_frame: bool = False) -> go.Figure:
    """A bar for each word in reading order, those looked at hatched; marks for the readings beside it.

    words: word, frame, share, and maybe "before the edit" and "control sentence". The customdata of each is its word.
    """
    rows = words[~words["frame"]] if hide_frame else words
    if len(rows) > MOST:
        keep = rows[NOW].nlargest(MOST).index.union(rows.index[rows["word"].isin(target)])
        rows = rows.loc[keep]
    names = [label(_short(word)) for word in rows["word"]]
    places = np.arange(len(rows), dtype=np.float32)
    marked = rows["word"].isin(target).to_numpy()
    figure = go.Figure(
        go.Bar(
            x=floats(rows[NOW]),
            y=places,
            orientation="h",
            name="this sentence",
            marker={
                "color": BLUE,
                "pattern": {"shape": ["/" if m else "" for m in marked], "fillmode": "overlay", "fgcolor": PAPER},
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
    for column, (symbol, colour) in _MARKS.items():
        if column in rows:
            top = max(top, float(np.nan_to_num(rows[column]).max()))
            figure.add_scatter(
                x=floats(rows[column]),
                y=places,
                mode="markers",
                name=column,
                customdata=rows["word"].tolist(),
                marker={"symbol": symbol, "size": 9, "color": colour, "line": {"width": 2}, "opacity": 1},
                cliponaxis=False,  # a mark at nothing is whole
                hovertemplate=column + ": %{x:.1%}<extra></extra>",
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
            **{"tickmode": "array", "tickvals": places, "ticktext": bold, "range": [len(rows) - 0.5, -0.5]},
            **{"showgrid": False, "zeroline": False, "fixedrange": True, "tickfont": {"size": 11}},
        },
    )
    return figure


def overview(cells: pd.DataFrame, column: str = NOW) -> go.Figure:
    """All heads: layers down, heads across, the bluer the larger its share. cells: layer, head and `column` (0 … 1).

    A transparent mark lies over each cell, since a heatmap itself does not tell the server where it was clicked; its
    customdata is the name of the head, "4.2".
    """
    grid = cells.pivot(index="layer", columns="head", values=column)
    heads, layers = grid.columns.to_numpy(), grid.index.to_numpy()
    z = grid.to_numpy(np.float32)
    most = float(np.nanmax(z)) if np.isfinite(z).any() else 1.0
    figure = go.Figure(
        go.Heatmap(
            x=heads,
            y=layers,
            z=z,
            zmin=0,
            zmax=max(most, 0.01),
            colorscale=[[0, tint(BLUE, 0)], [1, tint(BLUE, 1)]],
            showscale=False,
            xgap=2,
            ygap=2,
            hoverinfo="skip",
        )
    )
    figure.add_scatter(
        x=cells["head"].to_numpy(np.float32),
        y=cells["layer"].to_numpy(np.float32),
        mode="markers",
        customdata=[f"{layer}.{head}" for layer, head in zip(cells["layer"], cells["head"], strict=True)],
        text=[f"{share:.1%}" for share in cells[column]],
        hovertemplate="layer %{y}, head %{x}: %{text}<extra></extra>",
        marker={"symbol": "square-open", "size": 22, "opacity": 0, "color": INK, "line": {"width": 3}},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )
    figure.update_layout(
        margin={**MARGIN, "t": 4, "b": 40},
        dragmode=False,
        xaxis={
            **{"title": "head", "tickmode": "array", "tickvals": heads, "range": [0.5, heads[-1] + 0.5]},
            **{"showgrid": False, "zeroline": False, "fixedrange": True},
        },
        yaxis={
            **{"title": "layer", "tickmode": "array", "tickvals": layers, "range": [layers[-1] + 0.5, 0.5]},
            **{"showgrid": False, "zeroline": False, "fixedrange": True},
        },
    )
    return figure


def marking(selector: str, number: int) -> str:
    """CSS that frames the cell of that number (0 … l · h - 1, row by row) of the overview within `selector`.

    The figure stays as it is: a click that drew another one would make the picture blink.
    """
    point = f"{selector} .points path:nth-child({number + 1})"
    return f"{point} {{ opacity: 1 !important; stroke: currentColor !important; }}"


def _short(word: str) -> str:
    return word if len(word) <= 18 else word[:17] + "…"
