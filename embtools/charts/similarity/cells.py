"""The cells of a heatmap: how one is clicked, and how one is marked."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts import style
from embtools.vectors import Array

FILLS = 25  # words: up to here the heatmap fits itself into the height it is given
CLICKABLE = 60  # words: a transparent point on each cell of 80 is 0.2 MB and 6,300 marks for the browser to watch
_LINE = 2  # px: how thick a frame is
_ROOM = {  # px: the least width and height of all cells together, by the size of the window
    "": (200, 250),
    "(min-width: 769px)": (140, 250),  # beside the menu
    "(min-width: 1200px)": (360, 240),
    "(min-width: 1200px) and (min-height: 860px)": (360, 390),
}
_ROW = 12  # px: the least height of a row where the heatmap grows with the number of words


def add_targets(figure: go.Figure, z: Array, labels: list[str]) -> None:
    """Transparent points over the cells: a heatmap itself does not tell the server which cell was clicked.

    They alone have customdata, the cell's value; `cell_of` knows where they are.
    """
    row, column = np.nonzero(~np.eye(len(labels), dtype=bool))
    figure.add_scatter(
        x=[labels[i] for i in column],
        y=row.astype(np.float32),
        mode="markers",
        customdata=z[row, column],
        hovertemplate="%{y} – %{x}: %{customdata:.3f}<extra></extra>",
        marker={
            "symbol": "square-open",
            "size": min(_sides(len(labels), *_ROOM[""])),
            "opacity": 0,
            "line": {"width": _LINE},
        },
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )
    figure.update_layout(hoverdistance=60)  # the corners of large cells belong to them, too


def cell_of(point: int, n: int) -> tuple[int, int]:
    """Row and column of the point of that number over an (n, n) heatmap: row by row, without the diagonal.

    >>> [cell_of(i, 3) for i in range(3)]
    [(0, 1), (0, 2), (1, 0)]
    """
    row, column = divmod(point, n - 1)
    return row, column + (column >= row)


def point_of(cell: tuple[int, int], n: int) -> int:
    """The number of the point over a cell off the diagonal: the way back from `cell_of`.

    >>> [point_of(cell_of(i, 4), 4) for i in range(3)]
    [0, 1, 2]
    """
    row, column = cell
    return row * (n - 1) + column - (column > row)


def marking(selector: str, words: Sequence[str], cells: Sequence[tuple[int, int]]) -> str:
    """CSS that makes the labels of some words heavy and frames cells of the clickable heatmap within `selector`.

    `words` are those of the heatmap, in its order; cells are (row, column). The figure itself stays as it is: drawing
    another one would make a click five times slower, and the picture blink.
    """
    shown, n = labels(words), len(words)
    named = [f'{selector} text[data-unformatted="{_css(shown[i])}"]' for i in sorted({i for c in cells for i in c})]
    points = f"{selector} .subplot.xy .points path"  # of the targets: swatches and tree have axes of their own
    framed = [f"{points}:nth-child({point_of(cell, n) + 1})" for cell in cells] if n <= CLICKABLE else []
    # By a stroke and not in bold: a wider word would not fit the room that it has been measured for.
    heavy = "fill: currentColor !important; stroke: currentColor; stroke-width: 0.7px;"
    rules = [f"{', '.join(named)} {{ {heavy} }}"]
    if framed:
        seen = "opacity: 1 !important; stroke: currentColor !important; d: var(--frame);"
        rules.append(f"{', '.join(framed)} {{ {seen} }}")
    return "\n".join(rules)


def framing(selector: str, n: int) -> str:
    """CSS with the shape of the frames within `selector` over n words: plotly draws squares of one size, which would
    not fit into the cells of every window.
    """
    rules = []
    for window, room in _ROOM.items():
        x, y = (side / 2 for side in _sides(n, *room))
        rule = f'{selector} {{ --frame: path("M{x:.1f},{y:.1f}H-{x:.1f}V-{y:.1f}H{x:.1f}Z"); }}'
        rules.append(f"@media {window} {{ {rule} }}" if window else rule)
    return "\n".join(rules)


def _sides(n: int, width: int, height: int) -> tuple[float, float]:
    """Width and height, in px, of a frame inside a cell of n by n that have this room together."""
    cell = width / n, height / n if n <= FILLS else _ROW
    across, up = (max(2.0, min(60.0, side - _LINE - 1)) for side in cell)
    return across, up


def _css(text: str) -> str:
    """A text inside quotes of a style sheet: every sign that is not a plain letter as its number."""
    return "".join(c if c.isascii() and c.isalnum() else f"\\{ord(c):06x}" for c in text)


def labels(words: Sequence[str]) -> list[str]:
    """Words as labels: long ones cut, unless that makes two alike; never read as HTML, which plotly would."""
    short = [word if len(word) <= 18 else word[:17] + "…" for word in words]
    return [style.label(word) for word in (short if len(set(short)) == len(words) else words)]
