"""Shared words, weighted by their rarity, computed by hand."""

import math

import pytest

from embtools.occurrences.sentences import shared_words

SENTENCES = ("the king sees the queen", "a queen", "red and green")


def by_hand(sentence, others):
    """The cosines of count · (ln((1 + n) / (1 + sentences with the word)) + 1), over all n sentences."""
    texts = [text.split() for text in (sentence, *others)]

    def weights(words):
        return {
            word: words.count(word) * (math.log((1 + len(texts)) / (1 + sum(word in text for text in texts))) + 1)
            for word in words
        }

    def length(weighed):
        return math.sqrt(sum(value**2 for value in weighed.values()))

    own, *rest = map(weights, texts)
    return [sum(value * each.get(word, 0) for word, value in own.items()) / length(own) / length(each) for each in rest]


def test_shared_words_agree_with_the_formula():
    found = shared_words("The king, the QUEEN!", SENTENCES)
    assert found == pytest.approx(by_hand("the king the queen", SENTENCES))
    assert found[0] > found[1] > found[2] == 0


def test_there_must_be_a_sentence():
    with pytest.raises(ValueError, match="sentences"):
        shared_words("king", ())
