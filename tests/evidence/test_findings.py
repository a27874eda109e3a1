"""Sentences about a battery, and new words that an edit reaches rarely: by hand, against all assignments, and by simulation."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from embtools.evidence.findings import failing_words
from embtools.evidence.rates import FORMS, by_new_word
from embtools.evidence.result import two_batteries
from embtools.statistics.permutations import holm
from tests.evidence.made import FIRST, LINES, OTHER, STAYS, line, made


def test_the_findings_name_what_fails_and_what_is_missing() -> None:
    excluded = [("w0", "x", "both words are the same token"), *((f"w{n}", "x", "reason") for n in range(1, 8))]
    paraphrase = line("rome", "italy", "france", False, sentence=OTHER, measure="paraphrase", condition="added only")
    control = line("rome", "italy", "france", True, sentence=STAYS, measure="specificity", condition="added only")
    text = " ".join(made(*LINES, paraphrase, control, pairs=5, excluded=excluded).findings)
    assert "In the other sentence, the new word becomes the answer in 100% (95% interval" in text
    assert "of the cases (0% if only the new word is added)." in text
    assert "A control that changes few answers" not in text  # that one is the only control
    random = "random difference"
    done = [(False, random), (True, random), (False, random), (True, "added only")]  # whether the answer changes
    stays = [line("rome", "italy", "france", d, sentence=STAYS, measure="specificity", condition=c) for d, c in done]
    both = " ".join(made(*LINES, *stays).findings)
    assert "of the cases (0% if only the new word is added). A control" in both
    assert "also leaves more of these unchanged: a random change of the same size leaves 67% unchanged." in both
    worse = [line("rome", "italy", c, False, sentence=STAYS, measure="specificity") for c in ("france", "spain")]
    kept = " ".join(made(*LINES[:10], *worse, *stays).findings)
    assert "stay the same in 100%" in kept and "A control that changes few" not in kept  # no more than the edit
    assert "Answers that should not change stay the same in 50% (95% interval" in text
    assert "The new word becomes more probable than the old one in 50% (95% interval" in text
    assert "of the cases; with the strongest control, adding only the new word, in 50%. Its log odds" in text
    assert "change by +2.0 on average; with the strongest control, adding only the new word, by +2.0." in text
    assert "right for 2 of 3 pairs. For these, the edit changes it in 50% of the cases." in text
    assert "The edit never makes the new word the answer for 1 of 3 words: “paris”." in text
    assert "3 of the 5 pairs were tested, drawn at random." in text
    assert "8 pairs are left out: 1 because both words are the same token (w0–x); 7 because reason (w1–x, w2–x," in text
    rough = "There are only 3 different words a and 3 different words c, so the intervals are only a rough guide."
    assert rough in text
    alone = made(*LINES[:6], must_stay=(), sentences=(FIRST,))
    assert not any("stay the same" in each or "other sentence" in each for each in alone.findings)


def test_words_are_counted_once_and_only_if_they_could_change() -> None:
    """Oslo has two right answers, neither of which changes; in Rome's only case, the answer is already the new word."""
    again = [line("oslo", b, c, False) for b, c in (("norway", "italy"), ("norge", "spain"))]
    lines = (
        *(line(a, "x", "y", True) for a in ("paris", "bern")),
        *again,
        line("rome", "italy", "y", True, already=True),
    )
    text = " ".join(made(*lines, must_stay=(), sentences=(FIRST,)).findings)
    assert "The edit never makes the new word the answer for 1 of 3 words: “oslo”." in text


def test_a_relation_that_the_model_does_not_know_is_stated_first() -> None:
    found = made(*(line(a, "x", c, True, correct=False) for a in "pq" for c in "yz"), must_stay=(), sentences=(FIRST,))
    assert found.findings[0].startswith("This model answers the first sentence correctly for only 0 of 2 pairs")
    assert not any("only 2 of 3" in text for text in made(*LINES).findings)


def test_measures_without_a_counted_case_are_not_stated() -> None:
    """In all other sentences, or in all sentences, the unedited answer is already the new word."""
    first = [line("rome", "italy", "france", True, condition=name) for name in ("edit", "added only")]
    others = [
        line("rome", "italy", "france", True, sentence=s, measure=m, condition=name, already=True)
        for s, m in ((OTHER, "paraphrase"), (STAYS, "specificity"))
        for name in ("edit", "added only")
    ]
    some = made(*first, *others)
    assert not any("nan" in each or "stay" in each or "other sentence" in each for each in some.findings)
    assert all(some.sentence(form).endswith(". No answer that should stay the same could be tested.") for form in FORMS)
    assert "right for 1 of 1 pair." in " ".join(some.findings)
    none = made(*(line("rome", "italy", "france", True, condition=n, already=True) for n in ("edit", "added only")))
    for form in FORMS:
        assert (
            none.sentence(form)
            == "In every case, the unedited answer is already the new word, so no edit can change it."
        )
        assert two_batteries(none, some, form, ("A", "B")) == two_batteries(made(), some, form, ("A", "B"))
        assert np.isnan(made(*first[:1]).advantage(form)).all() and np.isnan(none.advantage(form)).all()


def test_each_form_has_the_control_that_is_strongest_in_it() -> None:
    """Adding the word changes the most answers; a random change the log odds the most, and makes no word preferred."""

    def case(condition: str, changed: bool, log_odds: float):  # type: ignore[no-untyped-def]
        return (*line("rome", "italy", "france", changed, condition=condition)[:-3], -1.0, log_odds, "")

    found = made(
        case("edit", True, 3.0), case("added only", True, 1.0), case("random difference", False, 2.5),
        must_stay=(), sentences=(FIRST,),
    )  # fmt: skip
    text = " ".join(found.findings)
    assert "with the strongest control, adding only the new word, in 100%." in text
    assert "with the strongest control, a random change of the same size, by +3.5." in text
    none = made(*LINES[:6], LINES[8], must_stay=(), sentences=(FIRST,))
    assert none.headline.endswith("; no control does so in any case.")
    assert "of the cases; with no control does this happen." in " ".join(none.findings)


WORDS, NEW = [f"w{n}" for n in range(12)], [f"c{n}" for n in range(8)]


def grid(changed: np.ndarray) -> pd.DataFrame:
    """Cases of all words a (n) and all new words (k): whether each changed."""
    n, k = changed.shape
    frame = pd.DataFrame(list(product(WORDS[:n], NEW[:k])), columns=["a", "c"])
    return frame.assign(b="x", changed=changed.ravel().astype(bool), already=False)


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
    numbers = {"changed": 0, "cases": 10, "rate": 0.0, "expected": 0.9, "p_adjusted": 0.001}
    text = failing_words(pd.DataFrame({"c": [f"c{n}" for n in range(7)]} | numbers))
    assert text.startswith("7 new words become the answer clearly less often")
    assert text.endswith("“c4” (0 of 10 cases; expected: 9.0) and 2 more.")


@pytest.mark.slow
def test_without_a_difference_a_word_is_seldom_named() -> None:
    """Words a differ much, new words do not: in at most 5% (and two deviations) of 300 batteries one is named."""
    rng, named = np.random.default_rng(2), 0
    for _ in range(300):
        named += bool(failing_words(by_new_word(grid(rng.random((12, 8)) < rng.random((12, 1))))))
    assert named <= 300 * 0.05 + 2 * (300 * 0.05 * 0.95) ** 0.5
