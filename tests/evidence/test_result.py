"""What a battery says about its cases: worked out by hand."""

import pandas as pd
import pytest

from embtools.evidence import result
from embtools.evidence.result import Battery

FIRST, OTHER, STAYS = "{a} is in [MASK].", "{a} lies in [MASK].", "{a} is a [MASK]."


def line(a, b, c, changed, *, sentence=FIRST, measure="efficacy", condition="edit", correct=True):  # type: ignore[no-untyped-def]
    answer = c if changed else b
    return (a, b, c, sentence, measure, condition, changed, changed, correct, b, answer, -1.0, 1.0, "")


def made(*lines, pairs=3, excluded=(), must_stay=(STAYS,), sentences=(FIRST, OTHER)) -> Battery:  # type: ignore[no-untyped-def]
    left = pd.DataFrame(excluded, columns=["a", "b", "reason"])
    return Battery("", sentences, must_stay, pd.DataFrame(lines, columns=list(result.COLUMNS)), left, pairs)


LINES = (
    line("rome", "italy", "france", True),
    line("rome", "italy", "spain", True),
    line("paris", "france", "italy", False),
    line("paris", "france", "spain", False),
    line("oslo", "norway", "italy", True, correct=False),
    line("oslo", "norway", "spain", False, correct=False),
    line("rome", "italy", "france", True, condition="added only"),
    line("rome", "italy", "spain", False, condition="added only"),
    line("rome", "italy", "spain", False, condition="random difference"),
    line("rome", "italy", "france", True, sentence=OTHER, measure="paraphrase"),
    line("rome", "italy", "france", False, sentence=STAYS, measure="specificity"),
    line("rome", "italy", "spain", True, sentence=STAYS, measure="specificity"),
)


def test_the_headline_names_the_rate_and_the_strongest_control() -> None:
    found = made(*LINES)
    assert found.headline.startswith("The edit changes the answer to the new word in 50% of 6 cases (95% interval ")
    assert "The strongest control, adding only the new word, does this in 50% (95% interval " in found.headline
    assert found.rate("specificity", "edit")["rate"] == 0.5
    with pytest.raises(KeyError):
        found.rate("specificity", "added only")


def test_the_findings_name_what_fails_and_what_is_missing() -> None:
    excluded = [("w0", "x", "Both words are the same token."), *((f"w{n}", "x", "reason") for n in range(1, 7))]
    text = " ".join(made(*LINES, pairs=5, excluded=excluded).findings)
    assert "In the other sentence, the edit changes the answer to the new word in 100% of the cases." in text
    assert "Answers that should not change stay the same in 50% of the cases." in text
    assert "right for 2 of 3 pairs. For these, the edit changes it in 50% of the cases." in text
    assert "The edit never works for 1 of 3 words: “paris”." in text
    assert "Only the first 3 of 5 pairs were tested." in text
    assert "7 pairs cannot be tested: w0–x (Both words are the same token); w1–x (reason); w2–x (reason);" in text
    assert "There are only 3 different words a or c, so the intervals are a rough guide." in text
    alone = made(*LINES[:6], must_stay=(), sentences=(FIRST,))
    assert not any("stay the same" in each or "other sentence" in each for each in alone.findings)


def test_the_grid_begins_with_the_words_that_fail() -> None:
    found = made(*LINES)
    assert found.by_word["a"].tolist() == ["paris", "oslo", "rome"]
    assert found.by_word["rate"].tolist() == [0, 0.5, 1]
    grid = found.grid
    assert grid["a"].tolist() == ["paris", "paris", "oslo", "oslo", "rome", "rome"]
    assert grid["state"].tolist() == [
        "not changed", "not changed", "changed", "wrong before the edit", "changed", "changed",
    ]  # fmt: skip
    assert len(found.case("rome", "italy", "spain")) == 4 and found.case("rome", "lazio", "spain").empty


def test_two_models_are_compared_by_efficacy() -> None:
    text = result.two_models(made(*LINES), made(*LINES[:2]), ("A", "B"))
    assert text == "The edit changes the answer to the new word in 50% of the cases for A and in 100% for B."
