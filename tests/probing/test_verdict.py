import pytest

from embtools.probing.probe import MET
from embtools.probing.verdict import finding

ROW = {"recipe": "layer 2", "accuracy": 0.97, "accuracy_low": 0.94, "control": 0.25, "selectivity_low": 0.6}


@pytest.mark.parametrize(
    ("change", "task", "kind", "folding", "said"),
    [
        ({}, "part of speech", "words", "never seen",
         "Layer 2 knows the part of speech of 97% of words it has never seen; a probe of random labels gets 25%."),
        ({"control": 0.8}, "tense", "words", MET,
         "Layer 2 knows the tense of 97% of verbs it may have met; a probe of random labels gets 80%."),
        ({}, "topic", "sentences", MET,
         "Layer 2 knows the topic of 97% of sentences it has never seen; a probe of random labels gets 25%."),
        ({"accuracy": 0.996}, "your own", "words", "never seen",
         "Layer 2 knows your label of 99.6% of words it has never seen; a probe of random labels gets 25%."),
        ({"accuracy": 0.5, "accuracy_low": 0.4}, "number", "words", "never seen",
         "No more than guessing: from layer 2 a probe tells the number (one or several) of 50% of nouns it has never"
         " seen; always saying the most frequent label gets 50%."),
        ({"control": 0.95, "selectivity_low": -0.01}, "your own", "words", MET,
         "From layer 2 a probe tells your label of 97% of words it may have met, but with random labels it gets 95%:"
         " no sure difference."),
    ],
)  # fmt: skip
def test_each_finding(change, task, kind, folding, said):
    assert finding(ROW | change, 0.5, task, kind, folding) == said
