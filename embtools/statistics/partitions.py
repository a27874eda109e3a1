"""Clustering of points: k-means, silhouettes, and random Gaussian clouds of points without clusters for comparison."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.limits import enough, same_count, within
from embtools.messages import quoted
from embtools.vectors import Array, check_finite

_STEPS = 100  # at most, of Lloyd's algorithm; small sets need about ten
MAX_STARTS = 1_000
FEW = 1_000  # points up to which k-means uses several starts; with thousands, one start finds nearly the same


def k_means(vectors: Array, k: int, *, seed: int = 0) -> tuple[NDArray[np.intp], Array]:
    """Labels (n,) and centres (k, d) of k-means on vectors (n, d), by scikit-learn."""
    from sklearn.cluster import KMeans

    enough(vectors, "vectors")
    within(k, len(vectors), "clusters")
    check_finite(vectors)
    fitted = KMeans(k, n_init=8 if len(vectors) <= FEW else 1, random_state=checked_seed(seed)).fit(vectors)
    return fitted.labels_, fitted.cluster_centers_


def k_means_of_each(sets: Array, k: int, *, starts: int = 16, seed: int = 0) -> NDArray[np.intp]:
    """Labels (m, n) of k-means in each of m sets of n vectors (m, n, d), all sets at once, because scikit-learn takes
    ten times as long for the hundreds of small sets of a test; clusters may be empty.
    """
    rng = generator(seed)
    sets = np.asarray(sets, np.float64)
    check_finite(sets)
    enough(sets, "sets")
    m, n, _ = sets.shape
    within(k, n, "clusters")
    within(starts, MAX_STARTS, "starts")
    squares = (sets**2).sum(-1)
    rows = np.arange(m)[:, None]
    centres = np.empty((m, starts, k, sets.shape[2]))
    nearest = np.full((m, starts, n), np.inf)
    weights = np.ones((m, starts, n))
    for number in range(k):  # k-means++ (Arthur & Vassilvitskii 2007)
        cumulated = np.cumsum(weights, axis=-1)
        drawn = rng.random((m, starts, 1)) * cumulated[..., -1:]
        chosen = np.minimum((cumulated <= drawn).sum(-1), n - 1)
        centres[:, :, number] = sets[rows, chosen]
        nearest = np.minimum(nearest, _distances(sets, squares, centres[:, :, number : number + 1])[..., 0])
        weights = np.where(nearest.sum(-1, keepdims=True) > 0, nearest, 1)  # all points may be covered already
    labels = np.full((m, starts, n), -1)
    for _ in range(_STEPS):
        distances = _distances(sets, squares, centres)
        new = distances.argmin(-1)
        if (new == labels).all():
            break
        labels = new
        members = (labels[..., None] == np.arange(k)).astype(np.float64)  # (m, starts, n, k)
        sizes = members.sum(2)[..., None]
        sums = members.swapaxes(-1, -2) @ sets[:, None]
        centres = np.where(sizes > 0, sums / np.maximum(sizes, 1), centres)
    inertia = np.take_along_axis(distances, labels[..., None], -1)[..., 0].sum(-1)
    best = inertia.argmin(-1)
    return labels[np.arange(m), best]


def _distances(sets: Array, squares: Array, centres: Array) -> Array:
    """Squared Euclidean distances (m, s, n, k) of vectors (m, n, d) from centres (m, s, k, d)."""
    products = sets[:, None] @ centres.swapaxes(-1, -2)
    return np.maximum(squares[:, None, :, None] + (centres**2).sum(-1)[:, :, None] - 2 * products, 0)


def mean_silhouette(distances: Array, labels: NDArray[np.intp]) -> float:
    """Mean silhouette (Rousseeuw 1987) of labels (n,) from distances (n, n), as scikit-learn's but without its checks,
    so that hundreds of shuffles are fast; 0 for a single cluster.
    """
    enough(labels, "points", least=2)
    same_count(distances=distances, labels=labels)
    groups = np.eye(int(labels.max()) + 1, dtype=distances.dtype)[labels]
    sizes = groups.sum(axis=0)
    if (sizes > 0).sum() < 2:
        return 0.0
    sums = distances @ groups
    rows = np.arange(len(labels))
    own = sizes[labels]
    inside = sums[rows, labels] / np.maximum(own - 1, 1)
    means = sums / np.maximum(sizes, 1)
    means[rows, labels] = np.inf
    outside = means[:, sizes > 0].min(axis=1)
    larger = np.maximum(inside, outside)
    return float(np.where((own > 1) & (larger > 0), (outside - inside) / np.where(larger > 0, larger, 1), 0).mean())


def silhouette(vectors: Array, labels: NDArray[np.intp], metric: Literal["cosine", "euclidean"]) -> float:
    """Mean silhouette (Rousseeuw 1987) of labels (n,) of vectors (n, d); 0 for one cluster or one per point."""
    from sklearn.metrics import silhouette_score

    if metric not in ("cosine", "euclidean"):
        raise ValueError(f"There is no metric {quoted(metric)}. Choose cosine or euclidean.")
    check_finite(vectors)
    if not 1 < len(np.unique(labels)) < len(labels):  # k-means finds one cluster in equal vectors
        return 0.0
    return float(silhouette_score(vectors, labels, metric=metric))


def clouds(vectors: Array, rng: np.random.Generator) -> Iterator[Array]:
    """Endless iterator over random point sets (n, d) from one Gaussian with the mean and covariance of the vectors, the
    null hypothesis of SigClust (Liu et al. 2008).
    """
    enough(vectors, "vectors", least=2)
    check_finite(vectors)
    mean = vectors.mean(axis=0)
    _, lengths, directions = np.linalg.svd(vectors - mean, full_matrices=False)
    while True:
        yield mean + rng.normal(size=(len(vectors), len(lengths))) * lengths / np.sqrt(len(vectors) - 1) @ directions
