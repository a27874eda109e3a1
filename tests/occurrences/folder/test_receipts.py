"""Receipts of finished files."""

import numpy as np
import pyarrow as pa
import pytest

from embtools.occurrences.folder.encoder import occurrence_table, vectors_of
from embtools.occurrences.folder.location import Written
from embtools.occurrences.folder.receipts import Receipt
from embtools.occurrences.folder.sums import Sums


def table(occ):
    vectors = np.arange(2 * len(occ), dtype=np.float16).reshape(-1, 2) + 1
    words = ["bank" if o % 2 else "élan" for o in occ]
    return occurrence_table(occ, words, [1] * len(occ), [1] * len(occ), vectors, {"pieces": 9, "cut": 1, "left_out": 2})


@pytest.mark.parametrize("occ", [[1, 2, 3], []])
def test_what_is_saved_is_loaded(occ):
    rows = table(occ)
    receipt = Receipt.of(rows, Written(10, "sum"), Sums.of(vectors_of(rows)))
    again = Receipt.load(receipt.saved())
    assert again.counts == ({"bank": 2, "élan": 1} if occ else {}) and again.written == Written(10, "sum")
    assert (again.rows, again.dimensions, again.pieces, again.cut, again.left_out) == (len(occ), 2, 9, 1, 2)
    assert again.sums and again.sums.total == pytest.approx(vectors_of(rows).astype(float).sum(0))
    assert Receipt.load(Receipt.of(rows, Written(1, "x")).saved()).sums is None


def test_the_hash_depends_only_on_the_set():
    def hashed(*tables):
        return sum(Receipt.of(t, Written(0, "")).hashed for t in tables) % 2**64

    assert hashed(table([1, 2]), table([3])) == hashed(table([3, 1, 2]))
    assert hashed(table([1, 2])) != hashed(table([1, 3])) and hashed(table([1, 2])) != hashed(
        pa.concat_tables([table([1, 2])] * 2)
    )
