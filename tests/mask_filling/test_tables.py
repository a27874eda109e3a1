"""Answers side by side, against plain sorting and scipy's Jensen-Shannon distance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import jensenshannon

from embtools.mask_filling import tables


@pytest.fixture(scope="module")
def columns(tiny):
    """Two columns of probabilities over the vocabulary of the tiny model."""
    rng = np.random.default_rng(0)
    return {name: rng.dirichlet(np.ones(len(tiny.vocabulary))) for name in ("one", "two")}


def ranked(row, model, leave_out=()):
    """The words that may be shown, the likeliest first."""
    shown = [word for word in model.ids if word not in leave_out]
    return sorted(shown, key=lambda word: -row[model.ids[word]])


@pytest.mark.parametrize("leave_out", [(), ("king", "queen")])
def test_the_best_of_each_column(columns, tiny, leave_out):
    found = tables.best(columns, tiny, k=4, leave_out=leave_out)
    assert list(found["column"]) == ["one"] * 4 + ["two"] * 4 and list(found["rank"]) == [1, 2, 3, 4] * 2
    for name, group in found.groupby("column"):
        assert list(group["token"]) == ranked(columns[name], tiny, leave_out)[:4]
        assert list(group["probability"]) == [columns[name][tiny.ids[w]] for w in group["token"]]


def test_a_word_left_out_is_gone_and_the_next_moves_up(columns, tiny):
    first, second = ranked(columns["one"], tiny)[:2]
    found = tables.best({"one": columns["one"]}, tiny, k=1, leave_out=[first])
    assert list(found["token"]) == [second]


def test_the_top_answers_of_all_columns_are_sorted_by_probability(columns, tiny):
    found = tables.top_union(columns, tiny, k=5)
    assert set(found["token"]) == {w for row in columns.values() for w in ranked(row, tiny)[:5]}
    assert found[["one", "two"]].max(axis=1).is_monotonic_decreasing
    for name, row in columns.items():
        assert list(found[name]) == [row[tiny.ids[w]] for w in found["token"]]


POSITIVE = arrays(np.float64, 6, elements=st.floats(0, 1)).filter(lambda a: a.sum() > 0.1).map(lambda a: a / a.sum())


@given(POSITIVE, POSITIVE)
def test_divergence_is_scipys_squared_distance(p, q):
    expected = jensenshannon(p, q, base=2)  # nan where rounding puts its square below zero
    assert tables.divergence(p, q) == pytest.approx(0 if np.isnan(expected) else expected**2, abs=1e-9)
    assert tables.divergence(p, q) == pytest.approx(tables.divergence(q, p), abs=1e-12)
    assert tables.divergence(p, p) == 0


def test_a_word_to_leave_out_that_does_not_exist_is_named(columns, tiny):
    for table in (tables.best, tables.top_union):
        with pytest.raises(ValueError, match="'zebra' is not in the vocabulary"):
            table(columns, tiny, k=1, leave_out=("zebra",))


def test_the_divergence_of_almost_equal_answers_is_a_number():
    rng = np.random.default_rng(0)
    scipys = []
    for _ in range(30):
        p = rng.dirichlet(np.full(30_000, 0.05))
        q = p * (1 + 1e-9 * rng.normal(size=p.size))
        with np.errstate(invalid="ignore"):
            scipys.append(jensenshannon(p, q / q.sum(), base=2))
        assert 0 <= tables.divergence(p, q / q.sum()) < 1e-12
    assert np.isnan(scipys).any()  # the reason not to use it
