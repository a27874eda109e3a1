"""Everyday sentences."""

from pathlib import Path

import pytest

from embtools.documents import is_held_out
from training.sentences import everyday

KNOWN = frozenset("bees make honey in the city of rome it is sweet and he made as sugar many flowers a".split())


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("Bees make honey.", True),
        ("Many bees, and flowers, make honey as sweet as sugar.", True),
        ("Bees make honey", False),  # a heading
        ("bees make honey.", False),  # the end of a longer sentence
        ("Make honey.", False),  # two words
        ("Bees make wax.", False),  # a word of several tokens
        ("Bees make honey in Rome.", False),  # a name
        ("Bees made honey in 1900.", False),  # a year
        ("It is sweet honey.", False),  # refers to something outside the sentence
        ("Honey he made is sweet.", False),  # about a person
        ("Bees make " + "sweet " * 12 + "honey.", False),  # long
    ],
)
def test_only_general_sentences_about_things_are_kept(sentence: str, kept: bool) -> None:
    assert everyday.is_everyday(sentence, KNOWN) is kept


def test_sentences_are_kept_by_document_and_without_held_out_documents(tmp_path: Path) -> None:
    documents = [f"Number {i}.\nBees make honey. It is sweet.\nHoney is sweet." for i in range(300)]
    file = tmp_path / "wiki.txt"
    file.write_text("\n\n".join(documents), encoding="utf-8")
    kept = [d for d in documents if not is_held_out(d.split("\n"))]
    assert 0 < len(documents) - len(kept) < 20
    assert list(everyday.rewrite([file], KNOWN)) == [["Bees make honey. Honey is sweet."]] * len(kept)
