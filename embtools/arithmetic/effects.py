"""The change in log odds of target words over many sentences: mean, interval and sign test."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from embtools.arithmetic.phrases import CONTROL_PHRASES
from embtools.messages import counted
from embtools.statistics.exact import sign_test
from embtools.statistics.intervals import SOME, mean_interval
from embtools.vectors import Array

EDIT = "edit"
"""Name of the run of the edit itself; the other runs have the names of their controls."""
ADDED_WORD = "added word"
"""Name of the target when no target words are given: in each sentence, the word that its edit adds."""
MAX_TARGETS = 5
COLUMNS = (
    "row", "sentence", "edits", "mask", "target", "word", "run", "draws", "probability_before", "probability_after",
    "log_odds_before", "log_odds_after", "change", "lowest", "highest",
)  # fmt: skip


def log_odds(probabilities: Array, ids: Sequence[int]) -> Array:
    """Return the log odds ln(p / (1 − p)) that the answer is one of some words, from probabilities (…, v); 1 − p is
    summed over the other words, which stays accurate if p is almost 1.

    >>> log_odds(np.array([[0.5, 0.25, 0.25], [0.8, 0.1, 0.1]]), [0]).round(3)
    array([0.   , 1.386])
    """
    inside = probabilities[..., list(ids)].sum(-1)
    outside = np.delete(probabilities, list(ids), axis=-1).sum(-1)
    return np.asarray(np.log(inside) - np.log(outside))


def by_sentence(effects: pd.DataFrame) -> pd.DataFrame:
    """Average the effects over the masks of each sentence; equal rows count once, as they add no information."""
    keys = ["target", "run", "sentence", "edits", "word"]
    values = ["probability_before", "probability_after", "change", "lowest", "highest"]
    return effects.groupby(keys, sort=False)[values].mean().reset_index()


def summary(effects: pd.DataFrame, *, seed: int = 0) -> pd.DataFrame:
    """Summarise the change in log odds of each target and run over all sentences."""
    rows = []
    for (target, run), part in by_sentence(effects).groupby(["target", "run"], sort=False):
        values = part["change"].to_numpy()
        change = mean_interval(values, seed=seed)
        ranges = change.mean, change.low, change.high, values.min(), values.max()
        rose, fell = int((values > 0).sum()), int((values < 0).sum())
        ends = part["lowest"].mean(), part["highest"].mean()
        rows.append((target, run, len(values), rose, fell, *ranges, sign_test(rose, fell), *ends))
    columns = ["target", "run", "sentences", "rose", "fell", "mean", "low", "high", "smallest", "largest", "p_value"]
    return pd.DataFrame(rows, columns=[*columns, "lowest", "highest"])


def findings(rows: pd.DataFrame) -> list[str]:
    """State the result for each target of a `summary`, with the strongest control if controls were run.

    >>> line = {"target": "she", "run": "edit", "sentences": 12, "rose": 11, "fell": 1, "mean": 1.2}
    >>> line |= {"low": 0.7, "high": 1.6, "p_value": 0.0063, "lowest": 1.2, "highest": 1.2}
    >>> print(*findings(pd.DataFrame([line])))
    The log odds of “she” rise by 1.20 on average (95% interval 0.70 to 1.60). They rise in 11 of 12 sentences (sign \
test: p = 0.0063).
    """
    return [_finding(part) for _, part in rows.groupby("target", sort=False)]


def caution(rows: pd.DataFrame) -> str:
    """State what a `summary` of few sentences cannot show; "" if there are enough.

    >>> caution(pd.DataFrame({"run": ["edit"], "sentences": [5]}))
    'With 5 sentences, the sign test cannot reach p = 0.05, and there are too few values for an interval.'
    """
    n = int(rows.loc[rows["run"] == EDIT, "sentences"].min())
    if n >= SOME:
        return ""
    test = "the sign test cannot reach p = 0.05, and " if n < 6 else ""
    return f"With {counted(n, 'sentence')}, {test}there are too few values for an interval."


def p_text(p_value: float) -> str:
    """Format a p-value with three significant digits.

    >>> p_text(0.0625), p_text(1.0), p_text(0.00001)
    ('p = 0.0625', 'p = 1', 'p < 0.001')
    """
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3g}"


def _finding(part: pd.DataFrame) -> str:
    edit = part[part["run"] == EDIT].iloc[0]
    rises = edit["mean"] >= 0
    name = "the added word" if edit["target"] == ADDED_WORD else f"“{edit['target']}”"
    within = f" (95% interval {_signed(edit, rises, 'low', 'high')})"
    if np.isnan(edit["low"]):
        within = f" (by {_signed(edit, rises, 'smallest', 'largest')} in single sentences)"
    if edit["sentences"] == 1:
        within = ""
    size, direction = f"{abs(edit['mean']):.2f}", "rise" if rises else "fall"
    change = "stay the same" if float(size) == 0 else f"{direction} by {size}"
    text = (
        f"The log odds of {name} {change} on average{within}. They {direction} in"
        f" {edit['rose'] if rises else edit['fell']} of {counted(int(edit['sentences']), 'sentence')} (sign test:"
        f" {p_text(edit['p_value'])})."
    )
    others = part[part["run"] != EDIT]
    if others.empty:
        return text
    end = "highest" if rises else "lowest"
    best = others.loc[others[end].idxmax() if rises else others[end].idxmin()]
    control = CONTROL_PHRASES.get(best["run"], "random changes")
    where = f" in {counted(int(best['sentences']), 'sentence')}" if best["sentences"] < edit["sentences"] else ""
    text = f"{text} With the strongest control, {control}, they change by {_number(best['mean'])}{where}"
    if abs(best[end] - best["mean"]) < 0.005:
        return f"{text}."
    return f"{text}, and by {_number(best[end])} if its strongest run in each sentence is counted."


def _signed(line: pd.Series, rises: bool, low: str, high: str) -> str:
    """Format the range between two columns in the direction that the sentence states."""
    least, most = (line[low], line[high]) if rises else (-line[high], -line[low])
    return f"{_number(least, '')} to {_number(most, '')}"


def _number(value: float, plus: str = "+") -> str:
    """Format a number with a minus sign (−) or the given plus sign; zero has neither.

    >>> _number(-0.127), _number(0.5), _number(-0.001)
    ('−0.13', '+0.50', '0.00')
    """
    text = f"{abs(value):.2f}"
    sign = "" if float(text) == 0 else "−" if value < 0 else plus
    return sign + text
