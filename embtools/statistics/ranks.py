"""Ranks and comparisons in which numbers that only rounding tells apart are equal."""

import numpy as np

from embtools.vectors import Array

TIE = 1e-12  # cosines in float64 of the same vectors, added up in another order, differ by less


def compared(first: Array, second: Array) -> Array:
    """Which of two numbers is larger, element by element: 1 the first, -1 the second, 0 neither; nan where one is nan.

    Numbers no further apart than `TIE` are equal.

    >>> compared(np.array([0.3, 0.3, 0.1 + 0.2]), np.array([0.2, 0.4, 0.3]))
    array([ 1., -1.,  0.])
    """
    difference = np.asarray(first, np.float64) - second
    return np.where(np.abs(difference) <= TIE, 0.0, np.sign(difference))


def ranks(values: Array) -> Array:
    """Ranks (…, n) of numbers (…, n), 1 the largest; equal ones share the middle of their ranks.

    >>> ranks(np.array([0.1, 0.9, 0.5, 0.1]))
    array([3.5, 1. , 2. , 3.5])
    """
    values = np.asarray(values)
    won = compared(values[..., :, None], values[..., None, :]).sum(-1)  # against how many more than it lost
    return (values.shape[-1] + 1 - won) / 2
