"""The tuned lens: its file and its training."""

import json
from dataclasses import replace
from shutil import copytree

import numpy as np
import pytest
from safetensors.numpy import save_file
from scipy.special import log_softmax

from embtools import edited_model, load_model
from embtools.models.catalogue import CATALOGUE, offered
from embtools.models.lens_training import minimise_kl
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


def test_a_lens_belongs_to_the_weights_of_its_folder(tiny_folder, tmp_path, monkeypatch):
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
    monkeypatch.setitem(CATALOGUE, "model", offered(model.name)["model"])  # as the host names the folder
    assert needed_lens(load_model("model")) is lens_of(model) and CATALOGUE["model"].reads == ""


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
    write(replace(some_lens(), biases=np.full((2, 16), np.nan)), path)
    with pytest.raises(ValueError, match="damaged"):
        read(path)


SENTENCES = ("rome is the capital of [MASK] .", "the [MASK] is red", "he is a [MASK]", "paris is the [MASK] of france")


@pytest.fixture(scope="module")
def states(tiny):
    """States (3, 20, 16) of a tiny model at the tokens of a few sentences."""
    return np.concatenate([tiny.hidden_states(sentence) for sentence in SENTENCES], axis=1)[:, :20]


def divergence(states, model, weights, biases, layer):
    """Mean KL divergence in nats, with scipy."""
    final = log_softmax(model.logits(model.transform(states[-1])).astype(float), axis=1)
    moved = states[layer] @ weights[layer].T + biases[layer]
    read = log_softmax(model.logits(model.transform(moved)).astype(float), axis=1)
    return (np.exp(final) * (final - read)).sum(1).mean()


def plain(layers, dimensions):
    return np.stack([np.eye(dimensions)] * layers), np.zeros((layers, dimensions))


def test_the_first_step_follows_the_gradient_by_finite_differences(tiny, states):
    """Adam's first step has the length of the rate and the sign of the gradient, in each number."""
    weights, biases = plain(2, 16)
    moved, offset = minimise_kl(states, tiny, weights=weights, biases=biases, steps=1, batch=20, rate=1e-3)
    rng = np.random.default_rng(0)
    for layer in range(2):
        for row, column in rng.integers(0, 16, (6, 2)):
            other = weights.copy()
            other[layer, row, column] += 1e-3
            gradient = divergence(states, tiny, other, biases, layer) - divergence(states, tiny, weights, biases, layer)
            if abs(gradient) > 1e-6:
                step = moved[layer, row, column] - weights[layer, row, column]
                assert step == pytest.approx(-1e-3 * np.sign(gradient), rel=1e-2)
    assert np.abs(offset).max() == pytest.approx(1e-3, rel=1e-2)


def test_the_divergence_becomes_smaller_and_the_model_stays_the_same(tiny, states):
    before = tiny.logits(tiny.transform(states[-1]))
    weights, biases = plain(2, 16)
    moved, offset = minimise_kl(states, tiny, weights=weights, biases=biases, steps=60, batch=10, rate=1e-2)
    for layer in range(2):
        own, other = (divergence(states, tiny, *given, layer) for given in ((weights, biases), (moved, offset)))
        assert other < own / 2
    assert moved.dtype == np.float32 and moved.shape == (2, 16, 16) and offset.shape == (2, 16)
    assert np.array_equal(before, tiny.logits(tiny.transform(states[-1])))
    assert all(part.grad is None for part in tiny._network.parameters())
    again, _ = minimise_kl(states, tiny, weights=weights, biases=biases, steps=60, batch=10, rate=1e-2)
    assert np.array_equal(again, moved)


def test_no_steps_leave_it_as_it_is_and_numbers_are_checked(tiny, states):
    weights, biases = plain(2, 16)
    moved, offset = minimise_kl(states, tiny, weights=weights, biases=biases, steps=0, batch=10)
    assert np.array_equal(moved, weights.astype(np.float32)) and not offset.any()
    with pytest.raises(ValueError, match="21 masks per step were asked for; choose 1 to 20"):
        minimise_kl(states, tiny, weights=weights, biases=biases, steps=1, batch=21)

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minimise_kl(states, tiny, weights=weights, biases=biases, steps=1, batch=10, progress=stop)
