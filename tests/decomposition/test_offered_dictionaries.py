"""Which dictionaries a model has, by its checksum."""

import pytest

from embtools.decomposition.offered_dictionaries import FOLDER, dictionaries, files, names_of, open_dictionary
from embtools.mask_filling.edited_models import edited_model
from tests.features import written


@pytest.fixture
def offered(tiny, tiny_distil, tmp_path, monkeypatch):
    paths = [written(tiny, tmp_path), written(tiny, tmp_path, 2, "other"), written(tiny_distil, tmp_path, 1, "distil")]
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(b"x")
    monkeypatch.setenv("EMBTOOLS_DICTIONARIES", ", ".join(map(str, [*paths, damaged, tmp_path / "missing"])))
    return paths


def test_a_model_has_the_dictionaries_of_its_weights(offered, tiny, tiny_distil, bundled):
    assert dictionaries(tiny) == names_of(tiny.checksum) == ("layer 1, small", "layer 2, other")
    assert dictionaries(tiny_distil) == ("layer 1, distil",)
    assert open_dictionary("layer 2, other", tiny).layer == 2
    assert names_of("another") == ()
    assert set(dictionaries(bundled)) == {
        f"layer {path.stem.partition('-')[2]}" for path in FOLDER.glob("dictionary-*")
    }
    assert len(files()) == len(list(FOLDER.glob("dictionary-*"))) + 5


def test_a_model_with_edited_words_has_those_of_its_original(offered, tiny):
    edited = edited_model(["rome = rome - italy + france"], tiny)
    assert edited.checksum != tiny.checksum
    assert dictionaries(edited) == dictionaries(tiny)
    assert open_dictionary("layer 1, small", edited) is open_dictionary("layer 1, small", tiny)


def test_a_model_without_a_dictionary_says_so_and_why(tiny):
    with pytest.raises(ValueError, match=r"has no learned dictionary.*belongs to the model .*python -m embtools"):
        open_dictionary("layer 3", tiny)


def test_another_name_is_refused(offered, tiny):
    with pytest.raises(ValueError, match="Choose one of these: layer 1, small; layer 2, other"):
        open_dictionary("<b>", tiny)
