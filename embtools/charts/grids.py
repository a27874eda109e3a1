"""Heatmap with one number per layer combination and pooling."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import INK, MARGIN, SLATE, TINTS, saved, wrap
from embtools.statistics.decimals import decimal
from embtools.words.overlap import CONTROL


def combinations(
    frame: pd.DataFrame, column: str, chosen: tuple[str, str], midpoint: float, name: str, note: str = ""
) -> Chart:
    """Heatmap of layer combinations (rows) and poolings (columns) with the chosen cell outlined.

    frame: columns combination, pooling and `column` (0 … 1); the colour scale is centred at `midpoint`. `name` says
    what the numbers are, and `note` is added to the description.
    """
    return Chart(_grid(frame, column, chosen, midpoint), frame, f"{grid_alt(frame, column, name)} {note}".strip())


def _grid(frame: pd.DataFrame, column: str, chosen: tuple[str, str], midpoint: float) -> go.Figure:
    table = table_of(frame, column)
    values = table.to_numpy(np.float32)
    combinations, poolings = (
        [wrap(r, 20) for r in table.index],
        [wrap(p.replace("sentence: ", "sentence "), 9) for p in table.columns],
    )
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=poolings,
            y=combinations,
            colorscale=TINTS,
            zmin=2 * midpoint - 1,
            zmax=1,
            texttemplate="%{z:.2f}",
            textfont={"color": INK},
            hovertemplate="%{y}, %{x}: %{z:.3f}<extra></extra>",
            hoverongaps=False,
            showscale=False,
            xgap=2,
            ygap=2,
        )
    )
    if chosen[0] in table.index and chosen[1] in table.columns:
        row, col = table.index.get_loc(chosen[0]), table.columns.get_loc(chosen[1])
        figure.add_shape(
            type="rect",
            x0=col - 0.5,
            x1=col + 0.5,
            y0=row - 0.5,
            y1=row + 0.5,
            line={"width": 3, "color": SLATE},
        )
    figure.update_layout(
        height=110 + 30 * len(combinations),
        margin=MARGIN | {"t": 48},
        **saved(xaxis="pooling", yaxis="layer combination"),
        xaxis={"side": "top", "type": "category", "showgrid": False, "tickangle": 0, "tickfont": {"size": 11}},
        yaxis={"type": "category", "autorange": "reversed", "showgrid": False},
    )
    return figure


def grid_alt(frame: pd.DataFrame, column: str, name: str) -> str:
    """Alternative text of the grid."""
    known = frame[frame["combination"] != CONTROL].dropna(subset=column)
    if known.empty:
        return f"{name}, by layer combination and pooling: there is nothing to compare."
    best, worst = known.loc[known[column].idxmax()], known.loc[known[column].idxmin()]
    return (
        f"{name}, by layer combination and pooling: highest {decimal(best[column])} ({best['combination']},"
        f" {best['pooling']}), lowest {decimal(worst[column])} ({worst['combination']}, {worst['pooling']})."
    )


def table_of(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Table of layer combinations × poolings in their own order, without the control and without empty poolings."""
    frame = frame[frame["combination"] != CONTROL]
    table = frame.pivot(index="combination", columns="pooling", values=column)
    return table.loc[frame["combination"].unique(), frame["pooling"].unique()].dropna(axis="columns", how="all")
