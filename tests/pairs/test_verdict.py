"""The sentence about a pair, for each outcome of its controls."""

import pandas as pd
import pytest

from embtools.pairs import verdict
from embtools.pairs.following import AGAIN, RANDOM, SWAPPED, TOPIC, WRITTEN, Following


def result(own: float, *, swapped: float = 0.0, topic: int = 0, random: int = 0, without: str = "") -> Following:
    rows = [
        (WRITTEN, 1, own, 0), (SWAPPED, 1, swapped, int(swapped >= own)), (AGAIN, 1, 0.99, 1),
        (TOPIC, 30, 0.4, topic), (RANDOM, 30, 0.2, random),
    ]  # fmt: skip
    frame = pd.DataFrame(
        [row for row in rows if row[0] != without], columns=["control", "pairs", "probability", "as_likely"]
    )
    return Following("a", "b", own, "sea", pd.DataFrame(), frame)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (result(0.3), "more likely it does not. Sentences drawn at random get 20% on average."),
        (result(0.3, without=RANDOM), "more likely it does not."),
        (result(0.9, random=4), "but 4 of 30 sentences drawn at random get as much, so that may be luck."),
        (result(0.9, topic=4, random=1), "but 4 of 30 sentences about sea get as much, so it may be the topic alone."),
        (result(0.9, swapped=0.86), "but swapped the two get 86%: the order does not count."),
        (result(0.9, swapped=0.5), "follows the first: more than swapped, and more than what was drawn."),
        (result(0.9, swapped=0.5, without=TOPIC), "more than swapped, and more than what was drawn."),
    ],
)
def test_the_first_control_that_refutes_it_is_named(found, said):
    assert verdict.finding(found).endswith(said)
    assert verdict.finding(found).startswith(f"BERT gives {found.probability:.0%}")


def test_the_first_sentence_again():
    assert verdict.again(result(0.9)) == "The first sentence again, which says nothing new, gets 99%."
    assert verdict.again(result(0.9, without=AGAIN)) == ""
