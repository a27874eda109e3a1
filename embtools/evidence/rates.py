"""The rates of a battery with intervals that resample words: efficacy, paraphrase and specificity by condition."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from embtools.statistics.crossed import crossed_mean, crossed_share
from embtools.vectors import Array

EDIT = "edit"
"""Name of the condition of the edit itself; the others have the names of the controls."""
EFFICACY, PARAPHRASE, SPECIFICITY = MEASURES = ("efficacy", "paraphrase", "specificity")
RATE, PREFERRED, LOG_ODDS = FORMS = ("rate", "preferred", "log_odds_change")
"""The columns of `rates` that hold a measure, from the strictest form to the weakest."""
ENDS = {
    RATE: ("low", "high"),
    PREFERRED: ("preferred_low", "preferred_high"),
    LOG_ODDS: ("log_odds_low", "log_odds_high"),
}
"""The columns with the ends of the interval of each form."""
COLUMNS = (
    "measure", "condition", RATE, *ENDS[RATE], "n", PREFERRED, *ENDS[PREFERRED], LOG_ODDS, *ENDS[LOG_ODDS],
)  # fmt: skip


def rates_of(cases: pd.DataFrame, *, seed: int = 0) -> pd.DataFrame:
    """Return the rates of the cases of a battery, one row per measure and condition.

    Cases whose unedited answer is already c are left out, because they cannot change to c. The 95% intervals resample
    the words a and the words c.

    Parameters
    ----------
    cases : DataFrame
        The cases of a battery.
    seed : int, default 0
        Seed of the resamples.

    Returns
    -------
    DataFrame
        The columns `COLUMNS`.
    """
    a_codes, a_words = pd.factorize(cases["a"])
    c_codes, c_words = pd.factorize(cases["c"])
    shape = len(a_words), len(c_words)
    cells, counted = a_codes * max(shape[1], 1) + c_codes, ~cases["already"].to_numpy(bool)
    rows: list[tuple[object, ...]] = []
    for (measure, condition), numbers in _groups(cases):
        chosen = np.asarray(numbers)[counted[numbers]]
        part, at = cases.iloc[chosen], cells[chosen]
        counts = _table(at, None, shape).astype(int)
        changed = part["changed"].to_numpy(float)
        share = crossed_share(_table(at, 1 - changed if measure == SPECIFICITY else changed, shape), counts, seed=seed)
        preferred = crossed_share(_table(at, part["preferred"].to_numpy(float), shape), counts, seed=seed)
        change = (part["log_odds_after"] - part["log_odds_before"]).to_numpy(float)
        odds = crossed_mean(_table(at, change, shape), counts, seed=seed)
        rows.append((measure, condition, *share, int(counts.sum()), *preferred, *odds))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _groups(cases: pd.DataFrame) -> list[tuple[tuple[str, str], list[int]]]:
    """Return the row numbers of each measure and condition, measures in their order."""
    found: dict[tuple[str, str], list[int]] = {}
    for number, key in enumerate(zip(cases["measure"], cases["condition"], strict=True)):
        found.setdefault(key, []).append(number)
    return sorted(found.items(), key=lambda item: MEASURES.index(item[0][0]))


def _table(cells: Array, values: Array | None, shape: Sequence[int]) -> Array:
    """Sum values by cell into a table (n words a, k words c)."""
    return np.bincount(cells, values, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
