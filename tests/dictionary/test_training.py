"""The gradients against torch, the training on features that are known, and a run that resumes."""

import numpy as np
import pytest
import torch

from embtools.decomposition.learned import LearnedDictionary
from embtools.dictionary import quality
from embtools.dictionary.training import Settings, gradients, train

SMALL = Settings(features=24, k=2, steps=60, batch=64, rate=0.01, resample_every=20, save_every=20)


def mixtures(n: int = 2_000, d: int = 12, features: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Vectors that are sums of two of some directions."""
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(features, d))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    codes = np.zeros((n, features))
    for row in codes:
        row[rng.choice(features, 2, replace=False)] = rng.uniform(1, 2, 2)
    return (codes @ directions).astype(np.float32), directions


def test_gradients_are_those_of_torch():
    rng = np.random.default_rng(0)
    vectors, directions, offsets = (rng.normal(size=size).astype(np.float32) for size in ((20, 6), (15, 6), 15))
    loss, slopes, flat, errors = gradients(vectors, directions, offsets, 4)
    weights, bias = torch.tensor(directions, requires_grad=True), torch.tensor(offsets, requires_grad=True)
    values, columns = (torch.tensor(vectors) @ weights.T + bias).topk(4, dim=1)
    codes = torch.zeros(20, 15).scatter(1, columns, values.relu())
    expected = ((codes @ weights - torch.tensor(vectors)) ** 2).sum(1).mean()
    expected.backward()
    assert loss == pytest.approx(expected.item(), rel=1e-5)
    np.testing.assert_allclose(slopes, weights.grad, atol=1e-4)
    np.testing.assert_allclose(flat, bias.grad, atol=1e-4)
    assert (errors**2).sum(1).mean() == pytest.approx(loss, rel=1e-5)
    with pytest.raises(ValueError, match="the same d"):
        gradients(vectors, directions[:, :3], offsets, 4)


def test_known_features_are_found(tmp_path):
    vectors, directions = mixtures()
    settings = Settings(features=24, k=3, steps=600, batch=256, rate=0.01, resample_every=100, save_every=600)
    arrays = train(vectors, tmp_path, settings)
    np.testing.assert_allclose(np.linalg.norm(arrays["directions"], axis=1), 1, atol=1e-5)
    found = LearnedDictionary(1, 3, arrays["directions"], arrays["offsets"], arrays["centre"], {})
    shuffled = LearnedDictionary(
        1, 3, np.roll(arrays["directions"], 5, axis=1), arrays["offsets"], arrays["centre"], {}
    )
    assert quality.fit(found, vectors)["explained"] > 0.8
    assert quality.fit(shuffled, vectors)["explained"] < 0.6
    assert np.median((arrays["directions"] @ directions.T).max(axis=0)) > 0.9


def test_a_run_that_was_stopped_reaches_the_same_weights(tmp_path):
    vectors, _ = mixtures()
    whole = train(vectors, tmp_path / "whole", SMALL)

    def stop(done: float) -> None:
        if done > 0.7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(vectors, tmp_path / "parts", SMALL, progress=stop)
    steps = []
    resumed = train(vectors, tmp_path / "parts", SMALL, progress=steps.append)
    assert len(steps) == 20  # from the checkpoint at step 40
    for name, array in whole.items():
        np.testing.assert_array_equal(resumed[name], array)
    assert (
        train(vectors, tmp_path / "parts", SMALL, progress=steps.append)["offsets"].tolist()
        == whole["offsets"].tolist()
    )
    assert len(steps) == 20


def test_a_checkpoint_of_something_else_is_refused(tmp_path):
    vectors, _ = mixtures()
    train(vectors, tmp_path, SMALL)
    with pytest.raises(ValueError, match="other settings or vectors"):
        train(vectors[:-1], tmp_path, SMALL)
    (tmp_path / "checkpoint" / "about.json").write_text("nonsense")
    with pytest.raises(ValueError, match="damaged"):
        train(vectors, tmp_path, SMALL)


@pytest.mark.parametrize("wrong", [{"features": 0}, {"k": 25}, {"steps": 0}, {"batch": 0}, {"save_every": 0}])
def test_numbers_have_limits(tmp_path, wrong):
    with pytest.raises(ValueError, match=r"choose|Give"):
        train(mixtures()[0], tmp_path, Settings(**{**vars(SMALL), **wrong}))
