"""Rows of a folder searched, sampled, compared and stored on this machine, against all of them."""

import re
import shutil
from collections import namedtuple

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from sklearn.feature_extraction.text import TfidfVectorizer

from embtools.occurrences.folder import reading, sampling, scan
from embtools.occurrences.folder.files import Block
from embtools.occurrences.folder.opened import nearest_by
from embtools.occurrences.folder.reading import FILES, CorpusFolder, Index
from embtools.occurrences.folder.sampling import numbered, sample, sample_of_words
from embtools.occurrences.folder.sentences import compare_sentences, seconds, sentence_means, shared_words
from embtools.occurrences.folder.stored_rows import StoredRows, cache, store
from embtools.spaces.space import AS_IS, WHITENED, Space

# The exact search, compared with a sort of all cosines


def random_rows(n=500, d=6, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


@given(k=st.integers(1, 40), block=st.integers(1, 600), hidden=st.lists(st.tuples(st.integers(0, 500), st.integers(0, 60)), max_size=3), cut=st.integers(0, 500))  # fmt: skip
def test_the_search_agrees_with_a_full_sort(k, block, hidden, cut):
    vectors, query = random_rows(), random_rows(1, seed=1)[0]
    ranges = [(begin, begin + length) for begin, length in hidden]
    exact = vectors.astype(float) @ query / np.linalg.norm(vectors.astype(float), axis=1) / np.linalg.norm(query)
    for low, high in ranges:
        exact[low:high] = -np.inf
    expected = [row for row in np.argsort(-exact, kind="stable")[:k] if exact[row] > -np.inf]
    norms = np.linalg.norm(vectors, axis=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "BLOCK", block)
        best = scan.search(vectors[:cut], norms[:cut], query, k, hidden=ranges)
        best = scan.search(vectors[cut:], norms[cut:], query, k, first=cut, hidden=ranges, best=best)
    assert best.rows.tolist() == expected and best.cosines == pytest.approx(exact[expected], abs=1e-5)


def test_ties_are_in_row_order():
    vectors = np.ones((9, 3), np.float32)
    best = scan.search(vectors, np.linalg.norm(vectors, axis=1), vectors[0], 4)
    assert best.rows.tolist() == [0, 1, 2, 3]


def test_rows_and_queries_without_length():
    vectors = np.zeros((2, 3), np.float32)
    assert scan.cosines(vectors, np.zeros(2, np.float32), np.ones(3)).tolist() == [0, 0]
    assert np.isfinite(scan.cosines(random_rows(3, 3), np.ones(3, np.float32), np.zeros(3))).all()
    assert len(scan.search(random_rows(0), np.empty(0, np.float32), np.ones(6), 3).rows) == 0


@given(numbers=st.sets(st.integers(0, 19), min_size=1), cut=st.integers(0, 20))
def test_selected_rows_are_those_of_the_whole(numbers, cut):
    vectors, wanted = random_rows(20), np.array(sorted(numbers))
    norms, occ = np.linalg.norm(vectors, axis=1), np.arange(100, 120)
    blocks = [Block(low, occ[low:high], norms[low:high], vectors[low:high]) for low, high in ((0, cut), (cut, 20))]
    found = scan.selected(blocks, wanted)
    for own, whole in zip(found, (occ, norms, vectors), strict=True):
        assert np.array_equal(own, whole[wanted])


# The search in steps, in any order, compared with the search in one step


def backwards(work, numbers):
    """An engine that begins with the last."""
    assert len(numbers) > 3
    for number in reversed(numbers):
        yield from pd.DataFrame(work(number)).to_dict("records")


@pytest.mark.parametrize("space", [AS_IS, Space(WHITENED)], ids=lambda space: space.kind)
def test_the_best_of_all_buckets_are_the_best_of_all(folder, space):
    view, query, reported = folder.in_space(space), np.arange(8.0), []
    for without in ((), [folder.span("the"), (3, 9)]):
        found = nearest_by(backwards, view, query, 12, without=without, progress=reported.append)
        known = view.nearest(query, 12, without=without, most_stored=0)
        pd.testing.assert_frame_equal(found.table, known.table)
        assert (found.rung, found.searched) == (known.rung, known.searched) == (FILES, 540)
    assert reported[-1] <= 1 and set(found.table["word"]).isdisjoint({"the"})
    assert nearest_by(backwards, view, query, 3, without=[(0, len(folder))]).table.empty


# Samples of rows of a folder, compared with all of them; on this machine and in an object store


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


# Sentences of a folder by meaning, compared with means computed directly and scikit-learn's tf-idf

SENTENCE = "The bank lent money to the man who fished."


def test_the_means_are_those_of_the_words_and_are_stored(folder, means):
    found = sentence_means(folder)
    assert found.vectors == pytest.approx(means, abs=1e-3) and found.norms == pytest.approx(
        np.linalg.norm(means, axis=1), rel=1e-4
    )
    assert len(list(cache().iterdir())) == 2
    reported = []
    assert np.array_equal(sentence_means(folder, progress=reported.append).vectors, found.vectors) and not reported


def test_shared_words_agree_with_scikit_learn(folder):
    texts = folder.sentences(range(folder.about["sentences"]))
    rows = folder.files.rows(0, len(folder)).table
    known = set(rows["word"])
    # Both sides use the words as the folder spells them.
    written = [" ".join(rows[rows["sentence"] == n]["word"]) for n in range(len(texts))]
    fitted = TfidfVectorizer(token_pattern=r"\S+", lowercase=False).fit(written)
    words = [word for word in re.findall(r"\w+", SENTENCE.lower()) if word in known]
    expected = (fitted.transform(written) @ fitted.transform([" ".join(words)]).T).toarray()[:, 0]
    found = shared_words(folder, rows["occ"].to_numpy(), np.array(words, object))
    assert found == pytest.approx(expected)
    more = shared_words(folder, rows["occ"].to_numpy(), np.array([*words, "xylophone"], object))
    assert (more[found > 0] < found[found > 0]).all() and (found > 0).any()


def test_a_sentence_with_the_same_words_is_left_out(folder, means):
    rows = folder.files.rows(0, len(folder))
    own = np.flatnonzero(rows.table["sentence"] == 7)
    assert seconds(folder) > 0
    found = compare_sentences(folder, rows.table["word"].to_numpy()[own], rows.vectors[own])
    assert seconds(folder) == 0 and 7 not in found.numbers and len(found.numbers) >= len(means) - 5
    cosines = means @ means[7] / np.linalg.norm(means, axis=1) / np.linalg.norm(means[7])
    assert found.meaning == pytest.approx(cosines[found.numbers], abs=1e-4)


# The rows of words


@given(st.dictionaries(st.text("abcé", min_size=1, max_size=3), st.integers(1, 4), min_size=1, max_size=9))
def test_every_row_has_its_word(counts):
    words = sorted(counts)
    rows = [word for word in words for _ in range(counts[word])]
    index = Index(pa.table({"word": words, "count": [counts[word] for word in words], "bucket": [0] * len(words)}))
    assert index.word_of(np.arange(len(rows))).tolist() == rows
    for word in words:
        begin, end = index.span(word)
        assert rows[begin:end] == [word] * counts[word] and rows.count(word) == end - begin
    assert index.span("d") == index.span("") == (0, 0)
    assert index.words().to_dict("list") == {"word": words, "count": [counts[word] for word in words]}


# The files of a folder: rows across buckets, and errors for files that cannot be read


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


def test_a_file_that_cannot_be_read_is_an_error(folder):
    for name in ("nothing", "nothing.parquet"):
        with pytest.raises(ValueError, match=f"The file {name} of the folder cannot be read"):
            folder.files.read(name)


# Rows stored on this machine: completely or not at all


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
