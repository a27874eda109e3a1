"""A small text in which everything can be counted by hand, and a small corpus folder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from tests.store import copied, encoded, played

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


@pytest.fixture(scope="session")
def stored_folder(bundled: Any, banks: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sentences of four words with senses as a corpus folder, encoded by the bundled model."""
    return encoded(banks.sentences, tmp_path_factory.mktemp("folders") / "banks", bundled)


@pytest.fixture(scope="session")
def text(stored_folder: Path) -> Corpus:
    """The sentences as the folder has them."""
    folder = CorpusFolder.open(str(stored_folder))
    return Corpus(tuple(folder.sentences(range(folder.about["sentences"]))))


@pytest.fixture(scope="session")
def store(
    stored_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    """The same folder in an object store, and a function that returns the requests since its last call."""
    with played(tmp_path_factory.mktemp("s3") / "log") as (address, requests):
        copied(stored_folder, address("banks"))
        yield address("banks"), requests


@pytest.fixture
def rows(folder):
    """Every word, and every vector in double precision."""
    found = folder.files.rows(0, len(folder))
    return found.table["word"].to_numpy(), found.vectors.astype(float)


def directions_at(layer, word, corpus, model):
    """The unit vectors of a word's occurrences in a layer, sentence by sentence."""
    vectors = []
    for sentence in corpus.having(word).sentences:
        place = model.tokenize(sentence)["token"].tolist().index(word)
        vectors.append(model.hidden_states(sentence)[layer][place])
    vectors = np.array(vectors, np.float64)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def ranked(vector, found, hidden=()):
    """The words of all occurrences, nearest first, by a plain loop."""
    words = found.table["word"].tolist()
    cosines = [float(v @ vector) / np.linalg.norm(v) / np.linalg.norm(vector) for v in found.vectors.astype(np.float64)]
    order = sorted(range(len(words)), key=lambda n: -cosines[n])
    return [(words[n], n) for n in order if words[n] not in hidden]


def cosines(vectors, query):
    """The cosines (n,) of vectors (n, d) with a vector (d,)."""
    return vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)
