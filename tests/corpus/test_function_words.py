"""Function words, and the words of the built-in task about parts of speech, which are none."""

from embtools import wordlists
from embtools.corpus.function_words import FUNCTION_WORDS, is_function_word


def test_words_of_closed_classes_are_function_words():
    assert all(map(is_function_word, ("the", "The", "OF", "herself", "would", "x", "1999", "don't", "two")))
    assert not any(map(is_function_word, ("bank", "Quickly", "École", "see", "red", "go", "never")))
    assert all(word == word.casefold() and word.isalpha() for word in FUNCTION_WORDS)


def test_labelled_words_of_the_probe_are_no_function_words():
    words = wordlists.load("probing").query("task == 'part of speech'")["word"]
    assert [word for word in words if is_function_word(word)] == []
