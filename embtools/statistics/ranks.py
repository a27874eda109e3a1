"""Ranks and comparisons that treat numbers as equal if they differ only by rounding."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from embtools.limits import enough
from embtools.vectors import Array

TIE = 1e-12  # float64 cosines of the same vectors, summed in another order, differ by less


def compared(first: Array, second: Array) -> Array:
    """Elementwise comparison of two arrays: 1 if the first is larger, -1 if the second is, 0 if they differ by at most
    `TIE`, nan for nan.

    >>> compared(np.array([0.3, 0.3, 0.1 + 0.2]), np.array([0.2, 0.4, 0.3]))
    array([ 1., -1.,  0.])
    """
    difference = np.asarray(first, np.float64) - second
    return np.where(np.abs(difference) <= TIE, 0.0, np.sign(difference))


def ranks(values: Array) -> Array:
    """Ranks (…, n) of numbers (…, n), 1 for the largest; equal numbers share their mean rank.

    >>> ranks(np.array([0.1, 0.9, 0.5, 0.1]))
    array([3.5, 1. , 2. , 3.5])
    """
    values = np.asarray(values)
    won = compared(values[..., :, None], values[..., None, :]).sum(-1)  # number of comparisons won minus number lost
    return (values.shape[-1] + 1 - won) / 2


def share_below(values: Array, numbers: Array) -> Array:
    """The share of some numbers (n,), in ascending order, that are smaller than each value; those that differ by at
    most `TIE` count half.

    >>> share_below(np.array([0.3, 0.5]), np.array([0.1, 0.2, 0.3, 0.4]))
    array([0.625, 1.   ])
    """
    enough(numbers, "numbers")
    values = np.asarray(values, np.float64)
    below, upto = np.searchsorted(numbers, values - TIE, "left"), np.searchsorted(numbers, values + TIE, "right")
    return np.asarray((below + upto) / 2 / len(numbers))


def ordinal(n: int) -> str:
    """A rank formatted for a sentence.

    >>> [ordinal(n) for n in (1, 2, 4, 11, 12, 13, 21, 112, 18693)]
    ['1st', '2nd', '4th', '11th', '12th', '13th', '21st', '112th', '18,693rd']
    """
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


def equal_to_first(values: Sequence[float] | Array | pd.Series) -> int:
    """Return how many values equal the first one, itself included, up to rounding errors: equal values have no winner.

    >>> equal_to_first([0.5, 0.5 + 1e-8, 0.4])
    2
    """
    numbers = np.asarray(values, np.float64)
    return int(np.isclose(numbers, numbers[0], rtol=0, atol=1e-6).sum())
