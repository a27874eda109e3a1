"""Small quadratic problems with non-negative weights, solved exactly by an active-set method.

The method of Lawson & Hanson (1974, chapter 23), with two additions. Several atoms may enter the active set at once,
which saves two thirds of the equations. An atom that depends on those already in the set (a near-duplicate, or one more
than there are dimensions) does not enter next to them but instead of one of them, as in Goldfarb & Idnani (1983). So
the atoms in the set are always linearly independent and their equations always have one solution.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs  # cho_factor takes longer to call than to compute

from embtools.vectors import Array, check_finite

_TOGETHER = 0.4
"""Atoms whose slope is at least this share of the steepest slope enter at once."""
_DEPENDENT = 1e-6
"""Sine of the angle between an atom and the span of others below which the atom counts as dependent on them."""
_Rows = NDArray[np.intp]


def minimum(gram: Array, linear: Array, start: Array, *, tolerance: float | None = None) -> Array:
    """Weights w ≥ 0 (k,) that minimise wᵀ gram w / 2 - linearᵀ w, in float64: gram (k, k), linear and start ≥ 0 (k,);
    at the minimum no weight has a slope (linear - gram w) above `tolerance`.

    >>> minimum(np.eye(2), np.array([3.0, -4.0]), np.zeros(2))
    array([3., 0.])
    """
    if tolerance is None:
        tolerance = 1e-12 * max(1.0, float(np.abs(linear).max(initial=0)))
    for numbers in (gram, linear, start):
        check_finite(numbers)
    if not tolerance >= 0:
        raise ValueError(f"The tolerance is {tolerance}. Give 0 or more, such as 1e-9.")
    given = np.flatnonzero(start > 0)
    rows, factor = _independent(gram, given)
    if len(rows) == len(given):
        w, rows = _within(gram, linear, start, rows, factor)
    else:
        w, rows = np.zeros_like(start), given[:0]
    useless: list[int] = []  # atoms kept out by rounding errors; tried again once another atom has entered
    for _ in range(5 * len(w) + 20):
        slope = linear - gram @ w
        slope[rows] = slope[useless] = -np.inf
        steepest = float(slope.max(initial=0))
        if steepest <= tolerance:
            break
        joining = np.flatnonzero(slope >= max(tolerance, _TOGETHER * steepest))
        joining = joining[np.argsort(-slope[joining], kind="stable")]
        wider, factor = _independent(gram, np.concatenate([rows, joining]))
        if len(wider) == len(rows):  # all of them depend on those in the set
            w, replaced = _exchanged(gram, w, rows, int(joining[0]))
            if replaced is None:
                useless.append(int(joining[0]))
                continue
            wider, factor = _independent(gram, replaced)
        w, rows = _within(gram, linear, w, wider, factor)
        useless = []
    return w


def _within(gram: Array, linear: Array, w: Array, rows: _Rows, factor: Array) -> tuple[Array, _Rows]:
    """The minimum over the weights of independent `rows` (`factor`: the Cholesky factor of their products), and the
    rows whose weight is above 0 there.
    """
    while len(rows):
        part = np.asarray(dpotrs(factor, linear[rows], lower=1)[0])
        falling = part <= 0
        if not falling.any():
            w = np.zeros_like(w)
            w[rows] = part
            return w, rows
        now = w[rows]
        steps = now[falling] / np.maximum(now[falling] - part[falling], 1e-300)
        moved = now + steps.min() * (part - now)
        gone = falling & ((now == 0) | (moved <= 1e-15 * moved.max(initial=0.0)))
        gone[np.flatnonzero(falling)[steps.argmin()]] = True
        w = np.zeros_like(w)
        w[rows] = np.where(gone, 0.0, np.maximum(moved, 0.0))
        rows, factor = _independent(gram, rows[~gone])
    return np.zeros_like(w), rows


def _exchanged(gram: Array, w: Array, rows: _Rows, new: int) -> tuple[Array, _Rows | None]:
    """Weights of the same mix after weight moves to the atom `new` from the mix of `rows` that equals it, until one of
    them is 0, and the rows left; None if there is no weight to replace, which only rounding causes.
    """
    w = w.copy()
    while True:
        fitting, factor = _independent(gram, np.append(rows, new))
        if len(fitting) > len(rows) or not len(rows):
            return w, np.append(rows, new)
        shares = np.asarray(dpotrs(factor, gram[rows, new], lower=1)[0])
        giving = shares > 0
        if not giving.any():
            return w, None
        steps = np.where(giving, w[rows] / np.where(giving, shares, 1.0), np.inf)
        w[rows] = np.maximum(w[rows] - steps.min() * shares, 0.0)
        w[rows[steps.argmin()]] = 0.0
        w[new] += steps.min()
        rows = rows[w[rows] > 0]


def _independent(gram: Array, rows: _Rows) -> tuple[_Rows, Array]:
    """The rows that do not depend linearly on rows before them, and the Cholesky factor of their products."""
    while True:
        factor, failed = dpotrf(gram[rows[:, None], rows], lower=1)
        known = failed - 1 if failed else len(rows)
        dependent = np.ones(len(rows), bool)
        dependent[:known] = factor.diagonal()[:known] <= _DEPENDENT * np.sqrt(gram.diagonal()[rows[:known]])
        dependent[known + 1 :] = False  # not known yet
        if not dependent.any():
            return rows, factor
        rows = rows[~dependent]
