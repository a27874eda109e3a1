"""What groups look like on a map, their outlines and names, and as many words as there is room for."""

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import labels
from embtools.charts.axes import Look
from embtools.charts.labels import Label
from embtools.charts.style import GROUPS
from embtools.vectors import Array

# Seven shapes and sixteen colours give 112 different pairs. Plotly has fewer shapes in three dimensions.
SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down")
SOLIDS = ("circle", "square", "diamond", "cross", "circle-open", "square-open", "diamond-open")
_ROUND = np.stack([np.cos(turn := np.linspace(0, 2 * np.pi, 16, endpoint=False)), np.sin(turn)], axis=1)
# The size of the plot on a phone, on a projector and on a desktop, in pixels. Each name belongs to the smallest size at
# which it covers nothing. The last traces of a map hold the names of each size; a style sheet hides those of the sizes
# that are larger than the window.
ROOMS = ((290, 325), (560, 420), (660, 560))
_MARGIN = 12  # pixels between a point and its group's outline, at the size of a projector
_WIDER = 1.25  # width of a bold letter of a group's name, relative to a letter of a word
_ARRANGED = 400  # there is no room for more words than this


def mark(number: int, *, space: bool = False) -> Look:
    """The colour and shape of the group of that number."""
    shapes = SOLIDS if space else SHAPES
    return Look("", GROUPS[number % len(GROUPS)], shapes[number % len(shapes)])


def outline(places: Array, margin: float) -> Array:
    """The closed convex outline (m, 2) of (n, 2) positions with a round margin; its last corner equals its first."""
    from scipy.spatial import ConvexHull

    padded = (places[:, None] + margin * _ROUND).reshape(-1, 2)
    corners = ConvexHull(padded).vertices
    return padded[[*corners, corners[0]]]


def core(places: Array) -> Array:
    """Which of (n, 2) positions are in a group's outline: those within twice the median distance from the median."""
    if len(places) < 3:
        return np.ones(len(places), bool)
    away = np.linalg.norm(places - np.median(places, axis=0), axis=1)
    return away <= 2 * np.median(away) + 1e-9


def inside(places: Array, corners: Array) -> Array:
    """Which of (n, 2) positions lie in a convex outline with counterclockwise corners: (n,) booleans."""
    along = np.diff(corners, axis=0)
    across = places[:, None] - corners[:-1]
    return (along[:, 0] * across[..., 1] - along[:, 1] * across[..., 0] >= 0).all(axis=1)


def encloses(corners: Array, own: Array, others: Array) -> bool:
    """Whether at least half of the words in an outline belong to the group itself."""
    return bool(inside(own, corners).sum() >= inside(others, corners).sum())


def spots(corners: Array, places: Array) -> tuple[tuple[float, float, str], ...]:
    """Possible positions of a group's name: around its outline first, then next to one of its words (n, 2)."""
    sides = (
        (corners[:, 1].argmax(), "top center"),
        (corners[:, 1].argmin(), "bottom center"),
        (corners[:, 0].argmax(), "middle right"),
        (corners[:, 0].argmin(), "middle left"),
    )
    found = [(*corners[row].tolist(), side) for row, side in sides]
    middle = np.argsort(np.linalg.norm(places - np.median(places, axis=0), axis=1), kind="stable")
    found += [(*places[row].tolist(), side) for row in middle for _, side in sides]
    return tuple(found)


def margin(places: Array) -> float:
    """The distance between an outline and its points, in the units of the map."""
    return _MARGIN * max(np.ptp(places[:, 0]) / ROOMS[1][0], np.ptp(places[:, 1]) / ROOMS[1][1], 1e-9)


def write(
    figure: go.Figure,
    kind: type,
    points: pd.DataFrame,
    groups: Sequence[tuple[str, Array]],
    *,
    words: bool,
    highlight: tuple[int, ...],
) -> list[str]:
    """Add the names, and return the groups whose names have no room on a projector."""
    formulas = np.flatnonzero(points["kind"] == "formula").tolist()
    rows = list(
        dict.fromkeys([*highlight, *formulas, *(_in_turn(groups, len(points)) if words and not highlight else ())])
    )
    if kind is go.Scatter3d:
        _in_space(figure, points, groups, rows[:200])
        return []
    places = points[["x", "y"]].to_numpy(float)
    texts = [f"<b>{html.escape(group)}</b>" for group, _ in groups] + points["word"].iloc[rows].map(
        html.escape
    ).tolist()
    wanted = [_of_group(group, places[own], margin(places)) for group, own in groups]
    wanted += labels.round_points(places[rows], [len(word) for word in points["word"].iloc[rows]])
    solid = places if len(places) <= _ARRANGED * 5 else places[rows]
    # Groups first at every size: a word that fits on a phone must not take the space of a group's name on a projector.
    named: list[dict[int, int]] = [{}]
    for room in ROOMS:
        named.append(labels.settle(wanted[: len(groups)], solid, room, named[-1]))
    shown: dict[int, int] = {}
    for room, of_groups in zip(ROOMS, named[1:], strict=True):
        settled = labels.settle(wanted, solid, room, named[-1] | shown)
        there = of_groups | {number: spot for number, spot in settled.items() if number >= len(groups)}
        new = [number for number in there if number not in shown]
        figure.add_trace(_text(kind, [texts[n] for n in new], [wanted[n].spots[there[n]] for n in new]))
        shown = there
    return [group for number, (group, _) in enumerate(groups) if number not in named[2]]


def _in_turn(groups: Sequence[tuple[str, Array]], n: int) -> list[int]:
    """The first word of each group, then the second of each and so on, so that every group has words with names."""
    if not groups:
        return list(range(min(n, _ARRANGED)))
    longest = max(len(rows) for _, rows in groups)
    return [int(rows[turn]) for turn in range(longest) for _, rows in groups if turn < len(rows)][:_ARRANGED]


def _of_group(name: str, places: Array, edge: float) -> Label:
    inner = places[core(places)]
    return Label(_WIDER * len(name), spots(outline(inner, edge), inner))


def _text(kind: type, texts: list[str], at: list[tuple[float, float, str]]) -> object:
    if not at:  # plotly drops a trace without points, and the next trace would be taken for it
        texts, at = [""], [(np.nan, np.nan, "top center")]
    # Invisible markers keep the text away from the visible ones.
    trace = kind(
        x=np.array([x for x, _, _ in at], np.float32),
        y=np.array([y for _, y, _ in at], np.float32),
        mode="markers+text",
        marker={"size": 10, "opacity": 0},
        text=texts,
        textposition=[side for _, _, side in at],
        textfont={"size": 12},
        showlegend=False,
        hoverinfo="skip",
    )
    return trace.update(cliponaxis=False) if kind is go.Scatter else trace


def _in_space(figure: go.Figure, points: pd.DataFrame, groups: Sequence[tuple[str, Array]], rows: list[int]) -> None:
    """Add the names in three dimensions, where overlap cannot be avoided: at each group's centre, above each word."""
    axes = ["x", "y", "z"]
    middles = [points[axes].iloc[own].median() for _, own in groups]
    for frame, texts, size in (
        (pd.DataFrame(middles, columns=axes), [f"<b>{html.escape(group)}</b>" for group, _ in groups], 13),
        (points[axes].iloc[rows], points["word"].iloc[rows].map(html.escape).tolist(), 11),
    ):
        figure.add_trace(
            go.Scatter3d(
                **{axis: frame[axis].to_numpy(np.float32) for axis in axes},
                mode="text",
                text=texts,
                textposition="top center",
                textfont={"size": size},
                showlegend=False,
                hoverinfo="skip",
            )
        )
