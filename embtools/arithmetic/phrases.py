"""Phrases for controls, words, counts and differences that headlines are built from."""

from collections.abc import Sequence
from typing import Any

from embtools import wordlists
from embtools.formula import expression
from embtools.formula.expression import Equation
from embtools.mask_filling.controls import ADDED, OTHER_EDITED, OTHER_SUBTRACTED, SUBTRACTED, WRITTEN
from embtools.messages import counted, listed
from embtools.statistics.percentages import percent, percents

CONTROL_PHRASES = {
    ADDED: "adding without subtracting",
    SUBTRACTED: "subtracting without adding",
    OTHER_SUBTRACTED: "subtracting a different word",
    OTHER_EDITED: "the same change to a different word",
    WRITTEN: "writing the other word",
}
"""What each control does, as part of a sentence; random changes are not included."""


def parts(edits: Sequence[Equation]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words that edits add and those that they subtract, each once; none for formulas with functions."""
    added: list[str] = []
    subtracted: list[str] = []
    for edit in edits:
        for word, weight in (expression.coefficients(edit.expression) or {}).items():
            if weight < 0:
                subtracted.append(word)
            elif weight > 0 and word.lower() != edit.target.lower():
                added.append(word)
    return tuple(dict.fromkeys(added)), tuple(dict.fromkeys(subtracted))


def left_out(words: Sequence[str]) -> str:
    """List words that were left out of the ranking; offensive words are not named.

    >>> left_out(["pakistan", "asia"])
    'pakistan and asia'
    """
    offensive = set(wordlists.load("offensive")["word"])
    named = [word for word in words if word not in offensive]
    return listed(dict.fromkeys(named + ["offensive words"] * (len(named) < len(words))))


def points(difference: float) -> str:
    """Describe the difference of two probabilities in percentage points.

    >>> points(0.298), points(-0.0011), points(0.0)
    ('29.8 percentage points more than', '0.1 percentage points less than', 'as much as')
    """
    if round(difference, 6) == 0:
        return "as much as"
    size = percent(abs(difference), digits=1).removesuffix("%")
    return f"{size} percentage points {'more' if difference > 0 else 'less'} than"


def draws(line: Any) -> str:
    """State in how many runs of a control, a row of `controls.summary`, the edit's answer is the top answer."""
    return f"{line.same_answer * line.draws:.0f} of {counted(line.draws, 'run')}"


def spread(line: Any) -> str:
    """State the number of runs of a control, a row of `controls.summary`, and their range if there are several.

    >>> from types import SimpleNamespace
    >>> spread(SimpleNamespace(draws=5, lowest=0.31, highest=0.89)), spread(SimpleNamespace(draws=1))
    (' on average (5 runs, 31% to 89%)', ' (1 run)')
    """
    if line.draws == 1:
        return " (1 run)"
    return f" on average ({line.draws} runs, {' to '.join(percents(line.lowest, line.highest))})"
