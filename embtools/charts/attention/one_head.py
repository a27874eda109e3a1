"""One head token by token as a heatmap, and the numbers behind one of its weights as strips."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.attention.head_steps import OneHead, Steps
from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, DIVERGING, INK, MARGIN, label, saved, tint
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

CLICKABLE = 40
"""Maximum number of tokens for clickable cells: each cell has a mark of its own, which costs time in the browser."""
MOST = 128
"""Maximum number of rows and columns; for longer texts, neighbouring tokens are averaged."""
_LABELLED = 20  # labels on an axis of a long text


def weights(result: OneHead, *, most: float = 0.0, hide_special: bool = False) -> Chart:
    """All weights as a heatmap: rows attend, columns receive attention; `most` is the weight of the strongest colour.

    The frame has all weights of a short text, and of a long text the row of the attending token. With `hide_special`,
    [CLS] and [SEP] have no row and no column.
    """
    frame = result.frame if len(result.tokens) <= CLICKABLE else result.attending
    rows = visible(result, hide_special)
    tokens, drawn = [result.tokens[row] for row in rows], result.weights[np.ix_(rows, rows)]
    hidden = " [CLS] and [SEP] are not shown." if len(rows) < len(result.tokens) else ""
    figure = _heatmap(drawn, tokens, most, np.add.outer(np.array(rows) * len(result.tokens), rows))
    return Chart(figure, frame, _alt(drawn, tokens) + hidden)


def visible(result: OneHead, hide_special: bool = False) -> list[int]:
    """The positions of the tokens that have a row and a column; all if there would be none without [CLS] and [SEP]."""
    words = [position for position, special in enumerate(result.special) if not special]
    return words if hide_special and words else list(range(len(result.tokens)))


def steps(result: Steps) -> Chart:
    """The numbers behind one weight as strips: query, key, product, value, weight × value, and output."""
    return Chart(_dimensions(result), result.dimensions, _dimensions_alt(result))


def strongest(results: Sequence[OneHead], hide_special: bool = False) -> float:
    """The highest weight that is drawn for some results, so that their charts have the same colours."""
    return max(float(_drawn(result, hide_special).max()) for result in results)


def _drawn(result: OneHead, hide_special: bool) -> Array:
    rows = visible(result, hide_special)
    return shrunk(result.weights[np.ix_(rows, rows)])[0]


def _heatmap(weights: Array, tokens: Sequence[str], most: float = 0.0, cells: Array | None = None) -> go.Figure:
    """Draw weights (t, t) as a heatmap: rows attend, columns receive attention; for a long text, means over blocks.

    `cells` (t, t) are the customdata of cells that can be clicked, by default row · t + column.
    """
    z, step = shrunk(np.asarray(weights, np.float32))
    n = len(z)
    names = [label(token) for token in tokens[::step]]
    ticks = list(range(0, n, -(-n // _LABELLED) if n > CLICKABLE else 1))
    figure = go.Figure(
        go.Heatmap(
            z=z,
            zmin=0,
            zmax=max(most, float(z.max()), 1e-6),
            colorscale=[[0, tint(BLUE, 0)], [1, tint(BLUE, 1)]],
            showscale=False,
            xgap=int(n <= CLICKABLE),
            ygap=int(n <= CLICKABLE),
            hovertemplate="from row %{y} to column %{x}: %{z:.1%}<extra></extra>",
        )
    )
    if n == len(tokens) <= CLICKABLE:
        row, column = np.divmod(np.arange(n * n), n)
        figure.add_scatter(
            x=column.astype(np.float32),
            y=row.astype(np.float32),
            mode="markers",
            customdata=row * n + column if cells is None else cells.ravel(),
            text=[f"{names[i]} → {names[j]}: {rounded(z[i, j], 1)}" for i, j in zip(row, column, strict=True)],
            hovertemplate="%{text}<extra></extra>",
            marker={
                **{"symbol": "square-open", "size": max(9, 300 // n), "opacity": 0},
                **{"color": INK, "line": {"width": 2}},
            },
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            showlegend=False,
        )
    ticked = {"tickmode": "array", "tickvals": ticks, "ticktext": [names[i] for i in ticks]}
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickfont": {"size": 11 if n <= 30 else 9}}
    figure.update_layout(
        margin={**MARGIN, "t": 4},
        dragmode=False,
        xaxis={**ticked, **bare, "range": [-0.5, n - 0.5], "tickangle": -60, "title": "receives attention"},
        yaxis={**ticked, **bare, "range": [n - 0.5, -0.5], "title": "attends"},
    )
    return figure


def shrunk(weights: Array) -> tuple[Array, int]:
    """Return weights (t, t) averaged to at most `MOST` rows and columns, and the width of the averaged blocks.

    >>> shrunk(np.ones((300, 300), np.float32))[0].shape
    (100, 100)
    """
    t = len(weights)
    step = -(-t // MOST)
    if step == 1:
        return weights, 1
    starts = np.arange(0, t, step)
    sums = np.add.reduceat(np.add.reduceat(weights, starts, axis=0), starts, axis=1)
    sizes = np.diff(np.append(starts, t))
    return np.asarray(sums / np.outer(sizes, sizes), np.float32), step


def marking(selector: str, row: int, column: int, n: int) -> str:
    """Return CSS that frames a cell of the clickable heatmap within `selector` without changing its figure."""
    point = f"{selector} .points path:nth-child({row * n + column + 1})"
    return f"{point} {{ opacity: 1 !important; stroke: currentColor !important; }}"


def _alt(weights: Array, tokens: Sequence[str]) -> str:
    """Return the alt text of the heatmap."""
    row, column = divmod(int(np.argmax(weights)), len(tokens))
    return (
        f"Heatmap of the attention among {len(tokens)} tokens. The highest value is {rounded(weights[row, column])},"
        f" from {tokens[row]} to {tokens[column]}."
    )


def _dimensions(steps: Steps) -> go.Figure:
    """Draw the numbers behind one weight as strips: query, key, product, value, weight × value, and output."""
    rows = ("query", "key", "product", "value", "weighted_value", "output")
    named = ("query", "key", "query × key", "value", "weight × value", "output")
    frame = steps.dimensions
    z = frame[list(rows)].to_numpy(np.float32).T
    most = np.abs(z).max(axis=1, keepdims=True)
    figure = go.Figure(
        go.Heatmap(
            z=z / np.where(most == 0, 1, most),
            customdata=z,
            x=frame["dimension"],
            y=list(range(len(rows))),
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            showscale=False,
            xgap=1,
            ygap=5,
            hovertemplate="dimension %{x}: %{customdata:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=210,
        margin={**MARGIN, "t": 4},
        **saved(yaxis="vector"),
        xaxis={"title": "dimension of the head", "showgrid": False, "zeroline": False, "fixedrange": True},
        yaxis={
            **{"tickmode": "array", "tickvals": list(range(len(rows))), "ticktext": list(named), "showgrid": False},
            **{"autorange": "reversed", "zeroline": False, "fixedrange": True},
        },
    )
    return figure


def _dimensions_alt(steps: Steps) -> str:
    """Return the alt text of the strips."""
    best = steps.dimensions.loc[steps.dimensions["product"].abs().idxmax()]
    return (
        f"Six strips of {len(steps.dimensions)} numbers. The products sum to {decimal(steps.dot)}; the largest is"
        f" {decimal(best['product'])}, in dimension {best['dimension']:.0f}."
    )
