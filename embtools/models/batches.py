"""Batches of rows of different lengths: which rows are encoded together, and how they become one array."""

from collections.abc import Iterator, Sequence

import numpy as np

from embtools.vectors import Array


def by_length(lengths: Sequence[int], *, most: int) -> Iterator[list[int]]:
    """Yield the numbers of the rows of each batch of at most `most` tokens with padding (or of one longer row), the
    longest rows first, so that little is padded.

    >>> list(by_length([2, 9, 3, 1], most=6))
    [[1], [2, 0], [3]]
    """
    order = sorted(range(len(lengths)), key=lambda number: -lengths[number])
    while order:
        size = max(1, most // lengths[order[0]])
        batch, order = order[:size], order[size:]
        yield batch


def padded(rows: Sequence[Array]) -> Array:
    """Return rows (t,) or (t, d) of different lengths as one array (b, t) or (b, t, d), filled up with zeros.

    >>> padded([np.array([1, 2]), np.array([3])])
    array([[1, 2],
           [3, 0]])
    """
    longest = max(len(row) for row in rows)
    result = np.zeros((len(rows), longest, *rows[0].shape[1:]), rows[0].dtype)
    for line, row in enumerate(rows):
        result[line, : len(row)] = row
    return result
