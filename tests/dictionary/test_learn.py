"""From a folder to a dictionary: what is trained on, what is held out, and the figures in the file."""

import numpy as np
import pytest

from embtools.decomposition.learned import about_file, read
from embtools.dictionary import quality
from embtools.dictionary.learn import HELD_OUT_EVERY, Settings, layer_of, learn
from embtools.occurrences.folder.sampling import sample

SETTINGS = Settings(features=32, k=3, steps=30, batch=64, rate=0.01, resample_every=10, save_every=10)


@pytest.fixture
def learned(folders, tmp_path):
    out = tmp_path / "out" / "dictionary-1.safetensors"
    return learn(*folders[0], out=out, run=tmp_path / "run", settings=SETTINGS, control=folders[1]), out


def test_the_file_holds_the_dictionary_and_its_figures(folders, learned):
    folder, model = folders[0]
    made, out = learned
    found = read(out)
    rows = sample(folder, 10_000)
    held = rows.table["sentence"].to_numpy() % HELD_OUT_EVERY == 0
    assert found.checksum == model.checksum and found.layer == 1 and len(found) == 32
    assert found.about["held_out"] == held.sum() > 0 and found.about["occurrences"] == (~held).sum()
    own, *others = found.about["quality"]
    expected = quality.fit(found, np.asarray(rows.vectors[held]))
    assert {name: own[name] for name in expected} == pytest.approx(expected, abs=1e-4)
    names = ["random directions", "random occurrences", "model with random weights", "random sets of words"]
    assert [row["dictionary"] for row in others] == names
    assert all(row["asked"] > 0 for row in (own, *others[:3])) and "explained" not in others[3]
    np.testing.assert_allclose(found.directions, made.directions, atol=1e-3)


def test_the_same_call_gives_the_same_file(folders, learned, tmp_path):
    _, out = learned
    again = tmp_path / "again.safetensors"
    learn(*folders[0], out=again, run=tmp_path / "run", settings=SETTINGS, control=folders[1])
    assert about_file(again) == about_file(out) and again.read_bytes() == out.read_bytes()


def test_folders_of_other_models_or_several_layers_are_refused(folders, tmp_path, monkeypatch):
    (folder, _), (_, other) = folders
    with pytest.raises(ValueError, match="was encoded with the model"):
        learn(folder, other, out=tmp_path / "x.safetensors", run=tmp_path / "run", settings=SETTINGS)
    monkeypatch.setitem(folder.about["fingerprint"], "recipe", "sum of last four")
    with pytest.raises(ValueError, match="--layers 3"):
        layer_of(folder)
