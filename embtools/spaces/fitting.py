"""Fitting a processed space to vectors or to their mean and covariance, and applying it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.limits import enough
from embtools.messages import counted
from embtools.progress import Progress, part, silent, through
from embtools.spaces.moments import Moments, moments
from embtools.spaces.space import BY_CLUSTER, CENTRED, CONCEPTOR, RAW, TOP, WHITENED, ZSCORED, Space
from embtools.vectors import Array

SAMPLE = 5_000  # vectors used to find clusters; every vector is then assigned to the nearest one
_ROWS = 4_096  # rows processed at a time
_CLUSTERS = 0.5  # of the time that all-but-the-top by cluster takes: to find the clusters


class Part(NamedTuple):
    """Affine map y = z + ((z U) · gains) Uᵀ with z = x − shift; a gain of −1 removes its direction.

    shift (d,), directions U (d, m), gains (m,).
    """

    shift: NDArray[np.float64]
    directions: NDArray[np.float64]
    gains: NDArray[np.float64]

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The linear part as one matrix (d, d): y = z @ matrix."""
        return np.eye(len(self.directions)) + (self.directions * self.gains) @ self.directions.T


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted space: one affine map, or one per cluster; the number of dimensions does not change.

    parts    the maps
    centres  (c, d) cluster centres, where a vector belongs to the nearest one; None if there is one map for all
    """

    space: Space
    parts: tuple[Part, ...]
    centres: NDArray[np.float64] | None = None

    @property
    def nbytes(self) -> int:
        """Memory in use, in bytes."""
        arrays = [array for part in self.parts for array in part]
        return sum(array.nbytes for array in arrays) + (0 if self.centres is None else self.centres.nbytes)

    def apply(self, vectors: Array) -> Array:
        """The vectors (n, d), or one vector (d,), processed in this space in their own precision."""
        rows = np.atleast_2d(vectors)
        if not self.parts:
            return vectors
        if rows.shape[1] != (d := len(self.parts[0].shift)):
            raise ValueError(
                f"The space has {d} dimensions but the vectors have {rows.shape[1]}. Fit a space to these vectors."
            )
        result, maps = np.empty_like(rows), [_map(part, rows.dtype) for part in self.parts]
        for start in range(0, len(rows), _ROWS):
            some = slice(start, start + _ROWS)
            if self.centres is None:
                result[some] = maps[0](rows[some])
                continue
            own = nearest(rows[some], self.centres.astype(rows.dtype))
            for number in np.unique(own):
                chosen = np.flatnonzero(own == number) + start
                result[chosen] = maps[number](rows[chosen])
        return result.reshape(vectors.shape)

    @property
    def is_affine(self) -> bool:
        """Whether one affine map processes all vectors."""
        return len(self.parts) <= 1

    def dots(self, vectors: Array, other: Array) -> Array:
        """Dot products (n,) of the processed vectors (n, d) with a vector (d,), without writing them out: x · (M y) −
        shift · (M y), for spaces with one map.
        """
        if not self.is_affine:
            raise ValueError("A space by cluster has several maps. Process the vectors instead.")
        if not self.parts:
            return vectors @ other
        (own,) = self.parts
        seen = other.astype(np.float64) + own.directions @ (own.gains * (own.directions.T @ other.astype(np.float64)))
        return vectors @ seen.astype(vectors.dtype) - vectors.dtype.type(own.shift @ seen)

    def moments(self, known: Moments) -> Moments | None:
        """The moments of the processed vectors, computed from the raw moments; None if there is one map per cluster."""
        if not self.parts:
            return known
        if len(self.parts) > 1:
            return None
        matrix = self.parts[0].matrix
        found = Moments(known.count, (known.mean - self.parts[0].shift) @ matrix, matrix.T @ known.covariance @ matrix)
        if self.space.shuffled is None and self.space.kind in (CENTRED, TOP, WHITENED):
            # The maps act along the principal components, which stay the same and need not be computed again.
            gains = np.zeros(len(known.mean))
            gains[: len(self.parts[0].gains)] = self.parts[0].gains
            variances = known.axes[0] * np.square(1 + gains)
            order = np.argsort(-variances, kind="stable")
            found.__dict__["axes"] = variances[order], known.axes[1][:, order]
        return found


def fit(
    vectors: Array, space: Space, *, known: Moments | None = None, seed: int = 0, progress: Progress = silent
) -> Fitted:
    """Fit a space to vectors (n, d); `known` are their moments, if already computed, and `seed` is that of k-means."""
    checked_seed(seed)
    if space.kind == RAW:
        return Fitted(space, ())
    known = moments(vectors) if known is None else known
    if space.kind != BY_CLUSTER:
        return fit_by_moments(known, space)
    _check(known)
    plain = _by_cluster(vectors, replace(space, shuffled=None), seed, progress)
    return plain if space.shuffled is None else along_random_directions(plain, space)


def along_random_directions(plain: Fitted, space: Space) -> Fitted:
    """Control of a fitted all-but-the-top by cluster: the same clusters and means, but random directions; it equals
    fitting `space`, whose `shuffled` is the seed, but needs no vectors.
    """
    if space.shuffled is None:
        raise ValueError("The control needs a seed for its random directions. Set `shuffled` of the space.")
    random = generator(space.shuffled)
    parts = (Part(own.shift, _directions(random, *own.directions.shape), own.gains) for own in plain.parts)
    return replace(plain, space=space, parts=tuple(parts))


def fit_by_moments(known: Moments, space: Space) -> Fitted:
    """Fit a space to moments alone, for vectors that are not in memory, such as the rows of a file."""
    if space.kind == RAW:
        return Fitted(space, ())
    if space.kind == BY_CLUSTER:
        raise ValueError(
            "All-but-the-top by cluster cannot be fitted here: it needs the vectors themselves, but only their mean and"
            " covariance are stored. Choose another space."
        )
    _check(known)
    rng = None if space.shuffled is None else generator(space.shuffled)
    return Fitted(space, (_part(known, space, rng),))


def _check(known: Moments) -> None:
    if not known.rank:
        raise ValueError("All vectors are equal, so all of them would become zero. Add different words.")


def nearest(vectors: Array, centres: Array) -> NDArray[np.intp]:
    """Index of the centre (c, d) nearest to each of the vectors (n, d): (n,). Raises ValueError without centres.

    >>> nearest(np.array([[0.9, 0.0]]), np.array([[0.0, 0.0], [1.0, 0.0]]))
    array([1])
    """
    enough(centres, "centres")
    return np.argmin(np.square(centres).sum(1) - 2 * vectors @ centres.T, axis=1)


def _part(known: Moments, space: Space, random: np.random.Generator | None) -> Part:
    d = len(known.mean)
    if space.kind == TOP and space.components >= known.rank:
        raise ValueError(
            f"{counted(space.components, 'direction')} cannot be removed, because the vectors differ along only"
            f" {known.rank}. Choose {f'at most {known.rank - 1}' if known.rank > 1 else 'another space'}."
        )
    if space.kind == CENTRED:
        shift = known.mean if random is None else np.linalg.norm(known.mean) * _directions(random, d, 1)[:, 0]
        return Part(shift, np.zeros((d, 0)), np.zeros(0))
    if space.kind == TOP:
        return _top(known, space.components, random)  # Mu & Viswanath 2018, algorithm 1
    if space.kind == ZSCORED:
        spread = np.sqrt(np.diag(known.covariance))
        gains = np.where(spread > 0, 1 / np.where(spread > 0, spread, 1), 0)
        return Part(known.mean, np.eye(d), (gains if random is None else random.permutation(gains)) - 1)
    if space.kind == WHITENED:
        # without the rotation of Su et al. 2021, which changes no cosine
        variances, directions = known.axes
        shrunk = (1 - space.shrinkage) * variances + space.shrinkage * variances.mean()
        kept = np.arange(d) < (d if space.shrinkage else known.rank)
        gains = np.where(kept, 1 / np.sqrt(np.where(kept, shrunk, 1)), 0)
        return Part(known.mean, directions if random is None else _directions(random, d, d), gains - 1)
    assert space.kind == CONCEPTOR
    squares, directions = known.strengths  # without centring (Liu, Ungar & Sedoc 2019)
    gains = 1 / (1 + space.aperture**2 * squares / squares.mean())
    return Part(np.zeros(d), directions if random is None else _directions(random, d, d), gains - 1)


def _top(known: Moments, k: int, random: np.random.Generator | None) -> Part:
    d = len(known.mean)
    directions = known.axes[1][:, :k] if random is None else _directions(random, d, k)
    return Part(known.mean, directions, -np.ones(k))


def _by_cluster(vectors: Array, space: Space, seed: int, progress: Progress) -> Fitted:
    from embtools.statistics.partitions import k_means  # scikit-learn

    if space.clusters > len(vectors) // 2:
        raise ValueError(
            f"{len(vectors):,} vectors allow at most {len(vectors) // 2:,} clusters. Choose fewer, or add words."
        )
    rows = np.arange(len(vectors))
    if len(rows) > SAMPLE:
        rows = np.sort(generator(seed).choice(rows, SAMPLE, replace=False))
    progress(0.0)
    _, centres = k_means(vectors[rows], space.clusters, seed=seed)  # Rajaee & Pilehvar 2021
    progress(_CLUSTERS)
    sizes = np.bincount(nearest(vectors, centres.astype(vectors.dtype)), minlength=len(centres))
    centres = centres[sizes > 1]  # a single vector minus its own mean would be zero, so it joins the nearest cluster
    own = nearest(vectors, centres.astype(vectors.dtype))
    parts = []
    for number in through(range(len(centres)), part(progress, _CLUSTERS, 1 - _CLUSTERS)):
        known = moments(vectors[own == number])
        parts.append(_top(known, min(space.components, max(known.rank - 1, 0)), None))
    return Fitted(space, tuple(parts), centres.astype(np.float64))


def _directions(random: np.random.Generator, d: int, k: int) -> NDArray[np.float64]:
    """k random orthonormal directions (d, k)."""
    return np.linalg.qr(random.normal(size=(d, k)))[0]


def _map(part: Part, kind: np.dtype[Any]) -> Callable[[Array], Array]:
    """Function that applies a part in this precision; it is built once for many rows."""
    shift, directions, gains = (x.astype(kind) for x in part)
    if 2 * directions.shape[1] > directions.shape[0]:  # one product is cheaper than two
        matrix = part.matrix.astype(kind)
        return lambda rows: (rows - shift) @ matrix

    def along(rows: Array) -> Array:
        centred = rows - shift
        return centred + (centred @ directions * gains) @ directions.T

    return along
