"""Heatmap with one number per layer combination and pooling."""

from dataclasses import replace

import pandas as pd

from embtools.charts.axes import Axis, Names, Shades
from embtools.charts.plot import Plot
from embtools.charts.style import SLATE, TINTS
from embtools.statistics.decimals import decimal
from embtools.words.overlap import CONTROL


def combinations(
    frame: pd.DataFrame, column: str, chosen: tuple[str, str], midpoint: float, name: str, note: str = ""
) -> Plot:
    """Cells of layer combinations and poolings in colours around `midpoint`, with an outline around the chosen cell."""
    table = table_of(frame, column)
    rows, poolings, values = list(table.index), list(table.columns), table.to_numpy()
    named = [each.replace("sentence: ", "sentence ") for each in poolings]
    x, y = Names(poolings, "pooling", named, 9, above=True), Names(rows, "layer combination", wide=20)
    # Titles of two lines in every chart, so that rows of two charts align.
    layout = {"margin": {"t": 48}}
    alt = f"{grid_alt(frame, column, name)} {note}".strip()
    plot = Plot(frame, alt, x, y, 110 + 30 * len(rows), layout=layout).cells(
        values,
        Shades(TINTS, Axis(range=(2 * midpoint - 1, 1))),
        text=lambda i, j: "" if pd.isna(values[i, j]) else decimal(values[i, j]),
        hover=lambda i, j: "" if pd.isna(values[i, j]) else f"{rows[i]}, {named[j]}: {decimal(values[i, j], 3)}",
    )
    if chosen[0] not in rows or chosen[1] not in poolings:
        return plot
    row, place = rows.index(chosen[0]), poolings.index(chosen[1])
    edges = {"x0": place - 0.5, "x1": place + 0.5, "y0": row - 0.5, "y1": row + 0.5}
    return replace(plot, shapes=({"type": "rect", **edges, "line": {"width": 3, "color": SLATE}},))


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
