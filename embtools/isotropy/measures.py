"""How evenly vectors fill their space: three measures, and which dimensions and directions are to blame.

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

PAIRS = 10_000  # random pairs of a histogram
MAX_PAIRS, MAX_DIMENSIONS = 1_000_000, 1_024
_ROWS = 4_096


@dataclass(frozen=True, eq=False)
class Measures:
    """What is measured of n vectors.

    mean_cosine    of two different ones drawn at random, exact over all pairs
    partition      the smallest over the largest value of the partition function: 1 in an isotropic space
    isoscore       0 (all variance along one direction) to 1 (as much along every direction)
    contributions  (d,) what each dimension adds to the mean cosine: their sum is the mean cosine
    variances      (d,) along the principal components, the largest first
    """

    count: int
    mean_cosine: float
    partition: float
    isoscore: float
    contributions: NDArray[np.float64]
    variances: NDArray[np.float64]


def measure(vectors: Array, known: Moments | None = None) -> Measures:
    """All measures of vectors (n, d); `known` are their moments, where they are known.

    Raises ValueError for fewer than two vectors, entries that are no numbers, and vectors of length zero.
    """
    known = moments(vectors) if known is None else known
    added = contributions(vectors)
    variances = known.axes[0]
    return Measures(len(vectors), float(added.sum()), partition(vectors, known), isoscore(variances), added, variances)


def contributions(vectors: Array | Iterable[Array]) -> NDArray[np.float64]:
    """What each dimension adds to the mean cosine of two different vectors: (d,), summing to the mean cosine.

    Exact over all n (n − 1) pairs from two sums, so that it can be had of any number of rows, read once, piece by
    piece: with unit vectors u and dimension i it is ((Σ u_i)² − Σ u_i²) / (n (n − 1)). Raises ValueError for fewer than
    two vectors, for entries that are no numbers, and for vectors without a direction.

    >>> contributions(np.array([[2.0, 0.0], [3.0, 3.0]])).round(3)
    array([0.707, 0.   ])
    """
    count, total, squares = 0, np.zeros(0), np.zeros(0)
    for rows in pieces(vectors, precise=False):
        if not np.isfinite(rows).all():
            raise ValueError("Some of the vectors hold entries that are no numbers. Take them out.")
        if none := int(vanishes(rows).sum()):
            raise ValueError(
                f"{none:,} of the vectors {'has' if none == 1 else 'have'} no length, and so no cosine: nothing is left"
                " of them. Take fewer directions away, or leave them out."
            )
        directions = unit(rows)
        count += len(rows)
        total = directions.sum(0, dtype=np.float64) + (total if len(total) else 0)
        squares = np.square(directions).sum(0, dtype=np.float64) + (squares if len(squares) else 0)
    if count < 2:
        raise ValueError("There is no pair: at least two vectors are needed. Add words.")
    return (total**2 - squares) / (count * (count - 1))


def partition(vectors: Array, known: Moments) -> float:
    """The smallest over the largest Z(c) = Σ exp(c · x), c being plus and minus each direction of the second moment.

    Mu & Viswanath 2018 take these c because the extremes have no closed form; both signs, because an eigenvector has
    none. The measure depends on the length of the vectors, so the scale is fixed: they are divided by the root of
    their mean squared length. `known`: their moments.
    """
    enough(vectors, "vectors")
    squares, directions = known.strengths
    candidates = (directions / np.sqrt(max(squares.sum(), 1e-300))).astype(vectors.dtype)
    plus, minus = np.zeros(len(squares)), np.zeros(len(squares))
    for start in range(0, len(vectors), _ROWS):
        grown = np.exp(vectors[start : start + _ROWS] @ candidates)
        plus += grown.sum(0, dtype=np.float64)
        minus += (1 / grown).sum(0, dtype=np.float64)
    values = np.concatenate([plus, minus])
    return float(values.min() / values.max())


def isoscore(variances: NDArray[np.float64]) -> float:
    """IsoScore (Rudman et al. 2022, section 4) of d variances along the principal components: 0 to 1.

    The variances are scaled to the length √d; their distance from (1, …, 1) over the largest possible one is the
    isotropy defect δ; (d − δ² (d − √d))² / d² is the share φ of dimensions that are used, and (d φ − 1) / (d − 1) the
    score. Neither the mean nor the size of the vectors counts. Raises ValueError for one dimension, or no variance.

    >>> isoscore(np.array([1.0, 1.0, 1.0])), isoscore(np.array([5.0, 0.0, 0.0]))
    (1.0, 0.0)
    """
    d = len(variances)
    length = float(np.linalg.norm(variances))
    if d < 2 or not length:
        raise ValueError("IsoScore needs two dimensions or more, and vectors that differ.")
    defect = np.linalg.norm(np.sqrt(d) * variances / length - 1) / np.sqrt(2 * (d - np.sqrt(d)))
    used = (d - defect**2 * (d - np.sqrt(d))) ** 2 / d**2
    return float(np.clip((d * used - 1) / (d - 1), 0, 1))


def random_cosines(vectors: Array, *, pairs: int = PAIRS, seed: int = 0) -> NDArray[np.float32]:
    """The cosines (pairs,) of pairs of different vectors drawn at random, for a histogram."""
    enough(vectors, "vectors", least=2)
    within(pairs, MAX_PAIRS, "pairs")
    rng = generator(seed)
    first = rng.integers(len(vectors), size=pairs)
    second = (first + rng.integers(1, len(vectors), size=pairs)) % len(vectors)
    return np.einsum("ij,ij->i", unit(vectors[first]), unit(vectors[second])).astype(np.float32)


def directions_table(found: Measures) -> pd.DataFrame:
    """Each principal component: component (from 1), share of the variance, and the shares summed up to it."""
    shares = found.variances / found.variances.sum()
    return pd.DataFrame({"component": np.arange(1, len(shares) + 1), "share": shares, "summed": shares.cumsum()})


def dimensions_table(found: Measures, k: int = 10) -> pd.DataFrame:
    """The k dimensions that add most to the mean cosine: dimension (from 0), contribution, share of the mean cosine.

    The share says nothing where the mean cosine is about zero, and is left empty there.
    """
    within(k, MAX_DIMENSIONS, "dimensions")
    order = np.argsort(-np.abs(found.contributions), kind="stable")[:k]
    share = found.contributions[order] / found.mean_cosine if abs(found.mean_cosine) > 0.01 else np.full(k, np.nan)
    return pd.DataFrame({"dimension": order, "contribution": found.contributions[order], "share": share[: len(order)]})
