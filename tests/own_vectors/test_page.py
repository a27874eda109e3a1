"""The Your vectors page without a browser: the example, a file, and what the copied code gives."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from embtools.own_vectors.nearest import nearest_words
from embtools.own_vectors.similarity import similar_words
from embtools.ui import state
from embtools.ui.own_vectors import source
from embtools.ui.own_vectors.panels import PANELS
from embtools.vector_files.reading import read_file, read_vectors

from .conftest import made

TABS = tuple(PANELS)
BADGE = "Not this model's"


def csv(table=None) -> bytes:
    """The table of conftest as a CSV file with two columns of labels."""
    table = table or made()
    frame = pd.DataFrame(table.matrix.astype(float)).rename(columns="d{}".format)
    frame.insert(0, "word", table.names)
    frame["kind"], frame["half"] = table.labels[0][1], (["a", "b"] * 8)[:15]
    return frame.to_csv(index=False).encode()


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def upload(at, data: bytes, name: str = "mine.csv", field: int = 0):
    if not at.test.file_uploader:  # closed since a file has been read
        at.test.session_state[state.OPEN.key] = ("own-vectors",)
        at.run()
    uploader = at.test.file_uploader[field]
    uploader.upload(name, data, "application/octet-stream").run()
    return at.run()


def own(page, tab: str = "nearest", data: bytes | None = None, **query):
    return upload(page(own_vectors_tab=tab, own_vectors_source="own", open="own-vectors", **query), data or csv())


def badges(at) -> bool:
    return any(BADGE in each.value for each in at.test.markdown)


def test_the_example_opens_every_tab_with_the_librarys_finding(page, bundled):
    expected = {
        "nearest": nearest_words("dog", bundled),
        "similarity": similar_words(source.WORDS.default.split(", "), bundled),
    }
    for tab in TABS:
        at = page(own_vectors_tab=tab)
        assert at.finding == expected[tab].headline and not at.problems and at.charts and not badges(at)
        assert at.says("Static embeddings of this model for about 300 words from the built-in lists.")


@pytest.mark.parametrize("tab", TABS)
def test_a_file_replaces_the_example_on_every_tab(page, tab, bundled):
    table = read_vectors(csv(), "mine.csv")
    at = own(page, tab)
    assert badges(at) and at.says("mine.csv: 15 words, 12 numbers each")
    assert not at.problems
    word, words = at.session_state["own_vectors_word"], at.session_state["own_vectors_words"]
    expected = {
        "nearest": lambda: nearest_words(word, bundled, table=table),
        "similarity": lambda: similar_words(words.split(", "), bundled, table=table),
    }[tab]()
    assert at.finding == expected.headline
    if tab in ("nearest", "similarity"):
        assert len(at.charts) == 2 and at.says(expected.comparison)
    at.press("own-vectors-remove")
    assert not badges(at) and at.says("Upload a file. Until then, the page uses the example.") and at.test.file_uploader
    assert at.session_state["own_vectors_word"] == "dog"


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"word,a,b\nred,1,2\nblue,x,1\ngreen,1,1\n", "mine.csv", "not a number: line 3 (blue)"),
        (b"\x80\x04pickle", "mine.npy", "An array has no words"),
        ("wörter,1,2".encode("latin-1"), "mine.txt", "Windows-1252"),
    ],
)
def test_a_bad_file_is_named_and_the_last_good_one_stays(page, data, name, message):
    at = upload(page(own_vectors_source="own", open="own-vectors"), data, name)
    assert any(message in text for text in at.problems) and not badges(at)
    assert at.says("Your file is not used yet; the reason is below the fields. Until then, the page uses the example.")
    assert at.finding.startswith("79%") or at.charts  # the example
    at = upload(at, csv())
    assert not at.problems and not at.test.file_uploader  # a chart is on the first screen
    at = upload(at, data, name)
    assert any(message in text for text in at.problems) and badges(at) and at.says("mine.csv: 15 words")
    assert not upload(at, csv(), "again.csv").problems and at.says("again.csv: 15 words")


def test_an_array_waits_for_its_names(page):
    table = made()
    at = upload(page(own_vectors_source="own", open="own-vectors"), npy(table.matrix), "mine.npy")
    assert any("Add a text file with one name per row" in text for text in at.problems)
    at = upload(at, "\n".join(table.names).encode(), "names.txt", field=1)
    assert not at.problems and at.says("mine.npy: 15 words, 12 numbers each")


def test_a_file_larger_than_its_limit_is_refused_on_the_server(page, monkeypatch):
    monkeypatch.setattr(source, "MAX_BYTES", 1_000_000)
    at = upload(page(own_vectors_source="own", open="own-vectors"), csv() + b"#" * 1_000_000)
    assert any("at most 1 MB are allowed" in text for text in at.problems)


def test_the_examples_of_neighbours_are_words_of_the_file(page):
    at = own(page, "nearest", b"word,x,y\nred,1,0\ngreen,0,1\nblue,1,1\nrome,0,2\n")
    names = [button.label for button in at.test.button if str(button.key).startswith("example-")]
    assert names == ["red", "blue", "rome"]
    assert not at.press("rome").problems and at.finding.startswith("The word nearest to “rome” is “green”")


def test_a_file_of_other_words_gets_words_of_its_own(page):
    rng = np.random.default_rng(0)
    data = "\n".join(f"w{i}," + ",".join(f"{x:.3f}" for x in rng.normal(size=4)) for i in range(9)).encode()
    at = own(page, "nearest", data)
    assert at.session_state["own_vectors_word"] == "w0" and not at.problems
    assert at.session_state["own_vectors_words"].startswith("w0, w1, ")
    assert at.says("This word is not a single token of the model")
    at.put("own_vectors_source", source.EXAMPLE)
    assert at.session_state["own_vectors_word"] == "dog" and not at.problems


def test_markup_in_a_file_is_shown_as_text(page):
    nasty = "<img src=x onerror=alert(1)> **b** [l](http://example.org)"
    rows = "\n".join([f'"{nasty}",1,2,"{nasty}"', "red,2,1,k", "blue,1,1,k", "green,0,2,k"])
    for tab in ("nearest", "similarity"):
        at = own(page, tab, f"word,a,b,kind\n{rows}\n".encode())
        for chart in at.charts:
            assert "<img" not in chart.spec
        for element in at.test.get("html"):
            assert "onerror" not in element.proto.body


@pytest.mark.parametrize("tab", TABS)
def test_the_copied_code_gives_the_numbers_shown(page, tab, bundled, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_bytes(csv())
    for at in (page(own_vectors_tab=tab), own(page, tab)):
        copied = at.copied(bundled)
        assert at.finding in copied.printed and copied.frames
        for frame in copied.frames:
            assert any(
                list(t) == list(frame) and t.reset_index(drop=True).equals(frame.reset_index(drop=True))
                for t in at.tables
            )
    assert "read_file('mine.csv')" in copied.code and "import read_file" in copied.code
    assert read_file("mine.csv") == read_vectors(csv(), "mine.csv")


def test_two_models_show_their_own_vectors(page, lend_second):
    other = {"compare": "google-bert/bert-base-uncased"}
    assert len(page(**other).charts) == 2
    at = own(page, "similarity", **other)
    assert len(at.charts) == 4 and not at.problems  # the file and a model, for each model
