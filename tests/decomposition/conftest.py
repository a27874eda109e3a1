"""A small corpus that the tiny random BERT can read, and its occurrences."""

import pytest

from embtools.decomposition import dictionary
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus

SENTENCES = (
    "the king of italy is a man",
    "a queen of france is a woman",
    "she is the queen of rome",
    "he works as a king",
    "the red river is green and the bank is blue",
    "rome is the capital of italy",
    "paris is the capital of france",
    "a green bank is as blue as the river",
)


@pytest.fixture(scope="session")
def found(tiny):
    return encode_corpus(Corpus(SENTENCES), "layer 2", tiny)


@pytest.fixture(scope="session")
def atoms(found):
    return dictionary.of_occurrences(found)
