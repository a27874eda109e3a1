"""The result of a study: measured values with intervals, and what they say about a sentence of an article."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from embtools.drawing import Displayed
from embtools.rooms.question import MOST_CHOICES, Question, about
from embtools.statistics.decimals import decimal

TITLES = {
    "ties": "Capitals and countries, countries and continents",
    "averages": "Averages of gendered words",
    "colours": "Colour words by use and by appearance",
}
CLAIMS = {"A3": "ties", "A6": "averages", "A4": "colours"}
"""The claims on the Paper page to which the studies belong."""
COLUMNS = ("quantity", "value", "low", "high", "n")


@dataclass(frozen=True)
class Study(Displayed):
    """Measured values with intervals, and what they say about a sentence of an article.

    key       the key of the study
    sentence  the sentence of the article
    claim     the claim on the Paper page to which it belongs
    unit      what the values are, such as "cosine"
    headline  what the values show, as a sentence
    rows      what is measured: quantity, value, low, high (95% interval), n
    items     the values of single items, for the table and for checking
    notes     how it was measured, and what limits it
    main      the value that two models are compared by: its name, value, low and high
    differences  the names of the rows that are differences of others
    """

    key: str
    sentence: str
    claim: str
    unit: str
    headline: str
    rows: pd.DataFrame
    items: pd.DataFrame
    notes: tuple[str, ...]
    main: tuple[str, float, float, float]
    differences: tuple[str, ...] = ()

    def row(self, quantity: str) -> pd.Series:
        """The row of `rows` with this name. Raises KeyError if there is none."""
        return self.rows.set_index("quantity").loc[quantity]

    def question(self, choices: Sequence[str] = ()) -> Question:
        """Ask a class which of the values that are compared is the largest."""
        rows = self.rows[~self.rows["quantity"].isin(self.differences)].head(MOST_CHOICES)
        best = rows.loc[rows["value"].idxmax()]
        text = f"We measure this over full lists. Which of these has the largest value ({self.unit})?"
        asked = Question(text, tuple(choices or rows["quantity"]), context=about(self.sentence))
        return asked.with_answer(f"{best['quantity']} ({decimal(best['value'])})", str(best["quantity"]))


def two_studies(first: Study, second: Study, names: tuple[str, str]) -> str:
    """State the main value of two models with their intervals."""
    parts = [f"{interval(*study.main[1:])} for {name}" for study, name in zip((first, second), names, strict=True)]
    return f"{first.main[0]}: {parts[0]} and {parts[1]}."


def interval(value: float, low: float, high: float) -> str:
    """Format a value with its interval.

    >>> interval(0.171, 0.1, 0.24), interval(-0.1, -0.2, 0.0)
    ('0.17 (95% interval 0.10 to 0.24)', '−0.10 (95% interval −0.20 to 0.00)')
    """
    return f"{decimal(value)} (95% interval {decimal(low)} to {decimal(high)})"
