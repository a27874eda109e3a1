"""Small quadratic problems with weights that cannot be negative, solved exactly by an active set.

Lawson & Hanson 1974, chapter 23.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs  # cho_factor takes longer to call than to compute

from embtools.vectors import Array

_TOGETHER = 0.4
"""Weights whose slope is at least this share of the steepest join the set at once: a third of the equations."""


def minimum(gram: Array, linear: Array, start: Array) -> Array:
    """argmin over w ≥ 0 of wᵀ gram w / 2 - linearᵀ w, from a start ≥ 0 in float64: gram (k, k), linear (k,).

    >>> minimum(np.eye(2), np.array([3.0, -4.0]), np.zeros(2))
    array([3., 0.])
    """
    w = start.copy()
    passive = w > 0
    tolerance = 1e-12 * max(1.0, float(np.abs(linear).max(initial=0)))
    w = _within(gram, linear, w, passive)
    for _ in range(3 * len(w) + 10):
        gradient = np.where(passive, -np.inf, linear - gram @ w)
        steepest = float(gradient.max(initial=0))
        if steepest <= tolerance:
            break
        joining = gradient >= _TOGETHER * steepest
        passive |= joining
        w = _within(gram, linear, w, passive)
        if not passive[joining].any():  # rounding put them in: atoms that are others in another spelling
            linear = linear.copy()
            linear[joining] = -np.inf
    return w


def _within(gram: Array, linear: Array, w: Array, passive: NDArray[np.bool_]) -> Array:
    """The minimum over the passive weights, those that would turn negative leaving the set (which is changed)."""
    while passive.any():
        rows = np.flatnonzero(passive)
        inner = gram[np.ix_(rows, rows)]
        part = _equations(inner, linear[rows])
        now = w[rows]
        # More atoms than dimensions have no minimum of their own: what the equations leave points downhill until an
        # atom's weight is used up.
        slope = linear[rows] - inner @ part
        if np.abs(slope).max() > 1e-9 * max(1e-300, np.abs(linear[rows]).max()) and (slope < 0).any():
            part = now + slope * (2 * np.max(now[slope < 0] / -slope[slope < 0]) + 1)
        if (part > 0).all():
            w = np.zeros_like(w)
            w[rows] = part
            return w
        falling = part <= 0
        step = np.min(now[falling] / np.maximum(now[falling] - part[falling], 1e-300))
        moved = now + step * (part - now)
        gone = falling & (moved <= 1e-15 * max(1.0, moved.max(initial=0.0)))
        gone |= falling & (now == 0)
        moved[gone] = 0
        w = np.zeros_like(w)
        w[rows] = np.maximum(moved, 0)
        passive[rows[gone]] = False
    return np.zeros_like(w)


def _equations(gram: Array, linear: Array) -> Array:
    """The solution of gram · w = linear; the shortest of the best where atoms depend on each other."""
    factor, failed = dpotrf(gram, lower=1)
    scales = factor.diagonal()
    if failed or scales.min() < 1e-5 * scales.max():  # or nearly so: rounding would decide
        return np.asarray(np.linalg.lstsq(gram, linear, rcond=1e-13)[0])
    return np.asarray(dpotrs(factor, linear, lower=1)[0])
