"""Rows of a matrix, rows of a batch, and last states, against plain copies and whole forward passes."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies
from hypothesis import strategies as st

from embtools.models.batches import by_length, padded
from embtools.models.edited_matrix import EditedMatrix
from embtools.models.last_states import last_states, last_states_of_rows

# A matrix with other rows, compared with a plain copy in which these rows are overwritten

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


# Rows of similar length are encoded together, within the limit of a batch


@settings(max_examples=40)
@given(strategies.lists(strategies.integers(1, 30)), strategies.integers(1, 60))
def test_every_row_is_in_one_batch_that_holds_as_many_as_fit(lengths: list[int], most: int) -> None:
    batches = list(by_length(lengths, most=most))
    order = [number for batch in batches for number in batch]
    assert sorted(order) == list(range(len(lengths)))
    assert [lengths[number] for number in order] == sorted(lengths, reverse=True)
    for batch in batches:
        assert lengths[batch[0]] * len(batch) <= most or len(batch) == 1
    for batch in batches[:-1]:  # one row more would not fit
        assert lengths[batch[0]] * (len(batch) + 1) > most


@pytest.mark.parametrize(("tail", "dtype"), [((), np.int64), ((4,), np.float32)])
def test_rows_are_filled_up_with_zeros(tail: tuple[int, ...], dtype: type) -> None:
    rows = [np.ones((length, *tail), dtype) * (length + 1) for length in (3, 1, 2)]
    found = padded(rows)
    assert found.shape == (3, 3, *tail) and found.dtype == dtype
    for line, row in enumerate(rows):
        assert (found[line, : len(row)] == row).all() and not found[line, len(row) :].any()


# The last states at some positions, against those of a whole forward pass

TEXTS = "The king is red.", "A bank of the river in Rome works as the capital of Italy.", "Paris", "he is the queen"


def test_they_are_those_of_a_whole_forward_pass(model):
    frame = model.tokenize(TEXTS[0], TEXTS[3])
    inputs = np.repeat(model.matrix[frame["id"].to_numpy()][None], 2, axis=0)
    inputs[1, 3] = model.matrix[model.ids["rome"]]
    segments = frame["segment"].to_numpy()
    whole = model.encode(inputs, segments)[-1]
    np.testing.assert_allclose(last_states(inputs, model, at=[4, 0], segments=segments), whole[:, [4, 0]], atol=2e-5)
    each = last_states(inputs, model, at=[[5], [2]], segments=segments)
    np.testing.assert_allclose(each, np.stack([whole[0, [5]], whole[1, [2]]]), atol=2e-5)
    assert np.abs(whole[0, 5] - whole[1, 5]).max() > 1e-3
    if model.has_segments:
        assert np.abs(last_states(inputs, model, at=[4]) - whole[:, [4]]).max() > 1e-3


def test_tokens_after_the_end_and_their_positions_count_for_nothing(model):
    long, short = (model.hidden_states(text) for text in TEXTS[1:3])
    inputs = np.full((2, long.shape[1], model.dimensions), 3, np.float32)
    for row, text in zip(inputs, TEXTS[1:3], strict=True):
        ids = model.tokenize(text)["id"].to_numpy()
        row[: len(ids)] = model.matrix[ids]
    found = last_states(inputs, model, at=[1, 2], lengths=[long.shape[1], short.shape[1]])
    np.testing.assert_allclose(found, np.stack([long[-1, 1:3], short[-1, 1:3]]), atol=2e-5)
    assert np.abs(last_states(inputs, model, at=[1])[1] - short[-1, 1]).max() > 1e-3


def test_other_position_numbers_are_those_of_the_network(tiny):
    inputs = tiny.matrix[tiny.tokenize(TEXTS[1])["id"].to_numpy()][None]
    numbers = np.arange(inputs.shape[1])[::-1]
    found = last_states(inputs, tiny, at=[2], positions=numbers)
    np.testing.assert_allclose(found, tiny.encode(inputs, positions=numbers)[-1][:, [2]], atol=2e-5)
    assert np.abs(found - last_states(inputs, tiny, at=[2])).max() > 1e-3


@pytest.mark.parametrize("pieces", [12, 4_000])
def test_rows_of_different_lengths_have_positions_of_their_own(tiny, monkeypatch, pieces):
    monkeypatch.setattr(type(tiny), "BATCH_PIECES", pieces)
    frames = [tiny.tokenize(text, TEXTS[0]) for text in TEXTS]
    rows = [frame["id"].to_numpy() for frame in frames]
    rows[1] = tiny.matrix[rows[1]]  # word embeddings instead of ids
    segments, at = [frame["segment"].to_numpy() for frame in frames], [[1], [3, 1, 4], [], [0, 2]]
    found = {}
    for numbers, states in last_states_of_rows(rows, tiny, at=at, segments=segments):
        found |= dict(zip(numbers, states, strict=True))
    assert sorted(found) == [0, 1, 2, 3]
    for number, (text, positions) in enumerate(zip(TEXTS, at, strict=True)):
        whole = tiny.hidden_states(text, TEXTS[0])[-1]
        np.testing.assert_allclose(found[number], whole[np.array(positions, int)], atol=2e-5)
    assert list(last_states_of_rows([], tiny, at=[])) == []


@pytest.mark.parametrize("at", [[99], [-1], [[1], [5_000]]])
def test_a_position_that_does_not_exist_is_refused(tiny, at):
    inputs = np.zeros((2, 5, tiny.dimensions), np.float32)
    with pytest.raises(ValueError, match="This text has positions 0 to 4"):
        last_states(inputs, tiny, at=at)
