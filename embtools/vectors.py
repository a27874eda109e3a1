"""Basic operations on vectors: cosines, projections, unit vectors and the k largest values."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Word vectors have a length of about 1, so a thousand terms with the largest allowed factors still fit.
LONGEST = 10_000
SHORTEST = 1e-6
Array = NDArray[Any]  # float32 rows unless a docstring says otherwise


def check_finite(*arrays: Array) -> None:
    """Raise ValueError if a value is infinite or not a number.

    >>> check_finite(np.array([1.0, np.nan]))
    Traceback (most recent call last):
    ValueError: A value is infinite or not a number. Leave out the item that it belongs to.
    """
    if not all(np.isfinite(values).all() for values in arrays):
        raise ValueError("A value is infinite or not a number. Leave out the item that it belongs to.")


def vanishes(vectors: Array, *, scale: float = 1.0) -> Any:
    """Whether each row of (…, d) is zero up to rounding, that is shorter than a millionth of `scale` (by default, the
    length of a word vector): when words cancel out, the direction of what remains means nothing.

    >>> bool(vanishes(np.array([0.1, 0.0]) + np.array([0.2, 0.0]) - np.array([0.3, 0.0])))
    True
    """
    return np.linalg.norm(vectors, axis=-1) < SHORTEST * scale


def unit(vectors: Array) -> Array:
    """Scale each row of (…, d) to length one; a row of zeros does not change.

    >>> unit(np.array([3.0, 4.0]))
    array([0.6, 0.8])
    """
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(length == 0, 1, length)


def cosine(a: Array, b: Array) -> Array:
    """Cosines between the rows of a (n, d) and b (m, d): (n, m). A single vector counts as one row.

    >>> cosine(np.array([1.0, 0.0]), np.array([[1.0, 1.0], [0.0, 2.0]])).round(3)
    array([[0.707, 0.   ]])
    """
    return unit(np.atleast_2d(a)) @ unit(np.atleast_2d(b)).T


def project(vector: Array, direction: Array) -> Array:
    """Projection of `vector` (…, d) onto `direction` (d,).

    >>> project(np.array([2.0, 5.0]), np.array([3.0, 0.0]))
    array([2., 0.])
    """
    if vanishes(direction):
        raise ValueError("The direction has no length, because its words cancel out. Use two different words.")
    return (vector @ direction)[..., None] * direction / np.dot(direction, direction)


def reject(vector: Array, direction: Array) -> Array:
    """A vector minus its projection onto a direction.

    >>> reject(np.array([2.0, 5.0]), np.array([3.0, 0.0]))
    array([0., 5.])
    """
    return vector - project(vector, direction)


def bounded(vector: Array) -> Array:
    """The same vector (d,). Raises ValueError if it is too long for reliable float32 arithmetic.

    >>> bounded(np.array([3.0, 4.0]))
    array([3., 4.])
    """
    if not np.linalg.norm(vector.astype(np.float64)) <= LONGEST:
        raise ValueError("The result is thousands of times longer than any word's vector. Use smaller numbers.")
    return vector


def top_k(scores: Array, k: int) -> NDArray[np.intp]:
    """Indices of the k largest of (v,) scores, best first; ties go to the lower index.

    >>> top_k(np.array([0.1, 0.9, 0.5]), 2)
    array([1, 2])
    """
    k = min(k, len(scores))
    if k <= 0:
        return np.empty(0, dtype=np.intp)
    # All values at least as large as the k-th largest, so that ties are resolved by index.
    threshold = np.partition(scores, len(scores) - k)[len(scores) - k]
    candidates = np.flatnonzero(scores >= threshold)
    return candidates[np.argsort(-scores[candidates], kind="stable")][:k]
