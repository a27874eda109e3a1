"""Measures of isotropy: how evenly vectors fill their space, and which dimensions and directions dominate it.

Mean cosine of random pairs (Ethayarajh 2019, section 3.4), the partition-function measure (Arora et al. 2016; Mu &
Viswanath 2018, section 2), IsoScore (Rudman et al. 2022), dominating dimensions (Timkey & van Schijndel 2021).
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.limits import enough, within
from embtools.spaces.moments import Moments, moments, pieces
from embtools.vectors import Array, unit, vanishes

PAIRS = 10_000  # random pairs for a histogram
MAX_PAIRS, MAX_DIMENSIONS = 1_000_000, 1_024
_ROWS = 4_096


@dataclass(frozen=True, eq=False)
class Measures:
    """Measures of n vectors.

    count          n
    mean_cosine    mean cosine of two different vectors, exact over all pairs
    partition      smallest value of the partition function divided by the largest: 1 in an isotropic space
    isoscore       0 (all variance along one direction) to 1 (the same variance along every direction)
    contributions  (d,) contribution of each dimension to the mean cosine; they sum to the mean cosine
    variances      (d,) variances of the principal components, the largest first
    """

    count: int
    mean_cosine: float
    partition: float
    isoscore: float
    contributions: NDArray[np.float64]
    variances: NDArray[np.float64]


def measure(vectors: Array, *, known: Moments | None = None) -> Measures:
    """All measures of vectors (n, d); `known` are their moments, if already computed."""
    known = moments(vectors) if known is None else known
    added = contributions(vectors)
    variances = known.axes[0]
    return Measures(len(vectors), float(added.sum()), partition(vectors, known), isoscore(variances), added, variances)


def contributions(vectors: Array | Iterable[Array]) -> NDArray[np.float64]:
    """Contribution (d,) of each dimension to the mean cosine of two different vectors, exact over all n (n − 1) pairs
    by two sums, so that any number of rows can be read once, in pieces.

    >>> contributions(np.array([[2.0, 0.0], [3.0, 3.0]])).round(3)
    array([0.707, 0.   ])
    """
    count, total, squares = 0, np.zeros(0), np.zeros(0)
    for rows in pieces(vectors, precise=False):
        if not np.isfinite(rows).all():
            raise ValueError("Some vectors contain values that are not numbers. Remove these vectors.")
        if none := int(vanishes(rows).sum()):
            raise ValueError(
                f"{none:,} of the vectors {'is' if none == 1 else 'are'} zero after processing and"
                f" {'has' if none == 1 else 'have'} no cosine. Remove fewer directions, or leave these words out."
            )
        directions = unit(rows)
        count += len(rows)
        total = directions.sum(0, dtype=np.float64) + (total if len(total) else 0)
        squares = np.square(directions).sum(0, dtype=np.float64) + (squares if len(squares) else 0)
    if count < 2:
        raise ValueError("At least two vectors are needed to form a pair. Add words.")
    return (total**2 - squares) / (count * (count - 1))


def partition(vectors: Array, known: Moments) -> float:
    """Smallest divided by largest Z(c) = Σ exp(c · x), with c along each direction of the second moment, both signs,
    because the extremes have no closed form (Mu & Viswanath 2018).
    """
    enough(vectors, "vectors")
    squares, directions = known.strengths
    # The measure depends on the length of the vectors, so they are divided by the root of their mean squared length.
    candidates = (directions / np.sqrt(max(squares.sum(), 1e-300))).astype(vectors.dtype)
    plus, minus = np.zeros(len(squares)), np.zeros(len(squares))  # an eigenvector has no sign
    for start in range(0, len(vectors), _ROWS):
        grown = np.exp(vectors[start : start + _ROWS] @ candidates)
        plus += grown.sum(0, dtype=np.float64)
        minus += (1 / grown).sum(0, dtype=np.float64)
    values = np.concatenate([plus, minus])
    return float(values.min() / values.max())


def isoscore(variances: NDArray[np.float64]) -> float:
    """IsoScore (Rudman et al. 2022, section 4) of d variances of principal components: 0 to 1, whatever the mean and
    the scale of the vectors.

    >>> isoscore(np.array([1.0, 1.0, 1.0])), isoscore(np.array([5.0, 0.0, 0.0]))
    (1.0, 0.0)
    """
    d = len(variances)
    length = float(np.linalg.norm(variances))
    if d < 2 or not length:
        raise ValueError("IsoScore needs at least two dimensions and vectors that differ. Add different words.")
    defect = np.linalg.norm(np.sqrt(d) * variances / length - 1) / np.sqrt(2 * (d - np.sqrt(d)))
    used = (d - defect**2 * (d - np.sqrt(d))) ** 2 / d**2
    return float(np.clip((d * used - 1) / (d - 1), 0, 1))


def random_cosines(vectors: Array, *, pairs: int = PAIRS, seed: int = 0) -> NDArray[np.float32]:
    """Cosines (pairs,) of random pairs of different vectors, for a histogram."""
    enough(vectors, "vectors", least=2)
    within(pairs, MAX_PAIRS, "pairs")
    rng = generator(seed)
    first = rng.integers(len(vectors), size=pairs)
    second = (first + rng.integers(1, len(vectors), size=pairs)) % len(vectors)
    return np.einsum("ij,ij->i", unit(vectors[first]), unit(vectors[second])).astype(np.float32)


def directions_table(measures: Measures) -> pd.DataFrame:
    """Principal components: component (from 1), share of the variance, and the cumulative share (cumulative)."""
    shares = measures.variances / measures.variances.sum()
    return pd.DataFrame({"component": np.arange(1, len(shares) + 1), "share": shares, "cumulative": shares.cumsum()})


def dimensions_table(measures: Measures, *, k: int = 10) -> pd.DataFrame:
    """The k dimensions that contribute most to the mean cosine."""
    within(k, MAX_DIMENSIONS, "dimensions")
    order = np.argsort(-np.abs(measures.contributions), kind="stable")[:k]
    share = (
        measures.contributions[order] / measures.mean_cosine if abs(measures.mean_cosine) > 0.01 else np.full(k, np.nan)
    )
    return pd.DataFrame(
        {"dimension": order, "contribution": measures.contributions[order], "share": share[: len(order)]}
    )
