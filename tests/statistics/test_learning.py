"""Ranks, probes, the best of several options on items that did not choose it, and t-SNE: against scipy and scikit-learn."""

import threading
import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression
from sklearn.manifold import TSNE
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from embtools.layers.verdict import held_out_best
from embtools.progress import silent
from embtools.statistics import tsne
from embtools.statistics.probe import MET, NEVER, fit, held_out, random_labels, split
from embtools.statistics.ranks import TIE, compared, ranks
from tests.stopping import Stopped

numbers = st.lists(st.integers(-20, 20), min_size=1, max_size=30)


@given(numbers)
def test_ranks_are_those_of_scipy_from_the_largest_on(values):
    values = np.array(values, float)
    np.testing.assert_array_equal(ranks(values), rankdata(-values))


@given(numbers)
def test_rounding_does_not_change_ranks(values):
    values = np.array(values, float)
    shaken = values + np.random.default_rng(0).uniform(-TIE / 3, TIE / 3, len(values))
    np.testing.assert_array_equal(ranks(shaken), ranks(values))


def test_rows_are_ranked_separately_in_float64_and_nan_stays_nan():
    assert ranks(np.array([0.99999910, 0.99999912, 0.99999911])).tolist() == [3, 1, 2]
    table = np.random.default_rng(1).normal(size=(2, 3, 5))
    np.testing.assert_array_equal(ranks(table), rankdata(-table, axis=-1))
    assert compared(np.float32([0.1]), np.array([0.1])).tolist() == [1]
    assert np.isnan(compared(np.array([np.nan, 1.0]), np.array([1.0, np.nan]))).all()


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
    x, splits = vectors[1].astype(np.float64), split(LABELS, TYPES, folding=folding)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=1_000))
    expected = cross_val_predict(model, x, LABELS, cv=splits, method="predict_proba")
    assert np.allclose(held_out(vectors[1], LABELS, splits), expected, atol=1e-6)


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


def test_a_probe_trained_on_one_label_predicts_it_and_a_strength_of_zero_is_refused(vectors):
    probe = fit(vectors[0][:3], ["a", "a", "a"])
    assert probe.predict(vectors[0][3:5]).tolist() == ["a", "a"]
    # A label that is missing in the training rows of a fold has no probability there.
    labels = ["a"] * 58 + ["b"] * 2
    found = held_out(vectors[0], labels, ((np.arange(58), np.arange(58, 60)), (np.arange(2, 60), np.arange(2))))
    assert found[58:].tolist() == [[1, 0], [1, 0]] and (found[:2, 1] > 0).all() and not found[2:58].any()
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


def test_the_scores_approach_the_mean_over_all_halves():
    """By trying all ways to split six items into halves."""
    scores = np.random.default_rng(3).normal(size=(6, 4))
    expected = np.zeros(6)
    halves = [set(half) for half in combinations(range(6), 3)]
    for half in halves:
        best = max(range(4), key=lambda option: np.mean([scores[i, option] for i in half]))
        for item in set(range(6)) - half:
            expected[item] += scores[item, best] / (len(halves) / 2)
    assert held_out_best(scores, splits=4_000) == pytest.approx(expected, abs=0.1)


def test_options_that_differ_by_chance_get_no_advantage_from_the_choice():
    rng = np.random.default_rng(0)
    drawn = [(rng.random((20, 33)) < 0.5).astype(float) for _ in range(200)]
    assert np.mean([scores.mean(axis=0).max() for scores in drawn]) > 0.7
    assert np.mean([held_out_best(scores, splits=10).mean() for scores in drawn]) == pytest.approx(0.5, abs=0.02)


def test_an_option_that_is_always_best_keeps_its_scores():
    scores = np.random.default_rng(1).random((9, 5))
    scores[:, 2] += 1
    assert held_out_best(scores) == pytest.approx(scores[:, 2])
    assert (held_out_best(scores) == held_out_best(scores)).all()


@pytest.mark.parametrize(
    "scores, message",
    [(np.ones((1, 3)), "items"), (np.ones((3, 0)), "options"), (np.full((3, 2), np.nan), "finite")],
)
def test_what_cannot_be_scored_is_refused(scores, message):
    with pytest.raises(ValueError, match=message):
        held_out_best(scores)


FEW = {"perplexity": 3.0}


@pytest.fixture(scope="module")
def ten(tiny) -> np.ndarray:
    return np.stack([tiny.vector(w) for w in "rome italy france paris bank river king queen man woman".split()])


def test_it_equals_scikit_learn_and_is_deterministic(ten):
    view = {"perplexity": 3.0, "metric": "euclidean", "start": "random", "seed": 7}
    once, again = tsne.positions(ten, **view), tsne.positions(ten, **view)
    assert (once == again).all()
    assert (once == TSNE(2, perplexity=3, init="random", random_state=7).fit_transform(ten)).all()
    assert (tsne.positions(ten, **view | {"seed": 8}) != once).any()


@pytest.mark.parametrize("progress", [lambda done: None, silent])
def test_a_small_map_does_not_wait_for_a_large_one(progress):
    finish, begun = threading.Event(), threading.Event()

    def large() -> None:
        begun.set()
        finish.wait(20)

    try:
        other = threading.Thread(target=lambda: tsne._timed(large, 60, progress))
        other.start()
        assert begun.wait(10)
        assert tsne._timed(lambda: "small", tsne.seconds(73), progress) == "small"
        assert not finish.is_set() and other.is_alive()
    finally:
        finish.set()
        other.join()


def test_large_maps_are_computed_one_at_a_time():
    running, most, lock = [0], [0], threading.Lock()

    def large() -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.1)
        with lock:
            running[0] -= 1

    others = [threading.Thread(target=lambda: tsne._timed(large, 60, silent)) for _ in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert most == [1]


def test_stopped_fits_do_not_pile_up(ten, monkeypatch):
    finish, begun = threading.Event(), []

    def fit(self, x):
        begun.append(1)
        finish.wait(20)
        return np.arange(2.0 * len(x)).reshape(-1, 2)

    def stop(done: float) -> None:
        if begun:
            raise Stopped

    monkeypatch.setattr(TSNE, "fit_transform", fit)
    try:
        for _ in range(3):
            with pytest.raises(Stopped):
                tsne.positions(ten, progress=stop, **FEW)
        assert len(begun) == 1
    finally:
        finish.set()
    for progress in (lambda done: None, silent):
        assert tsne.positions(ten, progress=progress, **FEW)[1].tolist() == [2, 3]


def test_a_fit_whose_thread_cannot_start_does_not_block_the_next(ten, monkeypatch):
    def full(*_):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", full)
        with pytest.raises(RuntimeError, match="start new thread"):
            tsne.positions(ten, progress=lambda done: None, **FEW)
    begun = time.monotonic()

    def patient(done: float) -> None:
        assert time.monotonic() - begun < 60, "the next map waits for one that never started"

    assert len(tsne.positions(ten, progress=patient, **FEW)) == 10
