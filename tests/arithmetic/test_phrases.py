"""Phrases that headlines are built from."""

from embtools import wordlists
from embtools.arithmetic import phrases
from embtools.arithmetic.controls import DESCRIPTIONS, RANDOM
from embtools.formula.parser import parse_equation


def test_the_words_that_edits_add_and_subtract_each_once():
    edits = [
        parse_equation(text) for text in ("rome = rome - italy + france", "ROME = rome + 2 * france - 0.5 * italy")
    ]
    assert phrases.parts(edits) == (("france",), ("italy",))
    assert phrases.parts([parse_equation("he = (he + she) / 2")]) == (("she",), ())
    assert phrases.parts([parse_equation("nurse = reject(nurse, she - he)")]) == ((), ())
    assert phrases.parts([]) == ((), ())


def test_every_control_but_the_random_one_has_a_phrase():
    assert set(phrases.CONTROL_PHRASES) == set(DESCRIPTIONS) - {RANDOM}


def test_offensive_words_are_not_named():
    bad, worse = wordlists.load("offensive")["word"].head(2)
    assert phrases.left_out(["rome", bad, worse]) == "rome and offensive words"
    assert phrases.left_out([bad]) == "offensive words"
    assert phrases.left_out(["rome"]) == "rome"
