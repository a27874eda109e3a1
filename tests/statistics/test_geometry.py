"""Self-similarity, anisotropy and CKA against independent formulas."""

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.distance import cosine as scipy_cosine

from embtools.statistics import geometry


def by_hand(vectors: list[np.ndarray]) -> float:
    return float(np.mean([1 - scipy_cosine(a, b) for a, b in combinations(vectors, 2)]))


def test_self_similarity_and_anisotropy_pair_by_pair():
    rng = np.random.default_rng(3)
    words = [rng.normal(1, 1, (n, 2, 9)) for n in (6, 5, 2, 1)]  # occurrences × layers × dimensions
    sums = np.stack([(w / np.linalg.norm(w, axis=-1, keepdims=True)).sum(0) for w in words])
    counts = np.array([6, 5, 2, 1])
    for layer in range(2):
        often = np.mean([by_hand(list(w[:, layer])) for w in words[:2]])
        assert geometry.self_similarity(sums, counts)[layer] == pytest.approx(often)
        cross = np.mean(
            [
                np.mean([1 - scipy_cosine(a, b) for a in one[:, layer] for b in other[:, layer]])
                for one, other in combinations(words, 2)
            ]
        )
        assert geometry.anisotropy(sums, counts)[layer] == pytest.approx(cross)
    with pytest.raises(ValueError, match="No word occurs 7 times"):
        geometry.self_similarity(sums, counts, least=7)
    with pytest.raises(ValueError, match="only one word"):
        geometry.anisotropy(sums[:1], counts[:1])


def song(k: np.ndarray, m: np.ndarray) -> float:
    """Unbiased HSIC, equation 5 of Song et al. 2012, term by term."""
    n = len(k)
    k, m = k - np.diag(np.diag(k)), m - np.diag(np.diag(m))
    one = np.ones(n)
    return (np.trace(k @ m) + one @ k @ one * (one @ m @ one) / (n - 1) / (n - 2) - 2 / (n - 2) * one @ k @ m @ one) / (
        n * (n - 3)
    )


def test_cka_is_songs_formula():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(40, 12))
    layers_ = np.stack([x, x @ rng.normal(size=(12, 12)), rng.normal(size=(40, 12))]).astype(np.float32)
    got = geometry.linear_cka(layers_)
    grams = [a.astype(np.float64) @ a.T.astype(np.float64) for a in layers_]
    for i in range(3):
        for j in range(3):
            expected = song(grams[i], grams[j]) / np.sqrt(song(grams[i], grams[i]) * song(grams[j], grams[j]))
            assert got[i, j] == pytest.approx(expected, abs=1e-5)
    assert np.allclose(np.diag(got), 1)


def test_cka_against_kornblith_and_its_promises():
    rng = np.random.default_rng(5)
    x, y = rng.normal(3, 1, size=(2, 3_000, 8))
    y = 0.7 * x + 0.3 * y
    rotated = x @ np.linalg.qr(rng.normal(size=(8, 8)))[0] * 5 + 2
    got = geometry.linear_cka(np.stack([x, y, rotated]).astype(np.float32))
    a, b = x - x.mean(0), y - y.mean(0)
    original = np.linalg.norm(b.T @ a) ** 2 / (np.linalg.norm(a.T @ a) * np.linalg.norm(b.T @ b))
    assert got[0, 1] == pytest.approx(original, abs=0.01)  # with many rows the two estimates meet
    assert got[0, 2] == pytest.approx(1, abs=1e-4)  # turning, scaling and shifting change nothing
    few = rng.normal(size=(2, 50, 400)).astype(np.float32)  # fewer rows than dimensions, nothing in common
    assert abs(geometry.linear_cka(few)[0, 1]) < 0.1
    with pytest.raises(ValueError, match="3 words"):
        geometry.linear_cka(few[:, :3])
