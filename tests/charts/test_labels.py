"""Labels of points: none covers another, or a point, whatever the points."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from embtools.charts.labels import ROOM, arranged

LETTER, LINE, HALF = 6.4, 14.0, 5.0  # pixels: a letter's width, a line's height, half a point


def box(place: np.ndarray, letters: int, spot: str) -> tuple[float, float, float, float]:
    """Where a label stands: left, low, right, high, in pixels."""
    up, right = spot.split()
    width = letters * LETTER
    left = {"left": place[0] - HALF - width, "center": place[0] - width / 2, "right": place[0] + HALF}[right]
    low = {"bottom": place[1] - HALF - LINE, "middle": place[1] - LINE / 2, "top": place[1] + HALF}[up]
    return left, low, left + width, low + LINE


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    slack = 1e-6
    return a[0] < b[2] - slack and b[0] < a[2] - slack and a[1] < b[3] - slack and b[1] < a[3] - slack


@settings(deadline=None, max_examples=30, derandomize=True)
@given(st.integers(0, 10_000), st.integers(1, 60), st.floats(1e-3, 1e3))
def test_no_label_covers_another_or_a_point(seed: int, n: int, scale: float):
    rng = np.random.default_rng(seed)
    places, letters = scale * rng.normal(size=(n, 2)), rng.integers(1, 12, n).tolist()
    shown = arranged(places, letters, list(range(n)))
    pixels = places / max(np.ptp(places[:, 0]) / ROOM[0], np.ptp(places[:, 1]) / ROOM[1], 1e-9)
    boxes = {row: box(pixels[row], letters[row], spot) for row, spot in shown.items()}
    for row, one in boxes.items():
        for other in range(n):
            x, y = pixels[other]
            assert other == row or not overlap(one, (x - HALF, y - HALF, x + HALF, y + HALF))
            assert other == row or other not in boxes or not overlap(one, boxes[other])
    assert n > 1 or shown == {0: "top center"}


def test_whoever_comes_first_gets_the_place():
    assert arranged(np.zeros((2, 2)), [3, 3], [1, 0]) == {1: "top center", 0: "bottom center"}
    apart = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert arranged(apart, [3, 3], [0, 1]) == {0: "top center", 1: "top center"}
    assert arranged(apart, [3, 3], [1]) == {1: "top center"}
