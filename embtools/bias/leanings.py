"""Which words lean to the same group in every sentence, and whether more of them do than chance would give."""

import pandas as pd

from embtools.bias.verdict import capital, listed
from embtools.statistics.reporting import LEVEL, p_value

_NAMED = 3  # words of each group in a headline


def headline(summary: pd.DataFrame, first: str, second: str) -> str:
    """The words that lean most to either group, among those that do so in every sentence of a `likelihood.summary`.

    Where no more words do so than chance would give, the headline says so first.
    """
    leaning = summary[summary["agree"]].sort_values("score")
    ends = (
        (first, leaning[leaning["score"] < 0]["occupation"].head(_NAMED).tolist()),
        (second, leaning[leaning["score"] > 0]["occupation"].tail(_NAMED).tolist()[::-1]),
    )
    said = [f"{listed(words)} lean{'s' * (len(words) == 1)} to {name}" for name, words in ends if words]
    if not said:
        return "No word leans to one side in every sentence."
    named = f"{capital('; '.join(said))}."
    if _sentences(summary) < 2 or one_sided_p(summary) < LEVEL:
        return named
    return f"{named} But no more words lean to one side in every sentence than expected by chance."


def one_sided(summary: pd.DataFrame) -> str:
    """How many words lean to one side in every sentence, and how many chance would give."""
    if _sentences(summary) < 2:
        return "This is one sentence only. Write more to see whether the words lean to the same side again."
    expected = len(summary) * _chance(summary)
    return (
        f"{int(summary['agree'].sum())} of {len(summary)} words lean to one side in every sentence; {expected:.1f} are"
        f" expected by chance ({p_value(one_sided_p(summary))})."
    )


def one_sided_p(summary: pd.DataFrame) -> float:
    """The p-value of the number of words that lean to one side in every sentence, by an exact binomial test.

    Chance: in each sentence a word leans to either side with probability 1/2. With one sentence p is 1.
    """
    from scipy.stats import binomtest

    count = int(summary["agree"].sum())
    return float(binomtest(count, len(summary), _chance(summary), alternative="greater").pvalue)


def _sentences(summary: pd.DataFrame) -> int:
    return int(summary["sentences"].min())


def _chance(summary: pd.DataFrame) -> float:
    """The probability that all sentences of a word lean to the same side by chance."""
    return float(2.0 ** (1 - _sentences(summary)))
