"""Training text: sentences, held-out documents, and stored tokens."""

from pathlib import Path

import numpy as np
import pytest

from embtools.documents import is_held_out, read_documents
from tests.training.recipe import WORDS, write_text
from training.sources import source
from training.text import load_text, split_sentences, tokenise


def test_sentences_are_split_at_their_ends_and_not_at_abbreviations() -> None:
    assert split_sentences("Mr. Smith met J. Doe in the U.S. in 1990. It rained! Was it cold? “Yes.” He left.") == [
        "Mr. Smith met J. Doe in the U.S. in 1990.",
        "It rained!",
        "Was it cold?",
        "“Yes.”",
        "He left.",
    ]
    assert split_sentences("  ") == []


def test_held_out_documents_are_never_used_for_training(tmp_path: Path) -> None:
    file = write_text(tmp_path / "many.txt", documents=2000)
    documents = list(read_documents(file))
    held = [d for d in documents if is_held_out(d)]

    def encode(sentences: list[str]) -> list[list[int]]:
        return [[WORDS.index(w) for w in s.lower().rstrip(".").split()] for s in sentences]

    train = load_text(file, encode, "words", tmp_path / "cache", held_out=False, report=lambda _: None)
    test = load_text(file, encode, "words", tmp_path / "cache", held_out=True, report=lambda _: None)
    assert len(train.documents) - 1 == 2000 - len(held)
    assert len(test.documents) - 1 == len(held)
    expected = encode([s for p in held[0] for s in split_sentences(p)])
    assert [list(test.sentence(i)) for i in range(len(expected))] == expected


def test_a_text_is_tokenised_once(text_file: Path, tmp_path: Path) -> None:
    calls: list[int] = []

    def encode(sentences: list[str]) -> list[list[int]]:
        calls.append(len(sentences))
        return [[1, 2, 3]] * len(sentences)

    first = load_text(text_file, encode, "three", tmp_path, held_out=False, report=lambda _: None)
    count = len(calls)
    again = load_text(text_file, encode, "three", tmp_path, held_out=False, report=lambda _: None)
    assert len(calls) == count > 0
    np.testing.assert_array_equal(first.pieces, again.pieces)
    load_text(text_file, encode, "another tokenizer", tmp_path, held_out=False, report=lambda _: None)
    assert len(calls) == 2 * count
    assert not list(tmp_path.glob("*.partial"))


def test_the_error_for_an_unusable_text_names_the_reason(tmp_path: Path) -> None:
    def encode(sentences: list[str]) -> list[list[int]]:
        return [[1]] * len(sentences)

    with pytest.raises(ValueError, match=r"no text file .*none\.txt"):
        load_text(tmp_path / "none.txt", encode, "one", tmp_path, held_out=False)
    empty = tmp_path / "empty.txt"
    empty.write_text("\n\n")
    with pytest.raises(ValueError, match="contains no text"):
        load_text(empty, encode, "one", tmp_path, held_out=False)
    with pytest.raises(ValueError, match="too small"):
        source(tokenise([["One. Two."]], encode, "tiny"), 1.0)
