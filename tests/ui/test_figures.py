"""What leaves the app: CSV files that no spreadsheet runs as formulas."""

import io

import pandas as pd
import pytest

from embtools.ui import figures


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', "+cmd|' /C calc'!A0", "@SUM(A1)", " -2+3|x"])
def test_a_cell_that_is_a_formula_becomes_text(text: str) -> None:
    read = pd.read_csv(io.StringIO(figures._csv(pd.DataFrame({"word": [text], "n": [-1.5]}))))
    assert read["word"].item() == f"'{text}"
    assert read["n"].item() == -1.5


@pytest.mark.parametrize("text", ["-", "@", "=", "##ing", "rome = rome - italy", "a (b)", "'s"])
def test_words_stay_as_they_are(text: str) -> None:
    read = pd.read_csv(io.StringIO(figures._csv(pd.DataFrame({"word": [text]}))))
    assert read["word"].item() == text
