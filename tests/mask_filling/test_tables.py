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
    shown = [w for w, i in model.ids.items() if model.rankable[i] and w not in leave_out]
    return sorted(shown, key=lambda word: -row[model.ids[word]])


@pytest.mark.parametrize("leave_out", [(), ("king", "no such word")])
def test_the_best_of_each_column(columns, tiny, leave_out):
    found = tables.best(columns, tiny, 4, leave_out)
    assert list(found["column"]) == ["one"] * 4 + ["two"] * 4 and list(found["rank"]) == [1, 2, 3, 4] * 2
    for name, group in found.groupby("column"):
        assert list(group["token"]) == ranked(columns[name], tiny, leave_out)[:4]
        assert list(group["probability"]) == [columns[name][tiny.ids[w]] for w in group["token"]]


def test_a_word_left_out_is_gone_and_the_next_moves_up(columns, tiny):
    first, second = ranked(columns["one"], tiny)[:2]
    found = tables.best({"one": columns["one"]}, tiny, 1, [first])
    assert list(found["token"]) == [second]


def test_all_that_is_best_anywhere_the_likeliest_first(columns, tiny):
    found = tables.top_union(columns, tiny, 5)
    assert set(found["token"]) == {w for row in columns.values() for w in ranked(row, tiny)[:5]}
    assert found[["one", "two"]].max(axis=1).is_monotonic_decreasing
    for name, row in columns.items():
        assert list(found[name]) == [row[tiny.ids[w]] for w in found["token"]]


POSITIVE = arrays(np.float64, 6, elements=st.floats(0, 1)).filter(lambda a: a.sum() > 0.1).map(lambda a: a / a.sum())


@given(POSITIVE, POSITIVE)
def test_divergence_is_scipys_squared_distance(p, q):
    assert tables.divergence(p, q) == pytest.approx(jensenshannon(p, q, base=2) ** 2, abs=1e-9)
    assert tables.divergence(p, q) == pytest.approx(tables.divergence(q, p), abs=1e-12)
    assert tables.divergence(p, p) == 0
