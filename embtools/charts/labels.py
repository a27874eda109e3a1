"""Labels of points that do not cover each other."""

import numpy as np

from embtools.vectors import Array

ROOM = (560, 470)  # pixels that labels are arranged for; on a phone more of them overlap
_SOLID = 2_000
_LETTER, _LINE = 6.4, 14.0
_SPOTS = {
    "top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0),
    "top right": (1, 1), "top left": (-1, 1), "bottom right": (1, -1), "bottom left": (-1, -1),
}  # fmt: skip


def arranged(places: Array, letters: list[int], order: list[int], room: tuple[int, int] = ROOM) -> dict[int, str]:
    """Which labels of (n, 2) points can stand without covering another label or point, and where: row → text position.

    In the order given, each label takes the first free of eight places round its point, or none. `room`: the width and
    depth of the picture in pixels.
    """
    span = max(np.ptp(places[:, 0]) / room[0], np.ptp(places[:, 1]) / room[1], 1e-9)
    x, y = (places / span).T
    half = 5.0
    # Among thousands of points no label would be free of them: there only the labelled ones are kept clear.
    solid = np.arange(len(x)) if len(x) <= _SOLID else np.array(order[:_SOLID])
    taken = np.stack([x[solid] - half, y[solid] - half, x[solid] + half, y[solid] + half], axis=1)
    own = {row: i for i, row in enumerate(solid.tolist())}
    shown: dict[int, str] = {}
    for row in order[:_SOLID]:
        width = letters[row] * _LETTER
        for spot, (right, up) in _SPOTS.items():
            left = x[row] + (half if right > 0 else -half - width if right < 0 else -width / 2)
            low = y[row] + (half if up > 0 else -half - _LINE if up < 0 else -_LINE / 2)
            box = np.array([left, low, left + width, low + _LINE])
            clear = (
                (taken[:, 2] <= box[0]) | (taken[:, 0] >= box[2]) | (taken[:, 3] <= box[1]) | (taken[:, 1] >= box[3])
            )
            clear[own[row]] = True
            if clear.all():
                taken = np.vstack([taken, box])
                shown[row] = spot
                break
    return shown
