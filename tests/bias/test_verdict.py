"""Headlines and sentences for results: they say what the numbers say, and nothing more."""

import numpy as np
import pandas as pd
import pytest

from embtools.bias import verdict
from embtools.statistics.agreement import Ranks


def swapped(*changes):
    return verdict.swapped(pd.DataFrame({"word": list("abcd")[: len(changes)], "change": changes}))


def test_the_word_that_changed_most_and_all_together():
    assert swapped(0.1, -np.log(3), 0.2) == (
        "“b” fits the first sentence better: it is 3 times as likely there as in the swapped one.",
        "All shared words together fit the first sentence better, by 0.80 nats.",
    )
    word, together = swapped(-0.5, np.log(2), 0.1)
    assert word == "“b” fits the swapped sentence better: it is 2 times as likely there as in the first one."
    assert "the swapped sentence better, by 0.29 nats" in together
    assert swapped(0.0, 0.0)[0].startswith("No word changes")


@pytest.mark.parametrize(
    ("fit", "sentence"),
    [
        (
            (0.53, 0.3, 0.7, 0.0001),
            "The two measures rank the words in a similar order (ρ = 0.53, 95% interval 0.30 to 0.70, p < 0.001).",
        ),
        ((0.9, 0.8, 0.95, 0.002), "in almost the same order (ρ = 0.90, 95% interval 0.80 to 0.95, p = 0.002)"),
        ((-0.6, -0.8, -0.3, 0.01), "in opposite orders (ρ = −0.60, 95% interval −0.80 to −0.30, p = 0.010)."),
        (
            (0.2, -0.1, 0.4, 0.4),
            "do not rank the words in a clearly similar order (ρ = 0.20, 95% interval −0.10 to 0.40, p = 0.400).",
        ),
        (
            (0.2, -0.1, 0.4, 0.04),
            "a similar order (ρ = 0.20, 95% interval −0.10 to 0.40, p = 0.040). But the interval, by bootstrap,"
            " includes 0,",
        ),
        (
            (0.2, 0.1, 0.4, 0.06),
            "p = 0.060). The interval, by bootstrap, excludes 0, but the permutation test finds no clear relation.",
        ),
    ],
)
def test_two_measures_agree_only_where_chance_does_not_explain_it(fit, sentence):
    assert sentence in verdict.agreement(fit)


def test_published_tests_are_counted_after_the_correction():
    tests = pd.DataFrame({"p_adjusted": [0.01, 0.049, 0.05, np.nan]})
    assert verdict.battery(tests).startswith("2 of 3 tests have a two-sided p < 0.05 after")
    assert "The other test has too few single-token words." in verdict.battery(tests)
    assert "too few" not in verdict.battery(tests.dropna())


def mitigation(
    change=(-0.02, -0.05, 0.01), rest=(0.92, 0.9, 0.95), control=(0.94, 0.9, 0.96), random=-0.01
) -> tuple[str, str]:
    """The two sentences for a change of the acceptable answers, and shares of words that are still sorted right."""
    gains = pd.DataFrame({"method": ["none", "project away", "random direction"], "gap": [0.4, 0.1, 0.39]})
    costs = pd.DataFrame(
        [("project away", *change), ("random direction", random, -1.0, 1.0)],
        columns=["method", "log_change", "low", "high"],
    )
    left = pd.DataFrame(
        [("project away", *rest), ("random direction", *control)], columns=["method", "accuracy", "low", "high"]
    )
    return verdict.mitigation(gains, costs, left, ("he", "she"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            (-0.02, -0.05, 0.01),
            "no clear cost (the log probability of acceptable answers changes by −0.020 nats, 95% interval −0.050 to"
            " +0.010)",
        ),
        (
            (-0.3, -0.4, -0.2),
            "a clear cost (the log probability of acceptable answers changes by −0.300 nats, 95% interval −0.400 to"
            " −0.200)",
        ),
        (
            (0.3, 0.2, 0.4),
            "a clear gain (the log probability of acceptable answers changes by +0.300 nats, 95% interval +0.200 to"
            " +0.400)",
        ),
    ],
)
def test_a_mitigation_is_described_by_gain_cost_and_residual_bias(change, sentence):
    finding, control = mitigation(change)
    assert finding == (
        "After “project away”, the answers for he and she differ by 0.10 nats, compared with 0.40 before, and with 0.39 if"
        " a random direction is removed instead. 92% of the words can still be assigned to their old side."
    )
    assert f"“project away” has {sentence}" in control and control.endswith(
        "Removing a random direction (the control) changes it by −0.010 nats. This control also leaves traces: 94% of the"
        " words at the two ends of its direction can be assigned to their old side."
    )


@pytest.mark.parametrize(("random", "same"), [(-0.3, True), (-0.35, True), (-0.29, False), (0.3, False)])
def test_a_cost_that_a_random_direction_has_too_is_not_due_to_the_direction(random, same):
    _, control = mitigation((-0.3, -0.4, -0.2), random=random)
    assert (", so this is not due to the direction that was removed." in control) == same


def test_no_clear_cost_needs_no_explanation():
    assert "not due to" not in mitigation((-0.02, -0.05, 0.01), random=-0.5)[1]


def test_an_accuracy_no_better_than_guessing_is_no_finding():
    finding, control = mitigation(rest=(0.52, 0.47, 0.57), control=(0.51, 0.49, 0.54))
    assert "52% of the words can be assigned to their old side, no better than guessing (50%)." in finding
    assert "leaves no clear traces: 51%" in control


def test_erasers_are_described_by_what_is_left_on_their_own_words_and_on_others():
    left = pd.DataFrame(
        [
            ("none", 1.0, 0.1),
            ("project away", 0.91, 0.9),
            ("LEACE", 0.92, 1.0),
            ("INLP", 0.81, 0.98),
            ("random direction", 0.94, 1.0),
            ("random directions", 0.93, 1.0),
        ],
        columns=["method", "accuracy", "loss_fitted"],
    )
    sentence = verdict.erasers(left)
    assert (
        "than a constant answer: the best one has a loss of 1.00 bits, and a constant answer 1 bit. After INLP the loss is"
        in sentence
    )
    assert "After INLP the loss is 0.98 bits, after “project away” 0.90, and without mitigation 0.10. For" in sentence
    assert sentence.endswith(
        "For other words LEACE guarantees nothing: 92% of the biased words can be assigned to their old side after LEACE, 81% after INLP,"
        " and 93% after removing as many random directions as INLP does."
    )


@pytest.mark.parametrize(
    "found, sentence",
    [
        (None, "The models share fewer than four words, too few to compare the order of the gaps."),
        (
            Ranks(0.5, 0.01, 9),
            "For the 9 words in both models, the gaps are in a similar order (ρ = +0.50, p = 0.010).",
        ),
        (Ranks(-0.5, 0.01, 9), "the gaps are in opposite orders (ρ = −0.50, p = 0.010)."),
        (Ranks(0.5, 0.2, 9), "the gaps are in no common order (ρ = +0.50, p = 0.200)."),
    ],
)
def test_the_gaps_of_two_models_agree_only_if_chance_does_not_explain_it(found, sentence):
    assert sentence in verdict.two_models("words", found)
