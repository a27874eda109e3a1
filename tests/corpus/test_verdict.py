"""The headlines of the Corpus page, word by word."""

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
        ((3, 3, 9 / 7), (2, 3, 9 / 7), "The three nearest other occurrences of bank all mean river. In layer 0, before any context, two of the three do. Expected by chance: 1.3."),
        ((1, 3, 1.3), (1, 3, 1.3), "Of the three nearest other occurrences of bank, one means river. In layer 0, before any context, one of the three does. Expected by chance: 1.3."),
        ((0, 2, 0.5), None, "Of the two nearest other occurrences of bank, none means river. Expected by chance: 0.5."),
        ((1, 1, 0.5), None, "The nearest other occurrence of bank means river. Expected by chance: 0.5."),
        ((1, 1, 0.5), (0, 1, 0.5), "The nearest other occurrence of bank means river. In layer 0, before any context, the nearest one does not. Expected by chance: 0.5."),
    ],
)  # fmt: skip
def test_nearest_with_senses(hits, base, expected):
    found = verdict.of_nearest(near(["bank"]), SenseHits("river", *hits), SenseHits("river", *base) if base else None)
    assert found == expected


def test_nearest_without_a_sense_of_its_own():
    typed = near(["bank"], ["river", "", "river", "money", "money", "money"])
    assert verdict.of_nearest(typed) == (
        "Of the three nearest occurrences of bank with a known sense, two mean river. Of all 5 with a known sense, 2 do."
    )
    assert verdict.of_nearest(near(["shore", "bank", "road", "shore"])) == (
        "In this sentence the words nearest to bank are shore and road. Without a sentence they are banker and money."
    )
    assert verdict.of_nearest(near(["bank", "bank"])) == (
        "The two nearest occurrences all belong to the word bank itself."
    )
    assert verdict.of_nearest(near(["bank"])) == "The nearest occurrence belongs to the word bank itself."
    assert verdict.of_nearest(near(["shore"], static=("banker",))) == (
        "In this sentence the word nearest to bank is shore. Without a sentence it is banker."
    )
    assert verdict.of_nearest(near(["shore"], static=())) == "In this sentence the word nearest to bank is shore."
    assert verdict.of_nearest(near([])) == "The text contains no other word."


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
            "In layer 6, 90% of the labelled occurrences of bank have a nearest neighbour with the same sense. In layer"
            " 0, before any context, the share is 50%. With shuffled labels the share is 43% on average.",
        ),
        (
            "sum of last four",
            "With the sum of last four, 70% of the labelled occurrences of bank have a nearest neighbour with the same"
            " sense. In layer 0, before any context, the share is 50%. With shuffled labels the share is 44% on average"
            " and 76% or more in 1 of 20 shuffles, so this result can be chance.",
        ),
        (
            "layer 0",
            "In layer 0, 50% of the labelled occurrences of bank have a nearest neighbour with the same sense. With"
            " shuffled labels the share is 42% on average and 74% or more in 1 of 20 shuffles, so this result can be"
            " chance.",
        ),
    ],
)
def test_recovery_is_reported_for_the_chosen_layers_and_compared_with_chance(recipe, expected):
    assert verdict.of_recovery(RECOVERED, "bank", recipe) == expected


def test_analogy_and_choices():
    ranks = pd.DataFrame({"of": ["formula", "baseline"], "with_inputs": [3, 42], "without_inputs": [1, 2]})
    words = ("king", "man", "woman")
    assert verdict.of_analogy(Analogy(pd.DataFrame(), ranks, 9), words, "queen") == (
        "king − man + woman: queen ranks 1st without the three words and 3rd with them. By nearness"
        " to king alone, it ranks 2nd (42nd with them)."
    )
    same = ranks.assign(without_inputs=ranks["with_inputs"])
    assert verdict.of_analogy(Analogy(pd.DataFrame(), same, 9), words, "queen") == (
        "king − man + woman: queen ranks 3rd, with and without the three words. By nearness to king"
        " alone, it ranks 42nd in both cases."
    )
    shares = ranks.assign(choices=[59_840, 40], with_inputs=[0.93, 0.0], without_inputs=[1.0, 0.65])
    assert verdict.of_choices(Choices(shares, pd.DataFrame(), True), words, "queen") == (
        "Over all 59,840 choices of sentences, queen ranks 1st in 100% without the three words and in 93% with them."
        " By nearness to king alone, the shares are 65% and 0%."
    )
    assert "Over 59,840 random choices of sentences" in verdict.of_choices(
        Choices(shares, pd.DataFrame(), False), words, "queen"
    )


def test_sentences():
    frame = pd.DataFrame({"words": [1.0, 45.5, 3.0]})
    assert verdict.of_sentences(Matches(frame, frame, 1_004)) == (
        "Of the three sentences nearest in meaning, two are also among the three that share the most words. The search"
        " compared 1,004 sentences."
    )
