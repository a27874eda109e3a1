"""A processed space fitted to vectors: what is taken from every vector, known from mean and covariance alone."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.limits import enough
from embtools.spaces.moments import Moments, moments
from embtools.spaces.space import BY_CLUSTER, CENTRED, CONCEPTOR, RAW, TOP, WHITENED, ZSCORED, Space
from embtools.vectors import Array

SAMPLE = 5_000  # vectors among which clusters are sought; all are then put into the nearest one
_ROWS = 4_096  # processed at a time


class Part(NamedTuple):
    """y = z + ((z U) · gains) Uᵀ with z = x − shift: a gain (of m) of −1 takes its direction (of U, (d, m)) away."""

    shift: NDArray[np.float64]
    directions: NDArray[np.float64]
    gains: NDArray[np.float64]

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The linear part as one matrix (d, d): y = z @ matrix."""
        return np.eye(len(self.directions)) + (self.directions * self.gains) @ self.directions.T


@dataclass(frozen=True, eq=False)
class Fitted:
    """A space that is fitted: an affine map, or one for each cluster. The processed vectors have as many dimensions.

    parts    the maps;  centres (c, d) of the clusters: a vector belongs to the nearest (none: one map for all)
    """

    space: Space
    parts: tuple[Part, ...]
    centres: NDArray[np.float64] | None = None

    @property
    def bytes(self) -> int:
        """Of memory."""
        arrays = [array for part in self.parts for array in part]
        return sum(array.nbytes for array in arrays) + (0 if self.centres is None else self.centres.nbytes)

    def apply(self, vectors: Array) -> Array:
        """The vectors (n, d), or one (d,), in this space, in their own precision.

        Raises ValueError for vectors of another number of dimensions.
        """
        rows = np.atleast_2d(vectors)
        if not self.parts:
            return vectors
        if rows.shape[1] != (d := len(self.parts[0].shift)):
            raise ValueError(f"The space has {d} dimensions and the vectors {rows.shape[1]}. Fit it to such vectors.")
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

    def moments(self, known: Moments) -> Moments | None:
        """The moments of the processed vectors, known from those of the raw ones; None where clusters have own maps."""
        if not self.parts:
            return known
        if len(self.parts) > 1:
            return None
        matrix = self.parts[0].matrix
        found = Moments(known.count, (known.mean - self.parts[0].shift) @ matrix, matrix.T @ known.covariance @ matrix)
        if self.space.shuffled is None and self.space.kind in (CENTRED, TOP, WHITENED):
            # Along the principal components themselves: these stay what they are, and need not be sought again.
            gains = np.zeros(len(known.mean))
            gains[: len(self.parts[0].gains)] = self.parts[0].gains
            variances = known.axes[0] * np.square(1 + gains)
            order = np.argsort(-variances, kind="stable")
            found.__dict__["axes"] = variances[order], known.axes[1][:, order]
        return found


def fit(vectors: Array, space: Space, known: Moments | None = None, *, seed: int = 0) -> Fitted:
    """Fit a space to vectors (n, d); `known` are their moments, where somebody has computed them before.

    Centring takes the mean away; z-scoring divides by each dimension's spread too. All-but-the-top takes the mean and
    the first `components` principal directions away (Mu & Viswanath 2018, algorithm 1). Whitening turns back after
    giving every principal direction a variance of 1 (the rotation of Su et al. 2021 is left out: it changes no cosine),
    with the covariance drawn towards a multiple of the identity by `shrinkage`; directions without variance stay
    empty. Conceptor negation damps each direction of the second moment by its strength and takes no mean away (Liu,
    Ungar & Sedoc 2019). By cluster: k-means on up to 5,000 of the vectors, then all-but-the-top in each cluster
    (Rajaee & Pilehvar 2021); a cluster of few vectors keeps at least one direction, and a vector alone joins the
    cluster nearest to it. `seed` is that of the clusters.

    Raises ValueError for fewer than two vectors, entries that are no numbers, vectors that are all equal, and for more
    components than there are directions, or clusters than vectors.
    """
    checked_seed(seed)
    if space.kind == RAW:
        return Fitted(space, ())
    known = moments(vectors) if known is None else known
    if space.kind != BY_CLUSTER:
        return fit_by_moments(known, space)
    _check(known)
    plain = _by_cluster(vectors, replace(space, shuffled=None), seed)
    return plain if space.shuffled is None else along_random_directions(plain, space)


def along_random_directions(plain: Fitted, space: Space) -> Fitted:
    """The control of a fitted all-but-the-top by cluster: the same clusters and means, but random directions.

    It needs no vectors: what takes long, the clusters and their moments, is already known. `space` says which random
    directions (`Space.shuffled`). Equal to fitting that space itself. Raises ValueError for a space without that seed.
    """
    if space.shuffled is None:
        raise ValueError("The control needs a seed for its random directions. Give the space one as shuffled.")
    random = generator(space.shuffled)
    parts = (Part(own.shift, _directions(random, *own.directions.shape), own.gains) for own in plain.parts)
    return replace(plain, space=space, parts=tuple(parts))


def fit_by_moments(known: Moments, space: Space) -> Fitted:
    """The same where nobody holds the vectors, but only their moments: rows of a file, each read once.

    Raises ValueError as `fit` does, and for clusters, which moments do not know.
    """
    if space.kind == RAW:
        return Fitted(space, ())
    if space.kind == BY_CLUSTER:
        raise ValueError(
            "All-but-the-top by cluster is not fitted to vectors of which only the moments are known: a cluster's own"
            " mean and directions need its rows. Choose another space."
        )
    _check(known)
    return Fitted(space, (_part(known, space, _random(space)),))


def _check(known: Moments) -> None:
    if not known.rank:
        raise ValueError("All vectors are equal: nothing would be left of them. Add different words.")


def _random(space: Space) -> np.random.Generator | None:
    return None if space.shuffled is None else generator(space.shuffled)


def nearest(vectors: Array, centres: Array) -> NDArray[np.intp]:
    """Which of the centres (c, d) is nearest to each of the vectors (n, d): (n,). Raises ValueError without centres.

    >>> nearest(np.array([[0.9, 0.0]]), np.array([[0.0, 0.0], [1.0, 0.0]]))
    array([1])
    """
    enough(centres, "centres")
    return np.argmin(np.square(centres).sum(1) - 2 * vectors @ centres.T, axis=1)


def _part(known: Moments, space: Space, random: np.random.Generator | None) -> Part:
    d = len(known.mean)
    if space.kind == TOP and space.components >= known.rank:
        raise ValueError(
            f"{space.components} directions cannot be removed, because the vectors differ along only {known.rank}."
            f" Choose at most {known.rank - 1}."
        )
    if space.kind == CENTRED:
        shift = known.mean if random is None else np.linalg.norm(known.mean) * _directions(random, d, 1)[:, 0]
        return Part(shift, np.zeros((d, 0)), np.zeros(0))
    if space.kind == TOP:
        return _top(known, space.components, random)
    if space.kind == ZSCORED:
        spread = np.sqrt(np.diag(known.covariance))
        gains = np.where(spread > 0, 1 / np.where(spread > 0, spread, 1), 0)
        return Part(known.mean, np.eye(d), (gains if random is None else random.permutation(gains)) - 1)
    if space.kind == WHITENED:
        variances, directions = known.axes
        shrunk = (1 - space.shrinkage) * variances + space.shrinkage * variances.mean()
        kept = np.arange(d) < (d if space.shrinkage else known.rank)
        gains = np.where(kept, 1 / np.sqrt(np.where(kept, shrunk, 1)), 0)
        return Part(known.mean, directions if random is None else _directions(random, d, d), gains - 1)
    assert space.kind == CONCEPTOR
    squares, directions = known.strengths
    gains = 1 / (1 + space.aperture**2 * squares / squares.mean())
    return Part(np.zeros(d), directions if random is None else _directions(random, d, d), gains - 1)


def _top(known: Moments, k: int, random: np.random.Generator | None) -> Part:
    d = len(known.mean)
    directions = known.axes[1][:, :k] if random is None else _directions(random, d, k)
    return Part(known.mean, directions, -np.ones(k))


def _by_cluster(vectors: Array, space: Space, seed: int) -> Fitted:
    from embtools.statistics.partitions import k_means  # scikit-learn

    if space.clusters > len(vectors) // 2:
        raise ValueError(
            f"{len(vectors)} vectors make at most {len(vectors) // 2} clusters here. Choose fewer, or add words."
        )
    rows = np.arange(len(vectors))
    if len(rows) > SAMPLE:
        rows = np.sort(generator(seed).choice(rows, SAMPLE, replace=False))
    _, centres = k_means(vectors[rows], space.clusters, seed)
    sizes = np.bincount(nearest(vectors, centres.astype(vectors.dtype)), minlength=len(centres))
    centres = centres[sizes > 1]  # nothing would be left of a vector without its own mean: it joins the nearest others
    own = nearest(vectors, centres.astype(vectors.dtype))
    parts = []
    for number in range(len(centres)):
        known = moments(vectors[own == number])
        parts.append(_top(known, min(space.components, max(known.rank - 1, 0)), None))
    return Fitted(space, tuple(parts), centres.astype(np.float64))


def _directions(random: np.random.Generator, d: int, k: int) -> NDArray[np.float64]:
    """k orthonormal directions (d, k) drawn at random."""
    return np.linalg.qr(random.normal(size=(d, k)))[0]


def _map(part: Part, kind: np.dtype[Any]) -> Callable[[Array], Array]:
    """The map of a part in that precision: made once, for many rows."""
    shift, directions, gains = (x.astype(kind) for x in part)
    if 2 * directions.shape[1] > directions.shape[0]:  # then one product is cheaper than two
        matrix = part.matrix.astype(kind)
        return lambda rows: (rows - shift) @ matrix

    def along(rows: Array) -> Array:
        centred = rows - shift
        return centred + (centred @ directions * gains) @ directions.T

    return along
