"""Sums beside numpy on all rows."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from embtools.occurrences.folder.moments import Moments


@pytest.fixture
def rows():
    return (np.random.default_rng(1).normal(size=(300, 7)) + 0.4).astype(np.float16)


@given(cuts=st.lists(st.integers(0, 300), max_size=4))
def test_parts_sum_to_the_whole_however_it_is_cut(cuts):
    rows = (np.random.default_rng(1).normal(size=(300, 7)) + 0.4).astype(np.float16)
    found = sum((Moments.of(part) for part in np.split(rows, sorted(cuts))), Moments.none(7))
    exact = rows.astype(np.float64)
    assert found.n == 300 and found.mean == pytest.approx(exact.mean(0))
    assert found.covariance == pytest.approx(np.cov(exact.T, bias=True), abs=1e-12)
    assert found.units == pytest.approx((exact / np.linalg.norm(exact, axis=1)[:, None]).sum(0))


def test_the_mean_cosine_is_that_of_all_pairs(rows):
    unit = rows.astype(np.float64) / np.linalg.norm(rows.astype(np.float64), axis=1)[:, None]
    cosines = unit @ unit.T
    assert Moments.of(rows).mean_cosine == pytest.approx(cosines[~np.eye(300, dtype=bool)].mean())
    assert np.isnan(Moments.of(rows[:1]).mean_cosine)


def test_more_rows_than_a_block(monkeypatch, rows):
    whole = Moments.of(rows)
    monkeypatch.setattr("embtools.occurrences.folder.moments._ROWS", 64)
    assert Moments.of(rows).squares == pytest.approx(whole.squares)


def test_what_is_saved_is_loaded(rows):
    found = Moments.of(rows)
    again = Moments.load(found.saved())
    assert (
        again.n == found.n and np.array_equal(again.squares, found.squares) and np.array_equal(again.units, found.units)
    )
