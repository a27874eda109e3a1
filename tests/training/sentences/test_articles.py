"""First paragraphs of articles about known words."""

from pathlib import Path

import pytest

from embtools.documents import is_held_out
from training.sentences import articles


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Snow is a form of ice.", "snow"),
        ("The oboe (pronounced OH-boh) is a woodwind instrument.", "oboe"),
        ("Lodging or holiday accommodation is a place to sleep.", "lodging"),
        ("An ox, or a bullock, is a large animal.", "ox"),
        ("Dogs are mammals.", "dogs"),
        ("To dig means to make a hole.", "dig"),
        ("New York is a city.", None),
        ("There are many cats.", None),
        ("He was a king.", None),
        ("She was a queen.", None),
        ("These are lists.", None),
        ("Core is the first album of a band, released in 1992.", None),
        ("Fish swim.", None),
        ("", None),
    ],
)
def test_an_article_is_about_the_word_that_its_first_sentence_defines(sentence: str, word: str | None) -> None:
    assert articles.subject(sentence) == word


def test_the_opening_of_an_article_keeps_its_paragraphs_and_ends_after_twenty_sentences(tmp_path: Path) -> None:
    paragraphs = [
        "A cat is a pet. It purrs. It sleeps.",
        *(f"Cat number {i} sleeps. So does its kitten." for i in range(30)),
    ]
    file = tmp_path / "wiki.txt"
    file.write_text("\n".join(paragraphs), encoding="utf-8")
    (kept,) = articles.rewrite([file], {"cat"})
    assert kept == [*paragraphs[:9], "Cat number 8 sleeps."]
    assert list(articles.rewrite([file], {"dog"})) == []


def test_held_out_articles_are_left_out(tmp_path: Path) -> None:
    documents = [f"A cat is pet number {i}.\nIt purrs." for i in range(400)]
    file = tmp_path / "wiki.txt"
    file.write_text("\n\n".join(documents), encoding="utf-8")
    kept = [d.split("\n") for d in documents if not is_held_out(d.split("\n"))]
    assert 0 < len(documents) - len(kept) < 20
    assert list(articles.rewrite([file], {"cat"})) == kept
