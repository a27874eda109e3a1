"""The sentence about a pair, for each outcome of its controls."""

import pandas as pd
import pytest

from embtools.pairs import verdict
from embtools.pairs.following import AGAIN, RANDOM, SWAPPED, TOPIC, WRITTEN, Following


def result(
    own: float, *, swapped: float = 0.0, topic: int = 0, random: int = 0, without: str = "", drawn: int = 30
) -> Following:
    rows = [
        (WRITTEN, 1, own, 0), (SWAPPED, 1, swapped, int(swapped >= own)), (AGAIN, 1, 0.99, 1),
        (TOPIC, drawn, 0.4, topic), (RANDOM, drawn, 0.2, random),
    ]  # fmt: skip
    frame = pd.DataFrame(
        [row for row in rows if row[0] != without], columns=["control", "pairs", "probability", "as_likely"]
    )
    return Following("a", "b", own, "sea", pd.DataFrame(), frame)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (result(0.3), "more likely it does not. Random sentences get 20% on average."),
        (result(0.3, without=RANDOM), "more likely it does not."),
        (result(0.9, random=4), "but 4 of 30 random sentences are at least as likely (p = 0.161), so this may be chance."),
        # one of thirty is p = 2 / 31: as rare as that is by chance, it is no finding
        (result(0.9, random=1), "but 1 of 30 random sentences is at least as likely (p = 0.065), so this may be chance."),
        (result(0.9, topic=4),
         "but 4 of 30 sentences about sea are at least as likely (p = 0.161), so the topic alone may explain it."),
        (result(0.9, drawn=10), "but only 10 random sentences fit behind the first: too few to rule out chance (p = 0.091)."),
        (result(0.9, swapped=0.86), "Swapped, this pair gets 86%: here the order makes little difference."),
        (result(0.9, swapped=0.5),
         "follows the first: more than any of 30 random sentences and any of 30 sentences about sea, and more than in"
         " swapped order (50%)."),
        (result(0.9, swapped=0.5, random=1, topic=1, drawn=60),
         "more than 59 of 60 random sentences and 59 of 60 sentences about sea, and more than in swapped order (50%)."),
        (result(0.9, swapped=0.5, without=TOPIC), "more than any of 30 random sentences, and more than in swapped order (50%)."),
        (result(0.9, without=RANDOM), "No random sentence is short enough to compare with, so this may be chance."),
        (result(0.9, without=SWAPPED), "more than any of 30 random sentences and any of 30 sentences about sea."),
    ],
)  # fmt: skip
def test_the_first_control_that_could_explain_it_is_named(found, said):
    assert verdict.finding(found).endswith(said)
    assert verdict.finding(found).startswith(f"BERT gives {found.probability:.0%}")


def test_the_first_sentence_again():
    assert verdict.again(result(0.9)) == "The first sentence again, which says nothing new, gets 99%."
    assert verdict.again(result(0.9, without=AGAIN)) == ""
