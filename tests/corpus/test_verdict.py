"""The sentences of finding."""

import pandas as pd
import pytest

from embtools.corpus import verdict
from embtools.corpus.analogy import Analogy, Choices
from embtools.corpus.search import Nearest, SenseHits
from embtools.corpus.sentences import Matches


def near(words, others=(), static=("banker", "money")):
    frame = pd.DataFrame({"word": list(words), "sense": ""})
    return Nearest(
        "bank",
        frame,
        frame,
        pd.DataFrame({"sense": list(others)}, dtype=str),
        pd.DataFrame({"word": list(static)}),
        9,
        True,
    )


@pytest.mark.parametrize(
    "hits, base, expected",
    [
        ((3, 3, 9 / 7), (2, 3, 9 / 7), "The three nearest other occurrences of bank all mean river. Without context, in layer 0, two of three do; luck would find 1.3."),
        ((1, 3, 1.3), (1, 3, 1.3), "Of the three nearest other occurrences of bank, one means river. Without context, in layer 0, one of three does; luck would find 1.3."),
        ((0, 2, 0.5), None, "Of the two nearest other occurrences of bank, no mean river; luck would find 0.5."),
        ((1, 1, 0.5), None, "The nearest other bank means river; luck would find 0.5."),
    ],
)  # fmt: skip
def test_nearest_with_senses(hits, base, expected):
    found = verdict.of_nearest(near(["bank"]), SenseHits("river", *hits), SenseHits("river", *base) if base else None)
    assert found == expected.replace(", no mean", ", none means")


def test_nearest_without_a_sense_of_its_own():
    typed = near(["bank"], ["river", "", "river", "money", "money", "money"])
    assert verdict.of_nearest(typed) == (
        "Of the three nearest occurrences of bank with a known sense, two mean river; of all 5, 2 do."
    )
    assert verdict.of_nearest(near(["shore", "bank", "road", "shore"])) == (
        "Nearest to bank in this sentence: shore, road; without a sentence: banker, money."
    )
    assert verdict.of_nearest(near(["bank", "bank"])) == "The two nearest occurrences are all of bank itself."
    assert verdict.of_nearest(near([])) == "There is no other word in the text."


RECOVERED = pd.DataFrame(
    [
        {"recipe": "layer 0", "neighbours": 0.5, "neighbours_shuffled": 0.42, "neighbours_95": 0.74},
        {"recipe": "layer 6", "neighbours": 0.9, "neighbours_shuffled": 0.43, "neighbours_95": 0.75},
        {"recipe": "sum of last four", "neighbours": 0.7, "neighbours_shuffled": 0.44, "neighbours_95": 0.76},
    ]
)


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (
            "layer 6",
            "Layer 6: 90% of the labelled occurrences of bank have a nearest neighbour of the same sense. In layer 0,"
            " before any context: 50%. Shuffled labels: 43% on average.",
        ),
        (
            "sum of last four",
            "Sum of last four: 70% of the labelled occurrences of bank have a nearest neighbour of the same sense. In"
            " layer 0, before any context: 50%. Shuffled labels: 44% on average, and 76% or more in 1 of 20 shuffles,"
            " so this can be chance.",
        ),
        (
            "layer 0",
            "Layer 0: 50% of the labelled occurrences of bank have a nearest neighbour of the same sense. Shuffled"
            " labels: 42% on average, and 74% or more in 1 of 20 shuffles, so this can be chance.",
        ),
    ],
)
def test_recovery_speaks_of_the_chosen_layers_and_says_what_chance_can_do(recipe, expected):
    assert verdict.of_recovery(RECOVERED, "bank", recipe) == expected


def test_analogy_and_choices():
    ranks = pd.DataFrame({"of": ["formula", "baseline"], "with_inputs": [3, 42], "without_inputs": [1, 2]})
    words = ("king", "man", "woman")
    assert verdict.of_analogy(Analogy(pd.DataFrame(), ranks, 9), words, "queen") == (
        "king − man + woman: queen is number 1 without the three words (3 with them); nearest to king alone, it is number 2"
        " (42)."
    )
    shares = ranks.assign(choices=[59_840, 40], with_inputs=[0.93, 0.0], without_inputs=[1.0, 0.65])
    assert verdict.of_choices(Choices(shares, pd.DataFrame(), True), words, "queen") == (
        "Over all 59,840 choices queen is first in 100%, and in 93% with the three words among the answers. Without"
        " arithmetic, nearest to king: 65% and 0%."
    )
    assert "Over 59,840 random choices" in verdict.of_choices(Choices(shares, pd.DataFrame(), False), words, "queen")


def test_sentences():
    frame = pd.DataFrame({"words": [1.0, 45.5, 3.0]})
    assert verdict.of_sentences(Matches(frame, frame, 1_004)) == (
        "Of the three sentences nearest in meaning, two are also among the three that share most words; looked at: 1,004."
    )
