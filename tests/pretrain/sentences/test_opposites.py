"""Opposites found in texts and a dictionary."""

from collections import Counter
from pathlib import Path

import pytest

from embtools.pretrain.sentences import opposites

KNOWN = frozenset("hot cold warm king queen big small large".split())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is neither hot nor cold.", [("neither", ("cold", "hot"))]),
        ("Either the king or the queen.", [("either", ("king", "queen"))]),
        ("From hot to cold, between big and small.", [("from", ("cold", "hot")), ("between", ("big", "small"))]),
        ("Both hot and cold; hot or cold.", [("both", ("cold", "hot")), ("or", ("cold", "hot"))]),
        ("From hot and cold", [("and", ("cold", "hot"))]),  # not from … to
        ("Hot to cold, neither hot or warm.", [("or", ("hot", "warm"))]),
        ("Cold and cold, this or that, hot or tepid.", []),
    ],
)
def test_texts_set_words_against_each_other(text: str, found: list) -> None:
    assert list(opposites.contrasts(text, KNOWN)) == found


def test_both_words_must_be_the_other_s_first_choice_and_in_three_ways() -> None:
    counts = {
        ("cold", "hot"): Counter({"neither": 4, "or": 9, "and": 9}),
        ("hot", "warm"): Counter({"either": 1, "or": 1, "and": 1}),  # hot prefers cold
        ("big", "small"): Counter({"or": 400, "and": 900}),  # in two ways alone
        ("king", "queen"): Counter({"both": 1, "and": 1, "or": 1}),
    }
    assert opposites.chosen(counts) == [("cold", "hot"), ("king", "queen")]


def test_opposites_stand_near_each_other_in_the_dictionary(tmp_path: Path) -> None:
    glosses, text = tmp_path / "glosses.txt", tmp_path / "text.txt"
    between = "\n".join(f"word{i}: a thing." for i in range(opposites.NEAR))
    glosses.write_text(
        f"hot: of heat.\nwarm: less so.\ncold, chilly: not so.\nking: a man.\n{between}\nqueen: a woman."
    )
    contrast = "Neither {0} nor {1}. Either {0} or {1}. From {0} to {1}."
    text.write_text("\n".join(contrast.format(*pair) for pair in (("hot", "cold"), ("king", "queen"))))
    (document,) = opposites.rewrite([glosses, text], KNOWN)
    assert document == [" ".join(opposites.sentences("cold", "hot"))]
