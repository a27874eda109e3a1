"""Samples of rows of a folder, compared with all of them; on this machine and in an object store."""

import numpy as np
import pytest

from embtools.occurrences.folder import reading, sampling
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import numbered, sample, sample_of_words
from embtools.occurrences.folder.stored_rows import cache


def test_a_small_folder_is_taken_whole(folder):
    rows = folder.files.rows(0, len(folder))
    found = sample(folder, 1_000)
    assert np.array_equal(found.vectors, rows.vectors) and found.table.equals(rows.table)


@pytest.mark.parametrize("chunk", [100, 32 << 20])
def test_a_sample_is_drawn_and_stored(folder, monkeypatch, chunk):
    monkeypatch.setattr(sampling, "_CHUNK", chunk)
    reported = []
    found = sample(folder, 50, progress=reported.append)
    assert (
        isinstance(found.vectors, np.memmap) and len(found.vectors) == 50 and reported == sorted(reported) and reported
    )
    for row in range(0, 50, 7):
        place = found.table.iloc[row]
        own = folder.occurrences(place["word"])
        (here,) = np.flatnonzero(own.table["occ"] == place["occ"])
        assert np.array_equal(found.vectors[row], own.vectors[here])
    reported.clear()
    assert np.array_equal(sample(folder, 50, progress=reported.append).vectors, found.vectors) and not reported
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


@pytest.mark.parametrize("page", [reading.AT_ONCE, 7])
def test_occurrences_of_chosen_words_all_or_a_sample(folder, monkeypatch, page):
    monkeypatch.setattr(reading, "AT_ONCE", page)
    rows = folder.files.rows(0, len(folder))
    own = np.isin(rows.table["word"].astype(str), ["the", "zoo"])
    reported = []
    found = sample_of_words(folder, ["zoo", "the", "zoo"], 1_000, progress=reported.append)
    assert np.array_equal(found.vectors, rows.vectors[own]) and reported == sorted(reported)
    for name in ("occ", "word", "sentence", "norm"):
        assert found.table[name].tolist() == rows.table[name][own].tolist()
    some, other = (sample_of_words(folder, ["zoo", "the"], 20, seed=seed) for seed in (0, 1))
    places = np.searchsorted(np.flatnonzero(own), np.flatnonzero(np.isin(rows.table["occ"], some.table["occ"])))
    assert len(some.vectors) == 20 and np.array_equal(some.vectors, found.vectors[places])
    assert set(some.table["occ"]) != set(other.table["occ"]) and not cache().exists()
    third = numbered(folder, "the", np.array([2, 9]))
    assert third.table["occ"].tolist() == folder.occurrences("the").table["occ"][[2, 9]].tolist()


def test_words_that_occur_too_often_are_not_read(folder, monkeypatch):
    monkeypatch.setattr(sampling, "MOST_READ", 20)
    with pytest.raises(ValueError, match="at most 20 occurrences can be read. Leave out frequent words, such as the"):
        sample_of_words(folder, ["zoo", "the"], 5)
    assert len(sample_of_words(folder, [], 5).vectors) == 0
