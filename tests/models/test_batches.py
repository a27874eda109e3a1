"""Rows of similar length are encoded together, within the limit of a batch."""

import numpy as np
import pytest
from hypothesis import given, strategies

from embtools.models.batches import by_length, padded


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


@pytest.mark.parametrize("tail", [(), (4,)])
@pytest.mark.parametrize("dtype", [np.int64, np.float32])
def test_rows_are_filled_up_with_zeros(tail: tuple[int, ...], dtype: type) -> None:
    rows = [np.ones((length, *tail), dtype) * (length + 1) for length in (3, 1, 2)]
    found = padded(rows)
    assert found.shape == (3, 3, *tail) and found.dtype == dtype
    for line, row in enumerate(rows):
        assert (found[line, : len(row)] == row).all() and not found[line, len(row) :].any()
