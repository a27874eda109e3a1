"""The score of the best of several options, measured on items that were not used to choose it."""

import numpy as np
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.limits import enough, within
from embtools.vectors import check_finite

MAX_SPLITS = 10_000


def held_out_best(scores: NDArray[np.floating], *, splits: int = 50, seed: int = 0) -> NDArray[np.float64]:
    """The score of each item with the option that is best on the other half in many random splits, because the highest
    of several means is partly due to chance and too high on average.

    >>> held_out_best(np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([0., 0.])
    """
    values = np.asarray(scores, float)
    enough(values, "items", least=2)
    enough(values.T, "options")
    check_finite(values)
    within(splits, MAX_SPLITS, "splits")
    rng, n = generator(seed), len(values)
    total = np.zeros(n)
    for _ in range(splits):
        order = rng.permutation(n)
        halves = order[: n // 2], order[n // 2 :]
        for choosing, scored in (halves, halves[::-1]):
            total[scored] += values[scored, values[choosing].mean(axis=0).argmax()]
    return total / splits
