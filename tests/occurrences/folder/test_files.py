"""The files of a folder: rows across buckets, and errors for files that cannot be read."""

import numpy as np
import pytest


def test_rows_are_numbered_through_all_buckets(folder):
    assert len(folder.files.named("words/")) > 3
    whole = folder.files.rows(0, len(folder))
    blocks = list(folder.files.blocks(lambda done: None))
    assert [block.first for block in blocks] == np.cumsum([0, *(len(b.occ) for b in blocks)])[:-1].tolist()
    assert np.array_equal(np.concatenate([block.vectors for block in blocks]), whole.vectors)
    assert np.concatenate([block.occ for block in blocks]).tolist() == whole.table["occ"].tolist()
    some = folder.files.rows(95, 240)
    assert some.table["occ"].tolist() == whole.table["occ"].tolist()[95:240]
    block = blocks[2]
    rows = np.array([block.first - 1, block.first, block.first + len(block.occ)])
    assert block.numbers(rows) == {block.first: int(block.occ[0])}
    assert len(folder.files.rows(9, 9).vectors) == 0 and folder.files.rows(9, 9).vectors.shape == (0, 8)


def test_a_file_in_chunks(folder):
    whole = folder.files.read("sample.npy")
    assert b"".join(folder.files.chunks("sample.npy", 10, 999)) == whole[10:]


def test_a_file_that_cannot_be_read_is_an_error(folder):
    for name in ("nothing", "nothing.parquet"):
        with pytest.raises(ValueError, match=f"The file {name} of the folder cannot be read"):
            folder.files.read(name)
