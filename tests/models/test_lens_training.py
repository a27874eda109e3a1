import numpy as np
import pytest
from scipy.special import log_softmax

from embtools.models.lens_training import minimise_kl

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
