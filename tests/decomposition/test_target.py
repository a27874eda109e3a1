"""The form of a word that a model uses, and words that it cannot read."""

import pytest

from embtools.decomposition.target import normalised


def test_a_word_has_the_form_of_an_uncased_model(tiny):
    assert normalised(" Queen ", tiny) == "queen"
    assert tiny.pieces("Unable") == ("un", "##able") and normalised("Unable", tiny) == "unable"


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (" ", "The word is missing. Enter one, such as cold."),
        ("spain", "'spain' contains a character that this model does not know. Use another word."),
    ],
)
def test_unreadable_words_raise_an_error(tiny, word, message):
    with pytest.raises(ValueError, match=message):
        normalised(word, tiny)
