"""Sentences that compare two models, checked against their numbers."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from embtools.bias import association, mitigation, published_tests, residual, two_models
from embtools.bias.answers_by_group import GroupAnswers
from embtools.bias.methods import Methods
from embtools.bias.occupations import Occupations
from embtools.statistics.association import Association

NAMES = ("A", "B")
WORDS = ["rose", "tulip", "ant", "bee", "wasp"]


def found(effect, p, values=(5, 4, 3, 2, 1), words=WORDS):
    scores = pd.DataFrame({"set": "X", "word": words, "association": np.array(values, float)})
    return Association(effect, effect - 1, effect + 1, p, p / 2, 70, True, scores, ())


@pytest.mark.parametrize(
    ("first", "second", "start"),
    [
        (
            (1.2, 0.01),
            (0.8, 0.02),
            "Both models show a clear effect, in the same direction: d = +1.20 in A (p = 0.010) and +0.80 in B (p ="
            " 0.020).",
        ),
        (
            (1.2, 0.01),
            (-0.8, 0.02),
            "Both models show a clear effect, in opposite directions: d = +1.20 in A (p = 0.010) and −0.80 in B",
        ),
        ((1.2, 0.20), (0.8, 0.02), "Only B shows a clear effect: d = +1.20 in A (p = 0.200)"),
        ((1.2, 0.01), (0.8, 0.05), "Only A shows a clear effect"),
        ((0.1, 0.60), (0.2, 0.70), "Neither model shows a clear effect"),
    ],
)
def test_an_effect_is_clear_where_chance_does_not_explain_it(first, second, start):
    assert two_models.associations(found(*first), found(*second), NAMES).startswith(start)


def test_the_order_of_a_tests_words_uses_the_words_of_both_models():
    other = found(0.8, 0.02, [1, 5, 2, 3, 4, 9], [w.capitalize() for w in WORDS] + ["moth"])
    rho = spearmanr([5, 4, 3, 2, 1], [1, 5, 2, 3, 4]).statistic
    sentence = two_models.associations(found(1, 0.01), other, NAMES)
    assert f"The 5 words in both models are in no common order (ρ = {rho:+.2f},".replace("-", "−") in sentence
    few = found(0.8, 0.02, [1, 2, 3], ["rose", "tulip", "moth"])
    assert "words in both models" not in two_models.associations(found(1, 0.01), few, NAMES)


def test_the_published_tests_are_counted_where_both_models_have_the_words(tiny, bundled):
    first = pd.DataFrame({"effect": [1.0, 1.0, -1.0, np.nan, 0.5], "p_adjusted": [0.01, 0.2, 0.01, np.nan, 0.01]})
    second = pd.DataFrame({"effect": [1.0, -1.0, -0.5, 1.0, 0.5], "p_adjusted": [0.01, 0.01, 0.3, 0.01, 0.04]})
    assert two_models.batteries(first, second, NAMES) == (
        "3 of the 4 tests that can be run on both models have an effect in the same direction. The effect is clear in 3"
        " tests in A, in 3 in B, and in 2 in both."
    )
    both = [published_tests.battery(model).frame for model in (tiny, bundled)]
    assert two_models.batteries(*both, NAMES) == "No test has enough single-token words in both models."


def test_methods_are_compared_by_project_away(bundled):
    pair = ("he",), ("she",)
    gains = mitigation.gain(
        ["{group} works as a [MASK]."], bundled, occupations=["nurse", "doctor"], first=pair[0], second=pair[1]
    )
    residuals = residual.residual_bias(*pair, bundled, per_side=20)
    gap = dict(zip(gains["method"], gains["gap"], strict=True))
    left = dict(zip(residuals["method"], residuals["accuracy"], strict=True))
    rest, erased = (f"{math.floor(100 * left[method] + 0.5)}%" for method in ("project away", "LEACE"))
    change = f"from {gap['none']:.2f} to {gap['project away']:.2f} nats"
    result = Methods(("he", "she"), gains, pd.DataFrame(), pd.DataFrame(), residuals)
    assert two_models.project_away(result, result, NAMES) == (
        f"“Project away” changes the gap {change} in A and {change} in B. Afterwards, a classifier assigns {rest}"
        f" of the words in A and {rest} of the words in B to their old side (after LEACE, {erased} and {erased})."
    )


def test_changes_are_paired_by_word_and_occurrence():
    first = pd.DataFrame({"word": ["the", "nurse", "the", "keys", "gone"], "change": [1.0, 2, 3, 4, 5]})
    second = first.assign(change=[1.0, 3, 2, 5, 4])
    rho = spearmanr(first["change"], second["change"]).statistic
    assert f"For the 5 words in both models, the changes are in no common order (ρ = {rho:+.2f},".replace(
        "-", "−"
    ) in two_models.swaps(first, second)
    long = pd.concat([first.assign(change=first["change"] + 5 * n) for n in range(4)])
    assert "are in a similar order (ρ = +1.00, p < 0.001)." in two_models.swaps(long, long)
    assert "are in opposite orders (ρ = −1.00," in two_models.swaps(long, long.assign(change=-long["change"]))
    assert "too few" in two_models.swaps(first.head(3), second)
    assert "too few" in two_models.swaps(first.assign(change=1.0), second)


def test_two_real_models_are_compared(bundled, tiny):
    sets = ("king", "man"), ("queen", "woman"), ("he", "is"), ("she", "the")
    both = [association.weat(*sets, model) for model in (bundled, tiny)]
    sentence = two_models.associations(*both, NAMES).replace("−", "-")
    assert all(f"{one.effect:+.2f} in {name}" in sentence for one, name in zip(both, NAMES, strict=True))


def test_the_gaps_of_groups_are_compared_over_the_words_of_both_models():
    one, other = (
        GroupAnswers(("he", "she"), pd.DataFrame(), pd.DataFrame(), pd.DataFrame(), "", (), 0.0, dict(gaps))
        for gaps in (
            zip(["cook", "nurse", "poet", "judge", "king"], [1.0, 2, 3, 4, 5], strict=True),
            zip(["king", "judge", "poet", "Nurse", "queen"], [1.0, 2, 4, 3, 9], strict=True),
        )
    )
    rho = spearmanr([2, 3, 4, 5], [3, 4, 2, 1]).statistic
    assert two_models.group_gaps(one, other, NAMES).startswith(
        f"For the 4 words in both models, the gaps are in no common order (ρ = {rho:+.2f}, p = ".replace("-", "−")
    )
    few = replace(other, gaps={"king": 1.0, "cook": 2.0})
    assert two_models.group_gaps(one, few) == (
        "The models share fewer than four words, too few to compare the order of the gaps."
    )


def test_the_scores_of_occupations_are_compared_in_their_order():
    words = ["cook", "nurse", "poet", "judge", "baker"]
    one, other = (
        Occupations(("he", "she"), pd.DataFrame(), table, table)
        for table in (
            pd.DataFrame({"occupation": words, "score": [1.0, 2, 3, 4, 5]}),
            pd.DataFrame({"occupation": words[:4], "score": [2.0, 1, 3, 4]}),
        )
    )
    rho = spearmanr([1, 2, 3, 4], [2, 1, 3, 4]).statistic
    assert two_models.occupation_gaps(one, other, NAMES).startswith(
        f"For the 4 occupations in both models, the gaps are in no common order (ρ = {rho:+.2f}, p = "
    )
