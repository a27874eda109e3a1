import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from embtools.statistics.probe import MET, NEVER, fit, held_out, random_labels, split

TYPES = [f"w{n // 2}" for n in range(60)]
LABELS = ["abc"[n // 2 % 3] for n in range(60)]
"""Sixty items of thirty words and three labels."""


@pytest.fixture(scope="module")
def vectors():
    """Vectors of eight dimensions, sixty of noise and sixty of noise and the label."""
    noise = np.random.default_rng(0).normal(size=(2, 60, 8)).astype(np.float32)
    noise[1, :, :3] += 1.5 * (np.array(LABELS)[:, None] == list("abc"))
    return noise


def test_the_probe_is_the_minimum_of_its_loss(vectors):
    """By hand: cross-entropy of standardised vectors, plus the squared weights over 2 C."""
    labels = LABELS
    x = vectors[1].astype(np.float64)
    x = (x - x.mean(0)) / x.std(0)
    y = np.array([list("abc").index(label) for label in labels])

    def loss(flat):
        weights, bias = flat[:24].reshape(3, 8), flat[24:]
        scores = x @ weights.T + bias
        entropy = np.log(np.exp(scores).sum(1)) - scores[range(60), y]
        return entropy.sum() + (weights**2).sum() / 2 / 0.1

    best = minimize(loss, np.zeros(27), method="BFGS", options={"gtol": 1e-6}).x
    scores = x @ best[:24].reshape(3, 8).T + best[24:]
    expected = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    probe = fit(vectors[1], labels, strength=0.1)
    assert np.allclose(probe.predict_proba(vectors[1].astype(np.float64)), expected, atol=1e-3)


@pytest.mark.parametrize("folding", [NEVER, MET])
def test_held_out_probabilities_are_those_of_scikit_learn(vectors, folding):
    labels, types = LABELS, TYPES
    x, splits = vectors[1].astype(np.float64), split(labels, types, folding=folding)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=1_000))
    expected = cross_val_predict(model, x, labels, cv=splits, method="predict_proba")
    assert np.allclose(held_out(vectors[1], labels, splits), expected, atol=1e-6)


def test_folds_keep_all_occurrences_of_a_word_together():
    labels, types = LABELS, TYPES
    splits = split(labels, types, folding=NEVER)
    assert sorted(np.concatenate([rest for _, rest in splits])) == list(range(60))
    names = np.array(types)
    for learn, rest in splits:
        assert not set(names[learn]) & set(names[rest])
    codes = np.unique(names, return_inverse=True)[1]
    theirs = StratifiedGroupKFold(5, shuffle=True, random_state=0).split(np.zeros((60, 1)), labels, codes)
    assert all((a[1] == b[1]).all() for a, b in zip(splits, theirs, strict=True))
    assert any(set(names[learn]) & set(names[rest]) for learn, rest in split(labels, types, folding=MET))
    with pytest.raises(ValueError, match="no folding 'x'"):
        split(labels, types, folding="x")


def test_a_probe_trained_on_one_label_predicts_that_label(vectors):
    probe = fit(vectors[0][:3], ["a", "a", "a"])
    assert probe.predict(vectors[0][3:5]).tolist() == ["a", "a"]
    # A label that is missing in the training rows of a fold has no probability there.
    labels = ["a"] * 58 + ["b"] * 2
    found = held_out(vectors[0], labels, ((np.arange(58), np.arange(58, 60)), (np.arange(2, 60), np.arange(2))))
    assert found[58:].tolist() == [[1, 0], [1, 0]] and (found[:2, 1] > 0).all() and not found[2:58].any()


def test_a_strength_of_zero_is_refused(vectors):
    with pytest.raises(ValueError, match="must be above 0"):
        fit(vectors[0][:2], ["a", "b"], strength=0)


def test_random_labels_belong_to_words_and_keep_their_shares():
    labels, types = LABELS, TYPES
    shuffled = random_labels(labels, types, seed=3)
    assert sorted(shuffled) == sorted(labels) and shuffled != labels
    of = {}
    assert all(of.setdefault(kind, label) == label for kind, label in zip(types, shuffled, strict=True))
    assert random_labels(labels, types, seed=3) == shuffled != random_labels(labels, types, seed=4)
    # A word of two labels counts once, with its most frequent one.
    assert set(random_labels(["a", "b", "b", "c"], ["x", "x", "x", "y"], seed=0)) == {"b", "c"}
