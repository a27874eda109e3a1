"""Your own words in every space, against the steps; the sentences are those of `verdict`."""

import pandas as pd
import pytest

from embtools.isotropy import verdict, words_in_spaces
from embtools.isotropy.overview import with_controls
from embtools.isotropy.your_words import grouped_words, nearest_words, odd_word, own_analogy
from embtools.spaces.space import WHITENED, Space
from embtools.words.groups import read_groups

LAYER = "layer 4"


def test_own_words_in_every_space(static, inside, bundled):
    space = Space(WHITENED, shrinkage=0.2)
    spaces = with_controls(space)
    near = nearest_words(" Rome ", bundled, space=space, k=5)
    pd.testing.assert_frame_equal(near.table, words_in_spaces.neighbours(static, "rome", spaces, k=5))
    assert near.headline == verdict.neighbour_finding(" Rome ", near.table)
    text = "cities: paris, rome\ncolours: red, blue"
    words = grouped_words(text, bundled, source=LAYER, space=space)
    expected = words_in_spaces.compare_groups(inside, read_groups(text), spaces)
    pd.testing.assert_frame_equal(words.table, expected.table)
    pd.testing.assert_frame_equal(words.pairs, expected.pairs)
    four = ("man", "king", "woman", "queen")
    own = own_analogy(four, bundled, space=space)
    pd.testing.assert_frame_equal(own.table, words_in_spaces.analogy_ranks(static, four, spaces))
    assert own.headline == verdict.analogy_finding(four, own.table)
    puzzle = ("red", "blue", "green", "horse")
    odd = odd_word(puzzle, bundled, space=space)
    pd.testing.assert_frame_equal(odd.table, words_in_spaces.odd_one_out(static, puzzle, spaces))
    assert odd.headline == verdict.odd_finding(odd.table)


@pytest.mark.parametrize(
    ("compare", "message"),
    [
        (lambda model: nearest_words("xylophonist", model), "not a single token"),
        (lambda model: grouped_words(" ", model), "There are no words"),
        (lambda model: own_analogy(("man", "king"), model), "Enter four words"),
        (lambda model: odd_word(("red",), model), "3 to 60 different words"),
    ],
)
def test_what_cannot_be_compared_is_refused(bundled, compare, message):
    with pytest.raises(ValueError, match=message):
        compare(bundled)
