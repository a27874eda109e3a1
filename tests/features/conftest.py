"""A small corpus that the tiny random BERT can read, and its occurrences."""

import pytest

from embtools.features import dictionary
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from tests.small_dictionary import written
from tests.store import encoded

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
    return encode_corpus(Corpus(SENTENCES), tiny, combination="layer 2")


@pytest.fixture(scope="session")
def atoms(found):
    return dictionary.of_occurrences(found)


@pytest.fixture(scope="session")
def stored_folder(bundled, tmp_path_factory):
    """The built-in sentences with three words as a corpus folder."""
    text = built_in_corpus()
    sentences = [s for word in ("cold", "warm", "winter") for s in text.having(word).sentences]
    return encoded(dict.fromkeys(sentences), tmp_path_factory.mktemp("folders") / "weather", bundled)


@pytest.fixture
def small(tiny, tmp_path, monkeypatch):
    """A dictionary of 24 random directions for the tiny model, offered as "layer 1, small"."""
    path = written(tiny, tmp_path)
    monkeypatch.setenv("EMBTOOLS_DICTIONARIES", str(path))
    return path
