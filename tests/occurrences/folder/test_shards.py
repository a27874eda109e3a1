"""Texts split into sentences and shards."""

import lzma

import pytest

from embtools.occurrences.folder.shards import (
    LONGEST,
    WORDS,
    checksum,
    sentences,
    shards,
)

TEXT = "One is here. Two is here.\nThree.\n\n\nFour is the second document's.\n"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_sentences_with_their_documents_plain_and_xz(path, tmp_path):
    packed = tmp_path / "a.txt.xz"
    packed.write_bytes(lzma.compress(TEXT.encode()))
    expected = [(0, "One is here."), (0, "Two is here."), (0, "Three."), (1, "Four is the second document's.")]
    assert list(sentences([path])) == list(sentences([packed])) == expected
    assert [document for document, _ in sentences([path, packed])] == [0, 0, 0, 1, 2, 2, 2, 3]


def test_a_long_sentence_is_cut_between_words(path):
    path.write_text("word " * 1_000, encoding="utf-8")
    found = [text for _, text in sentences([path])]
    assert len(found) > 1 and all(len(text) <= LONGEST < WORDS for text in found)
    assert " ".join(found).split() == ["word"] * 1_000


def test_shards_end_with_a_sentence_and_together_are_the_text():
    found = [(n // 3, f"a b c {n}") for n in range(10)]
    tables = list(shards(iter(found), 9))
    assert [len(table) for table in tables] == [3, 3, 3, 1]
    rows = [row for table in tables for row in table.to_pylist()]
    assert rows == [{"sentence": n, "document": d, "text": t} for n, (d, t) in enumerate(found)]
    assert list(shards(iter([]), 9)) == []


@pytest.mark.parametrize(
    "name, data", [("a.txt", b"\xff\xfe\x00"), ("a.txt.xz", b"no xz"), ("b.txt.xz", lzma.compress(b"x" * 99)[:-9])]
)
def test_a_file_that_is_no_text_is_refused(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match="cannot be read as UTF-8 text"):
        list(sentences([tmp_path / name]))


def test_a_missing_file_is_refused(tmp_path, path):
    for function in (lambda p: list(sentences([p])), checksum):
        with pytest.raises(ValueError, match="no text file"):
            function(tmp_path / "nothing.txt")
    assert len(checksum(path)) == 64
