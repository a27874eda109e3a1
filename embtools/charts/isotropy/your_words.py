"""Charts of the visitor's own words before and after processing: heatmaps, maps and nearest neighbours."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.charts.isotropy.overview import STYLES
from embtools.charts.labels import arranged
from embtools.isotropy.words_in_spaces import Grouped, map_table
from embtools.isotropy.your_words import Neighbours
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

_ROOM = (460, 330)  # size in pixels for which the labels of a map are arranged


def heatmap(grouped: Grouped, space: str, most: float) -> Chart:
    """Heatmap of the cosines of the words in one space. `most` is the end of the colour scale, see `most`."""
    return Chart(_heatmap(grouped, space, most), grouped.pairs, _heatmap_alt(grouped, space))


def most(results: Sequence[Grouped]) -> float:
    """The largest absolute cosine of two words in all spaces of some results, for one colour scale."""
    return max(
        float(np.abs(values[~np.eye(len(result.words), dtype=bool)]).max())
        for result in results
        for values in result.cosines.values()
    )


def _heatmap(grouped: Grouped, space: str, most: float) -> go.Figure:
    z = grouped.cosines[space].astype(np.float32).copy()
    np.fill_diagonal(z, np.nan)
    labels = [style.label(word) for word in grouped.words]
    small = {"size": 11 if len(labels) <= 36 else 8}
    figure = go.Figure(
        go.Heatmap(
            z=z,
            x=labels,
            y=labels,
            zmin=-most,
            zmax=most,
            colorscale=style.DIVERGING,
            colorbar={"thickness": 10, "len": 0.6, "tickfont": {"color": style.INK}},
            hovertemplate="%{y} – %{x}: %{z:.2f}<extra></extra>",
            hoverongaps=False,
        )
    )
    edges = [i - 0.5 for i in range(1, len(labels)) if grouped.groups[i] != grouped.groups[i - 1]]
    for edge in edges:
        line = {"type": "line", "line": {"color": style.GREY, "width": 1}}
        figure.add_shape(x0=edge, x1=edge, y0=-0.5, y1=len(labels) - 0.5, **line)
        figure.add_shape(x0=-0.5, x1=len(labels) - 0.5, y0=edge, y1=edge, **line)
    figure.update_layout(
        height=460,
        margin={**style.MARGIN, "t": 8},
        **style.saved(xaxis="word", yaxis="word"),
        xaxis={"type": "category", "tickangle": -90, "showgrid": False, "tickfont": small},
        yaxis={"type": "category", "autorange": "reversed", "showgrid": False, "tickfont": small},
    )
    return figure


def _heatmap_alt(grouped: Grouped, space: str) -> str:
    row = grouped.table.set_index("space").loc[space]
    return (
        f"Heatmap of {len(grouped.words)} words, {space}: mean cosine {decimal(row['within'])} within groups and"
        f" {decimal(row['between'])} between groups."
    )


def word_map(grouped: Grouped, space: str) -> Chart:
    """Map of the words on their first two principal components, with one colour and symbol per group."""
    return Chart(_word_map(grouped, space), map_table(grouped, space), _map_alt(grouped, space))


def _word_map(grouped: Grouped, space: str) -> go.Figure:
    points = grouped.maps[space]
    names = list(dict.fromkeys(grouped.groups))
    figure = go.Figure()
    spots = arranged(points, [len(word) for word in grouped.words], list(range(len(grouped.words))), _ROOM)
    for number, name in enumerate(names):
        rows = [i for i, group in enumerate(grouped.groups) if group == name]
        colour, symbol = style.COLOURS[number % 8], style.symbol(number)
        figure.add_scatter(
            x=points[rows, 0].astype(np.float32),
            y=points[rows, 1].astype(np.float32),
            mode="markers+text",
            name=style.label(name),
            text=[style.label(grouped.words[i]) if i in spots else "" for i in rows],
            textposition=[spots.get(i, "top center") for i in rows],
            textfont={"color": style.INK, "size": 11},
            marker={"color": colour, "symbol": symbol, "size": 9},
            customdata=[style.label(grouped.words[i]) for i in rows],
            hovertemplate="%{customdata}<extra>" + style.label(name) + "</extra>",
            cliponaxis=False,
        )
    figure.update_layout(
        height=420,
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        **style.saved(xaxis="principal component 1", yaxis="principal component 2"),
        xaxis={"showticklabels": False, "zeroline": False, "showgrid": False},
        yaxis={"showticklabels": False, "zeroline": False, "showgrid": False, "scaleanchor": "x"},
    )
    return figure


def _map_alt(grouped: Grouped, space: str) -> str:
    return (
        f"PCA map of {len(grouped.words)} words in {len(set(grouped.groups))} groups, {space}; the plane shows"
        f" {rounded(grouped.explained[space])} of the variance."
    )


def near(result: Neighbours, space: str, other: str | None, ends: tuple[float, float]) -> Chart:
    """Bars of the nearest neighbours in one space; those that are no neighbours in the other space are hatched.

    `ends` are the ends of the axis, see `ends`.
    """
    alt = f"Nearest neighbours of {result.word}, {space}: {', '.join(result.table[space])}."
    return Chart(_near(result.table, space, other, ends), result.table, alt)


def ends(results: Sequence[Neighbours]) -> tuple[float, float]:
    """The ends of the axis of cosines for the neighbours in all spaces of some results."""
    columns = [result.table[c].to_numpy() for result in results for c in result.table if c.endswith("_cosine")]
    lowest = min(0.0, *(float(cosines.min()) for cosines in columns))
    return lowest, 1.03 * max(0.1, *(float(cosines.max()) for cosines in columns))


def _near(table: pd.DataFrame, space: str, other: str | None, ends: tuple[float, float]) -> go.Figure:
    colour = STYLES[space][0]
    there = set(table[other]) if other else set(table[space])
    new = [word not in there for word in table[space]]
    labels = [f"{style.label(word)}{' •' if fresh else ''}" for word, fresh in zip(table[space], new, strict=True)]
    figure = go.Figure(
        go.Bar(
            x=style.floats(table[f"{space}_cosine"]),
            y=labels,
            orientation="h",
            marker={
                "color": [style.tint(colour, 0.35) if fresh else colour for fresh in new],
                "line": {"color": colour, "width": 1},
                "pattern": {"shape": ["/" if fresh else "" for fresh in new], "fgcolor": colour},
            },
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=76 + 24 * len(table),
        margin={**style.MARGIN, "t": 8},
        **style.saved(yaxis="neighbour"),
        xaxis={"title": "cosine", "range": list(ends)},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
