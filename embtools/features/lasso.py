"""Exact positive LASSO over dictionaries of hundreds of thousands of vectors: a sparse mix of words.

    minimise over w ≥ 0:   |y - Xᵀw|² / (2 d)  +  alpha · Σ w        (no intercept; scikit-learn's objective)

y (d,) is the vector to decompose; X (n, d) holds the atoms as rows. A working set of the most promising atoms is solved
by an active set. One pass over all atoms then checks the conditions of the optimum (KKT), inside the working set and
outside it. Atoms that violate them join the working set, until no atom does. The result equals that of scikit-learn's
`Lasso(positive=True, fit_intercept=False)` at a tiny tolerance but is faster: seven times on 30,000 atoms of 384
numbers, thirty times on 50,000 of 768 (benchmarks/lasso.py). Screening without that final check gives wrong supports.
Several vectors share each pass, because its cost is that of reading all atoms.
Tibshirani 1996; Boyd & Vandenberghe 2004, 5.5 (gap, KKT).
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from embtools.features.active_set import minimum
from embtools.limits import enough, same_count
from embtools.progress import Progress, silent
from embtools.vectors import Array

WORKING = 192  # atoms in the first working set
_EACH = 64  # the same if many vectors are solved together: more products would cost more than another pass
KKT = 1e-8  # how far the pull of an atom may exceed alpha, as a share of alpha
EXACT = 1e-6  # a mix is exact if its duality gap is at most this share of the objective
MAX_PASSES = 50  # for one penalty
FINER = 0.55  # the step by which a penalty falls until there are enough parts
_NOT_FINITE = "A vector contains values that are not finite. Choose another word or dictionary."
_NEAR = 1e-3  # float32 products this close to alpha are computed again in float64
_ROUNDING = 1e-6  # the same for the largest float32 error, as a share of the product of the lengths
_WITHIN = 1e-2  # tolerance for a working set, as a share of KKT


@dataclass(frozen=True)
class Mix:
    """A sparse positive mix: `weights` (k,) > 0 of the atoms `support` (k,), the heaviest first.

    alpha     the penalty per unit of weight
    share     alpha / alpha_max; the mix is empty from 1 upwards
    gap       duality gap in float64: the objective is at most this far above its minimum
    worst     the largest pull of any atom, as a share of alpha: at most 1 + KKT if the mix is exact
    passes    how often all atoms were checked
    residual  (d,) the target minus the mix
    """

    support: NDArray[np.intp]
    weights: Array
    alpha: float
    share: float
    gap: float
    worst: float
    passes: int
    residual: Array

    @property
    def objective(self) -> float:
        """Value of the objective for this mix: |residual|² / (2 d) + alpha · Σ weights."""
        return float(self.residual @ self.residual / (2 * len(self.residual)) + self.alpha * self.weights.sum())

    @property
    def exact(self) -> bool:
        """Whether the duality gap proves that no mix has a noticeably smaller objective (see EXACT)."""
        return self.gap <= EXACT * self.objective


@dataclass(frozen=True)
class WorkingSet:
    """The k atoms of a working set: rows (k,), vectors (k, d) and their products (k, k) in float64, weights (k,).

    The products are stored because, after the passes over all atoms, they are the largest cost.
    """

    rows: NDArray[np.intp]
    vectors: Array
    products: Array
    weights: Array

    @classmethod
    def of(cls, atoms: Array, rows: NDArray[np.intp]) -> "WorkingSet":
        x = atoms[rows].astype(np.float64)
        return cls(rows, x, x @ x.T, np.zeros(len(rows)))

    def with_atoms(self, atoms: Array, rows: NDArray[np.intp]) -> "WorkingSet":
        """The working set with more atoms, whose weights are 0."""
        new = WorkingSet.of(atoms, rows)
        across = self.vectors @ new.vectors.T
        return WorkingSet(
            np.concatenate([self.rows, rows]),
            np.concatenate([self.vectors, new.vectors]),
            np.block([[self.products, across], [across.T, new.products]]),
            np.concatenate([self.weights, new.weights]),
        )

    def in_use(self) -> "WorkingSet":
        """The working set without atoms of weight 0."""
        used = np.flatnonzero(self.weights > 0)
        return WorkingSet(self.rows[used], self.vectors[used], self.products[np.ix_(used, used)], self.weights[used])


def alpha_max(atoms: Array, target: Array, *, allowed: NDArray[np.bool_] | None = None) -> float:
    """The smallest alpha at which every weight is 0: the largest x · y / d, or 0 if no product is positive."""
    y = _checked(target)
    return _largest(atoms, y, _pulls(atoms, [y], _excluded([allowed]))[0])


def path(
    atoms: Array,
    target: Array,
    shares: Sequence[float],
    *,
    allowed: NDArray[np.bool_] | None = None,
    progress: Progress = silent,
) -> list[Mix]:
    """The mixes of `target` (d,) over the `allowed` (n,) of `atoms` (n, d) for alphas given as decreasing shares of
    alpha_max; a share of 1 or more gives an empty mix.
    """
    if not all(share > 0 for share in shares) or list(shares) != sorted(shares, reverse=True):
        raise ValueError("The shares of alpha must be above 0 and in decreasing order. Sort them from large to small.")
    y = _checked(target)
    excluded = _excluded([allowed])
    pulls = _pulls(atoms, [y], excluded)
    top, passes = _largest(atoms, y, pulls[0]), 1
    working = WorkingSet.of(atoms, _strongest(pulls)[0])
    result = []
    for number, share in enumerate(shares):
        solving = _solve(atoms, y, share * top, share, working, passes)
        ((mix, working),) = _run_together(atoms, [solving], excluded)
        result.append(mix)
        passes = 0
        progress((number + 1) / len(shares))
    return result


def mix(atoms: Array, target: Array, share: float, *, allowed: NDArray[np.bool_] | None = None) -> Mix:
    """The mix for one alpha, given as a share of alpha_max; see `path`."""
    return path(atoms, target, [share], allowed=allowed)[0]


def mixes(
    atoms: Array,
    targets: Sequence[Array],
    shares: Sequence[float],
    *,
    allowed: Sequence[NDArray[np.bool_] | None] | None = None,
    least: int = 0,
    smallest: float = 1e-6,
    progress: Progress = silent,
) -> list[Mix]:
    """The mixes of several targets (d,), equal to `mix` for each but with shared passes over the atoms; a share is
    multiplied by FINER until its mix has `least` parts or it reaches `smallest`.
    """
    enough(targets, "targets")
    same_count(targets=targets, shares=shares)
    excluded = _excluded(allowed if allowed is not None else [None] * len(targets))
    rows = [_checked(target) for target in targets]
    if not all(share > 0 for share in (*shares, smallest)):
        raise ValueError("The shares of alpha must be above 0.")
    pulls, solving = _pulls(atoms, rows, excluded), []
    for y, share, own, first in zip(rows, shares, pulls, _strongest(pulls, _EACH), strict=True):
        working = WorkingSet.of(atoms, first)
        solving.append(_solve_until(atoms, y, _largest(atoms, y, own), share, working, least, smallest))
    return [done[0] for done in _run_together(atoms, solving, excluded, progress)]


_Solved = tuple[Mix, WorkingSet]
_Solving = Generator[tuple[Array, float], NDArray[np.intp], _Solved]
"""Yields a residual (d,) and a pull whenever it needs a pass over all atoms, and receives the rows above that pull."""


def _solve(atoms: Array, y: Array, alpha: float, share: float, working: WorkingSet, passes: int) -> _Solving:
    """Generator that solves for one alpha from a working set; returns the mix, and the working set for the next."""
    d = len(y)
    while True:
        linear = working.vectors @ y - d * alpha
        weights = minimum(working.products, linear, working.weights, tolerance=_WITHIN * KKT * d * alpha)
        working = replace(working, weights=weights)
        residual = y - weights @ working.vectors
        # Float32 finds the candidates, float64 decides. Its error grows with the lengths, not with the product.
        longest = np.sqrt(working.products.diagonal().max(initial=0.0) * (residual @ residual))
        near = yield residual, alpha - max(_NEAR * alpha, _ROUNDING * longest / d)
        passes += 1
        inside = working.vectors @ residual / d
        near = near[~np.isin(near, working.rows, assume_unique=True)]  # those are already known in float64
        exact = atoms[near].astype(np.float64) @ residual / d
        worst = max(inside.max(initial=0.0), exact.max(initial=0.0))
        if worst <= alpha * (1 + KKT) or alpha == 0 or passes >= MAX_PASSES:
            break
        broken = near[exact > alpha * (1 + KKT)]  # if empty, only the working set needs another round
        if len(broken) > WORKING:  # the strongest first: most of the others are explained by them
            broken = broken[np.argsort(-exact[exact > alpha * (1 + KKT)], kind="stable")[:WORKING]]
        if len(working.rows) > 4 * WORKING:
            working = working.in_use()
        working = working.with_atoms(atoms, broken)
    primal = residual @ residual / (2 * d) + alpha * weights.sum()
    scale = min(1.0, alpha / worst) if worst > 0 else 1.0
    dual = (y @ y - np.sum((y - scale * residual) ** 2)) / (2 * d)
    order = np.argsort(-weights, kind="stable")
    order = order[weights[order] > 0]
    pull = worst / alpha if alpha else 0.0
    gap = float(max(0.0, primal - dual))
    return Mix(working.rows[order], weights[order], alpha, share, gap, pull, passes, residual), working


def _solve_until(
    atoms: Array, y: Array, top: float, share: float, working: WorkingSet, least: int, smallest: float
) -> _Solving:
    """Generator that lowers the penalty until the mix has `least` parts or the share is `smallest`."""
    passes = 1
    while True:
        result, working = yield from _solve(atoms, y, share * top, share, working, passes)
        if len(result.support) >= least or share <= smallest:
            return result, working
        share, passes = max(smallest, share * FINER), 0


def _run_together(
    atoms: Array, solving: Sequence[_Solving], excluded: NDArray[np.bool_] | None, progress: Progress = silent
) -> list[_Solved]:
    """Results of several generators of solutions, which share each pass over the atoms."""
    done: dict[int, _Solved] = {}
    waiting = {number: next(one) for number, one in enumerate(solving)}  # none ends before its first pass
    while waiting:
        numbers, (residuals, bars) = list(waiting), zip(*waiting.values(), strict=True)
        pulls = _pulls(atoms, residuals, None if excluded is None else excluded[numbers])
        # All at once: each operation on a large array lets other threads run, and waits until it may go on.
        which, rows = np.nonzero(pulls > np.array(bars)[:, None])
        waiting = {}
        for number, near in zip(numbers, np.split(rows, np.searchsorted(which, range(1, len(numbers)))), strict=True):
            try:
                waiting[number] = solving[number].send(near)
            except StopIteration as end:
                done[number] = end.value
        progress(len(done) / len(solving))
    return [done[number] for number in range(len(solving))]


def _excluded(allowed: Sequence[NDArray[np.bool_] | None]) -> NDArray[np.bool_] | None:
    """The atoms that each target must not use, one row (n,) per target; None if every target may use all."""
    n = next((len(mask) for mask in allowed if mask is not None), 0)
    return np.array([np.zeros(n, bool) if mask is None else ~mask for mask in allowed]) if n else None


def _pulls(atoms: Array, residuals: Sequence[Array], excluded: NDArray[np.bool_] | None) -> Array:
    """x · residual / d of every atom, one row (n,) per residual, in the atoms' precision; -inf for excluded atoms."""
    pulls = np.array([residual / len(residual) for residual in residuals], atoms.dtype) @ atoms.T
    if not np.isfinite(pulls).all():
        raise ValueError(_NOT_FINITE)
    if excluded is not None:
        np.copyto(pulls, -np.inf, where=excluded)
    return pulls


def _strongest(pulls: Array, most: int = WORKING) -> list[NDArray[np.intp]]:
    """Sorted rows of the first working set for each row of pulls (t, n): the allowed atoms with the largest pulls."""
    few = min(most, pulls.shape[1])
    chosen = np.argpartition(pulls, -few, axis=1)[:, -few:] if few else np.zeros((len(pulls), 0), np.intp)
    return [np.sort(rows[np.isfinite(own[rows])]) for rows, own in zip(chosen, pulls, strict=True)]


def _largest(atoms: Array, y: Array, pulls: Array) -> float:
    """alpha_max in float64, from the pulls of the target itself."""
    if not len(pulls) or not np.isfinite(pulls.max()):  # no atom is allowed
        return 0.0
    return max(0.0, float(atoms[int(pulls.argmax())].astype(np.float64) @ y) / len(y))


def _checked(target: Array) -> Array:
    """The target in float64. Raises ValueError if it is not finite or zero."""
    y = target.astype(np.float64)
    if not np.isfinite(y).all():
        raise ValueError(_NOT_FINITE)
    if not y.any():
        raise ValueError("The vector is zero, so it has no parts. Choose another word.")
    return y
