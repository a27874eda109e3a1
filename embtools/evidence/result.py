"""The result of a battery: its cases, the rates with intervals, and the sentences that state them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from embtools.mask_filling.controls import ADDED, OTHER_EDITED, OTHER_SUBTRACTED, RANDOM, SUBTRACTED
from embtools.messages import listed
from embtools.statistics.crossed import crossed_mean, crossed_share
from embtools.statistics.percentages import percent
from embtools.vectors import Array

EDIT = "edit"
"""Name of the condition of the edit itself; the others have the names of the controls."""
EFFICACY, PARAPHRASE, SPECIFICITY = MEASURES = ("efficacy", "paraphrase", "specificity")
COLUMNS = (
    "a", "b", "c", "sentence", "measure", "condition", "changed", "preferred", "correct", "answer_before", "answer",
    "log_odds_before", "log_odds_after", "detail",
)  # fmt: skip
CHANGED, UNCHANGED, NEVER = STATES = ("changed", "not changed", "wrong before the edit")
FEW = 20
"""With fewer different words a or c than this, the intervals are only a rough guide."""
_PHRASES = {
    ADDED: "adding only the new word",
    SUBTRACTED: "subtracting only the old word",
    OTHER_SUBTRACTED: "subtracting another word",
    OTHER_EDITED: "editing another word of the sentence",
    RANDOM: "a random change of the same size",
}
_NAMED = 5  # words that a sentence lists


@dataclass(frozen=True)
class Battery:
    """The results of an edit with its controls over many words.

    edit       the edit with its placeholders
    sentences  the sentences whose answer should change; the first measures efficacy
    must_stay  the sentences whose answer should not change
    cases      one row per a, b, c, sentence and condition: `changed` (the top answer is c; for specificity, it differs
               from the unedited one), `preferred` (c is more probable than b; for specificity, the unedited answer is
               more probable than c), `correct` (the unedited answer to the first sentence is b), `answer_before`,
               `answer`, `log_odds_before` and `log_odds_after` (of c), `detail` (how a control changed the vector)
    excluded   pairs that are left out: a, b, reason
    pairs      number of pairs of the whole battery; `cases` has fewer if it was stopped
    seed       seed of the draws and of the resamples
    """

    edit: str
    sentences: tuple[str, ...]
    must_stay: tuple[str, ...]
    cases: pd.DataFrame
    excluded: pd.DataFrame
    pairs: int
    seed: int = 0

    @cached_property
    def rates(self) -> pd.DataFrame:
        """The rates over all pairs, one row per measure and condition.

        Columns: measure, condition, rate (of `changed`; for specificity, of cases that do not change), low, high, n
        (results), preferred, preferred_low, preferred_high, log_odds_change (mean change of the log odds of c),
        log_odds_low, log_odds_high. The 95% intervals resample the words a and the words c.
        """
        return _rates(self.cases, self.seed)

    @cached_property
    def rates_of_correct(self) -> pd.DataFrame:
        """The same as `rates`, over the pairs whose unedited answer to the first sentence is right."""
        return _rates(self.cases[self.cases["correct"]], self.seed)

    @cached_property
    def done(self) -> int:
        """Number of pairs that were tested."""
        return len(self.cases[["a", "b"]].drop_duplicates())

    @cached_property
    def headline(self) -> str:
        """The efficacy rate with its interval, next to the control with the highest rate."""
        edit = self.rate(EFFICACY, EDIT)
        n = int(edit["n"])
        within = f"95% interval {percent(edit['low'])} to {percent(edit['high'])}"
        text = f"The edit changes the answer to the new word in {percent(edit['rate'])} of {n:,} cases ({within})."
        best = self.strongest
        if best is None:
            return text
        control = f"{_PHRASES[str(best['condition'])]}, does this in {percent(best['rate'])}"
        return (
            f"{text} The strongest control, {control} (95% interval {percent(best['low'])} to {percent(best['high'])})."
        )

    @cached_property
    def strongest(self) -> pd.Series | None:
        """The row of `rates` of the control with the highest efficacy; None without controls."""
        rows = self.rates[(self.rates["measure"] == EFFICACY) & (self.rates["condition"] != EDIT)]
        return None if rows.empty else rows.loc[rows["rate"].idxmax()]

    def rate(self, measure: str, condition: str) -> pd.Series:
        """The row of `rates` for a measure and a condition. Raises KeyError if there is none."""
        rows = self.rates[(self.rates["measure"] == measure) & (self.rates["condition"] == condition)]
        if rows.empty:
            raise KeyError((measure, condition))
        return rows.iloc[0]

    @property
    def findings(self) -> tuple[str, ...]:
        """What the other measures show, how many answers were right before, and what limits the result."""
        return tuple(filter(None, (self._paraphrase, self._specificity, self._correct, self._failures, *self.cautions)))

    @property
    def cautions(self) -> tuple[str, ...]:
        """What the reader must know: pairs that are left out or not tested yet, and few words."""
        return tuple(filter(None, (self._partial, self._excluded, self._few)))

    @property
    def _paraphrase(self) -> str:
        if len(self.sentences) < 2:
            return ""
        row = self.rate(PARAPHRASE, EDIT)
        others = len(self.sentences) - 1
        where = "the other sentence" if others == 1 else f"the {others} other sentences"
        return f"In {where}, the edit changes the answer to the new word in {percent(row['rate'])} of the cases."

    @property
    def _specificity(self) -> str:
        if not self.must_stay:
            return ""
        row = self.rate(SPECIFICITY, EDIT)
        return f"Answers that should not change stay the same in {percent(row['rate'])} of the cases."

    @property
    def _correct(self) -> str:
        words = self.by_word
        right = int(words["correct"].sum())
        text = f"Without the edit, BERT's answer is right for {right} of {len(words)} pairs."
        rows = self.rates_of_correct
        rows = rows[(rows["measure"] == EFFICACY) & (rows["condition"] == EDIT)]
        if not right or right == len(words) or rows.empty:
            return text
        return f"{text} For these, the edit changes it in {percent(rows.iloc[0]['rate'])} of the cases."

    @property
    def _failures(self) -> str:
        never = list(self.by_word[self.by_word["rate"] == 0]["a"])
        if not never:
            return ""
        named = listed(f"“{word}”" for word in never[:_NAMED])
        more = f" and {len(never) - _NAMED} more" if len(never) > _NAMED else ""
        return f"The edit never works for {len(never)} of {len(self.by_word)} words: {named}{more}."

    @property
    def _partial(self) -> str:
        return f"Only the first {self.done} of {self.pairs} pairs were tested." if self.done < self.pairs else ""

    @property
    def _excluded(self) -> str:
        n = len(self.excluded)
        if not n:
            return ""
        rows = self.excluded.head(_NAMED).itertuples()
        named = "; ".join(f"{row.a}–{row.b} ({str(row.reason).rstrip('.')})" for row in rows)
        return f"{n} {'pair' if n == 1 else 'pairs'} cannot be tested: {named}" + ("; …" if n > _NAMED else ".")

    @property
    def _few(self) -> str:
        words = min(self.cases["a"].nunique(), self.cases["c"].nunique())
        if words >= FEW:
            return ""
        few = "is only 1 word" if words == 1 else f"are only {words} different words"
        return f"There {few} a or c, so the intervals are a rough guide."

    @cached_property
    def grid(self) -> pd.DataFrame:
        """One row per case of the first sentence: a, b, c, state, answer_before, answer.

        `state` is "changed", "not changed", or "wrong before the edit" if the answer did not change and was not b
        before. The words with the fewest changed answers come first.
        """
        rows = self._first[["a", "b", "c", "changed", "correct", "answer_before", "answer"]].copy()
        rows["state"] = np.where(rows["changed"], CHANGED, np.where(rows["correct"], UNCHANGED, NEVER))
        order = {key: number for number, key in enumerate(zip(self.by_word["a"], self.by_word["b"], strict=True))}
        rank = [order[key] for key in zip(rows["a"], rows["b"], strict=True)]
        rows = rows.assign(_rank=rank).sort_values(["_rank", "c"], kind="stable", ignore_index=True)
        return rows[["a", "b", "c", "state", "answer_before", "answer"]]

    @cached_property
    def by_word(self) -> pd.DataFrame:
        """One row per pair: a, b, changed, cases, rate, correct; the lowest rates first."""
        grouped = self._first.groupby(["a", "b"], sort=False)
        frame = grouped.agg(changed=("changed", "sum"), cases=("changed", "size"), correct=("correct", "first"))
        frame["rate"] = frame["changed"] / frame["cases"]
        return frame.sort_values(["rate", "correct"], kind="stable").reset_index()[
            ["a", "b", "changed", "cases", "rate", "correct"]
        ]

    def case(self, a: str, b: str, c: str) -> pd.DataFrame:
        """The rows of `cases` for one pair and one new word, with all sentences and conditions."""
        rows = self.cases
        return rows[(rows["a"] == a) & (rows["b"] == b) & (rows["c"] == c)].reset_index(drop=True)

    @cached_property
    def _first(self) -> pd.DataFrame:
        return self.cases[(self.cases["measure"] == EFFICACY) & (self.cases["condition"] == EDIT)]


def two_models(first: Battery, second: Battery, names: tuple[str, str]) -> str:
    """State the efficacy of two models next to each other."""
    one, other = (percent(result.rate(EFFICACY, EDIT)["rate"]) for result in (first, second))
    text = "The edit changes the answer to the new word in"
    return f"{text} {one} of the cases for {names[0]} and in {other} for {names[1]}."


def _rates(cases: pd.DataFrame, seed: int) -> pd.DataFrame:
    rows: list[tuple[object, ...]] = []
    a_codes, a_words = pd.factorize(cases["a"])
    c_codes, c_words = pd.factorize(cases["c"])
    shape = len(a_words), len(c_words)
    cells = a_codes * shape[1] + c_codes if shape[1] else a_codes
    conditions = list(dict.fromkeys(cases["condition"]))
    for measure in MEASURES:
        for condition in conditions:
            chosen = ((cases["measure"] == measure) & (cases["condition"] == condition)).to_numpy()
            if not chosen.any():
                continue
            part, at = cases[chosen], cells[chosen]
            counts = _table(at, None, shape).astype(int)
            kept = part["changed"].to_numpy(float)
            share = crossed_share(_table(at, 1 - kept if measure == SPECIFICITY else kept, shape), counts, seed=seed)
            preferred = crossed_share(_table(at, part["preferred"].to_numpy(float), shape), counts, seed=seed)
            change = (part["log_odds_after"] - part["log_odds_before"]).to_numpy(float)
            odds = crossed_mean(_table(at, change, shape), counts, seed=seed)
            rows.append((measure, condition, *share, int(counts.sum()), *preferred, *odds))
    columns = [
        "measure", "condition", "rate", "low", "high", "n", "preferred", "preferred_low", "preferred_high",
        "log_odds_change", "log_odds_low", "log_odds_high",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def _table(cells: Array, values: Array | None, shape: Sequence[int]) -> Array:
    """Sum values by cell into a table (n words a, k words c)."""
    return np.bincount(cells, values, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
