"""A corpus folder of the tiny model at layer 1, and one of a model with random weights."""

import pytest

from embtools import load_model
from embtools.dictionary.random_model import write_random_model
from embtools.occurrences.folder.encoder import ModelEncoder
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.writing import encode_texts
from tests.conftest import WORDS


@pytest.fixture(scope="session")
def texts(tmp_path_factory):
    """Sixty sentences of the tiny model's words."""
    words = [word for word in WORDS if word.isalpha()]
    lines = [" ".join(words[(n * 7 + i * (n % 5 + 1)) % len(words)] for i in range(9)) + "." for n in range(60)]
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n\n".join(lines))
    return path


@pytest.fixture(scope="session")
def folders(texts, tiny_folder, tmp_path_factory):
    """The text encoded by the tiny model and by one with random weights, with these models' folders."""
    place = tmp_path_factory.mktemp("encoded")
    write_random_model(tiny_folder, place / "model", seed=1)
    found = []
    for name, folder in (("own", tiny_folder), ("random", place / "model")):
        encode_texts([texts], str(place / name), ModelEncoder(str(folder), "layer 1"), shard=200)
        found.append((CorpusFolder.open(str(place / name)), load_model(str(folder))))
    return found


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
