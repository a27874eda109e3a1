"""The words of the ten published tests, and the names of any four sets."""

import pytest

from embtools.words import word_sets

# Words in X, Y, A and B: Caliskan et al. 2017, table 1.
SIZES = {
    1: (25, 25),
    2: (25, 25),
    3: (32, 25),
    4: (16, 25),
    5: (16, 8),
    6: (8, 8),
    7: (8, 8),
    8: (8, 8),
    9: (6, 7),
    10: (8, 8),
}


@pytest.mark.parametrize("number", SIZES)
def test_sets_have_their_published_sizes(number):
    targets, attributes = SIZES[number]
    assert [len(s) for s in word_sets.word_sets(number)] == [targets, targets, attributes, attributes]
    assert len(word_sets.set_names(number)) == 4
    assert number in word_sets.SHORT and number in word_sets.GLOVE


def test_an_unknown_test_is_refused():
    with pytest.raises(ValueError, match="choose 1 to 10"):
        word_sets.word_sets(11)


def test_a_test_is_known_by_its_words_in_any_spelling_and_other_sets_by_their_first_words():
    for number in SIZES:
        sets = word_sets.word_sets(number)
        capitals = [[word.capitalize() for word in words] for words in sets]
        assert word_sets.number_of(*sets) == word_sets.number_of(*capitals) == number
        assert word_sets.names_of(*capitals) == word_sets.set_names(number)
    x, y, a, b = word_sets.word_sets(6)
    assert word_sets.number_of(x[1:], y, a, b) is None
    assert word_sets.names_of(x[1:], y, a, b)[0] == f"“{x[1]}”, “{x[2]}” and others"
