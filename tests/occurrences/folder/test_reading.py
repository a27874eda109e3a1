"""An open folder, compared with its contents: on this machine, in two processes, and in an object store."""

import gc
import json
import os
import re
import shutil
import subprocess
import sys
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from embtools import memory
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.files import Files
from embtools.occurrences.folder.reading import FILES, STORED, CorpusFolder
from embtools.occurrences.folder.sampling import sample
from embtools.occurrences.folder.shards import WORDS, sentences
from embtools.occurrences.folder.stored_rows import cache
from embtools.spaces.fitting import fit
from embtools.spaces.space import BY_CLUSTER, KINDS, TOP, Space
from tests.occurrences.folder.fake import Fake, vector

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def expected(text):
    """Every occurrence in the order of the text: word, sentence, occ, vector."""
    found = []
    for number, (_, sentence) in enumerate(sentences([text])):
        for place, word in enumerate(re.findall(r"\w+", sentence.lower())):
            found.append((word, number, number * WORDS + place, vector(word, sentence).astype(np.float16)))
    return pd.DataFrame(found, columns=["word", "sentence", "occ", "vector"]).sort_values(
        ["word", "occ"], ignore_index=True
    )


def test_words_and_their_occurrences(folder, expected):
    counts = expected["word"].value_counts().sort_index()
    assert folder.words().set_index("word")["count"].to_dict() == counts.to_dict() and len(folder) == len(expected)
    for word in ("the", "zoo", "élan", "2", "of"):
        own = expected[expected["word"] == word]
        rows = folder.occurrences(word)
        assert rows.table["occ"].tolist() == own["occ"].tolist() and set(rows.table["word"]) == {word}
        assert np.array_equal(rows.vectors, np.stack(own["vector"].tolist()).astype(np.float32))
        assert folder.count(word) == len(own) and folder.span(word) == (own.index[0], own.index[-1] + 1)
    page = folder.occurrences("the", 50, 30)  # across the end of a bucket
    assert page.table["occ"].tolist() == expected[expected["word"] == "the"]["occ"].tolist()[50:80]
    assert folder.count("nothing") == 0 and len(folder.occurrences("nothing").vectors) == 0
    assert len(folder.occurrences("the", 500).vectors) == 0 and repr(folder).startswith("<CorpusFolder: 540")


def test_the_sentences_are_the_texts(folder, text):
    all_of_them = [sentence for _, sentence in sentences([text])]
    assert folder.sentences([59, 0, 30, 0]) == [all_of_them[n] for n in (59, 0, 30, 0)]


def test_a_fitted_space_holds_no_folder_and_does_not_count_its_index(whole):
    """Of two folders that are opened, closed and opened again, only what was fitted stays."""
    memory.forget()
    opened = CorpusFolder.open(str(whole))
    first = replace(opened, space=Space(TOP, 1)).fitted
    assert first.nbytes <= memory.used() < first.nbytes + 1_500 < first.nbytes + opened.index.table.nbytes
    gone = weakref.ref(opened.index)
    del opened
    gc.collect()
    assert gone() is None
    again = replace(CorpusFolder.open(str(whole)), space=Space(TOP, 1))
    assert again.fitted is first and replace(again, space=Space(TOP, 2)).fitted is not first


@pytest.mark.parametrize("most", [64, 3])
def test_many_files_of_sentences_are_read_one_at_a_time(folder, text, monkeypatch, most):
    """Seven files; those of a query of more than three do not push other results out of the common cache."""
    monkeypatch.setattr(reading, "MOST_FILES", most)
    memory.forget()
    before, read, alive = Files.sentences, [], []

    def watched(self, shard, **how):
        alive.append(sum(each() is not None for each in read))
        found = before(self, shard, **how)
        read.append(weakref.ref(found))
        return found

    monkeypatch.setattr(Files, "sentences", watched)
    all_of_them = [sentence for _, sentence in sentences([text])]
    numbers = np.random.default_rng(0).permutation(60).tolist() * 2
    assert folder.sentences(numbers) == [all_of_them[n] for n in numbers] and len(read) == 7
    assert alive == ([0] * 7 if most == 3 else [*range(7)]) and bool(memory.used()) == (most == 64)
    assert folder.sentences([]) == []


@pytest.mark.parametrize("most, rung", [(1_000, STORED), (100, FILES)])
def test_the_nearest_of_all_are_exact_in_memory_and_from_files(folder, expected, most, rung):
    vectors = np.stack(expected["vector"].tolist()).astype(float)
    query = vectors[100]
    exact = vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)
    reported = []
    found = folder.nearest(query, 12, most_stored=most, progress=reported.append)
    order = np.argsort(-exact, kind="stable")[:12]
    assert found.rung == rung and found.searched == 540 and reported == sorted(reported) and reported
    assert found.table["cosine"].to_numpy() == pytest.approx(exact[order], abs=1e-5)
    for name in ("occ", "word", "sentence"):
        assert found.table[name].tolist() == expected[name].iloc[found.table["row"]].tolist()
    begin, end = folder.span("the")
    other = folder.nearest(query, 12, without=[(begin, end), (100, 101)], most_stored=most)
    kept = [row for row in np.argsort(-exact, kind="stable") if not begin <= row < end and row != 100]
    assert other.table["row"].tolist() == kept[:12]
    assert folder.is_stored() == (rung == STORED) == cache().exists()


def cut(folder, name, size=-10):
    (folder / name).write_bytes((folder / name).read_bytes()[:size])


@pytest.mark.parametrize(
    "spoil, said",
    [
        (lambda f: (f / "corpus.json").unlink(), "has no corpus.json"),
        (lambda f: cut(f, "corpus.json"), "cannot be read"),
        (
            lambda f: cut(f, "words/bucket-000001.parquet"),
            r"is incomplete: 1 of \d+ files are missing or damaged, for example words/bucket-000001",
        ),
        (lambda f: shutil.rmtree(f / "words"), "is incomplete"),
        (lambda f: cut(f, "words.parquet"), "words.parquet of the folder cannot be read"),
        (
            lambda f: shutil.copy(f / "sample.parquet", f / "words.parquet"),
            "cannot be read|words.parquet of the folder .* has changed",
        ),
    ],
)
def test_an_incomplete_folder_is_an_error(damaged, spoil, said):
    spoil(damaged)
    with pytest.raises(ValueError, match=said):
        CorpusFolder.open(str(damaged))


def test_a_folder_of_another_version_is_refused(damaged):
    about = json.loads((damaged / "corpus.json").read_bytes())
    about["fingerprint"]["schema"] = 2
    (damaged / "corpus.json").write_text(json.dumps(about))
    with pytest.raises(ValueError, match="another version"):
        CorpusFolder.open(str(damaged))


def test_a_file_that_is_damaged_later_is_an_error(damaged):
    folder = CorpusFolder.open(str(damaged))
    (damaged / "sentences/part-000000.csv").unlink()
    size = (damaged / "words/bucket-000000.parquet").stat().st_size
    (damaged / "words/bucket-000000.parquet").write_bytes(bytes(size))
    for ask in (
        lambda: folder.sentences([0]),
        lambda: folder.occurrences("2"),
        lambda: folder.nearest(np.ones(8), 3, most_stored=0),
    ):
        with pytest.raises(ValueError, match="cannot be read. Check the folder with python -m embtools.corpus verify"):
            ask()


@pytest.mark.slow
def test_two_processes_share_a_folder_that_neither_can_write_to(damaged, tmp_path):
    for path in [damaged, *damaged.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    program = (
        "from embtools.occurrences.folder.reading import CorpusFolder;"
        f"folder = CorpusFolder.open({str(damaged)!r}); rows = folder.occurrences('the');"
        "found = folder.nearest(rows.vectors[3], 9).table[['word', 'sentence', 'cosine']].round(4);"
        "print(found.to_csv(), folder.sentences([4]))"
    )
    place = os.environ | {"EMBTOOLS_CACHE": str(tmp_path / "cache")}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", program], cwd=ROOT, env=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    (one, said), (other, also_said) = (process.communicate(timeout=60) for process in both)
    assert (said, also_said) == (b"", b"")
    assert one == other and one.count(b"\n") > 9
    assert len(list((tmp_path / "cache").iterdir())) == 1


@pytest.mark.slow
def test_from_an_object_store_with_few_requests(store, frequent, monkeypatch, tmp_path):
    uri, requests = store
    uri, here = uri.replace("/whole", "/frequent"), CorpusFolder.open(str(frequent))
    requests()
    folder = CorpusFolder.open(uri)
    opened = requests()
    rows = folder.occurrences("the")
    read = requests()
    some = list(range(5, 4_096, 450))
    assert folder.sentences(some) == here.sentences(some)
    shown = requests()
    assert len(rows.table) == 8_192 and rows.table.equals(here.occurrences("the").table)
    assert len(some) == 10 and len(here.files.named("sentences/")) > 8
    assert any("GET" in request for request in opened) and len(opened) <= 4, opened
    assert any("GET" in request for request in read) and len(read) <= 8, read
    assert 0 < len(shown) <= len(some), shown
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
    for most in (0, 100_000):
        near = folder.nearest(rows.vectors[5], 3, most_stored=most).table
        assert near["word"][0] == "the" and near["sentence"][0] == rows.table["sentence"][5]
    assert folder.sums().n == len(here)


def test_encoding_resumes_in_an_object_store(store, text):
    from embtools.occurrences.folder.checking import status, verify
    from embtools.occurrences.folder.writing import encode_texts

    uri = store[0]
    assert status(uri).startswith("Finished") and not verify(uri).problems
    with pytest.raises(ValueError, match=r"s3://corpora/whole contains another corpus \(different: shard\)"):
        encode_texts([text], uri, Fake(), shard=81)
    with pytest.raises(ValueError, match="has no corpus.json"):
        CorpusFolder.open(uri.replace("/whole", "/nothing"))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != BY_CLUSTER])
def test_a_folder_in_a_space_agrees_with_processing_all_rows(folder, expected, kind):
    raw = np.stack(expected["vector"].tolist()).astype(float)
    space = Space(kind, components=2)
    vectors = fit(raw, space).apply(raw)
    view = folder.in_space(space)
    for most, rung in ((1_000, STORED), (100, FILES)):
        blocks = list(view.blocks(most))
        assert np.concatenate([b.vectors for b in blocks]) == pytest.approx(vectors, abs=1e-4)
        assert np.concatenate([b.norms for b in blocks]) == pytest.approx(np.linalg.norm(vectors, axis=1), abs=1e-4)
        exact = vectors @ vectors[100] / np.linalg.norm(vectors, axis=1) / np.linalg.norm(vectors[100])
        found = view.nearest(view.fitted.apply(raw[100]), 12, most_stored=most)
        assert found.rung == rung and found.table["cosine"].to_numpy() == pytest.approx(
            np.sort(exact)[::-1][:12], abs=1e-4
        )
        assert exact[found.table["row"]] == pytest.approx(found.table["cosine"].to_numpy(), abs=1e-4)
    own = expected["word"] == "the"
    assert view.occurrences("the").vectors == pytest.approx(vectors[own], abs=1e-4)
    assert view.occurrences("the").table["norm"].to_numpy() == pytest.approx(
        np.linalg.norm(vectors[own], axis=1), abs=1e-4
    )
    assert np.concatenate([b.vectors for b in view.blocks_of("the")]) == pytest.approx(vectors[own], abs=1e-4)
    drawn = sample(view, 50)
    assert drawn.vectors == pytest.approx(fit(raw, space).apply(sample(folder, 50).vectors.astype(float)), abs=1e-4)
    assert view.stored().vectors == pytest.approx(raw, abs=1e-3)  # stored as they are, once for all spaces


def test_a_space_is_another_view_of_the_same_folder(folder):
    view = folder.in_space(Space(TOP, 5))
    assert view != folder and hash(view) != hash(folder) and view == folder.in_space(Space(TOP, 5))
    assert view.in_space(Space()) == folder and folder.in_space(Space()) is folder
    assert view.files is folder.files and view.index is folder.index and "all-but-the-top (k = 5)" in repr(view)
    with pytest.raises(ValueError, match="clusters|cluster"):
        folder.in_space(Space(BY_CLUSTER)).occurrences("the")
