"""Rates of a battery by hand, and by new word, against chance."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from embtools.evidence.findings import failing_words
from embtools.evidence.rates import COLUMNS, by_new_word, rates_of
from embtools.statistics.permutations import holm
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


WORDS, NEW = [f"w{n}" for n in range(12)], [f"c{n}" for n in range(8)]


def grid(changed: np.ndarray) -> pd.DataFrame:
    """Cases of all words a (n) and all new words (k): whether each changed."""
    rows = [
        {"a": a, "b": "x", "c": c, "changed": bool(changed[i, j]), "already": False}
        for i, a in enumerate(WORDS[: len(changed)])
        for j, c in enumerate(NEW[: changed.shape[1]])
    ]
    return pd.DataFrame(rows)


def test_rates_are_counted_by_hand() -> None:
    """Rome changes to both words, Paris to none, Oslo to Italy: France has one case, Spain three."""
    found = made(*LINES, line("bern", "switzerland", "spain", True, already=True)).by_new_word.set_index("c")
    assert found.loc["spain", ["changed", "cases", "rate"]].tolist() == [1, 3, pytest.approx(1 / 3)]
    assert found.loc["france", ["changed", "cases", "rate"]].tolist() == [1, 1, 1]
    assert found.loc["italy", ["changed", "cases", "rate"]].tolist() == [1, 2, 0.5]
    assert found["expected"].tolist() == pytest.approx([0.5, 0.25, 1.0])  # of Rome 1, of Paris 0, of Oslo 1/2
    assert list(found.index) == ["spain", "italy", "france"]


def test_a_new_word_without_a_counted_case_has_no_rate() -> None:
    lines = (line("rome", "italy", "spain", True), line("rome", "italy", "france", True, already=True))
    found = made(*lines, must_stay=()).by_new_word
    assert found["c"].tolist() == ["spain", "france"] and found["cases"].tolist() == [1, 0]
    assert np.isnan(found["rate"][1]) and found["p_value"][1] == 1


def test_the_p_value_is_that_of_all_assignments() -> None:
    """Three words a with 4 new words; all ways to choose which of its cases change, as often as they do."""
    changed = np.array([[0, 1, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0]], bool)
    counts = []
    for chosen in product(*(combinations(range(4), int(row.sum())) for row in changed)):
        counts.append(sum(0 in each for each in chosen))
    lower, upper = np.mean(np.array(counts) <= 1), np.mean(np.array(counts) >= 1)
    row = by_new_word(grid(changed)).set_index("c").loc["c0"]
    assert row["changed"] == 1 and row["expected"] == pytest.approx(np.mean(counts) / 3)
    assert row["p_value"] == pytest.approx(min(1, 2 * min(lower, upper)))
    frame = by_new_word(grid(changed))
    assert frame["p_adjusted"].tolist() == pytest.approx(holm(frame["p_value"]).tolist())


def test_a_word_that_is_never_reached_is_named_and_one_of_a_hard_word_is_not() -> None:
    changed = np.ones((12, 8), bool)
    changed[:, 3] = False
    found = by_new_word(grid(changed))
    assert found["c"][0] == "c3" and found["p_adjusted"][0] < 1e-6
    text = failing_words(found)
    assert text == (
        "1 new word becomes the answer clearly less often than other new words with the same words a: “c3” (0 of 12"
        " cases; expected: 10.5)."
    )
    lines = [line(row.a, row.b, row.c, row.changed) for row in grid(changed).itertuples()]
    assert text in made(*lines, must_stay=(), sentences=(FIRST,)).findings
    changed = np.ones((12, 8), bool)
    changed[:4] = False  # some words a never change, whatever c is
    assert failing_words(by_new_word(grid(changed))) == ""
    changed = np.zeros((12, 8), bool)
    changed[:, 5] = True  # reached more often than others: no failure, and the others fail by 1 in 8 each
    assert "c5" not in failing_words(by_new_word(grid(changed)))


def test_many_words_are_counted_and_the_first_are_named() -> None:
    frame = pd.DataFrame(
        {"c": [f"c{n}" for n in range(7)], "changed": 0, "cases": 10, "rate": 0.0, "expected": 0.9, "p_adjusted": 0.001}
    )
    text = failing_words(frame)
    assert text.startswith("7 new words become the answer clearly less often") and text.endswith(
        "“c4” (0 of 10 cases; expected: 9.0) and 2 more."
    )


@pytest.mark.slow
def test_without_a_difference_a_word_is_seldom_named() -> None:
    """Words a differ much, new words do not: in at most 5% (and two deviations) of 300 batteries one is named."""
    rng, named = np.random.default_rng(2), 0
    for _ in range(300):
        named += bool(failing_words(by_new_word(grid(rng.random((12, 8)) < rng.random((12, 1))))))
    assert named <= 300 * 0.05 + 2 * (300 * 0.05 * 0.95) ** 0.5
