"""The tokens of a word, and similar words of the vocabulary."""

from embtools.arithmetic.word_finder import find_word


def test_a_word_has_its_tokens_and_the_words_that_begin_like_it(bundled):
    found = find_word("Lon", bundled)
    assert found.tokens == bundled.pieces("Lon")
    words = [word for i, word in enumerate(bundled.vocabulary) if bundled.whole_words[i]]
    assert list(found.similar) == [word for word in words if word.startswith("lon")][:12] and "london" in found.similar


def test_a_misspelled_word_has_words_with_a_similar_spelling(bundled):
    found = find_word("lodnon", bundled)
    assert found.headline == "3 tokens: lo ##d ##non" and found.similar[0] == "london"
    assert find_word("london", bundled).headline == "1 token: london"


def test_a_word_without_similar_words(tiny):
    assert find_word("zzzzzzzz", tiny).similar == ()
