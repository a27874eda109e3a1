"""Labels cover neither each other nor a point, in rooms of every size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embtools.charts import labels
from embtools.charts.labels import Label

SPOTS = {"center": 0, "middle": 0, "top": 1, "bottom": -1, "left": -1, "right": 1}


def box(x: float, y: float, spot: str, letters: float, unit: float) -> tuple[float, float, float, float]:
    """Left, low, right, high in pixels, by hand."""
    up, right = (SPOTS[part] for part in spot.split())
    width, line, half = letters * labels._LETTER, labels._LINE, labels._HALF
    left = x / unit + {0: -width / 2, 1: half, -1: -half - width}[right]
    low = y / unit + {0: -line / 2, 1: half, -1: -half - line}[up]
    return left, low, left + width, low + line


def overlap(a, b, rounding: float = 1e-3) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > rounding and min(a[3], b[3]) - max(a[1], b[1]) > rounding


@settings(deadline=None, max_examples=30, derandomize=True)
@given(st.integers(0, 10_000), st.integers(2, 60))
def test_no_label_covers_another_or_a_point_or_leaves_the_chart(seed: int, n: int):
    rng = np.random.default_rng(seed)
    places, letters, room = rng.normal(size=(n, 2)), rng.integers(2, 12, n).tolist(), (500, 300)
    shown = labels.arranged(places, letters, rng.permutation(n).tolist(), room)
    unit = max(np.ptp(places[:, 0]) / room[0], np.ptp(places[:, 1]) / room[1])
    boxes = [box(*places[row], spot, letters[row], unit) for row, spot in shown.items()]
    points = [(x - 5, y - 5, x + 5, y + 5) for x, y in places / unit]
    assert not any(overlap(a, b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert not any(overlap(a, b) for a in boxes for b in points)
    (left_end, right_end), (low_end, high_end) = labels.ends(places, room)
    for left, low, right, high in boxes:
        assert left_end / unit <= left + 1e-6 and right <= right_end / unit + 1e-6
        assert low_end / unit <= low + 1e-6 and high <= high_end / unit + 1e-6
    middle = (places.min(axis=0) + places.max(axis=0)) / 2 / unit
    for left, low, right, high in boxes:
        assert abs(np.array([left, right]) - middle[0]).max() <= room[0] / 2 + labels._BORDER + 1e-6
        assert abs(np.array([low, high]) - middle[1]).max() <= room[1] / 2 + labels._BORDER + 1e-6


def test_a_label_takes_its_first_spot_and_the_next_if_that_is_blocked():
    assert labels.arranged(np.array([[0.0, 0.0], [9.0, 9.0]]), [4, 4], [0]) == {0: "top center"}
    above = np.array([[0.0, 0.0], [0.0, 14.0], [400.0, 300.0], [-400.0, -300.0]])
    assert labels.arranged(above, [4] * 4, [0], (800, 600)) == {0: "bottom center"}


def test_of_two_labels_that_overlap_the_first_is_shown():
    places = np.array([[0.0, 0.0], [1.0, 0.0]])
    crowded = [Label(6, ((0.0, 0.0, "top center"),)), Label(6, ((1.0, 0.0, "top center"),))]
    assert labels.settle(crowded, places, (30, 30)) == {0: 0}
    assert labels.settle(crowded[::-1], places, (30, 30)) == {0: 0}
    assert labels.settle(crowded, places, (90, 30)) == {0: 0, 1: 0}


def test_settled_labels_keep_their_spots_in_a_larger_room():
    rng = np.random.default_rng(0)
    places = rng.normal(size=(40, 2))
    wanted = labels.round_points(places, [8] * 40)
    small = labels.settle(wanted, places, (250, 250))
    large = labels.settle(wanted, places, (900, 900), small)
    assert len(large) > len(small) and small.items() <= large.items()


@pytest.mark.parametrize("n", [0, 1, 3_000])
def test_any_number_of_points(n: int):
    places = np.random.default_rng(0).normal(size=(max(n, 1), 2))
    assert len(labels.arranged(places, [5] * len(places), list(range(n)))) <= n
