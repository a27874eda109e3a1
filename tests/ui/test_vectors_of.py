"""The field *Vectors of* without a browser, on Bias › Association tests: a file, both, links, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from embtools.bias.association import weat
from embtools.bias.two_models import associations
from embtools.ui import state, vectors_of
from embtools.ui.vectors_of import FILE_OF_LINK, described, named
from embtools.vector_files.reading import read_file, read_vectors
from tests.named_vectors import csv, made, npy

WORDS = {"x": "red, green", "y": "king, queen", "a": "rome, paris", "b": "woman, she"}
LISTS = {f"bias_{key}": value for key, value in WORDS.items()}
BADGE = "Not this model’s"


def upload(at, data: bytes, name: str = "mine.csv", field: int = 0):
    if not at.test.file_uploader:  # closed since a file has been read
        at.test.session_state[state.OPEN.key] = ("vectors-file",)
        at.run()
    at.test.file_uploader[field].upload(name, data, "application/octet-stream").run()
    return at.run()


@pytest.fixture
def opened(visit):
    return lambda of="file", **query: visit("bias", bias_tab="association", bias_of=of, open="vectors-file", **query)


def badges(at) -> bool:
    return any(BADGE in each.value for each in at.test.markdown)


def test_a_file_takes_the_place_of_the_model(opened):
    at = opened(**LISTS | {"bias_b": "woman, she, zzz"})
    assert not badges(at) and at.says("Upload a file. Until then,")
    at = upload(at, csv())
    found = weat(*(value.split(", ") for value in WORDS.values()), read_vectors(csv(), "mine.csv"))
    assert badges(at) and at.says("mine.csv: 15 words, 12 numbers each, 2 labels (kind and half)")
    assert at.finding == found.headline and at.says("Left out because the vectors do not have them: zzz.")
    assert at.metrics["Effect size d"] == f"{found.effect:.2f}".replace("-", "−") and not at.problems
    at.press("vectors-remove")
    assert not badges(at) and at.says("Upload a file. Until then") and at.test.file_uploader


def test_both_are_shown_next_to_each_other(opened, bundled):
    at = upload(opened("both", **LISTS), csv())
    assert not at.problems and at.metrics and len(at.charts) >= 2
    assert [each.value.replace("\\", "") for each in at.test.subheader][:2] == ["Pocket BERT", "mine.csv"]
    found = [
        weat(*(value.split(", ") for value in WORDS.values()), of) for of in (bundled, read_vectors(csv(), "mine.csv"))
    ]
    assert at.says(associations(*found, ("Pocket BERT", "mine.csv")))


def test_a_file_without_the_words_of_the_published_test_asks_for_its_own_words(opened):
    at = upload(opened(), csv())
    assert not at.problems and not at.charts and not at.header
    assert at.says(
        "Your file does not have the words of this test. Open “Words” and write at least two words of your file into"
        " each of the four fields, for example some of these: red, green, blue, white, black, rome, paris, italy."
    )
    at = upload(opened(bias_x="red, typed"), csv())
    assert len(at.problems) == 1 and "Only 1 of the 2 words of set X can be used" in at.problems[0]


def test_a_link_names_its_file_and_asks_for_it(opened, visit):
    at = upload(opened(**LISTS), csv())
    link = described(read_vectors(csv(), "mine.csv"))
    assert at.session_state[FILE_OF_LINK.key] == link == at.test.query_params["vectors_file"]
    other = visit("bias", bias_tab="association", bias_of="file", vectors_file=link, **LISTS)
    assert other.says(f"This link was made with the file {named(link)}. Upload it to see the same numbers.")
    assert not other.problems and other.charts
    wrong = upload(opened(vectors_file="mine.csv 00000000", **LISTS), csv())
    assert wrong.says("mine.csv: 15 words") and wrong.session_state[FILE_OF_LINK.key] == link
    note = f"The link was made with another file, {named('mine.csv 00000000')}, so numbers may differ."
    assert wrong.says(note) and not at.says("another file") and not upload(other, csv()).says("another file")
    assert not upload(wrong, csv(), "again.csv").says("another file")  # the visitor's own choice


def test_markup_in_the_name_of_a_link_is_shown_as_text(opened):
    at = opened(vectors_file="<img src=x onerror=alert(1)> **b** 12345678")
    assert at.says("This link was made with the file “<img src=x onerror=alert(1)> **b**” (checksum 12345678).")


def test_a_bad_file_is_named_and_the_last_good_one_stays(opened):
    data, message = b"word,a,b\nred,1,2\nblue,x,1\ngreen,1,1\n", "not a number: line 3 (blue)"
    at = upload(opened(**LISTS), data)
    assert any(message in text for text in at.problems) and not badges(at)
    assert at.says("Your file is not used yet; the reason is below")
    assert at.charts  # the model's
    at = upload(at, csv())
    assert not at.problems and not at.test.file_uploader  # a chart is on the first screen
    at = upload(at, data)
    assert any(message in text for text in at.problems) and badges(at) and at.says("mine.csv: 15 words")
    assert not upload(at, csv(), "again.csv").problems and at.says("again.csv: 15 words")


def test_an_array_waits_for_its_names(opened):
    table = made()
    at = upload(opened(**LISTS), npy(table.matrix), "mine.npy")
    assert any("Add a text file with one name per row" in text for text in at.problems)
    at = upload(at, "\n".join(table.names).encode(), "names.txt", field=1)
    assert not at.problems and at.says("mine.npy: 15 words, 12 numbers each")


def test_a_file_larger_than_its_limit_is_refused_on_the_server(opened, monkeypatch):
    monkeypatch.setattr(vectors_of, "MAX_BYTES", 1_000_000)
    at = upload(opened(), csv() + b"#" * 1_000_000)
    assert any("has more than 1 MB" in text for text in at.problems)


def test_the_copied_code_reads_the_file(opened, bundled, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_bytes(csv())
    for of in ("file", "both"):
        copied = upload(opened(of, **LISTS), csv()).copied(bundled)
        assert "vectors = read_file('mine.csv')" in copied.code and "import read_file" in copied.code
        file = weat(*(value.split(", ") for value in WORDS.values()), read_file("mine.csv"))
        assert file.headline in copied.sentences
    np.testing.assert_array_equal(read_file("mine.csv").matrix, read_vectors(csv(), "mine.csv").matrix)
