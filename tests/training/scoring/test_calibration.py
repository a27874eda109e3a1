"""Calibration of the first answer: by hand, by a second implementation, and on answers that are calibrated by design."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.scoring.calibration import BINS, calibration, expected_calibration_error


def _by_loops(confidence, right, bins: int) -> float:
    """The definition of Guo et al. (2017), equation 3, bin by bin."""
    total = 0.0
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [i for i, p in enumerate(confidence) if low <= p < high or (p == 1 and number == bins - 1)]
        if inside:
            accuracy = sum(right[i] for i in inside) / len(inside)
            trust = sum(confidence[i] for i in inside) / len(inside)
            total += len(inside) / len(confidence) * abs(accuracy - trust)
    return total


def test_the_error_by_hand() -> None:
    # 0.1 and 0.15 share a bin (mean 0.125, one of two right), 0.95 and 1.0 another (mean 0.975, both right).
    error = expected_calibration_error([0.1, 0.15, 0.95, 1.0], [1, 0, 1, 1])
    assert error == pytest.approx((0.5 - 0.125) / 2 + (1 - 0.975) / 2)


@given(st.lists(st.tuples(st.integers(0, 64), st.booleans()), min_size=1, max_size=60), st.sampled_from([1, 2, 4, 8]))
def test_the_error_is_that_of_a_second_implementation(answers, bins: int) -> None:
    confidence, right = [n / 64 for n, _ in answers], [float(hit) for _, hit in answers]  # exact at the ends of bins
    error = expected_calibration_error(confidence, right, bins)
    assert error == pytest.approx(_by_loops(confidence, right, bins))
    assert abs(np.mean(confidence) - np.mean(right)) - 1e-9 <= error <= 1


def test_calibrated_answers_look_like_the_calibrated_model_and_overconfident_ones_do_not() -> None:
    rng = np.random.default_rng(1)
    confidence = rng.random(3000)
    good = (rng.random(3000) < confidence).astype(float)
    bad = (rng.random(3000) < confidence - 0.2).astype(float)
    documents = np.repeat(np.arange(300), 10)
    error, perfect, difference = calibration("answers", confidence, good, documents)
    assert error["value"] == expected_calibration_error(confidence, good)
    assert error["low"] <= error["value"] <= error["high"] < 0.05
    assert perfect["low"] < error["value"] < perfect["high"]
    assert difference["low"] < 0 < difference["high"]
    error, same, difference = calibration("answers", confidence, bad, documents)
    assert same["value"] == perfect["value"]  # it depends on the confidences alone
    assert error["low"] > perfect["high"]
    assert difference["value"] == pytest.approx(np.mean(confidence) - np.mean(bad))
    assert difference["low"] > 0.1
    assert {line["n"] for line in (error, perfect, difference)} == {3000}


def test_the_chance_level_is_the_expected_error_of_a_bin() -> None:
    # All confidences 0.5: the error of a calibrated model is |k / n - 0.5| with k binomial.
    from scipy.stats import binom

    expected = sum(abs(k / 20 - 0.5) * binom.pmf(k, 20, 0.5) for k in range(21))
    perfect = calibration("answers", [0.5] * 20, [1.0, 0.0] * 10, range(20))[1]
    assert perfect["value"] == pytest.approx(expected, abs=0.01)


@pytest.mark.slow
def test_the_interval_covers_the_error_of_more_answers() -> None:
    """Of 30 samples of overconfident answers about 28 intervals hold the error of the whole population."""
    rng = np.random.default_rng(0)
    bins = (np.arange(BINS) + 0.5) / BINS
    gap = 0.1  # in each bin the model is right less often by this much, so the population's error is the gap
    hits = 0
    for _ in range(30):
        confidence = rng.choice(bins[2:], 800)
        right = (rng.random(800) < confidence - gap).astype(float)
        error = calibration("answers", confidence, right, range(800))[0]
        hits += error["low"] <= gap <= error["high"]
    assert hits >= 25
