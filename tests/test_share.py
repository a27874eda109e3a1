"""What leaves the app: CSV files that no spreadsheet runs as formulas, labels that no browser turns into links."""

import io

import pandas as pd
import pytest

from embtools.ui import figures, page


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', "+cmd|' /C calc'!A0", "@SUM(A1)", " -2+3|x"])
def test_a_cell_that_is_a_formula_becomes_text(text: str) -> None:
    read = pd.read_csv(io.StringIO(figures._csv(pd.DataFrame({"word": [text], "n": [-1.5]}))))
    assert read["word"].item() == f"'{text}"
    assert read["n"].item() == -1.5


@pytest.mark.parametrize("text", ["-", "@", "=", "##ing", "rome = rome - italy", "a (b)", "'s"])
def test_words_stay_as_they_are(text: str) -> None:
    read = pd.read_csv(io.StringIO(figures._csv(pd.DataFrame({"word": [text]}))))
    assert read["word"].item() == text


@pytest.mark.parametrize("text", ["www.example.com", "HTTP://example.com", "me@example.com"])
def test_an_address_in_a_label_is_broken_up(text: str) -> None:
    shown = page.plain(text).replace("\\", "")
    assert shown != text
    assert shown.replace("\u2060", "") == text


def test_a_word_in_a_label_is_only_escaped() -> None:
    assert page.plain("##ing") == r"\#\#ing"
    assert page.plain("https 33.5%") == r"https 33\.5%"
