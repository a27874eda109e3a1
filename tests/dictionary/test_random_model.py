"""A model with random weights: the same sizes, other weights, readable."""

import numpy as np
import pytest
from safetensors.numpy import load_file

from embtools import load_model
from embtools.dictionary.random_model import write_random_model


def test_weights_are_drawn_as_before_training(tiny, tiny_folder, tmp_path):
    write_random_model(tiny_folder, tmp_path / "random")
    own, drawn = (load_file(folder / "model.safetensors") for folder in (tiny_folder, tmp_path / "random"))
    assert {name: array.shape for name, array in own.items()} == {name: array.shape for name, array in drawn.items()}
    words = drawn["bert.embeddings.word_embeddings.weight"]
    assert words.std() == pytest.approx(0.3, rel=0.1)  # initializer_range of the configuration
    norm = "bert.encoder.layer.0.output.LayerNorm"
    assert (drawn[f"{norm}.weight"] == 1).all() and (drawn[f"{norm}.bias"] == 0).all()
    model = load_model(str(tmp_path / "random"))
    assert model.checksum != tiny.checksum and model.vocabulary == tiny.vocabulary
    assert np.isfinite(model.hidden_states("rome is the capital")).all()
    write_random_model(tiny_folder, tmp_path / "again")
    assert load_model(str(tmp_path / "again")).checksum == model.checksum


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no folder of a model"):
        write_random_model(tmp_path, tmp_path / "random")
