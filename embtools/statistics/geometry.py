"""Geometry of the layers of a model: self-similarity, anisotropy and the similarity of layers (CKA)."""

import numpy as np
from numpy.typing import NDArray

from embtools.limits import enough, same_count
from embtools.vectors import Array, check_finite


def self_similarity(sums: Array, counts: NDArray[np.int64], *, least: int = 5) -> Array:
    """Mean cosine (l,) between occurrences of one word, averaged over the words (Ethayarajh 2019, definition 1), from
    the sums (w, l, d) of the unit vectors of each of w words and the counts (w,) of its occurrences.
    """
    often = counts >= max(2, least)
    if not often.any():
        raise ValueError(f"No word occurs {least} times. Use a longer text.")
    n = counts[often][:, None].astype(np.float64)
    squares = np.square(sums[often], dtype=np.float64).sum(-1)  # (w, l)
    # the mean over all pairs of n unit vectors follows from their sum
    return ((squares - n) / (n * (n - 1))).mean(0)


def anisotropy(sums: Array, counts: NDArray[np.int64]) -> Array:
    """Mean cosine (l,) between occurrences of two random different words, computed exactly instead of sampled as in
    Ethayarajh 2019, section 3.4; 0 in an isotropic space; arguments as for `self_similarity`.
    """
    w = len(counts)
    if w < 2:
        raise ValueError("There is only one word. Use a longer text.")
    means = sums.astype(np.float64) / counts[:, None, None]
    return (np.square(means.sum(0)).sum(-1) - np.square(means).sum((0, 2))) / (w * (w - 1))


def linear_cka(layers: Array) -> Array:
    """Linear CKA (l, l) of layers (l, n, d) (Kornblith et al. 2019) with the unbiased HSIC of Song et al. 2012, as in
    Nguyen et al. 2021, because the original makes unrelated layers look similar if n < d.
    """
    return cka(layers, layers)


def cka(one: Array, other: Array) -> Array:
    """Similarity of every layer of one model to every layer of another, by the same n words in the same order: linear
    CKA (l, m) of (l, n, d) and (m, n, e), see `linear_cka`.
    """
    enough(one, "layers")
    enough(other, "layers")
    same_count(first=one[0], second=other[0])
    first = _arrangements(one)
    second = first if other is one else _arrangements(other)
    return (first @ second.T).astype(np.float64) / _lengths(first)[:, None] / _lengths(second)


def _arrangements(layers: Array) -> Array:
    """Each layer's arrangement of the words as a row of length one (l, n * n); their products are CKA."""
    check_finite(layers)
    count, n, _ = layers.shape
    if n < 4:
        raise ValueError(f"There are {n} words, but the similarity of layers needs at least 4. Add words.")
    rows = np.empty((count, n * n), np.float32)
    for row, x in zip(rows, layers, strict=True):
        x = x - x.mean(0)
        row[:] = _u_centred(x @ x.T).ravel()
    if not rows.any(1).all():
        raise ValueError("In one layer all words have the same vector, so nothing can be compared. Use other words.")
    return rows


def _lengths(rows: Array) -> Array:
    """Their lengths (l,), which differ from one only by rounding."""
    return np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))


def _u_centred(gram: Array) -> Array:
    """A Gram matrix (n, n) centred so that inner products are unbiased HSIC (Székely & Rizzo 2014, section 3)."""
    n = len(gram)
    gram = gram.astype(np.float64)
    np.fill_diagonal(gram, 0)
    rows = gram.sum(0) / (n - 2)
    gram = gram - rows[:, None] - rows + gram.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(gram, 0)
    length = np.linalg.norm(gram)
    return gram / length if length else gram
