"""Rows stored on this machine: completely or not at all."""

import shutil
from collections import namedtuple

import numpy as np
import pytest

from embtools.occurrences.folder.stored_rows import StoredRows, cache, store


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))


def some(rows=(3, 2)):
    done = 0
    for count in rows:
        yield np.arange(done, done + count), np.ones(count, np.float32), np.full((count, 4), done, np.float16)
        done += count


def test_vectors_are_stored_once_and_mapped():
    kept = store("x", 5, 4, some())
    assert kept.occ.tolist() == [0, 1, 2, 3, 4] and kept.vectors[:, 0].tolist() == [0, 0, 0, 3, 3]
    assert isinstance(kept.vectors, np.memmap) and kept.vectors.dtype == np.float32
    assert np.array_equal(store("x", 5, 4, iter(())).vectors, kept.vectors)  # nothing is read again
    assert StoredRows.open("x", 6, 4) is None and StoredRows.open("y", 5, 4) is None


def test_a_stopped_computation_leaves_nothing():
    def stopped():
        yield next(some())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store("x", 5, 4, stopped())
    assert list(cache().iterdir()) == [] and StoredRows.open("x", 5, 4) is None


def test_a_second_process_uses_the_stored_rows():
    def slow():
        yield from some()
        store("x", 5, 4, some())

    assert store("x", 5, 4, slow()).occ.tolist() == [0, 1, 2, 3, 4]
    assert [path.name for path in cache().iterdir()] == ["x"]


def test_a_full_disk_is_an_error(monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: namedtuple("Usage", "free")(10))
    with pytest.raises(ValueError, match="there is not enough space. Set EMBTOOLS_CACHE"):
        store("x", 5, 4, some())
    assert list(cache().iterdir()) == []


def test_the_default_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("EMBTOOLS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache() == tmp_path / "embtools"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache().parts[-2:] == (".cache", "embtools")
