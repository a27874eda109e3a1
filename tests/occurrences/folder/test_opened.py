"""An open folder: the model and the layers that encoded it, and how long a search of all rows takes."""

import pytest

from embtools.occurrences.folder import opened
from embtools.occurrences.folder.opened import OpenFolder, seconds
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.searching import Engine
from embtools.spaces.space import CENTRED, WHITENED, Space
from tests.store import encoded

SENTENCES = ("the bank of the river", "a bank works in paris", "the king is in france")


@pytest.fixture
def banks(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
    return CorpusFolder.open(str(encoded(SENTENCES, tmp_path / "folder", tiny)))


def test_only_its_own_model_and_layers_open_it(banks, tiny, bundled):
    assert len(OpenFolder.of_model(banks, tiny, combination=banks.combination).of("bank")) == 2
    with pytest.raises(ValueError, match="encoded with the model"):
        OpenFolder.of_model(banks, bundled)
    with pytest.raises(ValueError, match="stores only the sum of last four, not 'layer 1'"):
        OpenFolder.of_model(banks, tiny, combination="layer 1")


def test_an_engine_searches_file_by_file(banks, tiny):
    source = OpenFolder.of_model(banks, tiny)
    files = OpenFolder.of_model(banks, tiny, most_stored=3)
    done: list[int] = []

    def one_by_one(work, numbers):
        for number in numbers:
            done.append(number)
            columns = work(number)
            yield from ({name: values[n] for name, values in columns.items()} for n in range(len(columns["row"])))

    engine: Engine = one_by_one
    spread = OpenFolder.of_model(banks, tiny, engine=engine)
    assert (source.how, files.how, spread.how) == ("kept", "files", "files")
    vector = source.of("bank").one(0)[1]
    found = [each.all().nearest(vector, 5, ())[0] for each in (source, files, spread)]
    assert done and all(best.rows.tolist() == found[0].rows.tolist() for best in found)
    assert found[2].cosines == pytest.approx(found[0].cosines, abs=1e-6)


def test_estimated_seconds(banks, tiny, monkeypatch):
    monkeypatch.setattr(opened, "_PACE", (10, 20))
    assert seconds(banks) == pytest.approx(len(banks) * banks.dimensions / 384 / 10)
    OpenFolder.of_model(banks, tiny).all().nearest(banks.occurrences("bank").vectors[0], 3, ())
    assert seconds(banks) == 0 < seconds(banks, most_stored=3)
    centred, whitened = (seconds(banks.in_space(Space(kind))) for kind in (CENTRED, WHITENED))
    assert 0 < centred < 1 and 0 < whitened < 1  # stored vectors are raw, so they are processed each time
