"""The headline of a battery, its grid and its words: worked out by hand."""

import pytest

from embtools.evidence import result
from tests.evidence.made import FIRST, LINES, made


def test_the_headline_names_the_rate_the_strongest_control_and_specificity() -> None:
    found = made(*LINES)
    assert found.headline.startswith("With the edit, the new word becomes the answer in 50% (95% interval ")
    assert "of 6 cases; with the strongest control, adding only the new word, in 50%. " in found.headline
    assert found.headline.endswith("Of the answers that should stay the same, 50% do.")
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
    text = result.two_models(made(*LINES), made(*LINES[:2]), ("A", "B"))
    assert text.startswith("With the edit, the new word becomes the answer in 50% (95% interval ")
    assert " of the cases for A and in 100% (95% interval " in text and text.endswith(" for B.")
