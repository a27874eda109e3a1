"""A small text of which everything can be counted by hand."""

import pytest

from embtools.occurrences.corpus import Corpus, built_in_corpus

SENTENCES = (
    "The bank of the river.", "A bank works in Paris.", "The king is in France.", "The queen of France works.",
    "A man is a king.", "The woman is the queen, he is the man.", "She works in the bank.", "The river is blue.",
)  # fmt: skip
SENSES = (("bank", "river"), ("bank", "money"), ("", ""), ("", ""), ("", ""), ("", ""), ("bank", "money"), ("", ""))


@pytest.fixture(scope="session")
def small() -> Corpus:
    """Eight sentences that the tiny model can read."""
    return Corpus(SENTENCES, SENSES)


@pytest.fixture(scope="session")
def banks() -> Corpus:
    """The built-in sentences of four words with senses."""
    text = built_in_corpus()
    return text.part([n for n, (word, _) in enumerate(text.senses) if word in ("bank", "bat", "rock", "spring")])
