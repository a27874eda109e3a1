"""The positive LASSO, exactly, over dictionaries of hundreds of thousands of vectors: a sparse mix of words.

    minimise over w ≥ 0:   |y - Xᵀw|² / (2 d)  +  alpha · Σ w        (no intercept; scikit-learn's objective)

y (d,) is the vector to take apart, X (n, d) holds the atoms as rows. A working set of the most promising atoms is solved
exactly by an active set; one pass over all atoms then looks for those that break the conditions of the optimum (KKT),
they join, and so on until none is left: what is not in the working set is known to weigh nothing. So the answer is that
of scikit-learn's `Lasso(positive=True, fit_intercept=False)` at a tiny tolerance, some ten times sooner.
Screening without that last look gives wrong supports. Tibshirani 1996; Boyd & Vandenberghe 2004, 5.5 (gap, KKT).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embtools.progress import Progress, silent
from embtools.vectors import Array

WORKING = 256  # atoms in the first working set
KKT = 1e-6  # how far, as a share of alpha, an atom outside may pull more than alpha
MAX_PASSES = 50
_NEAR = 1e-3  # float32 products this close to alpha are taken again in float64


@dataclass(frozen=True)
class Mix:
    """A sparse positive mix: `weights` (k,) > 0 of the atoms `support` (k,), the heaviest first.

    alpha     the penalty of each unit of weight; share: alpha / alpha_max, at which nothing is left
    gap       duality gap of the objective: 0 at the optimum, float64
    worst     the largest pull of an atom outside, as a share of alpha: at most 1 + KKT
    passes    how often all atoms were looked at
    residual  (d,) what the mix does not explain
    """

    support: NDArray[np.intp]
    weights: Array
    alpha: float
    share: float
    gap: float
    worst: float
    passes: int
    residual: Array


def alpha_max(atoms: Array, target: Array, allowed: NDArray[np.bool_] | None = None) -> float:
    """The smallest alpha at which no atom gets any weight: the largest x · y / d, or 0 where none points that way."""
    pulls = _pulls(atoms, target.astype(np.float64), allowed)
    best = int(pulls.argmax())
    return max(0.0, float(atoms[best].astype(np.float64) @ target.astype(np.float64)) / len(target))


def path(
    atoms: Array,
    target: Array,
    shares: Sequence[float],
    *,
    allowed: NDArray[np.bool_] | None = None,
    progress: Progress = silent,
) -> list[Mix]:
    """The mixes of `target` (d,) over `atoms` (n, d) for alphas that are these shares of alpha_max, largest first.

    Each starts from the one before (warm). `allowed` (n,) leaves atoms out, such as the word itself. A share of 1 or
    more gives an empty mix, honestly. `progress` is told 0 … 1 and may raise to stop. Raises ValueError for shares that
    are not positive and falling, vectors that are not finite, and a target of zeros.
    """
    y = target.astype(np.float64)
    if not np.isfinite(y).all() or not np.isfinite(atoms).all():
        raise ValueError("A vector has numbers that are not finite. Choose another word or dictionary.")
    if not y.any():
        raise ValueError("The vector is zero and has no parts. Choose another word.")
    if not all(share > 0 for share in shares) or list(shares) != sorted(shares, reverse=True):
        raise ValueError("The shares of alpha must be above 0 and fall. Give them from large to small.")
    top = alpha_max(atoms, y, allowed)
    pulls, passes = _pulls(atoms, y, allowed), 1
    working = np.sort(np.argsort(-pulls, kind="stable")[:WORKING])
    weights = np.zeros(len(working))
    found = []
    for number, share in enumerate(shares):
        alpha = share * top
        mix, working, weights = _solve(atoms, y, alpha, share, working, weights, allowed, passes)
        found.append(mix)
        passes = 0
        progress((number + 1) / len(shares))
    return found


def mix(atoms: Array, target: Array, share: float, *, allowed: NDArray[np.bool_] | None = None) -> Mix:
    """The mix for one alpha, given as its share of alpha_max; see `path`."""
    return path(atoms, target, [share], allowed=allowed)[0]


def objective(atoms: Array, target: Array, found: Mix) -> float:
    """What is minimised, at a mix: |residual|² / (2 d) + alpha · Σ weights, in float64."""
    residual = target.astype(np.float64) - found.weights @ atoms[found.support].astype(np.float64)
    return float(residual @ residual / (2 * len(target)) + found.alpha * found.weights.sum())


def _solve(
    atoms: Array,
    y: Array,
    alpha: float,
    share: float,
    working: NDArray[np.intp],
    weights: Array,
    allowed: NDArray[np.bool_] | None,
    passes: int,
) -> tuple[Mix, NDArray[np.intp], Array]:
    """One alpha from a working set and its weights: the mix, and the working set and weights for the next alpha."""
    d = len(y)
    while True:
        x = atoms[working].astype(np.float64)
        weights = _active_set(x @ x.T, x @ y - d * alpha, weights)
        residual = y - weights @ x
        pulls = _pulls(atoms, residual, allowed)
        passes += 1
        # Float32 finds the candidates, float64 decides.
        near = np.setdiff1d(np.flatnonzero(pulls > alpha * (1 - _NEAR) - _NEAR * 1e-6), working)
        exact = atoms[near].astype(np.float64) @ residual / d
        broken = near[exact > alpha * (1 + KKT)]
        if len(broken) == 0 or alpha == 0 or passes >= MAX_PASSES:
            break
        if len(broken) > WORKING:  # the strongest first: most of the others are explained by them
            broken = broken[np.argsort(-exact[exact > alpha * (1 + KKT)], kind="stable")[:WORKING]]
        keep = weights > 0
        merged = np.union1d(working[keep], broken) if len(working) > 4 * WORKING else np.union1d(working, broken)
        carried = np.zeros(len(merged))
        carried[np.searchsorted(merged, working[keep])] = weights[keep]
        working, weights = merged, carried
    inside = float((x @ residual).max() / d) if len(working) else 0.0
    worst = max(inside, float(exact.max()) if len(exact) else -np.inf, 0.0)
    primal = residual @ residual / (2 * d) + alpha * weights.sum()
    scale = min(1.0, alpha / worst) if worst > 0 else 1.0
    dual = (y @ y - np.sum((y - scale * residual) ** 2)) / (2 * d)
    order = np.argsort(-weights, kind="stable")
    order = order[weights[order] > 0]
    return (
        Mix(
            working[order],
            weights[order],
            alpha,
            share,
            float(max(0.0, primal - dual)),
            worst / alpha if alpha else 0.0,
            passes,
            residual,
        ),
        working,
        weights,
    )


def _pulls(atoms: Array, residual: Array, allowed: NDArray[np.bool_] | None) -> Array:
    """x · residual / d of every atom (n,), one pass in the atoms' own precision; -inf where an atom is not allowed."""
    pulls = atoms @ (residual / len(residual)).astype(atoms.dtype)
    if allowed is not None:
        pulls = np.where(allowed, pulls, -np.inf)
    return pulls


def _active_set(gram: Array, linear: Array, start: Array) -> Array:
    """argmin over w ≥ 0 of wᵀ gram w / 2 - linearᵀ w, from a start ≥ 0 (Lawson & Hanson 1974, chapter 23), float64."""
    w = start.copy()
    passive = w > 0
    tolerance = 1e-12 * max(1.0, float(np.abs(linear).max(initial=0)))
    w = _within(gram, linear, w, passive)
    for _ in range(3 * len(w) + 10):
        gradient = np.where(passive, -np.inf, linear - gram @ w)
        best = int(gradient.argmax()) if len(w) else 0
        if not len(w) or gradient[best] <= tolerance:
            break
        passive[best] = True
        w = _within(gram, linear, w, passive)
        if not passive[best]:  # rounding put it in: an atom that is one of the others in another spelling
            linear = linear.copy()
            linear[best] = -np.inf
    return w


def _within(gram: Array, linear: Array, w: Array, passive: NDArray[np.bool_]) -> Array:
    """The minimum over the passive weights, those that would turn negative leaving the set (which is changed)."""
    while passive.any():
        rows = np.flatnonzero(passive)
        part = np.linalg.lstsq(gram[np.ix_(rows, rows)], linear[rows], rcond=1e-13)[0]
        if (part > 0).all():
            w = np.zeros_like(w)
            w[rows] = part
            return w
        falling = part <= 0
        now = w[rows]
        step = np.min(now[falling] / np.maximum(now[falling] - part[falling], 1e-300))
        moved = now + step * (part - now)
        gone = falling & (moved <= 1e-15 * max(1.0, moved.max(initial=0.0)))
        gone |= falling & (now == 0)
        moved[gone] = 0
        w = np.zeros_like(w)
        w[rows] = np.maximum(moved, 0)
        passive[rows[gone]] = False
    return np.zeros_like(w)
