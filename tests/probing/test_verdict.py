"""The headline about a probe follows from its interval and from guessing."""

import pandas as pd
import pytest

from embtools.probing.verdict import finding
from embtools.statistics.probe import MET

ROW = {
    "combination": "layer 2", "accuracy": 0.97, "accuracy_low": 0.94, "accuracy_high": 0.99, "control": 0.25,
    "control_low": 0.2, "selectivity_low": 0.6,
}  # fmt: skip
PREDICTS = "A probe on layer 2 predicts the part of speech of new words with 97% accuracy (95% interval 94% to 99%)."


@pytest.mark.parametrize(
    ("change", "task", "kind", "folding", "text"),
    [
        ({}, "part of speech", "words", "never seen", f"{PREDICTS} Guessing gets 50%."),
        ({"control": 0.8}, "tense", "words", MET,
         "A probe on layer 2 predicts the tense of verbs it may have seen with 97% accuracy (95% interval 94% to 99%)."
         " Guessing gets 50%, and a probe with random labels (memory alone) gets 80%."),
        ({}, "topic", "sentences", MET,
         "A probe on layer 2 predicts the topic of new sentences with 97% accuracy (95% interval 94% to 99%). Guessing"
         " gets 50%."),
        ({"accuracy": 0.996}, "your own", "words", "never seen",
         "A probe on layer 2 predicts your labels of new words with 99.6% accuracy (95% interval 94% to 99%). Guessing"
         " gets 50%."),
        ({"accuracy": 0.83, "accuracy_low": 0.48, "accuracy_high": 1.0}, "your own", "words", "never seen",
         "A probe on layer 2 predicts your labels of new words with 83% accuracy (95% interval 48% to 100%). That is not"
         " reliably better than guessing, which gets 50%."),
        ({"accuracy": 0.3, "accuracy_low": 0.2, "accuracy_high": 0.4}, "number", "words", "never seen",
         "A probe on layer 2 predicts the number (singular or plural) of new nouns with 30% accuracy (95% interval 20% to"
         " 40%). That is worse than guessing, which gets 50%."),
        ({"control": 0.95, "selectivity_low": -0.01}, "your own", "words", MET,
         "A probe on layer 2 predicts your labels of words it may have seen with 97% accuracy (95% interval 94% to 99%)."
         " Guessing gets 50%, but a probe with random labels gets 95%, so this may be memory."),
        ({"control": 0.8, "control_low": 0.7}, "part of speech", "words", "never seen",
         f"{PREDICTS} But a probe with random labels also does better than guessing (80% instead of 50%), so training and"
         " test items are not separate."),
    ],
)  # fmt: skip
def test_each_headline(change, task, kind, folding, text):
    assert finding(pd.DataFrame([ROW | change]), 0.5, task, kind, folding=folding) == text


def test_layers_that_cannot_be_told_apart_share_one_headline():
    rows = pd.DataFrame([ROW | {"combination": f"layer {n}", "accuracy": 0.97 + n / 200} for n in (1, 2, 3, 4)])
    assert finding(rows, 0.25, "tense", "words", best=True) == (
        "Layers 1 to 4 all predict the tense of new verbs with 98% to 99% accuracy (95% intervals from 94% to 99%) and"
        " cannot be distinguished. Guessing gets 25%."
    )
    assert finding(rows.iloc[[1]], 0.25, "tense", "words", best=True).startswith("Layer 2 is the best: a probe on it")
    chance = finding(rows.assign(accuracy_low=[0.3, 0.3, 0.2, 0.3]), 0.25, "tense", "words", best=True)
    assert chance.endswith("That is not reliably better than guessing, which gets 25%.")


def test_random_labels_below_guessing_change_nothing():
    """With two labels, 83% is no success just because random labels get 33%: guessing gets 50%."""
    low = ROW | {
        "accuracy": 0.83,
        "accuracy_low": 0.49,
        "accuracy_high": 1.0,
        "control": 0.33,
        "selectivity_low": 0.1,
    }
    assert "not reliably better than guessing" in finding(pd.DataFrame([low]), 0.5, "your own", "words")
    assert "knows" not in finding(pd.DataFrame([ROW]), 0.5, "your own", "words")
