"""The sentences about a chosen layer and method: they hold its numbers, and the verdict can fail."""

from dataclasses import replace

import pandas as pd
import pytest

from embtools.charts import directions as charts
from embtools.directions.sweep_result import Sweep

CHOICES = pd.DataFrame(
    [
        (0, "projection", 0.6, 0.6, -0.01, False),
        (0, "INLP", 0.6, 0.5, -0.3, False),
        (0, "LEACE", 0.6, 0.6, -0.01, False),
        (1, "projection", 0.9, 0.6, -0.02, False),
        (1, "INLP", 0.9, 0.5, -0.4, False),
        (1, "LEACE", 0.9, 0.5, -0.03, True),
    ],
    columns=["layer", "method", "accuracy_before", "accuracy", "cost", "chosen"],
)
NAN = float("nan")
REPORTED = pd.DataFrame(
    [
        ("nothing removed", 0.92, 0.74, 0.98, NAN, NAN, NAN, 0.0, 0.0, 0.0),
        ("LEACE", 0.63, 0.43, 0.79, -0.27, -0.4, -0.1, -0.05, -0.09, -0.01),
        ("1 random direction", 0.9, 0.7, 0.96, NAN, NAN, NAN, 0.01, 0.0, 0.02),
    ],
    columns=["method", *(f"{n}{e}" for n in ("accuracy", "difference", "cost") for e in ("", "_low", "_high"))],
).assign(accuracy_lowest=[NAN, NAN, 0.82])
FOUND = Sweep(("“a”", "“b”"), 1, "LEACE", CHOICES, 0.6, REPORTED, 0.5, (24, 26), (57, 59), (30, 30), (0, 0), 5)


def test_the_headline_is_about_the_half_that_did_not_choose():
    assert FOUND.headline == (
        "One half of the words chooses LEACE in layer 1. On the other half, a new classifier is then right for 63%"
        " (95% interval 43% to 79%; before: 92%; after removing 1 random direction: 82% in the strongest of 5 draws,"
        " 90% on average). So LEACE removes more than expected by chance."
    )


def test_the_verdict_can_fail():
    weak = REPORTED.assign(difference_high=[NAN, 0.02, NAN])
    text = replace(FOUND, reported=weak).headline
    assert text.endswith("So nothing shows that LEACE removes more than expected by chance.")
    nothing = REPORTED.assign(accuracy_low=[0.45, 0.43, 0.7])
    assert (
        "the words are too few to show the difference, so nothing can be said about erasing it: before"
        in replace(FOUND, reported=nothing).headline
    )


def test_the_rule_holds_the_numbers_of_both_halves():
    assert FOUND.rule.startswith("24 of the 50 words chose among 6 combinations of layer and method")
    for part in ("up to 60%", "at 57 masked words", "the accuracy is 50%", "change −0.03 nats", "59 masked words"):
        assert part in FOUND.rule
    assert "is −0.05 nats (95% interval −0.09 to −0.01; 1 random direction: +0.01)." in FOUND.rule


def test_sentences_with_words_of_the_groups_are_counted():
    assert FOUND.rule.endswith("+0.01).")
    text = " 55 of the 60 sentences contain one of your words, because too few others exist."
    assert replace(FOUND, seen=(28, 27)).rule == FOUND.rule + text


def test_the_chart_marks_what_was_chosen_and_its_number_on_the_other_half():
    chart = charts.choices(FOUND)
    traces = {trace.name: trace for trace in chart.figure.data}
    assert list(traces["LEACE"].y) == pytest.approx([0.6, 0.5])
    assert list(traces["before"].y) == pytest.approx([0.6, 0.9])
    assert (traces["chosen"].x[0], traces["chosen"].y[0]) == (1, 0.5)
    star = traces["chosen, on the other half"]
    assert star.y[0] == pytest.approx(0.63)
    assert chart.alt.endswith("Chosen: LEACE in layer 1, 50%; on the other half 63%.")
