"""The plan of a battery: placeholders, sentences, exclusions by reason, and draws."""

import numpy as np
import pandas as pd
import pytest

from embtools.mask_filling import cases
from embtools.mask_filling.relations import relation

PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ("rome = {a} - {b} + {c}", "must change {a}"),
        ("{a} = {a} - {b}", "does not contain {c}"),
        ("{a} = {a} + {c} + {d}", "{d}|not"),
        ('{a} = {c} + "{x}"', "no placeholder"),
        ("{a} + {c}", "needs {a}, '=' and an expression, such as {a} = {a} - {b}"),
        ("hello", "needs {a}, '=' and an expression"),
    ],
)
def test_bad_edits_are_refused(edit: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cases.read_edit(edit)


def test_other_words_of_an_edit_are_single_tokens(tiny) -> None:  # type: ignore[no-untyped-def]
    formula = cases.known_edit("{a} = {c} + king", tiny)
    assert formula == cases.read_edit("{a} = {c} + king")
    with pytest.raises(ValueError, match="qqqq"):
        cases.known_edit("{a} = {c} + qqqq", tiny)


def test_the_edit_of_a_case_can_be_typed() -> None:
    formula = cases.read_edit("{a} = ({a} - {b} + 2 * {c}) / 2")
    assert cases.filled_edit(formula, "rome", "italy", "france") == "rome = (rome - italy + 2 * france) / 2"
    assert cases.filled_edit(cases.read_edit("{a} = {c}"), "St. Louis", "b", "o'clock") == '"St. Louis" = o\'clock'


@pytest.mark.parametrize(
    ("sentences", "words"),
    [
        ((), "There are no sentences"),
        (("Rome is in [MASK].",), "has no {a}"),
        (("{a} is in Italy.",), "exactly one"),
        (("{a} [MASK] [MASK].",), "exactly one"),
        (("{a} is in {b} [MASK].",), "contains {b}"),
        (("{a} [MASK]", "{a} ___"), "given twice"),
        (tuple(f"{{a}} is {n} [MASK]." for n in range(6)), "at most 5"),
        ("{a} is in [MASK].", "list of sentences"),
    ],
)
def test_bad_sentences_are_refused(sentences: tuple[str, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cases.read_sentences(sentences)


def test_a_plan_takes_every_other_word_and_counts_what_it_leaves_out(tiny) -> None:  # type: ignore[no-untyped-def]
    pairs = (*PAIRS, ("rome", "london"), ("rome", "Rome"), ("rome", "italy"), ("Rome", "Italy"), ("king", "of"))
    plan = cases.plan(pd.DataFrame(pairs, columns=["a", "b"]), tiny)
    assert plan.excluded == (
        ("rome", "london", cases.SEVERAL), ("rome", "Rome", cases.SAME), ("rome", "italy", cases.TWICE),
        ("Rome", "Italy", cases.TWICE),
    )  # fmt: skip
    others = {(pair.a, pair.b): [c for c, _ in pair.others] for pair in plan.pairs}
    assert others["rome", "italy"] == ["france", "man", "woman", "of"]
    assert others["king", "man"] == others["king", "of"] == ["italy", "france", "woman"]  # both answers are right
    assert plan.cases == sum(map(len, others.values()))


def test_two_spellings_of_a_token_are_one_word(tiny) -> None:  # type: ignore[no-untyped-def]
    plan = cases.plan((("Rome", "italy"), ("rome", "france"), ("paris", "Italy"), ("king", "man")), tiny)
    assert [(pair.a, pair.b) for pair in plan.pairs] == [
        ("Rome", "italy"), ("Rome", "france"), ("paris", "italy"), ("king", "man"),
    ]  # fmt: skip
    assert {c for pair in plan.pairs for c, _ in pair.others} == {"italy", "france", "man"}


def test_a_pair_without_another_word_is_left_out_with_the_reason(tiny) -> None:  # type: ignore[no-untyped-def]
    plan = cases.plan((("rome", "italy"), ("rome", "france"), ("paris", "italy")), tiny)
    assert [(pair.a, pair.others[0][0]) for pair in plan.pairs] == [("paris", "france")]
    assert plan.excluded == (("rome", "italy", cases.ALONE), ("rome", "france", cases.ALONE))


def test_drawn_words_follow_the_seed_and_stay_with_the_first_pairs(tiny) -> None:  # type: ignore[no-untyped-def]
    plans = [cases.plan(PAIRS, tiny, others=2, seed=seed) for seed in (0, 0, 1)]
    assert plans[0] == plans[1] != plans[2]
    assert all(len(set(pair.others)) == 2 for pair in plans[0].pairs)
    three, four = (cases.plan(PAIRS, tiny, others=2, first=first).pairs for first in (3, 4))
    assert three == four[:3] and set(three) < set(plans[0].pairs)
    assert cases.plan(PAIRS, tiny, others=99).cases == cases.plan(PAIRS, tiny).cases == 12


def test_a_part_of_an_own_list_is_a_random_draw(bundled) -> None:  # type: ignore[no-untyped-def]
    """A list is often sorted: its first pairs are not a sample. Those of a built-in relation are in random order."""
    known = relation("capital").pairs
    own = tuple(sorted(known))
    drawn = [pair.a for pair in cases.plan(own, bundled, others=1, first=10).pairs]
    assert drawn != sorted(drawn) and drawn[-1] > own[20][0]
    assert cases.plan(own, bundled, others=1, first=10).pairs == cases.plan(own, bundled, others=1, first=30).pairs[:10]
    firsts = [pair.a for pair in cases.plan(known, bundled, others=1, first=10).pairs]
    assert firsts == [a for a, _ in known if a in firsts]


@pytest.mark.parametrize("others", [0, -1, True, 1.5, np.nan])
def test_an_odd_number_of_other_words_is_refused(tiny, others) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="whole number"):
        cases.plan(PAIRS, tiny, others=others)


def test_pairs_without_two_answers_are_refused(tiny) -> None:  # type: ignore[no-untyped-def]
    for pairs in ((("rome", "italy"),), (("rome", "italy"), ("paris", "italy")), (("x1", "y1"),)):
        with pytest.raises(ValueError, match="at least two different second words"):
            cases.plan(pairs, tiny)
    with pytest.raises(ValueError, match="columns a and b"):
        cases.plan(pd.DataFrame({"a": ["rome"]}), tiny)
    with pytest.raises(ValueError, match="two words"):
        cases.plan(("ab", "cd"), tiny)


@pytest.mark.parametrize(
    ("edit", "word"),
    [("{a} = {c}", "{c}"), ("{a} = {b} - {b} + {c}", "{c}"), ("{a} = {a} - {b} + {c}", ""), ("{a} = 2 * {c}", "")],
)
def test_an_edit_that_only_replaces_the_word_says_so(edit, word):
    text = cases.same_as_writing(edit)
    assert text == (
        f"This edit is the same as writing {word} instead of {{a}}, so no control makes only a part of it."
        if word
        else ""
    )


def test_a_text_that_is_no_edit_replaces_no_word():
    assert cases.same_as_writing("{a} = ") == cases.same_as_writing("rome = paris") == ""
