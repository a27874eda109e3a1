"""How groups look on a map: their colour and shape, an outline around their words, and positions for their names."""

from dataclasses import dataclass

import numpy as np

from embtools.charts.style import GROUPS
from embtools.vectors import Array

# Seven shapes and sixteen colours give 112 different pairs. Plotly has fewer shapes in three dimensions.
SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down")
SOLIDS = ("circle", "square", "diamond", "cross", "circle-open", "square-open", "diamond-open")
_ROUND = np.stack([np.cos(turn := np.linspace(0, 2 * np.pi, 16, endpoint=False)), np.sin(turn)], axis=1)


@dataclass(frozen=True)
class Mark:
    """The colour and shape of a group's points."""

    colour: str
    shape: str


def mark(number: int, *, space: bool = False) -> Mark:
    """The colour and shape of the group of that number."""
    shapes = SOLIDS if space else SHAPES
    return Mark(GROUPS[number % len(GROUPS)], shapes[number % len(shapes)])


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
