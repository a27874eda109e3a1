import json
from shutil import copytree

import numpy as np
import pytest
from safetensors.numpy import save_file

from embtools import edited_model, load_model
from embtools.models.tuned_lens import FILE, TunedLens, has_tuned_lens, lens_of, needed_lens, read, write


def some_lens(checksum: str = "0" * 64, layers: int = 2, dimensions: int = 16) -> TunedLens:
    """A lens of random translators whose numbers float16 can hold."""
    rng = np.random.default_rng(0)
    weights = rng.integers(-8, 8, (layers, dimensions, dimensions)).astype(np.float32) / 8
    biases = rng.integers(-8, 8, (layers, dimensions)).astype(np.float32) / 8
    about = {"weights": checksum, "quality": [{"layer": 0, "logit_lens": 3.0, "tuned_lens": 1.0}], "kl_mean": 5.0}
    return TunedLens(weights, biases, about)


def test_states_are_translated_by_the_matrix_of_their_layer():
    """By hand: layer 1 doubles the first number and adds one to the second; the last layer changes nothing."""
    weights = np.array([np.eye(2), [[2, 0], [0, 1]]], np.float32)
    lens = TunedLens(weights, np.array([[0, 0], [0, 1]], np.float32), {})
    states = np.array([[3.0, 4.0], [3.0, 4.0], [3.0, 4.0]])
    assert lens.translate(states, (0, 1, 2)).tolist() == [[3, 4], [6, 5], [3, 4]]
    with pytest.raises(ValueError, match="There is no layer 3. Choose 0 to 2."):
        lens.translate(states[:1], (3,))
    with pytest.raises(ValueError, match="Give the same number of both"):
        lens.translate(states, (0, 1))


def test_a_file_holds_the_lens(tmp_path):
    lens = some_lens()
    write(lens, tmp_path / "lens.safetensors")
    found = read(tmp_path / "lens.safetensors")
    assert np.array_equal(found.weights, lens.weights) and np.array_equal(found.biases, lens.biases)
    assert not found.weights.flags.writeable and found.about["weights"] == "0" * 64
    assert found.quality["tuned_lens"].tolist() == [1.0] and found.kl_mean == 5.0
    assert [path.name for path in tmp_path.iterdir()] == ["lens.safetensors"]


def test_a_lens_belongs_to_the_weights_of_its_folder(tiny_folder, tmp_path):
    model = load_model(str(copytree(tiny_folder, tmp_path / "model")))
    path = tmp_path / "model" / FILE
    assert lens_of(model) is None
    with pytest.raises(ValueError, match="has no tuned lens. Use the logit lens, or fit"):
        needed_lens(model)
    write(some_lens("of other weights"), path)
    assert lens_of(model) is None
    write(some_lens(model.checksum), path)
    assert needed_lens(model).weights.shape == (2, 16, 16) and lens_of(model) is lens_of(model)
    edited = edited_model(["rome = rome - italy + france"], model)
    assert edited.checksum != model.checksum and lens_of(edited) is lens_of(model)


def test_the_bundled_model_has_one_and_a_random_model_none(bundled, tiny):
    assert has_tuned_lens(bundled) and not has_tuned_lens(tiny)
    assert needed_lens(bundled).weights.shape == (6, 384, 384)


@pytest.mark.parametrize(
    "about", [{}, {"schema": "1"}, {"schema": "0", "weights": "x"}, {"schema": "1", "weights": "x"}]
)
def test_a_damaged_file_is_explained(about, tmp_path):
    path = tmp_path / "x.safetensors"
    arrays = {"weights": np.zeros((2, 3, 4), np.float16), "biases": np.zeros((2, 3), np.float16)}
    save_file(arrays, path, {"lens": json.dumps(about)})
    with pytest.raises(ValueError, match="is not a tuned lens, or it is damaged. Fit it again"):
        read(path)
    path.write_bytes(b"{}")
    with pytest.raises(ValueError, match="damaged"):
        read(path)
