"""The headline about a pair, for each outcome of its controls."""

import pandas as pd
import pytest

from embtools.pairs.next_sentence import AGAIN, RANDOM, SWAPPED, TOPIC, WRITTEN, NextSentence


def result(
    own: float, *, swapped: float = 0.0, topic: int = 0, random: int = 0, without: str = "", drawn: int = 30
) -> NextSentence:
    rows = [
        (WRITTEN, 1, own, 0), (SWAPPED, 1, swapped, int(swapped >= own)), (AGAIN, 1, 0.99, 1),
        (TOPIC, drawn, 0.4, topic), (RANDOM, drawn, 0.2, random),
    ]  # fmt: skip
    frame = pd.DataFrame(
        [row for row in rows if row[0] != without], columns=["control", "pairs", "probability", "at_least_as_likely"]
    )
    return NextSentence("a", "b", own, "sea", pd.DataFrame(), frame)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (result(0.3), "so it is more likely that it does not. Random sentences instead of the second get 20% on average."),
        (result(0.3, without=RANDOM), "so it is more likely that it does not."),
        (result(0.9, random=4), "But 4 of 30 random sentences are at least as likely to follow (p = 0.161), so this may be chance."),
        # one of thirty is p = 2 / 31: as rare as that is by chance, it is no finding
        (result(0.9, random=1), "But 1 of 30 random sentences is at least as likely to follow (p = 0.065), so this may be chance."),
        (result(0.9, topic=4),
         "But 4 of 30 sentences on the topic “sea” are at least as likely to follow (p = 0.161), so the topic alone may explain it."),
        (result(0.9, drawn=10), 
         "But only 10 random sentences are short enough for a comparison, too few to rule out chance (p = 0.091)."),
        (result(0.9, swapped=0.86), "In swapped order the pair gets 86%, so the order makes little difference here."),
        (result(0.9, swapped=0.5),
         "follows the first. This is more than for any of 30 random sentences and any of 30 sentences on the topic"
         " “sea”, and"
         " more than in swapped order (50%)."),
        (result(0.9, swapped=0.5, random=1, topic=1, drawn=60),
         "This is more than for 59 of 60 random sentences and 59 of 60 sentences on the topic “sea”, and more than in"
         " swapped"
         " order (50%)."),
        (result(0.9, swapped=0.5, without=TOPIC), 
         "This is more than for any of 30 random sentences, and more than in swapped order (50%)."),
        (result(0.9, without=RANDOM), "No random sentence is short enough for a comparison, so this may be chance."),
        (result(0.9, without=SWAPPED), 
         "This is more than for any of 30 random sentences and any of 30 sentences on the topic “sea”."),
    ],
)  # fmt: skip
def test_the_first_control_that_could_explain_it_is_named(found, words):
    assert found.headline.endswith(words)
    assert found.headline.startswith(f"BERT gives a probability of {found.probability:.0%}")


def test_the_first_sentence_repeated():
    assert result(0.9).repetition == "If the second sentence only repeats the first, it gets 99%."
    assert result(0.9, without=AGAIN).repetition == ""
