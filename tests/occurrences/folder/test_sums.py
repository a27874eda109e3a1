"""Sums, compared with numpy on all rows."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from embtools.occurrences.folder.sums import Sums


@pytest.fixture
def rows():
    return (np.random.default_rng(1).normal(size=(300, 7)) + 0.4).astype(np.float16)


@given(cuts=st.lists(st.integers(0, 300), max_size=4))
def test_parts_sum_to_the_whole_however_it_is_cut(cuts):
    rows = (np.random.default_rng(1).normal(size=(300, 7)) + 0.4).astype(np.float16)
    found = sum((Sums.of(part) for part in np.split(rows, sorted(cuts))), Sums.none(7))
    exact = rows.astype(np.float64)
    moments = found.moments()
    assert found.n == moments.count == 300 and moments.mean == pytest.approx(exact.mean(0))
    assert moments.covariance == pytest.approx(np.cov(exact.T, bias=True), abs=1e-12)
    assert found.units == pytest.approx((exact / np.linalg.norm(exact, axis=1)[:, None]).sum(0))


def test_the_mean_cosine_is_that_of_all_pairs(rows):
    unit = rows.astype(np.float64) / np.linalg.norm(rows.astype(np.float64), axis=1)[:, None]
    cosines = unit @ unit.T
    assert Sums.of(rows).mean_cosine == pytest.approx(cosines[~np.eye(300, dtype=bool)].mean())
    assert np.isnan(Sums.of(rows[:1]).mean_cosine)
    with pytest.raises(ValueError, match="A covariance needs at least two vectors"):
        Sums.of(rows[:1]).moments()


def test_more_rows_than_a_block(monkeypatch, rows):
    whole = Sums.of(rows)
    monkeypatch.setattr("embtools.occurrences.folder.sums._ROWS", 64)
    assert Sums.of(rows).squares == pytest.approx(whole.squares)


def test_what_is_saved_is_loaded(rows):
    found = Sums.of(rows)
    again = Sums.load(found.saved())
    assert (
        again.n == found.n and np.array_equal(again.squares, found.squares) and np.array_equal(again.units, found.units)
    )
