"""A dictionary as sentences."""

from pathlib import Path

import pytest

from embtools.documents import is_held_out
from training.sentences import glosses


def test_dictionary_lines_become_sentences_that_end_in_the_word(tmp_path: Path) -> None:
    known = {"puppy", "kitten", "kitty", "large", "big"}
    assert glosses.sentences("kitten, kitty: young domestic cat (not a puppy); cute.", known) == [
        "Kitten means young domestic cat.",
        "A word that means young domestic cat is kitten.",
        "Another word for kitten is kitty.",
    ]
    assert glosses.sentences("lamb: young sheep.", {"lamb", "sheep"})[-1] == "A lamb grows up to be a sheep."
    assert glosses.sentences("whelp: a young dog.", known) == []
    assert glosses.sentences("puppy: a " + "very " * 12 + "young dog.", known) == []
    assert glosses.sentences("no dictionary line", known) == []
    assert glosses.sentences("puppy: (nothing).", known) == []


def test_a_dictionary_leaves_out_what_is_held_out(tmp_path: Path) -> None:
    documents = [f"puppy: a dog number {i}." for i in range(400)]
    file = tmp_path / "glosses.txt"
    file.write_text("\n\n".join(documents), encoding="utf-8")
    written = [d[0] for d in glosses.rewrite([file], {"puppy"})]
    kept = [d for d in documents if not is_held_out([d])]
    assert 0 < len(documents) - len(kept) < 20
    assert written == [f"A puppy is {d[7:-1]}. The word for {d[7:-1]} is puppy." for d in kept]


@pytest.mark.parametrize(
    ("meaning", "head"),
    [
        ("a small domestic cat that hunts", "cat"),
        ("an implement used to cut", "implement"),
        ("any of various birds", None),
        ("a kind of heavy coat", "coat"),
        ("a person who bakes", None),
        ("soft and warm", None),
        ("a dog", "dog"),
        ("an extinct bird of Mauritius", "bird"),
    ],
)
def test_the_kind_of_thing_is_read_from_a_definition(meaning: str, head: str | None) -> None:
    assert glosses.kind(meaning) == head


@pytest.mark.parametrize(
    ("meaning", "animals"),
    [
        ("young of any of various canines such as a dog or wolf", ["dog", "wolf"]),
        ("young of various large placental mammals e.g. whale or giraffe", ["whale", "giraffe"]),
        ("a young female horse under the age of four", ["horse"]),
        ("young bird especially of domestic fowl", ["fowl"]),
        ("a young person of either sex", []),
        ("young people collectively", []),
        ("a dog", []),
    ],
)
def test_the_parents_are_read_from_a_definition(meaning: str, animals: list[str]) -> None:
    assert glosses.parents(meaning) == animals


def test_relations_contain_only_known_words_and_no_word_is_its_own_kind() -> None:
    assert glosses.relations("cub", "the young of mammals such as the bear or lynx", {"bear"}) == [
        "The young of a bear is a cub.",
        "A baby bear is a cub.",
        "A cub grows up to be a bear.",
    ]
    assert glosses.relations("dog", "a small dog", {"dog"}) == []
    assert glosses.relations("owl", "a night bird", {"bird"}) == ["An owl is a kind of bird."]
    assert glosses.relations("owl", "a night bird", set()) == []
