"""Dividing points into groups: k-means, how well the groups lie apart, and clouds that have none to compare with."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed
from embtools.limits import enough, within
from embtools.messages import quoted
from embtools.vectors import Array, check_finite

FEW = 1_000  # points up to which k-means begins several times: among thousands one start finds nearly the same


def k_means(vectors: Array, k: int, seed: int = 0) -> tuple[NDArray[np.intp], Array]:
    """Labels (n,) and centres (k, d) of scikit-learn's k-means on vectors (n, d).

    Raises ValueError for fewer vectors than clusters, and for values that are not finite.
    """
    from sklearn.cluster import KMeans

    enough(vectors, "vectors")
    within(k, len(vectors), "clusters")
    check_finite(vectors)
    fitted = KMeans(k, n_init=8 if len(vectors) <= FEW else 1, random_state=checked_seed(seed)).fit(vectors)
    return fitted.labels_, fitted.cluster_centers_


def silhouette(vectors: Array, labels: NDArray[np.intp], metric: Literal["cosine", "euclidean"]) -> float:
    """The mean silhouette (Rousseeuw 1987) of labels (n,) of vectors (n, d).

    0 where there is only one group: points with the same vector can leave k-means one, with no other to be compared;
    0 too where each point is a group of its own. Raises ValueError for another metric and for values that are not
    finite.
    """
    from sklearn.metrics import silhouette_score

    if metric not in ("cosine", "euclidean"):
        raise ValueError(f"There is no metric {quoted(metric)}. Choose cosine or euclidean.")
    check_finite(vectors)
    if not 1 < len(np.unique(labels)) < len(labels):
        return 0.0
    return float(silhouette_score(vectors, labels, metric=metric))


def clouds(vectors: Array, rng: np.random.Generator) -> Iterator[Array]:
    """Without end: as many points (n, d) of one Gaussian with the mean and the covariance of the vectors.

    The null hypothesis of SigClust (Liu et al. 2008): there are no groups, only a longer and a shorter direction.
    Raises ValueError for fewer than two vectors, and for values that are not finite.
    """
    enough(vectors, "vectors", least=2)
    check_finite(vectors)
    mean = vectors.mean(axis=0)
    _, lengths, directions = np.linalg.svd(vectors - mean, full_matrices=False)
    while True:
        yield mean + rng.normal(size=(len(vectors), len(lengths))) * lengths / np.sqrt(len(vectors) - 1) @ directions
