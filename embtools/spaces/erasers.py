"""Linear erasure: what a fitted eraser subtracts from vectors, so that a linear classifier no longer separates groups.

Every eraser is x − (x − centre) · read · write, with `read` (d, k) and `write` (k, d): k numbers are read from a
vector, and k directions are subtracted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from embtools.limits import within
from embtools.messages import quoted
from embtools.spaces.two_groups import Groups, classifier, direction, random_axes
from embtools.vectors import Array, check_finite, unit

Erasure = Literal["projection", "INLP", "LEACE"]
PROJECTION, INLP, LEACE = ERASURES = get_args(Erasure)
MAX_ROUNDS = 50
_NOTHING = 1e-9  # vectors that differ this little, relative to the first ones, differ only by rounding


@dataclass(frozen=True, eq=False)
class Eraser:
    """A fitted eraser: centre (d,), read (d, k), write (k, d)."""

    centre: Array
    read: Array
    write: Array

    @property
    def count(self) -> int:
        """The number of directions that are removed."""
        return len(self.write)

    def amounts(self, vectors: Array) -> Array:
        """Return how much (…, k) of each row of `write` is subtracted from vectors (…, d)."""
        return np.asarray((vectors - self.centre) @ self.read)

    def __call__(self, states: Array) -> Array:
        """Return vectors (…, d) without what the eraser removes."""
        return np.asarray(states - self.amounts(states) @ self.write)


def fit_eraser(vectors: Array, second: Groups, *, method: Erasure, rounds: int = 10) -> Eraser:
    """Fit an eraser of the two groups on vectors (n, d): a projection along the difference of the means, INLP (Ravfogel
    et al. 2020), or LEACE (Belrose et al. 2023), for which no linear classifier beats a constant one.
    """
    if method not in ERASURES:
        raise ValueError(f"There is no method {quoted(method)}. Choose one of: {', '.join(ERASURES)}.")
    within(rounds, MAX_ROUNDS, "rounds")
    x = np.asarray(vectors, np.float64)
    axis = direction(x, second)  # raises ValueError for groups without a difference
    if method == PROJECTION:
        return orthogonal_eraser(axis[:, None], centre=x.mean(0))
    if method == INLP:
        return orthogonal_eraser(_inlp(x, second, rounds), centre=x.mean(0))
    return _leace(x, second)


def orthogonal_eraser(basis: Array, *, centre: Array) -> Eraser:
    """Return the eraser that projects the columns of an orthonormal basis (d, k) away, around a centre (d,)."""
    check_finite(basis, centre)
    return Eraser(centre, basis, basis.T)


def random_eraser(vectors: Array, *, count: int, random: np.random.Generator) -> Eraser:
    """Return the control: an eraser that projects `count` random directions away from vectors (n, d)."""
    check_finite(vectors)
    x = np.asarray(vectors, np.float64)
    within(count, x.shape[1], "directions")
    return orthogonal_eraser(np.linalg.qr(random_axes(count, x.shape[1], random).T)[0], centre=x.mean(0))


def moved(vectors: Array, erasers: Sequence[Eraser]) -> Array:
    """Return how far each eraser moves vectors (n, d) on average, divided by their mean distance to the centre."""
    check_finite(vectors)
    x = np.asarray(vectors, np.float64)
    spread = float(np.linalg.norm(x - x.mean(0), axis=1).mean()) or 1.0
    return np.array([np.linalg.norm(eraser(x) - x, axis=1).mean() / spread for eraser in erasers])


def _inlp(x: Array, second: Groups, rounds: int) -> Array:
    """Return an orthonormal basis (d, k) of the weight vectors of classifiers, each trained without those before it."""
    basis, spread = np.empty((x.shape[1], 0)), np.linalg.norm(x - x.mean(0))
    for _ in range(min(rounds, x.shape[1] - 1)):
        left = x - (x @ basis) @ basis.T
        if np.linalg.norm(left - left.mean(0)) < _NOTHING * spread:
            break
        weights = classifier(left, second)[1]
        weights = weights - basis @ (basis.T @ weights)  # exactly orthogonal in spite of rounding
        if np.linalg.norm(weights) < 1e-9:
            break
        basis = np.column_stack([basis, unit(weights)])
    return basis


def _leace(x: Array, second: Groups) -> Eraser:
    """Return the LEACE eraser for one binary concept, whose covariance with x is one vector s, so that W⁺ P W of the
    article, with the whitening W and the projection P on W s, is s (Σ⁺ s)ᵀ / (sᵀ Σ⁺ s).
    """
    centred = x - x.mean(0)
    z = second - second.mean()
    s = centred.T @ z / len(x)
    # Σ⁺ s from the singular values of the vectors, because Σ (d, d) has many zero eigenvalues if n < d.
    _, sizes, right = np.linalg.svd(centred, full_matrices=False)
    real = sizes > sizes[0] * max(x.shape) * np.finfo(np.float64).eps
    inverse = right[real].T @ ((right[real] @ s) / (sizes[real] ** 2 / len(x)))
    return Eraser(x.mean(0), (inverse / (s @ inverse))[:, None], s[None])
