"""The headline for each pattern of scores over the layers."""

import numpy as np
import pandas as pd
import pytest

from embtools.layers import verdict
from embtools.layers.senses import SenseTest
from embtools.layers.trajectories import Trajectories
from embtools.layers.verdict import held_out_best

NAN = float("nan")
CLEAR = SenseTest(1, 35, True)


def finding(
    auc: list[float],
    senses: int = 2,
    *,
    cosine: list[float] | None = None,
    test: SenseTest | None = CLEAR,
    pooling: str = "mean of tokens",
) -> str:
    points = pd.DataFrame({"occurrence": range(1, senses + 1), "sense": [f"sense {n}" for n in range(senses)]})
    layers = pd.DataFrame({"layer": range(len(auc)), "auc": auc, "cosine": cosine or [0.5] * len(auc)})
    return verdict.finding(Trajectories(points, layers, pooling, test), "bank")


@pytest.mark.parametrize(
    "auc, senses, expected",
    [
        ([0.4, 0.9, 0.7, 0.8, 1.0], 2, "From layer 3 on, BERT separates the two senses of bank. The AUC is 1.00 in layer 4 (p = 0.029) and 0.40 in layer 0, where occurrences differ only in position."),
        ([0.4, 0.9, 0.8], 2, "From layer 1 on, BERT separates the two senses of bank. The AUC is 0.80 in layer 2 (p = 0.029) and 0.40 in layer 0, where occurrences differ only in position."),
        ([0.4, 0.9, 0.79, 0.8], 3, "Only in the last layer does BERT separate the three senses of bank. The AUC is 0.80 in layer 3 (p = 0.029) and 0.40 in layer 0, where occurrences differ only in position."),
        ([0.4, 0.9, 0.95, 0.7], 2, "BERT separates the two senses of bank in layer 2 (AUC 0.95, p = 0.029) and mixes them again by layer 3 (AUC 0.70)."),
        ([0.4, 0.6, 0.5], 12, "BERT does not clearly separate the 12 senses of bank in any layer: the highest AUC is 0.60 (layer 1, p = 0.029), where 0.50 is chance."),
        ([NAN, 0.6, 0.9], 2, "Only in the last layer does BERT separate the two senses of bank. The AUC is 0.90 in layer 2 (p = 0.029)."),
    ],
)  # fmt: skip
def test_the_headline_for_each_pattern_of_scores(auc, senses, expected):
    assert finding(auc, senses) == expected


@pytest.mark.parametrize(
    "auc, expected",
    [
        ([1.0, 0.9, 0.85], "The two senses of bank separate (AUC 0.85 in layer 2, p = 0.029), but their positions alone separate them too (AUC 1.00 in layer 0). These sentences cannot show whether the context does."),
        ([0.8, 0.9, 0.7], "The two senses of bank separate (AUC 0.90 in layer 1, p = 0.029), but their positions alone separate them too (AUC 0.80 in layer 0). These sentences cannot show whether the context does."),
    ],
)  # fmt: skip
def test_senses_that_separate_by_position_are_not_called_separated_by_context(auc, expected):
    assert finding(auc) == expected
    assert "but the words of the sentences alone separate" in finding(auc, pooling="sentence: mean")


def test_what_layer_0_is_depends_on_the_pooling():
    assert finding([0.5, 0.9], pooling="sentence: cls").endswith("0.50 in layer 0, where all [CLS] vectors are equal.")
    assert finding([0.5, 0.9], pooling="sentence: max").endswith("0.50 in layer 0, before the layers mix the words.")


@pytest.mark.parametrize(
    "auc, test, expected",
    [
        ([0.4, 0.9, 1.0], SenseTest(4, 35, True), "All two occurrences of bank are separated into its two senses (AUC 1.00 in layer 2), but so are other groups of these sentences, so this can be chance (p = 0.114)."),
        ([0.4, 0.9, 1.0], SenseTest(60, 999, False), "All two occurrences of bank are separated into its two senses (AUC 1.00 in layer 2), but so are other groups of these sentences, so this can be chance (p = 0.061)."),
        ([0.4, 0.9, 0.99], SenseTest(4, 35, True), "BERT does not clearly separate the two senses of bank: the highest AUC, 0.99 in layer 2, can be chance (p = 0.114)."),
        ([0.4, 0.9, 1.0], SenseTest(1, 10, True), "All two occurrences of bank are separated into its two senses (AUC 1.00 in layer 2), but two are too few: add sentences (p = 0.100)."),
        ([1.0, 1.0, 1.0], SenseTest(1, 3, True), "All two occurrences of bank are separated into its two senses (AUC 1.00 in layer 1), but their positions alone already give an AUC of 1.00 (layer 0), and two are too few (p = 0.333)."),
    ],
)  # fmt: skip
def test_the_test_decides_whether_there_is_a_separation(auc, test, expected):
    assert finding(auc, test=test) == expected


@pytest.mark.parametrize(
    "test, expected",
    [
        (CLEAR, "There are 35 ways to split the occurrences into groups that are as large as the senses. In the layers above 0, the highest AUC of the split by sense is higher than that of any other split (p = 0.029)."),
        (SenseTest(4, 35, True), "There are 35 ways to split the occurrences into groups that are as large as the senses. In the layers above 0, the highest AUC of the split by sense is reached or exceeded by 4 of these splits, including itself (p = 0.114)."),
        (SenseTest(1, 999, False), "The occurrences were also split at random 999 times into groups that are as large as the senses. In the layers above 0, the highest AUC of the split by sense is reached or exceeded by 1 of these random splits (p = 0.002)."),
        (SenseTest(0, 999, False), "The occurrences were also split at random 999 times into groups that are as large as the senses. In the layers above 0, the highest AUC of the split by sense is reached or exceeded by none of these random splits (p ≤ 0.001, the smallest possible with 999 random splits)."),
        (None, ""),
    ],
)  # fmt: skip
def test_the_caption_explains_the_p_of_the_headline(test, expected):
    assert verdict.sense_test_caption(test) == expected


def test_without_senses_the_mean_cosine_is_reported_without_a_conclusion():
    nothing = [np.nan, np.nan]
    assert finding(nothing, 0, cosine=[0.9, 0.4], test=None) == (
        "The mean cosine between the occurrences of bank falls: it is 0.90 in layer 0 and 0.40 in layer 1. To compare"
        " layers, give senses to the occurrences."
    )
    assert "bank stays the same: it is 1.00" in finding(nothing, 0, cosine=[1.0, 0.999], test=None)
    assert "bank rises: it is 0.49 in layer 0 and 0.50" in finding(nothing, 0, cosine=[0.494, 0.496], test=None)
    assert "have the same sentence vector" in finding(nothing, 2, cosine=[NAN, NAN], test=None)


@pytest.mark.parametrize(
    "senses, advice",
    [
        (["", "", ""], "give senses to the occurrences."),
        (["money", "", ""], "give two senses or more, and at least two occurrences of one of them."),
        (["money", "money", ""], "give a second sense."),
        (["money", "river", "seat"], "give at least two occurrences of one sense."),
        (["money", "money", "seat"], "give at least two occurrences of one sense, in different sentences."),
    ],
)
def test_the_advice_names_what_is_missing(senses, advice):
    points = pd.DataFrame({"occurrence": [1, 2, 3] * 2, "sense": senses * 2, "layer": [0] * 3 + [1] * 3})
    layers = pd.DataFrame({"layer": [0, 1], "auc": NAN, "cosine": [0.9, 0.4]})
    headline = verdict.finding(Trajectories(points, layers, "mean of tokens", None), "bank")
    assert headline.endswith(f"in layer 1. To compare layers, {advice}")


def test_without_senses_no_layer_of_two_models_is_the_best():
    known = pd.DataFrame({"layer": [0, 1], "auc": [0.9, 0.5]})
    assert (
        verdict.two_words(known, known, ("A", "B"))
        == "The highest AUC is 0.50 for A (layer 1 of 1) and 0.50 for B (layer 1 of 1)."
    )
    assert "To find the best layer, give two senses" in verdict.two_words(known, known.assign(auc=np.nan), ("A", "B"))


@pytest.mark.parametrize(
    "best, low, certainty",
    [
        (0.97, 0.8, ""),
        (
            0.34,
            0.8,
            " With other words another combination may be best: this happens in 66% of resamples of the words.",
        ),
        (
            0.97,
            0.6,
            " The combination is not clearly better: its 95% interval is not above the control's.",
        ),
    ],
)
def test_the_best_combination_is_judged_on_words_that_did_not_choose_it(best, low, certainty):
    rows = [
        ("layer 1", "first token", 0.7, 0.6, 0.8, 1 - best),
        ("layer 2", "first token", 0.85, 0.8, 0.9, best),
        ("shared words", "control", 0.55, 0.5, 0.65, NAN),
    ]
    scores = pd.DataFrame(rows, columns=["combination", "pooling", "auc", "low", "high", "best"])
    few = verdict.survey_finding(scores, (1.0, 1.0, 1.0), 5)
    assert few == (
        "“layer 2, first token” separates the senses of 5 words best (mean AUC 0.850). The control, which only compares"
        " the words of the sentences, reaches 0.550. With only 5 words, the survey cannot show which combination is best. Score all"
        " fifty."
    )
    assert verdict.survey_finding(scores, (0.81, low, 0.9), 50) == (
        "“layer 2, first token” separates the senses of 50 words best (mean AUC 0.850, 0.810 on words that were not used"
        f" to choose it). The control, which only compares the words of the sentences, reaches 0.550.{certainty}"
    )


def test_each_word_is_scored_with_the_combination_that_is_best_on_other_words():
    rng = np.random.default_rng(0)
    rows = [
        (f"word {n}", f"layer {layer}", pooling, rng.random())
        for n in range(40)
        for layer in range(5)
        for pooling in ("first token", "sentence: mean")
    ]
    frame = pd.DataFrame(rows, columns=["word", "combination", "pooling", "auc"])
    found = verdict.held_out_auc(frame)
    assert found.index.tolist() == [f"word {n}" for n in range(40)]
    assert found.to_numpy() == pytest.approx(held_out_best(frame["auc"].to_numpy().reshape(40, 10)))
    means = frame.groupby(["combination", "pooling"])["auc"].mean()
    assert means.max() - 0.5 > 0.05 and abs(found.mean() - 0.5) < 0.05  # noise: only the chosen one looks better


def test_the_best_combination_of_two_models_and_how_many_are_equal():
    one = pd.DataFrame({"combination": ["layer 0", "layer 1"], "pooling": "first token", "auc": [0.5, 0.9]})
    many = pd.concat([one, one.assign(combination=["layer 2", "layer 3"], auc=0.9)], ignore_index=True)
    assert verdict.two_combinations(one, many, ("A", "B")) == (
        "The highest AUC is 0.90 for A (layer 1, first token) and 0.90 for B (layer 1, first token; 2 others are equal)."
    )
    assert "To find the best combination, give two senses" in verdict.two_combinations(
        one, one.assign(auc=np.nan), ("A", "B")
    )


def test_two_surveys_are_compared_on_the_same_words():
    words = [f"word {n}" for n in range(30)]
    rows = [
        (word, layer, "mean of tokens", auc) for word in words for layer, auc in (("layer 0", 0.5), ("layer 1", 0.8))
    ]
    first = pd.DataFrame(rows, columns=["word", "combination", "pooling", "auc"])
    better = first.assign(auc=first["auc"] + np.tile([0, 0, 0.1, 0.2], 15)).sample(frac=1, random_state=0)
    text = verdict.two_surveys(first, better, ("A", "B"))
    assert text.startswith(
        "The best combinations are “layer 1, mean of tokens” for A (mean AUC 0.800; 0.800 on words not used to"
        " choose it) and “layer 1, mean of tokens” for B (mean AUC 0.900; 0.900 on words not used to choose it)."
    )
    assert "On such words the AUC of B is higher by 0.100 (95% interval 0.0" in text
    assert "On such words the AUC of A is lower by 0.100 (95% interval 0.0" in verdict.two_surveys(
        better, first, ("B", "A")
    )
    few = [frame[frame["word"].isin(words[:6])] for frame in (first, better)]
    assert verdict.two_surveys(*few, ("A", "B")).endswith(
        " 6 words are too few to say which model is better: on such words the mean difference (B minus A) is +0.100,"
        " for single words 0.000 to +0.200."
    )
    shaken = first.assign(auc=first["auc"] + np.tile([0, 0.1, 0, -0.1], 15))
    assert (
        "Neither is clearly better: on such words the difference (B minus A) is 0.000, 95% interval −0.0"
        in verdict.two_surveys(first, shaken, ("A", "B"))
    )
