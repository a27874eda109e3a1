"""Placement of labels next to points so that they do not overlap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from embtools.vectors import Array

ROOM = (560, 470)  # size in pixels for which labels are arranged; on a phone more of them overlap
_SOLID = 2_000
_LETTER, _LINE, _HALF = 6.4, 14.0, 5.0  # pixels: the width of a letter, the height of a line, half a point
_BORDER = 28  # pixels by which labels may extend beyond the room
_SPOTS = {
    "top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0),
    "top right": (1, 1), "top left": (-1, 1), "bottom right": (1, -1), "bottom left": (-1, -1),
}  # fmt: skip


@dataclass(frozen=True)
class Label:
    """Length of a text and its possible spots, the best first: x, y in data units, and plotly's text position."""

    letters: float
    spots: tuple[tuple[float, float, str], ...]


def round_points(places: Array, letters: Sequence[float]) -> list[Label]:
    """One label for each of (n, 2) points, with eight possible spots around the point."""
    return [
        Label(count, tuple((x, y, spot) for spot in _SPOTS))
        for (x, y), count in zip(places.tolist(), letters, strict=True)
    ]


def settle(
    labels: Sequence[Label],
    solid: Array,
    room: tuple[float, float],
    settled: Mapping[int, int] | None = None,
) -> dict[int, int]:
    """The first spot of each label at which it covers no other label and no point of `solid`: label → spot."""
    unit = _unit(solid, room)
    middle, reach = (solid.min(axis=0) + solid.max(axis=0)) / 2 / unit, np.array(room) / 2 + _BORDER
    half = (_HALF - 1e-6) * np.array([-1, -1, 1, 1])  # a label touches its own point
    found = dict(settled or {})
    taken = np.concatenate([np.tile(solid / unit, 2) + half, np.empty((len(labels), 4))])
    count = len(solid)
    for number, spot in found.items():
        taken[count] = _boxes(labels[number], unit)[spot]
        count += 1
    for number, label in enumerate(labels):
        if number in found:
            continue
        boxes = _boxes(label, unit)[:, None]
        there = taken[:count]
        clear = (
            (there[:, 2] <= boxes[..., 0])
            | (there[:, 0] >= boxes[..., 2])
            | (there[:, 3] <= boxes[..., 1])
            | (there[:, 1] >= boxes[..., 3])
        ).all(axis=1)
        clear &= (boxes[:, 0, :2] >= middle - reach).all(axis=1) & (boxes[:, 0, 2:] <= middle + reach).all(axis=1)
        if clear.any():
            found[number] = int(clear.argmax())
            taken[count] = boxes[found[number], 0]
            count += 1
    return found


def arranged(places: Array, letters: list[int], order: list[int], room: tuple[int, int] = ROOM) -> dict[int, str]:
    """Text positions for labels of (n, 2) points that cover no other label or point: row → text position."""
    order = order[:_SOLID]
    # With thousands of points no label would be free, so only the labelled points are kept clear.
    solid = places if len(places) <= _SOLID else places[order]
    wanted = round_points(places[order], [letters[row] for row in order])
    spots = list(_SPOTS)
    return {order[number]: spots[spot] for number, spot in settle(wanted, solid, room).items()}


def ends(places: Array, room: tuple[int, int] = ROOM) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ends of the x axis and of the y axis that hold the labels of (n, 2) points as `arranged` places them."""
    unit = _unit(places, room)
    middle, reach = (places.min(axis=0) + places.max(axis=0)) / 2, unit * (np.array(room) / 2 + _BORDER)
    (left, low), (right, high) = (middle - reach).tolist(), (middle + reach).tolist()
    return (left, right), (low, high)


def _unit(places: Array, room: tuple[float, float]) -> float:
    """The length of a pixel in data units, if (n, 2) points fill the room as far as their shape allows."""
    return float(max(np.ptp(places[:, 0]) / room[0], np.ptp(places[:, 1]) / room[1], 1e-9))


def _boxes(label: Label, unit: float) -> Array:
    """Boxes (s, 4) of a label at each of its spots, in pixels: left, bottom, right, top."""
    width = label.letters * _LETTER
    found = np.empty((len(label.spots), 4))
    for i, (x, y, spot) in enumerate(label.spots):
        right, up = _SPOTS[spot]
        left = x / unit + (_HALF if right > 0 else -_HALF - width if right < 0 else -width / 2)
        low = y / unit + (_HALF if up > 0 else -_HALF - _LINE if up < 0 else -_LINE / 2)
        found[i] = left, low, left + width, low + _LINE
    return found
