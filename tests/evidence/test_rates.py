"""Rates against counts, and cases that are in no rate."""

import pandas as pd

from embtools.evidence.rates import COLUMNS, rates_of
from tests.evidence.made import FIRST, LINES, STAYS, line, made


def test_cases_that_already_have_the_new_answer_are_in_no_rate() -> None:
    already = (
        line("rome", "italy", "chad", True, already=True),
        line("rome", "italy", "chad", False, already=True, sentence=STAYS, measure="specificity"),
    )
    found, without = made(*LINES, *already), made(*LINES)
    numbers = ["rate", "n", "preferred", "log_odds_change"]
    pd.testing.assert_frame_equal(found.rates[numbers], without.rates[numbers])
    assert (
        "In all 2 sentences together, 2 results are left out of the rates, because the unedited answer was already the"
        " new word." in found.findings
    )
    assert found.grid.query("c == 'chad'")["state"].tolist() == ["already the answer"]
    assert found.by_word.query("a == 'rome'")["cases"].tolist() == [2]
    only = made(*already[:1], must_stay=(), sentences=(FIRST,), pairs=1)
    assert only.rate("efficacy", "edit")["n"] == 0 and "already the new word" in only.headline
    assert all(isinstance(text, str) for text in only.findings)


def test_measures_are_counted_by_condition() -> None:
    rates = rates_of(made(*LINES).cases)
    assert tuple(rates.columns) == COLUMNS
    assert rates[["measure", "condition", "rate", "n"]].to_numpy().tolist() == [
        ["efficacy", "edit", 0.5, 6],
        ["efficacy", "added only", 0.5, 2],
        ["efficacy", "random difference", 0.0, 1],
        ["paraphrase", "edit", 1.0, 1],
        ["specificity", "edit", 0.5, 2],
    ]
    assert rates_of(made(*LINES).cases.iloc[:0]).empty
