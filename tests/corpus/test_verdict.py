"""The headlines of the Corpus page, word by word."""

import pandas as pd
import pytest

from embtools.corpus import verdict
from embtools.corpus.analogy import Analogy, Choices

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
