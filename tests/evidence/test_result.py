"""The headline of a battery, its grid and its words: worked out by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from embtools.evidence import result
from tests.evidence.made import FIRST, LINES, STAYS, line, made


def test_the_headline_names_the_rate_the_strongest_control_and_specificity() -> None:
    found = made(*LINES)
    assert found.headline.startswith("The edit makes the new word the answer in 50% (95% interval ")
    assert "of 6 cases; the strongest control, adding only the new word, does so in 50%. " in found.headline
    assert found.headline.endswith("The edit also does damage: 50% of the answers that should stay have changed.")
    kept = made(*LINES[:10], *(line("rome", "italy", c, False, sentence=STAYS, measure="specificity") for c in "xyz"))
    assert kept.headline.endswith("Of the answers that should stay the same, 100% do.")
    assert found.rate("specificity", "edit")["rate"] == 0.5
    with pytest.raises(KeyError):
        found.rate("specificity", "random edit")
    alone = made(*LINES[:6], must_stay=(), sentences=(FIRST,))
    assert "control" not in alone.headline and "stay the same" not in alone.headline


def test_the_grid_begins_with_the_words_that_fail() -> None:
    found = made(*LINES)
    assert found.by_word["a"].tolist() == ["paris", "oslo", "rome"]
    assert found.by_word["rate"].tolist() == [0, 0.5, 1]
    grid = found.grid
    assert grid["a"].tolist() == ["paris", "paris", "oslo", "oslo", "rome", "rome"]
    assert grid["state"].tolist() == [
        "not changed", "not changed", "wrong before the edit", "changed", "changed", "changed",
    ]  # fmt: skip
    assert len(found.case("rome", "italy", "spain")) == 4 and found.case("rome", "lazio", "spain").empty


def test_two_models_are_compared_by_efficacy() -> None:
    text = result.two_batteries(made(*LINES), made(*LINES[:2]), "rate", ("A", "B"))
    assert text.startswith("The edit makes the new word the answer in 50% (95% interval ")
    assert " of the cases for A and in 100% (95% interval " in text and text.endswith(" for B.")
    text = result.two_batteries(made(*LINES), made(*LINES[:2]), "log_odds_change", ("A", "B"))
    assert text.startswith("The edit changes the log odds of the new word on average by +2.0 (")
    assert "on average by +2.0 (too few cases for an interval) for A and by +2.0 (" in text
    nothing = made(*LINES[4:6]).of_correct
    assert (
        result.two_batteries(made(*LINES), nothing, "rate", ("A", "B")) == "For one of the models, no case is counted."
    )


def test_an_unknown_measure_is_refused() -> None:
    with pytest.raises(ValueError, match="no rate 'odds'. Choose one of: rate, preferred, log_odds_change"):
        made(*LINES).sentence("odds")


def test_only_the_pairs_that_were_right_before_the_edit_are_counted() -> None:
    """Rome changes in 2 of 2 cases, Paris in none of 2; Oslo was wrong before the edit."""
    found = made(*LINES).of_correct
    assert found.headline.startswith("The edit makes the new word the answer in 50% (95% interval ")
    assert " of 4 cases; the strongest control, adding only the new word, does so in 50%. " in found.headline
    assert found.by_word["a"].tolist() == ["paris", "rome"] and found.pairs == found.done == 2
    pd.testing.assert_frame_equal(found.rates, made(*LINES).rates_of_correct)
    assert not any("left out" in text or "were tested" in text for text in found.findings)
    nothing = made(*LINES[4:6]).of_correct
    assert nothing.headline == "BERT's answer was right for 0 pairs before the edit, so no case is counted."
    assert nothing.findings == () and nothing.grid.empty and nothing.by_word.empty
    assert made(*LINES[4:6]).counted_pairs.startswith("Of 1 pair, 0 are counted: those that BERT answered correctly")
    assert made(*LINES).counted_pairs.startswith("Of 3 pairs, 2 are counted: those that BERT answered correctly")


def test_the_sentence_is_about_the_measure_that_is_chosen() -> None:
    lines = [list(each) for each in LINES]
    preferred, after = result.COLUMNS.index("preferred"), result.COLUMNS.index("log_odds_after")
    for number, each in enumerate(lines):
        each[preferred] = number < 3 or each[5] != "edit"
        each[after] = -2.5 if each[4] == "specificity" else 3.0 if number < 6 else 1.5
    found = made(*map(tuple, lines))
    text = found.sentence("preferred")
    assert text.startswith("The edit makes the new word more probable than the old one in 50% (95% interval ")
    assert "; the strongest control, adding only the new word, does so in 100%. " in text
    assert text.endswith("Of the answers that should stay the same, 0% stay more probable than the new word.")
    assert found.sentence("log_odds_change") == (
        "The edit changes the log odds of the new word by +4.0 on average (too few cases for an interval) in 6 cases;"
        " the strongest control, adding only the new word, does so by +2.5. Where the answer should stay the same, the"
        " log odds of the new word change by −1.5."
    )


def test_the_strongest_control_is_chosen_again_in_each_resample() -> None:
    """Two controls have almost equal rates, by words a that differ: which one is the strongest depends on the words."""
    rng, lines = np.random.default_rng(0), []
    for a, c in product(range(20), range(25, 45)):
        for condition, rate in (("edit", 0.9), ("added only", a < 10), ("random difference", a >= 10 and c > 25)):
            lines.append(line(f"a{a}", "b", f"c{c}", rng.random() < rate, condition=condition))
    found = made(*lines, must_stay=(), sentences=(FIRST,))
    value, low, high = found.advantage("rate")
    edit, best = found.rate("efficacy", "edit"), found.strongest
    assert best is not None and value == edit["rate"] - best["rate"] and low < value
    alone = [each for each in lines if each[5] != "random difference"]
    _, other_low, other_high = made(*alone, must_stay=(), sentences=(FIRST,)).advantage("rate")
    assert high < other_high - 0.05 and low == pytest.approx(other_low, abs=0.02)  # another control takes over
    assert f"does so in 50% (difference {100 * value:.0f} points, 95% interval " in found.headline


def test_a_difference_of_all_cases_keeps_a_width() -> None:
    lines = [
        line(f"a{n}", "b", f"c{n}", edit, condition=name)
        for n in range(12)
        for name, edit in (("edit", True), ("added only", False))
    ]
    value, low, high = made(*lines, must_stay=(), sentences=(FIRST,)).advantage("rate")
    assert value == 1 and 0.5 < low < 0.7 and high == 1
