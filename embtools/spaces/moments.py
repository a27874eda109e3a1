"""Mean and covariance of any number of vectors, read in pieces; their principal components; Ledoit–Wolf shrinkage."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from embtools.limits import enough
from embtools.vectors import Array

_ROWS = 4_096  # rows at a time, so that float64 copies stay small
_FLAT = 1e-10  # share of the largest variance below which a variance counts as rounding


@dataclass(frozen=True, eq=False)
class Moments:
    """The first two moments of n vectors, in float64.

    count       n
    mean        (d,)
    covariance  (d, d), divided by n
    """

    count: int
    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @property
    def nbytes(self) -> int:
        """Memory in use in bytes, including the axes that are computed on first use."""
        return 2 * self.covariance.nbytes

    @cached_property
    def axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Principal components: variances (d,), the largest first, and their directions as columns (d, d), whose entry
        furthest from zero is positive, so that the same vectors always give the same directions.
        """
        return _axes(self.covariance)

    @cached_property
    def strengths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Principal axes of the second moment around zero: mean squares (d,) and directions as columns (d, d)."""
        if np.square(self.mean).sum() <= _FLAT * np.trace(self.covariance):
            return self.axes  # the mean is zero up to rounding
        return _axes(self.covariance + np.outer(self.mean, self.mean))

    @property
    def rank(self) -> int:
        """Number of directions along which the vectors differ."""
        variances = self.axes[0]
        return int((variances > _FLAT * max(variances[0], np.finfo(np.float64).tiny)).sum())


def moments(vectors: Array | Iterable[Array]) -> Moments:
    """The moments of vectors (n, d), given as one array or in pieces; each row is read once.

    >>> moments(np.array([[1.0, 0.0], [3.0, 0.0]])).mean
    array([2., 0.])
    """
    count, mean, scatter = 0, np.zeros(0), np.zeros((0, 0))
    for rows in pieces(vectors):
        n, own = len(rows), rows.mean(0)
        centred = rows - own
        if not count:
            mean, scatter = np.zeros_like(own), np.zeros((len(own),) * 2)
        step = own - mean
        # Chan, Golub & LeVeque 1983: a large mean causes no loss of precision
        scatter += centred.T @ centred + np.outer(step, step) * (count * n / (count + n))
        mean = mean + step * (n / (count + n))
        count += n
    if count < 2:
        raise ValueError(
            f"There {'is one vector' if count else 'are no vectors'}, but a space needs at least two. Add words."
        )
    if not np.isfinite(scatter).all():
        raise ValueError("Some vectors contain values that are not numbers. Remove these vectors.")
    return Moments(count, mean, scatter / count)


def pieces(vectors: Array | Iterable[Array], *, precise: bool = True) -> Iterator[Array]:
    """Iterate over the rows of one or several arrays, a few thousand at a time, in float64 if `precise`.

    >>> [len(piece) for piece in pieces(np.zeros((5_000, 2)))]
    [4096, 904]
    """
    for part in (vectors,) if isinstance(vectors, np.ndarray) else vectors:
        for start in range(0, len(part), _ROWS):
            rows = part[start : start + _ROWS]
            yield rows.astype(np.float64) if precise else rows


def ledoit_wolf(vectors: Array, known: Moments) -> float:
    """Shrinkage (0 … 1) of Ledoit & Wolf 2004 for the covariance `known` of vectors (n, d), which are a sample if
    `known` belongs to more.
    """
    enough(vectors, "vectors")
    n, d = vectors.shape
    fourth = sum(float(np.square(np.square(rows - known.mean).sum(1)).sum()) for rows in pieces(vectors))
    spread = known.covariance - np.eye(d) * np.trace(known.covariance) / d
    distance = float(np.square(spread).sum())
    noise = (fourth / n - float(np.square(known.covariance).sum())) / known.count
    return float(np.clip(noise / distance, 0, 1)) if distance > 0 else 1.0


def _axes(matrix: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    values, directions = np.linalg.eigh(matrix)
    values, directions = np.maximum(values[::-1], 0), directions[:, ::-1]
    furthest = np.take_along_axis(directions, np.abs(directions).argmax(0)[None], 0)
    return values, directions * np.where(furthest < 0, -1, 1)
