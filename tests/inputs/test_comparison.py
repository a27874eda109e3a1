"""A token at two positions by its texts: the steps are those of the single functions."""

import pandas as pd
import pytest

from embtools.inputs import arrangements, comparison, input_terms
from embtools.inputs.comparison import OtherWords
from embtools.inputs.input_terms import Others

ROCK = ("I found a rock.", "I only listen to rock.")
ROME = ("Rome is the capital of [MASK].",)


def test_a_comparison_has_the_tokens_and_the_terms(bundled):
    frame = input_terms.pieces(ROCK, bundled, pair=True)
    expected = input_terms.terms(frame, bundled, piece="rock", position=3, segment=0)
    arguments = {"piece": "rock", "pair": True, "position": 3, "segment": 0}
    found = comparison.compare_positions(ROCK, bundled, **arguments)
    pd.testing.assert_frame_equal(found.tokens, input_terms.first_values(frame, bundled))
    pd.testing.assert_frame_equal(found.terms.table, input_terms.differences(expected))
    pd.testing.assert_frame_equal(found.terms.numbers, input_terms.numbers(expected))
    assert found.terms.headline == expected.headline
    steps = comparison.follow_dimension(ROCK, bundled, dimension=7, **arguments)
    pd.testing.assert_frame_equal(steps, input_terms.steps(expected, bundled, dimension=7))
    assert comparison.compare_words(ROCK, bundled, **arguments).others == input_terms.others(expected, bundled)


def test_a_change_of_position_is_compared_with_a_change_of_word(bundled):
    rock = comparison.compare_words(ROCK, bundled, piece="rock")
    assert rock.sentence.startswith(
        "Changing the word would make a bigger difference. The cosine of the two vectors of “rock” is 0.98. Any other"
        " token at the second position would have a lower cosine with the vector at the first position (the next highest is that of “"
    )
    assert OtherWords(rock.terms, Others(13, "pop", 0.99)).sentence == (
        "Changing the word could make a smaller difference: at the second position, 12 other tokens would be nearer than"
        " “rock” (cosine 0.98) to the vector at the first. Nearest is “pop” (0.99)."
    )
    assert "1 other token would" in OtherWords(rock.terms, Others(2, "pop", 0.99)).sentence
    with pytest.raises(ValueError, match="'found' occurs once"):
        comparison.compare_words(ROCK, bundled, piece="found")


def test_arrangements(bundled):
    frame = input_terms.pieces(ROME, bundled)
    expected = arrangements.answers(frame, bundled, result=input_terms.terms(frame, bundled, piece="rome", position=5))
    result = comparison.rearrange(ROME, bundled, piece="rome", position=5)
    pd.testing.assert_frame_equal(result.frame, expected)
    best = expected["answer_1"].iloc[0]
    text = result.headline
    assert text.startswith(f"For the text as written, BERT answers “{best}” (") and "With the token moved, it" in text
    other = comparison.Arrangements(expected.assign(answer_1=["italy", "x", "x", "x", "x"])).headline
    assert "it answers “x”" in other and "still" not in other
    assert "it still answers “italy”" in comparison.Arrangements(expected.assign(answer_1="italy")).headline
    with pytest.raises(ValueError, match=r"Write ___ or \[MASK\]"):
        comparison.rearrange(ROCK, bundled, piece="rock")
