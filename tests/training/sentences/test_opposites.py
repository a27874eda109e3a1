"""Opposites found in texts and a dictionary."""

from collections import Counter
from pathlib import Path

import pytest

from training.sentences import opposites

KNOWN = frozenset("hot cold warm king queen big small large".split())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is neither hot nor cold.", [("neither", ("cold", "hot"))]),
        ("Either the king or the queen.", [("either", ("king", "queen"))]),
        ("From hot to cold, between big and small.", [("from", ("cold", "hot")), ("between", ("big", "small"))]),
        ("Both hot and cold; hot or cold.", [("both", ("cold", "hot")), ("or", ("cold", "hot"))]),
        ("From hot and cold", [("and", ("cold", "hot"))]),  # not “from … to …”
        ("Hot to cold, neither hot or warm.", [("or", ("hot", "warm"))]),
        ("Cold and cold, this or that, hot or tepid.", []),
    ],
)
def test_opposites_are_read_from_texts(text: str, found: list) -> None:
    assert list(opposites.contrasts(text, KNOWN)) == found


@pytest.mark.parametrize("word", "forty thirties thirteenth eighty eleven twelfth iii ninth third".split())
def test_numbers_have_no_opposite(word: str) -> None:
    ways = Counter({"or": 9, "and": 9, "from": 9})
    assert opposites.chosen({(word, "word"): ways}) == []


@pytest.mark.parametrize("word", "north death dirty empty safety youth first between".split())
def test_words_that_look_like_numbers_can_have_one(word: str) -> None:
    ways = Counter({"or": 9, "and": 9, "from": 9})
    assert opposites.chosen({(word, "word"): ways}) == [((word, "word"), 20)]


def test_a_pair_needs_good_ranks_and_many_wordings_or_a_smaller_distance_in_the_dictionary() -> None:
    counts = {
        ("cold", "hot"): Counter({"neither": 4, "or": 9, "and": 9}),
        ("hot", "warm"): Counter({"either": 1, "or": 1, "and": 1}),  # second choice of hot, but only in three wordings
        ("big", "small"): Counter({"or": 400, "and": 900}),  # in two wordings
        ("king", "queen"): Counter({"both": 1, "and": 1, "or": 1}),
        ("new", "old"): Counter({"or": 9, "and": 9, "from": 1, "both": 1}),
        ("old", "young"): Counter({"or": 4, "and": 4, "from": 1, "both": 1}),  # second choice of old, in four wordings
        ("forty", "thirty"): Counter({"or": 9, "and": 9, "from": 9}),  # numbers
        ("far", "near"): Counter({"or": 9}),  # in one wording
    }
    assert set(opposites.chosen(counts)) == {
        (("cold", "hot"), 20),
        (("king", "queen"), 20),
        (("big", "small"), 2),
        (("new", "old"), 20),
        (("old", "young"), 2),
    }
    assert opposites.chosen(counts)[0] == (("big", "small"), 2)  # the strongest comes first


def test_opposites_are_close_in_the_dictionary(tmp_path: Path) -> None:
    glosses, text = tmp_path / "glosses.txt", tmp_path / "text.txt"
    between = "\n".join(f"word{i}: a thing." for i in range(20))
    few = "\n".join(f"other{i}: a thing." for i in range(2))
    glosses.write_text(
        f"hot: of heat.\nwarm: less so.\ncold, chilly: not so.\nking: a man.\n{between}\nqueen: a woman.\n"
        f"big: of size.\n{few}\nsmall: not so."
    )
    contrast = "Neither {0} nor {1}. Either {0} or {1}. From {0} to {1}."
    written = [contrast.format(*pair) for pair in (("hot", "cold"), ("king", "queen"))]
    text.write_text("\n".join([*written, "From big to small. Big or small."]))  # two wordings: three lines are too many
    (document,) = opposites.rewrite([glosses, text], KNOWN)
    assert document == [" ".join(opposites.sentences("cold", "hot"))]
    glosses.write_text(glosses.read_text().replace("other1: a thing.\n", ""))
    assert len(list(opposites.rewrite([glosses, text], KNOWN))) == 2
