"""A matrix with other rows, compared with a plain copy in which these rows are overwritten."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.models.edited_matrix import EditedMatrix

NUMBER = st.integers(0, 8)
SELECTIONS = st.one_of(
    st.integers(-9, 8),
    st.lists(st.integers(-9, 8), max_size=6),
    st.builds(slice, st.none() | NUMBER, st.none() | NUMBER, st.none() | st.integers(1, 3)),
    st.lists(st.booleans(), min_size=9, max_size=9).map(lambda flags: np.array(flags)),
    st.lists(NUMBER, min_size=4, max_size=4).map(lambda numbers: np.array(numbers).reshape(2, 2)),
)
COLUMNS = st.one_of(st.just(()), st.integers(0, 3).map(lambda n: (n,)), st.just((slice(1, 3),)))


def both(ids):
    rng = np.random.default_rng(0)
    original = rng.normal(size=(9, 4)).astype(np.float32)
    original.flags.writeable = False
    rows = {i: rng.normal(size=4).astype(np.float32) for i in ids}
    plain = original.copy()
    for i, row in rows.items():
        plain[i] = row
    return original, EditedMatrix(original, rows), plain


@given(st.sets(NUMBER, min_size=1, max_size=4), SELECTIONS, COLUMNS)
def test_selected_rows_are_those_of_a_copy(ids, first, rest):
    original, edited, plain = both(sorted(ids))
    before = original.copy()
    index = (first, *rest) if rest else first
    np.testing.assert_array_equal(edited[index], plain[index])
    assert edited[index].dtype == plain.dtype
    np.testing.assert_array_equal(original, before)


@given(st.sets(NUMBER, min_size=1, max_size=4), st.integers(1, 3))
def test_products_are_those_of_a_copy(ids, n):
    _, edited, plain = both(sorted(ids))
    left, right = (np.random.default_rng(1).normal(size=(k, n)).astype(np.float32) for k in (9, 4))
    for own, expected in (
        (edited @ right, plain @ right),
        (edited @ right[:, 0], plain @ right[:, 0]),
        (right.T @ edited.T, right.T @ plain.T),
        (right[:, 0] @ edited.T, right[:, 0] @ plain.T),
        (left.T @ edited, left.T @ plain),
        (edited @ edited.T, plain @ plain.T),
        (edited.T @ left, plain.T @ left),
    ):
        assert isinstance(own, np.ndarray) and own.dtype == expected.dtype
        np.testing.assert_allclose(own, expected, rtol=1e-5, atol=1e-6)


def test_everything_else_is_that_of_a_copy():
    _, edited, plain = both([2, 5])
    assert (edited.shape, edited.ndim, edited.size, len(edited)) == (plain.shape, 2, 36, 9)
    for own, expected in (
        (edited * 2, plain * 2),
        (edited - plain, 0 * plain),
        (np.linalg.norm(edited, axis=1), np.linalg.norm(plain, axis=1)),
        (edited.mean(0), plain.mean(0)),
        (edited.astype(np.float64), plain.astype(np.float64)),
        (edited[..., 1], plain[..., 1]),
        (edited[[1, 2], [0, 3]], plain[[1, 2], [0, 3]]),
        (np.array(list(edited)), plain),
        (edited.T.T, plain),
        (edited.T[1], plain.T[1]),
        (np.stack([edited, edited]), np.stack([plain, plain])),
        (np.exp(edited.T), np.exp(plain.T)),
    ):
        np.testing.assert_array_equal(own, expected)
    with pytest.raises(AttributeError):
        _ = edited.nothing
    with pytest.raises(IndexError):
        edited[9]


def test_it_takes_only_the_memory_of_its_rows_and_cannot_be_written():
    original, edited, _ = both([2])
    assert edited.nbytes == 4 * 4 + 9 * 4
    assert np.shares_memory(edited[0], original) and not edited[0].flags.writeable and not edited[2].flags.writeable
    with pytest.raises(TypeError):
        edited[0] = 1
    with pytest.raises(ValueError, match="only available as a copy"):
        np.array(edited, copy=False)
