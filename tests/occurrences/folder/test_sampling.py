"""Some rows of a folder, beside all of them; here and in an object store."""

import numpy as np
import pytest

from embtools.occurrences.folder import sampling
from embtools.occurrences.folder.keeping import cache
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import sample


def test_a_small_folder_is_taken_whole(folder):
    rows = folder.files.rows(0, len(folder))
    found = sample(folder, 1_000)
    assert np.array_equal(found.vectors, rows.vectors) and found.table.equals(rows.table)


@pytest.mark.parametrize("chunk", [100, 32 << 20])
def test_as_many_are_drawn_and_kept(folder, monkeypatch, chunk):
    monkeypatch.setattr(sampling, "_CHUNK", chunk)
    told = []
    found = sample(folder, 50, progress=told.append)
    assert isinstance(found.vectors, np.memmap) and len(found.vectors) == 50 and told == sorted(told) and told
    for row in range(0, 50, 7):
        place = found.table.iloc[row]
        own = folder.occurrences(place["word"])
        (here,) = np.flatnonzero(own.table["occ"] == place["occ"])
        assert np.array_equal(found.vectors[row], own.vectors[here])
    told.clear()
    assert np.array_equal(sample(folder, 50, progress=told.append).vectors, found.vectors) and not told
    other = sample(folder, 50, seed=1).table["occ"]
    assert 0 < len(set(other) & set(found.table["occ"])) < 50 and len(list(cache().iterdir())) == 2


def test_a_stop_leaves_nothing(folder, monkeypatch):
    monkeypatch.setattr(sampling, "_CHUNK", 100)

    def stop(done):
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sample(folder, 50, progress=stop)
    assert list(cache().iterdir()) == []


def test_from_an_object_store_with_few_requests(store, folder, monkeypatch, tmp_path):
    uri, requests = store
    there = CorpusFolder.open(uri)
    requests()
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "other"))
    assert sample(there, 50).table.equals(sample(folder, 50).table)
    read = requests()
    assert any("GET" in request for request in read) and len(read) <= 6, read
    sample(there, 50)
    assert len(requests()) <= 2  # the words alone; the vectors are here
