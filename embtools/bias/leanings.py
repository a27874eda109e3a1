"""Words that lean towards the same group in every sentence, and a test of whether this is more than chance."""

import pandas as pd

from embtools.bias.verdict import capital
from embtools.messages import counted, listed
from embtools.statistics.exact import binomial_test
from embtools.statistics.reporting import LEVEL, p_value

_NAMED = 3  # words of each group in a headline


def headline(summary: pd.DataFrame, first: str, second: str) -> str:
    """The words that lean most towards each group in all sentences of a `likelihood.summary`, if not by chance."""
    leaning = summary[summary["same_side"]].sort_values("score")
    ends = (
        (first, leaning[leaning["score"] < 0].head(_NAMED)),
        (second, leaning[leaning["score"] > 0].tail(_NAMED)[::-1]),
    )
    parts = [_lean(rows, name) for name, rows in ends if len(rows)]
    if not parts:
        return f"Of {len(summary)} words, none leans towards the same group in every sentence."
    named = f"{capital('; '.join(parts))}."
    if _sentences(summary) < 2 or more_than_chance(summary):
        return named
    if summary["same_side"].sum() > len(summary) * _chance(summary):
        return f"{named} But this can be chance ({p_value(same_side_p(summary))})."
    return f"{named} But there are no more such words than expected by chance."


def _lean(rows: pd.DataFrame, name: str) -> str:
    """The words that lean towards a group, and by how much."""
    least, most = (f"{value:.1f}" for value in (rows["score"].abs().min(), rows["score"].abs().max()))
    words, verb = listed(rows["occupation"]), "leans" if len(rows) == 1 else "lean"
    return f"{words} {verb} towards {name} (by {least if least == most else f'{least} to {most}'} nats)"


def one_sided(summary: pd.DataFrame) -> str:
    """The number of words that lean towards the same group in every sentence, and the number expected by chance."""
    if _sentences(summary) < 2:
        return "There is only one sentence. Add more to see whether the words lean towards the same group again."
    expected, leaning = len(summary) * _chance(summary), int(summary["same_side"].sum())
    lean = "leans" if leaning == 1 else "lean"
    return (
        f"{leaning} of {counted(len(summary), 'word')} {lean} towards the same group in every sentence;"
        f" {expected:.1f} are expected by chance ({p_value(same_side_p(summary))})."
    )


def same_side_p(summary: pd.DataFrame) -> float:
    """Two-sided exact p-value of the number of words that lean the same way in every sentence (binomial test)."""
    return binomial_test(int(summary["same_side"].sum()), len(summary), _chance(summary))


def more_than_chance(summary: pd.DataFrame) -> bool:
    """Whether clearly more words lean the same way in every sentence than expected by chance."""
    more = summary["same_side"].sum() > len(summary) * _chance(summary)
    return bool(more and same_side_p(summary) < LEVEL)


def _sentences(summary: pd.DataFrame) -> int:
    return int(summary["sentences"].min())


def _chance(summary: pd.DataFrame) -> float:
    """The probability that a word leans the same way in all sentences by chance."""
    return float(2.0 ** (1 - _sentences(summary)))  # either way with probability 1/2 in each sentence
