"""The new words c that an edit reaches least often, compared with other new words for the same words a."""

import numpy as np
import pandas as pd

from embtools.messages import listed
from embtools.statistics.permutations import holm
from embtools.statistics.reporting import LEVEL
from embtools.vectors import Array

_NAMED = 5  # words that a sentence lists


def by_new_word(cases: pd.DataFrame) -> pd.DataFrame:
    """Return how often each new word c becomes the answer, the lowest rates first.

    If the new word made no difference, the changed cases of each pair (a, b) would be any of its cases. So a case of a
    pair changes with the pair's own rate, and the number of changed cases of c is a sum of such trials.
    """
    counted = cases[~cases["already"].astype(bool)]
    pair_rates = counted.groupby(["a", "b"], sort=False)["changed"].transform("mean").to_numpy(float)
    columns = ["c", "changed", "cases", "rate", "expected", "p_value"]
    rows: list[tuple[object, ...]] = []
    for word, numbers in counted.assign(number=range(len(counted))).groupby("c", sort=False)["number"]:
        own = pair_rates[numbers.to_numpy()]
        changed = int(counted["changed"].to_numpy()[numbers.to_numpy()].sum())
        rows.append((word, changed, len(own), changed / len(own), float(own.mean()), _p_value(changed, own)))
    rows += [(word, 0, 0, np.nan, np.nan, 1.0) for word in cases["c"].unique() if word not in {row[0] for row in rows}]
    frame = pd.DataFrame(rows, columns=columns)
    frame["p_adjusted"] = holm(frame["p_value"].to_numpy(float))
    return frame.sort_values(["rate", "p_value"], kind="stable", ignore_index=True)


def sentence(words: pd.DataFrame) -> str:
    """Name the new words that clearly fail more often than others, from `by_new_word`; "" if there are none."""
    clear = words[(words["p_adjusted"] < LEVEL) & (words["rate"] < words["expected"])]
    if clear.empty:
        return ""
    named = [
        f"“{row.c}” ({row.changed} of {row.cases} cases; expected: {row.cases * row.expected:.1f})"
        for row in clear.itertuples()
    ]
    more = len(named) - _NAMED
    parts = [*named[:_NAMED], f"{more} more"] if more > 0 else named
    which = "1 new word becomes" if len(clear) == 1 else f"{len(clear)} new words become"
    return f"{which} the answer clearly less often than other new words with the same words a: {listed(parts)}."


def _p_value(count: int, chances: Array) -> float:
    """Two-sided exact p-value of a number of successes in trials that have different probabilities (n,).

    >>> round(_p_value(0, np.full(4, 0.5)), 3)
    0.125
    """
    own = np.ones(1)  # probability of each number of successes
    for chance in chances:
        own = np.append(own * (1 - chance), 0) + np.append(0, own * chance)
    return float(min(1.0, 2 * min(own[: count + 1].sum(), own[count:].sum())))
