"""The cells of a heatmap: points that make them clickable, and CSS that marks them."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts import style
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

FILLS = 25  # words: up to this number, the heatmap fits into the height that it is given
CLICKABLE = 60  # words: for 80 words, a point on each cell takes 0.2 MB and 6,300 marks in the browser
_LINE = 2  # px: width of a frame's line
_ROOM = {  # px: the smallest width and height of all cells together, by the size of the window
    "": (200, 250),
    "(min-width: 769px)": (140, 250),  # next to the menu
    "(min-width: 1200px)": (360, 240),
    "(min-width: 1200px) and (min-height: 860px)": (360, 390),
}
_COMPARED, _MATCHED = "<br>more similar than %{text}<br>of random pairs", " of equally common words"
_ROW = 12  # px: the smallest height of a row where the heatmap grows with the number of words


def add_targets(
    figure: go.Figure, z: Array, labels: list[str], shares: Array | None = None, *, matched: bool = True
) -> None:
    """Add transparent points over the cells, the only ones with customdata (the value), because a heatmap itself does
    not report clicks to the server.
    """
    row, column = np.nonzero(~np.eye(len(labels), dtype=bool))
    compared = "" if shares is None else f"{_COMPARED}{_MATCHED if matched else ''}"
    figure.add_scatter(
        x=[labels[i] for i in column],
        y=row.astype(np.float32),
        mode="markers",
        customdata=z[row, column],
        text=None if shares is None else [rounded(share) for share in shares[row, column]],
        hovertemplate=f"%{{y}} – %{{x}}: %{{customdata:.3f}}{compared}<extra></extra>",
        marker={
            "symbol": "square-open",
            "size": min(_sides(len(labels), *_ROOM[""])),
            "opacity": 0,
            "line": {"width": _LINE},
        },
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )
    figure.update_layout(hoverdistance=60)  # includes the corners of large cells


def cell_of(point: int, n: int) -> tuple[int, int]:
    """The row and column of a point over an (n, n) heatmap, by its index: row by row, without the diagonal.

    >>> [cell_of(i, 3) for i in range(3)]
    [(0, 1), (0, 2), (1, 0)]
    """
    row, column = divmod(point, n - 1)
    return row, column + (column >= row)


def point_of(cell: tuple[int, int], n: int) -> int:
    """The index of the point over a cell off the diagonal; the inverse of `cell_of`."""
    row, column = cell
    return row * (n - 1) + column - (column > row)


def marking(selector: str, words: Sequence[str], cells: Sequence[tuple[int, int]]) -> str:
    """CSS that frames cells (row, column) of the heatmap within `selector` and emphasises the labels of their words."""
    shown, n = labels(words), len(words)
    named = [f'{selector} text[data-unformatted="{_css(shown[i])}"]' for i in sorted({i for c in cells for i in c})]
    points = f"{selector} .subplot.xy .points path"  # only the targets: swatches and tree have other axes
    framed = [f"{points}:nth-child({point_of(cell, n) + 1})" for cell in cells] if n <= CLICKABLE else []
    # A stroke and not bold letters: a wider word would not fit into the space measured for it.
    heavy = "fill: currentColor !important; stroke: currentColor; stroke-width: 0.7px;"
    rules = [f"{', '.join(named)} {{ {heavy} }}"]
    if framed:
        seen = "opacity: 1 !important; stroke: currentColor !important; d: var(--frame);"
        rules.append(f"{', '.join(framed)} {{ {seen} }}")
    return "\n".join(rules)


def framing(selector: str, n: int) -> str:
    """CSS with the shape of the frames within `selector` over n words."""
    rules = []  # plotly draws squares of one size, which would not fit into the cells at every size of the window
    for window, room in _ROOM.items():
        x, y = (side / 2 for side in _sides(n, *room))
        rule = f'{selector} {{ --frame: path("M{x:.1f},{y:.1f}H-{x:.1f}V-{y:.1f}H{x:.1f}Z"); }}'
        rules.append(f"@media {window} {{ {rule} }}" if window else rule)
    return "\n".join(rules)


def _sides(n: int, width: int, height: int) -> tuple[float, float]:
    """The width and height, in px, of a frame inside one of n by n cells that have this size together."""
    cell = width / n, height / n if n <= FILLS else _ROW
    across, up = (max(2.0, min(60.0, side - _LINE - 1)) for side in cell)
    return across, up


def _css(text: str) -> str:
    """A text escaped for quotes in CSS: every character except ASCII letters and digits as its code point."""
    return "".join(c if c.isascii() and c.isalnum() else f"\\{ord(c):06x}" for c in text)


def labels(words: Sequence[str]) -> list[str]:
    """Words as labels: escaped for plotly, and long ones cut unless that makes two labels equal."""
    short = [word if len(word) <= 18 else word[:17] + "…" for word in words]
    return [style.label(word) for word in (short if len(set(short)) == len(words) else words)]
