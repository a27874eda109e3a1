"""What two models say to the same test: each sentence against its numbers."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from embtools.bias import association, mitigation, published_tests, residual, two_models
from embtools.bias.association import Association

NAMES = ("A", "B")
WORDS = ["rose", "tulip", "ant", "bee", "wasp"]


def found(effect, p, values=(5, 4, 3, 2, 1), words=WORDS):
    scores = pd.DataFrame({"set": "X", "word": words, "association": np.array(values, float)})
    return Association(effect, effect - 1, effect + 1, p, p / 2, 70, True, scores, ())


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (
            (1.2, 0.01),
            (0.8, 0.02),
            "Both models lean the same way: d = +1.20 in A (p = 0.010), +0.80 in B (p = 0.020).",
        ),
        ((1.2, 0.01), (-0.8, 0.02), "The models lean opposite ways: d = +1.20"),
        ((1.2, 0.20), (0.8, 0.02), "Clear in B alone: d = +1.20 in A (p = 0.200)"),
        ((1.2, 0.01), (0.8, 0.05), "Clear in A alone"),
        ((0.1, 0.60), (0.2, 0.70), "Clear in neither model"),
    ],
)
def test_a_test_in_two_models_is_clear_in_those_where_chance_does_not_explain_it(first, second, said):
    assert two_models.associations(found(*first), found(*second), NAMES).startswith(said)


def test_the_words_of_a_test_are_ordered_by_those_that_both_have():
    other = found(0.8, 0.02, [1, 5, 2, 3, 4, 9], [w.capitalize() for w in WORDS] + ["moth"])
    rho = spearmanr([5, 4, 3, 2, 1], [1, 5, 2, 3, 4]).statistic
    assert f"Their 5 words in both stand in no common order: ρ = {rho:+.2f}" in two_models.associations(
        found(1, 0.01), other, NAMES
    )
    few = found(0.8, 0.02, [1, 2, 3], ["rose", "tulip", "moth"])
    assert "words in both" not in two_models.associations(found(1, 0.01), few, NAMES)


def test_the_published_tests_are_counted_where_both_models_have_the_words(tiny, bundled):
    first = pd.DataFrame({"effect": [1.0, 1.0, -1.0, np.nan, 0.5], "p_holm": [0.01, 0.2, 0.01, np.nan, 0.01]})
    second = pd.DataFrame({"effect": [1.0, -1.0, -0.5, 1.0, 0.5], "p_holm": [0.01, 0.01, 0.3, 0.01, 0.04]})
    assert two_models.batteries(first, second, NAMES) == (
        "3 of the 4 tests that both can be asked point the same way; clear in A: 3, in B: 3, in both: 2."
    )
    both = [published_tests.battery(model) for model in (tiny, bundled)]
    assert two_models.batteries(*both, NAMES) == "No test has enough words of one piece in both models."


def test_remedies_are_read_off_the_rows_of_projecting_away(bundled):
    pair = ("he",), ("she",)
    gains = mitigation.gain(["{group} works as a [MASK]."], ["nurse", "doctor"], *pair, bundled)
    left_over = residual.remains(*pair, bundled, per_side=20)
    gap = dict(zip(gains["method"], gains["gap"], strict=True))
    rest = dict(zip(left_over["method"], left_over["accuracy"], strict=True))["project away"]
    part = f"from {gap['none']:.2f} to {gap['project away']:.2f} nats, and {rest:.0%} can be sorted"
    assert two_models.remedies((gains, left_over), (gains, left_over), NAMES) == (
        f"Projecting away takes the gap in A {part} afterwards; in B {part}."
    )


def test_changes_are_paired_by_word_and_place():
    first = pd.DataFrame({"word": ["the", "nurse", "the", "keys", "gone"], "change": [1.0, 2, 3, 4, 5]})
    second = first.assign(change=[1.0, 3, 2, 5, 4])
    rho = spearmanr(first["change"], second["change"]).statistic
    assert f"Over the 5 words in both, the changes are in no common order: ρ = {rho:+.2f}" in two_models.swaps(
        first, second
    )
    long = pd.concat([first.assign(change=first["change"] + 5 * n) for n in range(4)])
    assert "go the same way: ρ = +1.00, p < 0.001" in two_models.swaps(long, long)
    assert "go opposite ways" in two_models.swaps(long, long.assign(change=-long["change"]))
    assert "too few" in two_models.swaps(first.head(3), second)
    assert "too few" in two_models.swaps(first.assign(change=1.0), second)


def test_two_real_models_are_compared_by_their_own_tests(bundled, tiny):
    sets = ("king", "man"), ("queen", "woman"), ("he", "is"), ("she", "the")
    both = [association.weat(*sets, model) for model in (bundled, tiny)]
    said = two_models.associations(*both, NAMES)
    assert all(f"{one.effect:+.2f} in {name}" in said for one, name in zip(both, NAMES, strict=True))
