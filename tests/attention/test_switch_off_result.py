"""What the result of switching something off says, for each part."""

from dataclasses import replace

import pandas as pd
import pytest

from embtools.attention.layer_parts import Tokens
from embtools.attention.switch_off_result import (
    AFTER,
    ATTENTION,
    BEFORE,
    CONTROL,
    FEED_FORWARD,
    HEAD,
    NEURONS,
    NEXT,
    OWN,
    ZERO,
    SwitchedOff,
)
from embtools.charts import attention as charts

TOKENS = Tokens(("[CLS]", "[MASK]", "[SEP]"), (-1, 0, -1), (True, False, True), (1,))


def result(part: str, chosen: tuple[int, ...], shares: list[float], everywhere: bool = True) -> SwitchedOff:
    """A part that leaves the answer with the first share, and controls with the others."""
    answers = pd.DataFrame({"token": ["paris", "lyon"], BEFORE: [0.5, 0.1], AFTER: [shares[0], 0.3]})
    runs = pd.DataFrame(
        {
            "run": [OWN, *[CONTROL] * (len(shares) - 1)],
            "parts": "x",
            "probability": shares,
            "change": [share - 0.5 for share in shares],
            "top_answer": ["paris" if share > 0.3 else "lyon" for share in shares],
            "divergence": 0.0,
        }
    )
    return SwitchedOff(part, 4, chosen, everywhere, TOKENS, 1, ZERO, answers, "paris", runs)


@pytest.mark.parametrize(
    ("part", "chosen", "named", "controls"),
    [
        (NEURONS, (7,), "neuron 7 of layer 4", "one random neuron of this layer"),
        (NEURONS, (7, 9), "the 2 strongest neurons of layer 4", "2 random neurons of this layer"),
        (HEAD, (3,), "head 4.3", "another head of any layer"),
        (ATTENTION, (), "the attention of layer 4", "the attention of another layer"),
        (FEED_FORWARD, (), "the feed-forward network of layer 4", "the feed-forward network of another layer"),
    ],
)
def test_part_and_controls_are_named(part, chosen, named, controls):
    found = result(part, chosen, [0.2, 0.4, 0.45])
    assert found.headline == f"Without {named}, BERT answers “lyon” (30%) instead of “paris” (now 20%, before 50%)."
    assert found.comparison.startswith(
        f"Without {controls}, “paris” gets 40% to 45%, and the top answer changes in 0 of 2"
    )
    here = result(part, chosen, [0.4, 0.4], everywhere=False)
    assert here.headline == f"Without {named} at “[MASK]”, BERT still answers “paris”, with 40% instead of 50%."


def test_the_claim_needs_enough_controls_that_stay_below():
    few, clear, chance = (
        result(NEURONS, (7,), [0.2, *[other] * n]) for other, n in ((0.45, 10), (0.45, 20), (0.1, 20))
    )
    assert few.p == 1 / 11 and few.comparison.endswith("10 controls are too few for a clear result.")
    assert clear.p == 1 / 21 and clear.comparison.endswith("the part changes the answer more than a random one.")
    assert chance.p == 1 and chance.comparison.endswith("So this could be chance.")
    assert "In 20 of 20, its log probability changes at least as much (p = 1.000)" in chance.comparison


def test_the_claim_is_about_the_probability_where_the_answer_stays_and_names_a_stronger_control():
    stays = result(NEURONS, (7, 9), [0.4, *[0.45] * 20])
    assert stays.comparison.endswith("the part changes the probability of “paris” more than a random one.")
    for share, chosen, ending in (
        (0.1, (7, 9), "Without the next 2 in strength, it gets 10%; this is a larger change. So in this sentence, the"
         " part changes the answer more than a random one, but less than the next 2 in strength."),
        (0.45, (7, 9), "Without the next 2 in strength, it gets 45%. So in this sentence, the part changes the answer"
         " more than a random one."),
        (0.1, (7,), "it gets 10%; this is a larger change. So in this sentence, the part changes the answer more than"
         " a random one, but less than the next neuron in strength."),
    ):  # fmt: skip
        found = result(NEURONS, chosen, [0.2, share, *[0.45] * 20])
        found = replace(found, runs=found.runs.assign(run=[OWN, NEXT, *[CONTROL] * 20]))
        assert found.comparison.endswith(ending)
    assert "before and after switching off the 2 strongest neurons of layer 4." in charts.answers(stays).alt


def test_shares_that_differ_are_not_both_called_100_percent():
    found = result(NEURONS, (7,), [0.9960, 0.9964, *[0.9] * 20])
    runs = found.runs.assign(run=[OWN, NEXT, *[CONTROL] * 20])
    answers = pd.DataFrame({"token": ["paris", "lyon"], BEFORE: [0.9964, 0.0001], AFTER: [0.9960, 0.0001]})
    found = replace(found, runs=runs, answers=answers)
    assert "Without the next neuron in strength, it gets 99.64%" in found.comparison
    chart = charts.answers(found)
    assert [trace.text[0] for trace in chart.figure.data] == ["99.64%", "99.60%"]
    assert "paris: 99.64% before, 99.60% after" in chart.alt


def test_a_new_answer_is_distinguished_from_the_old_one():
    found = result(NEURONS, (7,), [0.2996, 0.4])
    assert found.headline.endswith("BERT answers “lyon” (30.00%) instead of “paris” (now 29.96%, before 50%).")
