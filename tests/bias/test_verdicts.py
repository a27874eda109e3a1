"""Sentences about one model and two: they say what the numbers say, and nothing more."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from embtools.bias import likelihood, mitigation, occupations, published_tests, residual, two_models, verdict
from embtools.bias.answers_by_group import GroupAnswers
from embtools.bias.methods import Methods
from embtools.bias.occupations import Occupations
from embtools.statistics.agreement import Ranks
from embtools.statistics.association import Association


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
    assert swapped(0.0, 0.0)[0] == swapped(0.0009, 0.0)[0] and swapped(0.0, 0.0)[0].startswith("No word changes notic")
    word, together = swapped(0.02, -0.018)
    assert (
        "it is 1.02 times as likely" in word
        and together == "All shared words together fit both sentences equally well."
    )


@pytest.mark.parametrize(
    ("fit", "sentence"),
    [
        ((0.53, 0.3, 0.7, 0.0001), "The two measures rank the words in a similar order (ρ = 0.53, {}, p < 0.001)."),
        ((0.9, 0.8, 0.95, 0.002), "in almost the same order (ρ = 0.90, {}, p = 0.002)"),
        ((-0.6, -0.8, -0.3, 0.01), "in opposite orders (ρ = −0.60, {}, p = 0.010)."),
        ((0.2, -0.1, 0.4, 0.4), "do not rank the words in a clearly similar order (ρ = 0.20, {}, p = 0.400)."),
        ((0.2, -0.1, 0.4, 0.04), "(ρ = 0.20, {}, p = 0.040). But the interval, by bootstrap, includes 0,"),
        (
            (0.2, 0.1, 0.4, 0.06),
            "p = 0.060). The interval, by bootstrap, excludes 0, but the permutation test finds no clear relation.",
        ),
    ],
)
def test_two_measures_agree_only_where_chance_does_not_explain_it(fit, sentence):
    interval = f"95% interval {fit[1]:.2f} to {fit[2]:.2f}".replace("-", "−")
    assert sentence.format(interval) in verdict.agreement(fit)


def test_published_tests_are_counted_after_the_correction():
    tests = pd.DataFrame({"p_adjusted": [0.01, 0.049, 0.05, np.nan]})
    assert verdict.battery(tests).startswith("2 of 3 tests have a two-sided p < 0.05 after")
    assert "The other test has too few single-token words." in verdict.battery(tests)
    assert "too few" not in verdict.battery(tests.dropna())
    assert verdict.battery(tests[2:]).startswith("0 of 1 test has") and "1 of 1 test has" in verdict.battery(tests[:1])
    assert verdict.battery(tests[3:]) == "No test has enough single-token words."


def said_of_mitigation(
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
    ("change", "cost", "numbers"),
    [
        ((-0.02, -0.05, 0.01), "no clear cost", "−0.020 nats, 95% interval −0.050 to +0.010"),
        ((-0.3, -0.4, -0.2), "a clear cost", "−0.300 nats, 95% interval −0.400 to −0.200"),
        ((0.3, 0.2, 0.4), "a clear gain", "+0.300 nats, 95% interval +0.200 to +0.400"),
    ],
)
def test_a_mitigation_is_described_by_gain_cost_and_residual_bias(change, cost, numbers):
    finding, control = said_of_mitigation(change)
    assert finding == (
        "After “project away”, the answers for he and she differ by 0.10 nats, compared with 0.40 before, and with 0.39 if"
        " a random direction is removed instead. 92% of the words can still be assigned to their old side."
    )
    sentence = f"{cost} (the log probability of acceptable answers changes by {numbers})"
    assert f"“project away” has {sentence}" in control and control.endswith(
        "Removing a random direction (the control) changes it by −0.010 nats. This control also leaves traces: 94% of the"
        " words at the two ends of its direction can be assigned to their old side."
    )


@pytest.mark.parametrize(("random", "same"), [(-0.3, True), (-0.35, True), (-0.29, False), (0.3, False)])
def test_a_cost_that_a_random_direction_has_too_is_not_due_to_the_direction(random, same):
    _, control = said_of_mitigation((-0.3, -0.4, -0.2), random=random)
    assert (", so this is not due to the direction that was removed." in control) == same
    assert "not due to" not in said_of_mitigation((-0.02, -0.05, 0.01), random=random)[1]


def test_an_accuracy_no_better_than_guessing_is_no_finding():
    finding, control = said_of_mitigation(rest=(0.52, 0.47, 0.57), control=(0.51, 0.49, 0.54))
    assert "52% of the words can be assigned to their old side, no better than guessing (50%)." in finding
    assert "leaves no clear traces: 51%" in control


def test_erasers_are_described_by_what_is_left_on_their_own_words_and_on_others():
    names = ["none", "project away", "LEACE", "INLP", "random direction", "random directions"]
    left = pd.DataFrame({"method": names, "accuracy": [1.0, 0.91, 0.92, 0.81, 0.94, 0.93]})
    sentence = verdict.erasers(left.assign(loss_fitted=[0.1, 0.9, 1.0, 0.98, 1.0, 1.0]))
    text = "than a constant answer: the best one has a loss of 1.00 bits, and a constant answer 1 bit. After INLP the loss is"
    assert text in sentence
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


NAMES = ("A", "B")
WORDS = ["rose", "tulip", "ant", "bee", "wasp"]


def found(effect, p, values=(5, 4, 3, 2, 1), words=WORDS):
    scores = pd.DataFrame({"set": "X", "word": words, "association": np.array(values, float)})
    return Association(effect, effect - 1, effect + 1, p, p / 2, 70, True, scores, ())


@pytest.mark.parametrize(
    ("first", "second", "start"),
    [
        ((1.2, 0.01), (0.8, 0.02), "Both show a clear effect, in the same direction: d = {}"),
        ((1.2, 0.01), (-0.8, 0.02), "Both show a clear effect, in opposite directions: d = {}"),
        ((1.2, 0.20), (0.8, 0.02), "Only B shows a clear effect: d = {}"),
        ((1.2, 0.01), (0.8, 0.05), "Only A shows a clear effect"),
        ((0.1, 0.60), (0.2, 0.70), "Neither shows a clear effect"),
    ],
)
def test_an_effect_is_clear_where_chance_does_not_explain_it(first, second, start):
    numbers = f"{first[0]:+.2f} in A (p = {first[1]:.3f}) and {second[0]:+.2f} in B (p = {second[1]:.3f}).".replace(
        "-", "−"
    )
    assert two_models.associations(found(*first), found(*second), NAMES).startswith(start.format(numbers))


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
        "Of 4 tests that can be run on both models, 3 have an effect in the same direction. The effect is clear in 3"
        " tests in A, in 3 in B, and in 2 in both."
    )
    assert two_models.batteries(first[:1], second[:1], NAMES).startswith(
        "Of 1 test that can be run on both models, 1 has"
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
    said = f"For the 5 words in both models, the changes are in no common order (ρ = {rho:+.2f},".replace("-", "−")
    assert said in two_models.swaps(first, second)
    long = pd.concat([first.assign(change=first["change"] + 5 * n) for n in range(4)])
    assert "are in a similar order (ρ = +1.00, p < 0.001)." in two_models.swaps(long, long)
    assert "are in opposite orders (ρ = −1.00," in two_models.swaps(long, long.assign(change=-long["change"]))
    assert "too few" in two_models.swaps(first.head(3), second)
    assert "too few" in two_models.swaps(first.assign(change=1.0), second)


@pytest.mark.parametrize(
    ("compare", "what"), [(two_models.group_gaps, "words"), (two_models.occupation_gaps, "occupations")]
)
def test_gaps_are_compared_over_the_words_of_both_models(compare, what):
    def result(**gaps):
        if what == "words":
            return GroupAnswers(("he", "she"), *[pd.DataFrame()] * 3, "", (), 0.0, gaps)
        table = pd.DataFrame({"occupation": [*gaps], "score": [*gaps.values()]})
        return Occupations(("he", "she"), pd.DataFrame(), table, table)

    one, other = result(cook=1.0, nurse=2, poet=3, judge=4, king=5), result(king=1.0, judge=2, poet=4, Nurse=3, queen=9)
    rho = spearmanr([2, 3, 4, 5], [3, 4, 2, 1]).statistic
    text = f"For the 4 {what} in both models, the gaps are in no common order (ρ = {rho:+.2f}, p = ".replace("-", "−")
    assert compare(one, other, NAMES).startswith(text)
    few = f"The models share fewer than four {what}, too few to compare the order of the gaps."
    assert compare(one, result(king=1.0, cook=2)) == few


def summary(*rows, sentences=4):
    return pd.DataFrame(rows, columns=["occupation", "score", "same_side"]).assign(sentences=sentences)


def headline(*rows, sentences=4):
    return occupations.headline(summary(*rows, sentences=sentences), "he", "she")


def test_only_words_that_are_biased_in_every_sentence_are_named():
    low = [(name, score, True) for name, score in zip("abcd", (-4, -3, -2, -1), strict=True)]
    assert headline(*low, ("e", -9, False), ("f", 1, True)) == (
        "A, b and c lean towards he (by 2.0 to 4.0 nats); f leans towards she (by 1.0 nats)."
    )
    assert headline(("e", -9, False)) == ("Of 1 word, none leans towards the same group in every sentence.")
    assert headline(("a", 0.04, True), sentences=1) == "A leans towards she (by less than 0.1 nats)."


def test_a_number_expected_by_chance_is_no_finding():
    """Of eight words with three sentences, two are expected by chance; for three such words p is 0.42."""
    rows = [("a", -1, True), ("b", 1, True), ("c", 2, True), *((w, 0.5, False) for w in "defgh")]
    assert headline(*rows, sentences=3) == (
        "A leans towards he (by 1.0 nats); c and b lean towards she (by 1.0 to 2.0 nats). But this can be chance (p = 0.422)."
    )
    assert occupations.one_sided(summary(*rows, sentences=3)) == (
        "3 of 8 words lean towards the same group in every sentence; 2.0 are expected by chance (p = 0.422)."
    )
    assert headline(*rows, sentences=8).startswith(
        "A leans towards he (by 1.0 nats); c and b lean towards she (by 1.0 to 2.0 nats)."
    )


def test_a_single_word_can_be_chance_although_more_than_expected():
    text = headline(("a", 1, True), sentences=5)
    assert text == "A leans towards she (by 1.0 nats). But this can be chance (p = 0.063)."
    assert occupations.one_sided(summary(("a", 1, True), sentences=5)) == (
        "1 of 1 word leans towards the same group in every sentence; 0.1 are expected by chance (p = 0.063)."
    )


def test_one_sentence_shows_no_agreement():
    rows = [("a", -1, True), ("b", 1, True)]
    assert headline(*rows, sentences=1) == "A leans towards he (by 1.0 nats); b leans towards she (by 1.0 nats)."
    assert occupations.one_sided(summary(*rows, sentences=1)).startswith("There is only one sentence.")
    assert occupations.same_side_p(summary(*rows, sentences=1)) == 1


def test_fewer_words_than_expected_by_chance_are_no_finding():
    """One of 20 words leans the same way in two sentences, of which chance gives ten: p is small, on the other side."""
    rows = [("a", -1, True), *((f"w{n}", 0.5, False) for n in range(19))]
    assert occupations.same_side_p(summary(*rows, sentences=2)) == pytest.approx(2 * 21 / 2**20)
    assert not occupations.more_than_chance(summary(*rows, sentences=2))
    assert headline(*rows, sentences=2).endswith("But there are no more such words than expected by chance.")
    turned = [(word, score, not same) for word, score, same in rows]
    assert occupations.more_than_chance(summary(*turned, sentences=2))
    assert "expected by chance" not in headline(*turned, sentences=2)


@pytest.mark.slow
@pytest.mark.parametrize("sentences", [2])
def test_random_scores_are_a_finding_in_at_most_one_of_twenty_cases(sentences):
    rng, found = np.random.default_rng(0), []
    for _ in range(300):
        scores = pd.DataFrame(
            {
                "occupation": np.repeat([f"w{n}" for n in range(60)], sentences),
                "score": rng.normal(size=60 * sentences),
            }
        )
        table = likelihood.summary(scores)
        assert (table["sentences"] == sentences).all()
        found.append((occupations.same_side_p(table), occupations.more_than_chance(table)))
    p, more = np.array(found).T
    assert 0.01 < np.mean(p < 0.05) < 0.075 and np.mean(p) > 0.45
    assert 0 < more.mean() < 0.055  # exactly 1.4% and 3.2% for two and four sentences, with two deviations more
