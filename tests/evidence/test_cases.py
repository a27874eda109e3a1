"""Input of a battery: hostile files and lists by line number, placeholders, exclusions, draws."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.evidence import cases

PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "names the columns: a, b"),
        (b"a\nrome\n", "names the columns: a, b"),
        (b"a,b\n", "There are no pairs"),
        (b"a,b\nrome,italy\nparis,\n", "Line 3 is not a pair"),
        (b"a,b\nrome,italy\n,france\n", "Line 3 is not a pair"),
        (b'a,b\nrome,"ita,ly"\n', "Line 2 has more than two words"),
        (b"a,b\n{a},italy\n", "Line 2"),
        (b"\xff\xfea,b", "not UTF-8"),
        (b'a,b\n"rome,italy\n', "cannot be read as CSV"),
        (b"a,b\n" + b"rome,italy\n" * 100_000, "at most 160,000 are read"),
        (b"a,b\n" + "\n".join(f"w{n},x{n}" for n in range(1_001)).encode(), "1,001 pairs; at most 1,000"),
    ],
)
def test_bad_files_are_refused_with_the_line(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cases.from_csv(data)


def test_files_and_texts_are_read() -> None:
    data = b"\xef\xbb\xbfB , note, A\nItaly,x,Rome\n\nFrance,=1+1,Paris\n Italy,y,Rome \n"
    assert cases.from_csv(data) == (("Rome", "Italy"), ("Paris", "France"))
    assert cases.read_pairs("Rome, Italy\n\nParis\tFrance\n") == (("Rome", "Italy"), ("Paris", "France"))
    with pytest.raises(ValueError, match="Line 3 is not a pair: 'only'"):
        cases.read_pairs("Rome, Italy\n\nonly")
    with pytest.raises(ValueError, match="at most 40,000 are read"):
        cases.read_pairs("a, b\n" * 10_000)


@given(st.lists(st.tuples(*2 * (st.text("abcdefgh '-", min_size=1).map(str.strip).filter(bool),)), min_size=1))
def test_pairs_are_read_as_they_were_written(pairs: list[tuple[str, str]]) -> None:
    assert cases.read_pairs(cases.write_pairs(tuple(pairs))) == tuple(dict.fromkeys(pairs))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ("rome = {a} - {b} + {c}", "must change {a}"),
        ("{a} = {a} - {b}", "does not contain {c}"),
        ("{a} = {a} + {c} + {d}", "{d}|not"),
        ('{a} = {c} + "{x}"', "no placeholder"),
        ("{a} + {c}", "needs a word, '='"),
    ],
)
def test_bad_edits_are_refused(edit: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cases.read_edit(edit)


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
    pairs = (*PAIRS, ("rome", "london"), ("rome", "Rome"), ("rome", "italy"), ("king", "of"))
    plan = cases.plan(pd.DataFrame(pairs, columns=["a", "b"]), tiny)
    assert [(a, b) for a, b, _ in plan.excluded] == [("rome", "london"), ("rome", "Rome")]
    assert "not a single token" in plan.excluded[0][2] and "same token" in plan.excluded[1][2]
    others = {(pair.a, pair.b): [c for c, _ in pair.others] for pair in plan.pairs}
    assert others["rome", "italy"] == ["france", "man", "woman", "of"]
    assert others["king", "man"] == others["king", "of"] == ["italy", "france", "woman"]  # both answers are right
    assert plan.cases == sum(map(len, others.values()))


def test_drawn_words_follow_the_seed_and_stay_with_the_first_pairs(tiny) -> None:  # type: ignore[no-untyped-def]
    plans = [cases.plan(PAIRS, tiny, others=2, seed=seed) for seed in (0, 0, 1)]
    assert plans[0] == plans[1] != plans[2]
    assert all(len(set(pair.others)) == 2 for pair in plans[0].pairs)
    assert cases.plan(PAIRS, tiny, others=2, first=3).pairs == plans[0].pairs[:3]
    assert cases.plan(PAIRS, tiny, others=99).cases == cases.plan(PAIRS, tiny).cases == 12


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
