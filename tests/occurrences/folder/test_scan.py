"""The exact search, compared with a sort of all cosines."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from embtools.occurrences.folder import scan
from embtools.occurrences.folder.files import Block


def rows(n=500, d=6, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


@given(k=st.integers(1, 40), block=st.integers(1, 600), hidden=st.lists(st.tuples(st.integers(0, 500), st.integers(0, 60)), max_size=3), cut=st.integers(0, 500))  # fmt: skip
def test_the_search_agrees_with_a_full_sort(k, block, hidden, cut):
    vectors, query = rows(), rows(1, seed=1)[0]
    ranges = [(begin, begin + length) for begin, length in hidden]
    exact = vectors.astype(float) @ query / np.linalg.norm(vectors.astype(float), axis=1) / np.linalg.norm(query)
    for low, high in ranges:
        exact[low:high] = -np.inf
    expected = [row for row in np.argsort(-exact, kind="stable")[:k] if exact[row] > -np.inf]
    norms = np.linalg.norm(vectors, axis=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "BLOCK", block)
        best = scan.search(vectors[:cut], norms[:cut], query, k, hidden=ranges)
        best = scan.search(vectors[cut:], norms[cut:], query, k, first=cut, hidden=ranges, best=best)
    assert best.rows.tolist() == expected and best.cosines == pytest.approx(exact[expected], abs=1e-5)


def test_ties_are_in_row_order():
    vectors = np.ones((9, 3), np.float32)
    best = scan.search(vectors, np.linalg.norm(vectors, axis=1), vectors[0], 4)
    assert best.rows.tolist() == [0, 1, 2, 3]


def test_rows_and_queries_without_length():
    vectors = np.zeros((2, 3), np.float32)
    assert scan.cosines(vectors, np.zeros(2, np.float32), np.ones(3)).tolist() == [0, 0]
    assert np.isfinite(scan.cosines(rows(3, 3), np.ones(3, np.float32), np.zeros(3))).all()
    assert len(scan.search(rows(0), np.empty(0, np.float32), np.ones(6), 3).rows) == 0


@given(numbers=st.sets(st.integers(0, 19), min_size=1), cut=st.integers(0, 20))
def test_selected_rows_are_those_of_the_whole(numbers, cut):
    vectors, wanted = rows(20), np.array(sorted(numbers))
    norms, occ = np.linalg.norm(vectors, axis=1), np.arange(100, 120)
    blocks = [Block(low, occ[low:high], norms[low:high], vectors[low:high]) for low, high in ((0, cut), (cut, 20))]
    found = scan.selected(blocks, wanted)
    for own, whole in zip(found, (occ, norms, vectors), strict=True):
        assert np.array_equal(own, whole[wanted])
