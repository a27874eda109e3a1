"""The rates of a battery: efficacy, paraphrase and specificity by condition, with intervals, and rates by new word."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed
from embtools.drawing import Displayed
from embtools.statistics.crossed import crossed_mean, crossed_resamples, crossed_share
from embtools.statistics.intervals import SOME
from embtools.statistics.permutations import holm
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
    """Return the rates of a battery by measure and condition, without cases whose unedited answer is already c, with
    95% intervals that take the words a and c as draws from more words."""
    checked_seed(seed)
    rows: list[tuple[object, ...]] = []
    for (measure, condition), tables in _tables(cases).items():
        counts = tables.counts
        share, preferred = (crossed_share(tables.sums[form], counts) for form in (RATE, PREFERRED))
        odds = crossed_mean(tables.sums[LOG_ODDS], counts, seed=seed)
        rows.append((measure, condition, *share, int(counts.sum()), *preferred, *odds))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def advantage_of(cases: pd.DataFrame, form: str, *, seed: int = 0) -> tuple[float, float, float]:
    """Return by how much the efficacy of the edit exceeds that of the strongest control, chosen again in each resample,
    as another one could be the strongest for other words: (difference, low, high); nan without controls or cases."""
    checked_seed(seed)
    tables = {condition: found for (measure, condition), found in _tables(cases).items() if measure == EFFICACY}
    edit, controls = (
        tables[EDIT],
        {name: found for name, found in tables.items() if name != EDIT and found.counts.any()},
    )
    if not controls or not edit.counts.any():
        return np.nan, np.nan, np.nan
    best = max(controls, key=lambda name: controls[name].mean(form))
    value = edit.mean(form) - controls[best].mean(form)
    if edit.counts.sum() < SOME:
        return value, np.nan, np.nan
    own, *others = (
        crossed_resamples(each.sums[form][:, :, None], each.counts, seed=seed)[:, 0]
        for each in (edit, *controls.values())
    )
    least = min(map(len, (own, *others)))
    drawn = own[:least] - np.max([other[:least] for other in others], axis=0)
    low, high = (float(end) for end in np.quantile(drawn, [0.025, 0.975]))
    if low < high or form == LOG_ODDS:
        return value, low, high
    # All resamples are equal, so the ends come from the intervals of the two rates (Newcombe 1998).
    (_, low, high), (_, least_, most) = (crossed_share(each.sums[form], each.counts) for each in (edit, controls[best]))
    below = math.hypot(edit.mean(form) - low, most - controls[best].mean(form))
    above = math.hypot(high - edit.mean(form), controls[best].mean(form) - least_)
    return value, value - below, value + above


def by_new_word(cases: pd.DataFrame) -> pd.DataFrame:
    """Return how often each new word c becomes the answer, lowest rates first, and what is expected if c made no
    difference, so that a case of a pair (a, b) changed with the pair's own rate."""
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


@dataclass(frozen=True)
class RatedCases(Displayed):
    """The cases of an edit with its controls, and their rates; the fields are those of `result.Battery`."""

    edit: str
    sentences: tuple[str, ...]
    must_stay: tuple[str, ...]
    cases: pd.DataFrame
    excluded: pd.DataFrame
    pairs: int
    seed: int = 0

    @cached_property
    def rates(self) -> pd.DataFrame:
        """The rates over all pairs (`rates.COLUMNS`; for specificity, of cases that do not change), one row per measure
        and condition, with 95% intervals that take the words a and c as draws from more words."""
        return rates_of(self.cases, seed=self.seed)

    @cached_property
    def rates_of_correct(self) -> pd.DataFrame:
        """The same as `rates`, over the pairs whose unedited answer to the first sentence is right."""
        return rates_of(self.cases[self.cases["correct"]], seed=self.seed)

    @cached_property
    def done(self) -> int:
        """Number of pairs that were tested."""
        return len(self.cases[["a", "b"]].drop_duplicates())

    @cached_property
    def strongest(self) -> pd.Series | None:
        """The row of `rates` of the control with the highest efficacy; None without controls."""
        return self.strongest_by(RATE)

    def strongest_by(self, form: str) -> pd.Series | None:
        """The row of `rates` of the control with the highest efficacy in a form; None without controls."""
        rows = self.rates.query("measure == @EFFICACY and condition != @EDIT and n > 0")
        return None if rows.empty else rows.loc[rows[form].idxmax()]

    def rate(self, measure: str, condition: str) -> pd.Series:
        """The row of `rates` for a measure and a condition. Raises KeyError if there is none."""
        rows = self.rates[(self.rates["measure"] == measure) & (self.rates["condition"] == condition)]
        if rows.empty:
            raise KeyError((measure, condition))
        return rows.iloc[0]

    @cached_property
    def by_word(self) -> pd.DataFrame:
        """One row per pair: a, b, changed, cases (without those whose unedited answer is already c), rate (nan without
        cases), correct; the lowest rates first."""
        rows = self._first
        rows = rows.assign(changed=rows["changed"] & ~rows["already"], counted=~rows["already"])
        grouped = rows.groupby(["a", "b"], sort=False)
        frame = grouped.agg(changed=("changed", "sum"), cases=("counted", "sum"), correct=("correct", "first"))
        frame["rate"] = frame["changed"] / frame["cases"].where(frame["cases"] > 0)
        return frame.sort_values(["rate", "correct"], kind="stable").reset_index()[
            ["a", "b", "changed", "cases", "rate", "correct"]
        ]

    @cached_property
    def by_new_word(self) -> pd.DataFrame:
        """One row per new word c: c, changed, cases (as in `by_word`), rate, expected (if c made no difference),
        p_value (exact, two-sided), p_adjusted; the lowest rates first."""
        return by_new_word(self._first)

    @cached_property
    def _first(self) -> pd.DataFrame:
        return self.cases[(self.cases["measure"] == EFFICACY) & (self.cases["condition"] == EDIT)]


@dataclass(frozen=True)
class _Tables:
    """The results of a measure and a condition by words a and words c: the sum of each form, and the number."""

    sums: dict[str, Array]
    counts: NDArray[np.intp]

    def mean(self, form: str) -> float:
        """The rate, or the mean change."""
        return float(self.sums[form].sum() / self.counts.sum())


def _tables(cases: pd.DataFrame) -> dict[tuple[str, str], _Tables]:
    """Return the tables of each measure and condition; cases whose unedited answer is already c are in none."""
    a_codes, a_words = pd.factorize(cases["a"])
    c_codes, c_words = pd.factorize(cases["c"])
    shape = len(a_words), len(c_words)
    cells, counted = a_codes * max(shape[1], 1) + c_codes, ~cases["already"].to_numpy(bool)
    found = {}
    for key, numbers in _groups(cases):
        chosen = np.asarray(numbers)[counted[numbers]]
        part, at = cases.iloc[chosen], cells[chosen]
        changed = part["changed"].to_numpy(float)
        values = {
            RATE: 1 - changed if key[0] == SPECIFICITY else changed,
            PREFERRED: part["preferred"].to_numpy(float),
            LOG_ODDS: (part["log_odds_after"] - part["log_odds_before"]).to_numpy(float),
        }
        sums = {form: _table(at, column, shape) for form, column in values.items()}
        found[key] = _Tables(sums, _table(at, None, shape).astype(int))
    return found


def _groups(cases: pd.DataFrame) -> list[tuple[tuple[str, str], list[int]]]:
    """Return the row numbers of each measure and condition, measures in their order."""
    found: dict[tuple[str, str], list[int]] = {}
    for number, key in enumerate(zip(cases["measure"], cases["condition"], strict=True)):
        found.setdefault(key, []).append(number)
    return sorted(found.items(), key=lambda item: MEASURES.index(item[0][0]))


def _table(cells: Array, values: Array | None, shape: Sequence[int]) -> Array:
    """Sum values by cell into a table (n words a, k words c)."""
    return np.bincount(cells, values, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _p_value(count: int, chances: Array) -> float:
    """Two-sided exact p-value of a number of successes in trials that have different probabilities (n,).

    >>> round(_p_value(0, np.full(4, 0.5)), 3)
    0.125
    """
    own = np.ones(1)  # probability of each number of successes
    for chance in chances:
        own = np.append(own * (1 - chance), 0) + np.append(0, own * chance)
    return float(min(1.0, 2 * min(own[: count + 1].sum(), own[count:].sum())))
