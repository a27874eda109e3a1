"""Mean and covariance of any number of vectors, read piece by piece; and the directions in which they spread."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from embtools.limits import enough
from embtools.vectors import Array

_ROWS = 4_096  # at a time: what is made of them in float64 stays small
_FLAT = 1e-10  # of the largest variance: a direction with less has none but rounding


@dataclass(frozen=True, eq=False)
class Moments:
    """The first two moments of n vectors, in float64.

    mean        (d,);  covariance (d, d), divided by n
    count       n
    """

    count: int
    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @property
    def nbytes(self) -> int:
        """Of memory, with the axes that are made once they are asked for."""
        return 2 * self.covariance.nbytes

    @cached_property
    def axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The principal components: variances (d,), the largest first, and their directions as columns (d, d).

        By the eigenvectors of the covariance: the right singular vectors of the centred rows, without their SVD. The
        entry furthest from zero of each direction is positive, so that the same vectors give the same directions.
        """
        return _axes(self.covariance)

    @cached_property
    def strengths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same of the second moment around zero: mean squares (d,) along its own directions (d, d)."""
        if np.square(self.mean).sum() <= _FLAT * np.trace(self.covariance):
            return self.axes  # the mean is zero but for rounding
        return _axes(self.covariance + np.outer(self.mean, self.mean))

    @property
    def rank(self) -> int:
        """Along how many directions the vectors differ."""
        variances = self.axes[0]
        return int((variances > _FLAT * max(variances[0], np.finfo(np.float64).tiny)).sum())


def moments(vectors: Array | Iterable[Array]) -> Moments:
    """The moments of vectors (n, d), given as one array or as pieces of it, each row read once.

    Pieces are joined as Chan, Golub & LeVeque 1983 do, so that a large mean costs no digits. Raises ValueError for
    fewer than two vectors, and for entries that are no numbers.

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
        scatter += centred.T @ centred + np.outer(step, step) * (count * n / (count + n))
        mean = mean + step * (n / (count + n))
        count += n
    if count < 2:
        raise ValueError(
            f"There {'is one vector' if count else 'are no vectors'}; a space needs at least two. Add words."
        )
    if not np.isfinite(scatter).all():
        raise ValueError("Some of the vectors hold entries that are no numbers. Take them out.")
    return Moments(count, mean, scatter / count)


def pieces(vectors: Array | Iterable[Array], *, precise: bool = True) -> Iterator[Array]:
    """The rows of one array, or of several, a few thousand at a time, in float64 where it has to be `precise`.

    >>> [len(piece) for piece in pieces(np.zeros((5_000, 2)))]
    [4096, 904]
    """
    for part in (vectors,) if isinstance(vectors, np.ndarray) else vectors:
        for start in range(0, len(part), _ROWS):
            rows = part[start : start + _ROWS]
            yield rows.astype(np.float64) if precise else rows


def ledoit_wolf(vectors: Array, known: Moments) -> float:
    """The shrinkage (0 … 1) that Ledoit & Wolf 2004 choose for the covariance `known` of vectors (n, d).

    How much of the distance between the sample's covariance and a multiple of the identity is the sample's own noise.
    Where `known` is that of more vectors, the given ones stand for all of them. Raises ValueError without vectors.
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
