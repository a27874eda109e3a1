"""The Your vectors page without a browser: the example, a file, and what the copied code gives."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from embtools.own_vectors.isotropy import measure_isotropy
from embtools.own_vectors.word_map import own_map
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


def own(page, tab: str = "map", data: bytes | None = None, **query):
    return upload(page(own_vectors_tab=tab, own_vectors_source="own", open="own-vectors", **query), data or csv())


def badges(at) -> bool:
    return any(BADGE in each.value for each in at.test.markdown)


def test_the_example_opens_every_tab_with_the_librarys_finding(page, bundled):
    expected = {
        "map": own_map(bundled),
        "isotropy": measure_isotropy(bundled),
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
    expected = {
        "map": lambda: own_map(bundled, table=table),
        "isotropy": lambda: measure_isotropy(bundled, table=table),
    }[tab]()
    assert at.finding == expected.headline
    at.press("own-vectors-remove")
    assert not badges(at) and at.says("Upload a file. Until then, the page uses the example.") and at.test.file_uploader


def test_the_caption_of_the_map_says_what_the_headline_is_about(page):
    about = "The headline compares the full vectors, not the positions on this map."
    assert page(own_vectors_tab="map").says(about)
    assert not own(page, data=b"word,a,b\nred,1,2\nblue,2,1\ngreen,3,3\n").says(about)


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


def test_vectors_of_many_dimensions_are_measured_after_a_button(page):
    rows = np.random.default_rng(0).normal(size=(30, 1_600))
    data = "\n".join(f"w{i}," + ",".join(f"{x:.2f}" for x in row) for i, row in enumerate(rows)).encode()
    at = own(page, "isotropy", data)
    assert not at.charts and any(button.label == "Measure the isotropy" for button in at.test.button)


def test_a_map_that_takes_long_is_drawn_after_a_button(page, monkeypatch):
    monkeypatch.setattr("embtools.own_vectors.word_map.MAX_POINTS", 3_000)
    rows = np.random.default_rng(0).normal(size=(1_500, 2))
    data = "\n".join(f"w{i},{x:.2f},{y:.2f}" for i, (x, y) in enumerate(rows)).encode()
    at = own(page, "map", data, own_vectors_method="tsne")
    assert not at.charts and at.says("About 5 seconds") and not at.problems
    assert any(button.label == "Draw the map" for button in at.test.button)
    assert at.put("own_vectors_method", "PCA").charts  # quick


def test_labels_colour_the_map(page):
    at = own(page)
    assert set(at.table("group")["group"]) == {"colours", "places", "people"}
    at.put("own_vectors_label", "half")
    assert set(at.table("group")["group"]) == {"a", "b"} and at.says("colour and shape show its label")
    plain = own(page, "map", b"word,x,y\nred,1,0\ngreen,0,1\nblue,1,1\nrome,0,2\n")
    assert plain.says("Each point is a word. ") and not plain.says("show its label")


def test_the_page_says_which_columns_are_labels(page):
    table = made()
    years = [str(1990 + i % 3) for i in range(15)]
    lines = csv().decode().splitlines()
    data = "\n".join(f"{line},{year}" for line, year in zip(lines, ["label year", *years], strict=True))
    at = own(page, data=data.encode())
    assert at.says("mine.csv: 15 words, 12 numbers each, 3 labels (kind, half and label year)")
    at.put("own_vectors_label", "label year")
    assert set(at.table("group")["group"]) == set(years) and not at.problems
    at = own(page, data=data.replace("label year", "year").encode())
    assert at.says("mine.csv: 15 words, 12 numbers each, 3 labels (kind, half and year)")
    assert at.says("The column 'year' is a label, because the numbers are counts or far larger than the others.")
    vectors = [",".join([word, *map(str, row)]) for word, row in zip(table.names, table.matrix, strict=True)]
    at = own(page, data="\n".join(vectors).encode())
    assert "mine.csv: 15 words, 12 numbers each" in at.texts


def test_markup_in_a_file_is_shown_as_text(page):
    nasty = "<img src=x onerror=alert(1)> **b** [l](http://example.org)"
    rows = "\n".join([f'"{nasty}",1,2,"{nasty}"', "red,2,1,k", "blue,1,1,k", "green,0,2,k"])
    for tab in TABS:
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


def test_two_models_show_their_own_vectors_and_a_map_of_a_file_once(page, lend_second):
    other = {"compare": "google-bert/bert-base-uncased"}
    assert len(page(**other).charts) == 2
    at = own(page, "map", **other)
    assert len(at.charts) == 1 and badges(at) and not at.problems and at.says("so they are shown once")
