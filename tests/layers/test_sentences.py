"""Own sentences: which lines are compared, which are skipped and why, and which word is compared instead."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embtools.layers import comparisons, sentences
from embtools.words import occurrences

GOOD = ("the bank", "money | a green bank.")


def test_lines_that_can_be_compared_stay_unchanged(tiny):
    assert sentences.read("bank", tiny, lines=GOOD) == sentences.Reading("bank", GOOD, ())


@pytest.mark.parametrize(
    "line, why, form",
    [
        ("the banks", "It does not contain “bank” in this form.", "banks"),
        ("the king", "It does not contain “bank” in this form.", ""),
        ("a, b | the bank", "It has 1 occurrence but 2 senses.", ""),
        ("a |  ", "text is empty", ""),
        ("bank " + "king " * 90, "tokens", ""),
        ("bank " * 21, "At most 20 occurrences can be compared at once.", ""),
    ],
)
def test_only_the_line_that_cannot_be_read_is_skipped(tiny, line, why, form):
    reading = sentences.read("bank", tiny, lines=(GOOD[0], line, GOOD[1]))
    assert reading.word == "bank" and reading.lines == GOOD and not reading.problem
    (skipped,) = reading.skipped
    assert skipped.line == line and why in skipped.why and skipped.form == form


def test_no_more_than_can_be_compared(tiny):
    many = sentences.read("bank", tiny, lines=("the bank",) * 25)
    assert len(many.lines) == occurrences.MAX_SENTENCES and len(many.skipped) == 5
    long = sentences.read("bank", tiny, lines=("bank " + "king " * 57,) * 19)
    assert "tokens can be read at once" in long.skipped[-1].why
    comparisons.compare_word(long.lines, tiny, word="bank")  # the remaining lines can be read


@pytest.mark.parametrize(
    "word, lines, instead, others, problem",
    [
        ("river", GOOD, "bank", (), "No sentence contains “river”"),
        ("king", ("the king, the bank", "a bank"), "bank", (), "“king” occurs only once"),
        ("", GOOD, "bank", (), "no word to look for"),
        ("vault", GOOD, "bank", (), "does not know"),
        ("banks", ("a king, a king, a king", *GOOD), "bank", ("king",), "No sentence contains “banks”"),
    ],
)  # fmt: skip
def test_another_word_is_compared_if_the_typed_one_does_not_occur(tiny, word, lines, instead, others, problem):
    reading = sentences.read(word, tiny, lines=lines)
    assert reading.word == instead and reading.others == others and problem in reading.problem
    assert all("bank" in line for line in reading.lines)


@pytest.mark.parametrize(
    "lines", [(), ("the bank",), ("the king", "a queen"), ("the vault", "a vault"), ("the", "the")]
)
def test_error_if_no_word_occurs_twice(tiny, lines):
    with pytest.raises(ValueError, match="A comparison needs two occurrences. Write two sentences with the same word."):
        sentences.read("river", tiny, lines=lines)


def test_function_words_are_not_offered():
    assert sentences.in_common("", ["the of with bank", "the of with bank", "With the king"]) == ["bank"]


def test_a_rewritten_line_can_be_read(tiny):
    line = "money | The banks, Banks and bankers."
    rewritten = sentences.rewritten(line, "banks", "bank")
    assert rewritten == "money | The bank, bank and bankers."
    assert sentences.read("bank", tiny, lines=(rewritten, "a bank")).lines == (rewritten, "a bank")


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=20), st.lists(st.text(max_size=40), max_size=6))
def test_whatever_is_typed_is_read_or_raises_an_error(tiny, word, lines):
    try:
        reading = sentences.read(word, tiny, lines=lines)
    except ValueError:
        return
    assert len(reading.lines) + len(reading.skipped) == len(lines)
    assert len(comparisons.compare_word(reading.lines, tiny, word=reading.word).occurrences) > 1


@pytest.mark.parametrize("word", ["river", " River ", "bank", "qwxz", "", "a|b", "(", "!", "ᚠ", "the"])
def test_offered_sentences_can_be_compared(word, bundled):
    """All sentences that are offered for a word can be compared."""
    for lines in (sentences.built_in(word, bundled), sentences.starter(word, bundled)):
        assert len(lines) != 1 and len(lines) <= 8
        if lines:
            assert sentences.read(word, bundled, lines=lines) == sentences.Reading(word, lines, ())
    assert bool(sentences.built_in(word, bundled)) == (word.strip() in ("river", "River", "bank", "the"))
    assert bool(sentences.starter(word, bundled)) == (word.strip() not in ("", "a|b", "ᚠ"))


def test_built_in_sentences_of_an_ambiguous_word_have_its_senses(bundled):
    lines = sentences.built_in("bank", bundled)
    assert {line.split(" | ")[0] for line in lines} == {"money", "river"} and len(lines) == 8
