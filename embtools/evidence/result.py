"""The result of a battery: its cases, the rates with intervals, and the sentences that state them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from embtools.evidence.findings import HARM, PHRASES, cautions, findings, odds, odds_interval, partial, share
from embtools.evidence.rates import (
    EDIT,
    EFFICACY,
    FORMS,
    LOG_ODDS,
    PREFERRED,
    RATE,
    SPECIFICITY,
    RatedCases,
    advantage_of,
)
from embtools.mask_filling.cases import A, filled_edit, read_edit
from embtools.messages import counted, quoted
from embtools.rooms.question import Question, about, how_many
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rate_text

COLUMNS = (
    "a", "b", "c", "sentence", "measure", "condition", "changed", "preferred", "correct", "already", "answer_before",
    "answer", "log_odds_before", "log_odds_after", "detail",
)  # fmt: skip
TEXTS = ("a", "b", "c", "sentence", "answer_before", "answer", "detail")
"""The columns of cases that hold texts."""
CHANGED, UNCHANGED, NEVER, ALREADY = STATES = ("changed", "not changed", "wrong before the edit", "already the answer")


@dataclass(frozen=True)
class Battery(RatedCases):
    """The results of an edit with its controls over many words.

    edit       the edit with its placeholders
    sentences  the sentences whose answer should change; the first measures efficacy
    must_stay  the sentences whose answer should not change
    cases      one row per a, b, c, sentence and condition: `changed` (the top answer is c; for specificity, it differs
               from the unedited one), `preferred` (c is more probable than b; for specificity, the unedited answer is
               more probable than c), `correct` (the unedited answer to the first sentence is b), `already` (the
               unedited answer to this sentence is c; such cases are in no rate), `answer_before`, `answer`,
               `log_odds_before` and `log_odds_after` (of c), `detail` (how a control changed the vector)
    excluded   pairs that are left out: a, b, reason
    pairs      number of pairs of the whole battery; `cases` has fewer if only the first ones were tested
    seed       seed of the draws and of the resamples
    """

    @cached_property
    def of_correct(self) -> "Battery":
        """The same battery with only the pairs whose unedited answer to the first sentence is right."""
        cases = self.cases[self.cases["correct"]].reset_index(drop=True)
        return replace(self, cases=cases, pairs=len(cases[["a", "b"]].drop_duplicates()))

    @cached_property
    def headline(self) -> str:
        """The efficacy rate with its interval, next to the strongest control and to specificity."""
        return self.sentence(RATE)

    def sentence(self, form: str) -> str:
        """State efficacy in a form ("rate", "preferred" or "log_odds_change"), next to the strongest control and
        specificity."""
        _check(form)
        if self.cases.empty:
            return "BERT's answer was right for 0 pairs before the edit, so no case is counted."
        edit = self.rate(EFFICACY, EDIT)
        if not edit["n"]:
            return "In every case, the unedited answer is already the new word, so no edit can change it."
        best = self.strongest_by(form)
        if form == LOG_ODDS:
            text = (
                f"The edit changes the log odds of the new word by {odds(edit[form])} on average"
                f" ({odds_interval(edit)}) in {counted(int(edit['n']), 'case')}"
            )
        else:
            cases = counted(int(edit["n"]), "case")
            text = f"The edit makes the new word {_MADE[form]} in {share(edit, form=form)} of {cases}"
        if best is not None and form != LOG_ODDS and best[form] == 0:
            text += "; no control does so in any case"
        elif best is not None:
            value = f"by {odds(best[form])}" if form == LOG_ODDS else f"in {rate_text(best[form])}"
            text += f"; the strongest control, {PHRASES[str(best['condition'])]}, does so {value}"
            text += self._advantage(form)
        if self.must_stay:
            text += f". {_stays(self.rate(SPECIFICITY, EDIT), form)}"
        return f"{text}."

    def advantage(self, form: str) -> tuple[float, float, float]:
        """By how much the edit exceeds the strongest control, with its interval; see `rates.advantage_of`."""
        _check(form)
        return advantage_of(self.cases, form, seed=self.seed)

    def _advantage(self, form: str) -> str:
        """The interval of the difference to the strongest control, for a sentence; "" if there are too few cases."""
        value, low, high = self.advantage(form)
        if np.isnan(low):
            return ""
        if form == LOG_ODDS:
            return f" (difference {odds(value)}, 95% interval {odds(low)} to {odds(high)})"
        points, *ends = (decimal(100 * end, 0) for end in (value, max(low, -1.0), min(high, 1.0)))
        what = "point" if points in ("1", "−1") else "points"
        return f" (difference {points} {what}, 95% interval {' to '.join(ends)})"

    @cached_property
    def findings(self) -> tuple[str, ...]:
        """What the other measures show, how many answers were right before, and what limits the result."""
        return findings(self) if len(self.cases) else ()

    @property
    def counted_pairs(self) -> str:
        """Say how many of the tested pairs `of_correct` counts, and how many were tested."""
        pairs = self.of_correct.done
        which = "is counted: the one" if pairs == 1 else "are counted: those"
        text = f"Of {counted(self.done, 'pair')}, {pairs} {which} that BERT answered correctly before the edit."
        return f"{text} {partial(self)}".rstrip()

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """What the reader must know: cases and pairs that are left out or not tested, and few words."""
        return cautions(self)

    @cached_property
    def grid(self) -> pd.DataFrame:
        """One row per case of the first sentence: a, b, c, state (`STATES`), answer_before, answer; words with the
        lowest rates come first, and for each word the cases that fail."""
        rows = self._first
        state = np.where(rows["correct"], UNCHANGED, NEVER)
        rows = rows.assign(state=np.where(rows["already"], ALREADY, np.where(rows["changed"], CHANGED, state)))
        order = {key: number for number, key in enumerate(zip(self.by_word["a"], self.by_word["b"], strict=True))}
        rank = [order[key] for key in zip(rows["a"], rows["b"], strict=True)]
        rows = rows.assign(_rank=rank, _fails=rows["state"].map(_FAILS))
        rows = rows.sort_values(["_rank", "_fails", "c"], kind="stable", ignore_index=True)
        return rows[["a", "b", "c", "state", "answer_before", "answer"]]

    def case(self, a: str, b: str, c: str) -> pd.DataFrame:
        """The rows of `cases` for one pair and one new word, with all sentences and conditions."""
        rows = self.cases
        return rows[(rows["a"] == a) & (rows["b"] == b) & (rows["c"] == c)].reset_index(drop=True)

    def question(self, choices: Sequence[str] = ()) -> Question:
        """Ask a class for how many of the words the edit makes the first new word BERT's answer."""
        words = self.by_word.query("cases > 0")  # without words whose answer already is c
        count, case = len(words), self.cases.iloc[0]
        sentence = self.sentences[0].replace(A, str(case["a"]))
        example = filled_edit(read_edit(self.edit), case["a"], case["b"], case["c"])
        text = f"We do the same with {count} words. For how many of them does BERT then answer with the new word?"
        context = about(sentence, f"Edit: {example}")
        return how_many(int(words["changed"].sum()), count, choices, text=text, context=context)


_FAILS = {UNCHANGED: 0, NEVER: 1, ALREADY: 2, CHANGED: 3}  # the order of the cases of a word


_MADE = {RATE: "the answer", PREFERRED: "more probable than the old one"}


def two_batteries(first: Battery, second: Battery, form: str, names: tuple[str, str]) -> str:
    """State the efficacy of two models next to each other, with their intervals; `form` as in `Battery.sentence`."""
    _check(form)
    rows = [result.rate(EFFICACY, EDIT) for result in (first, second) if len(result.cases)]
    if not all(row["n"] for row in rows) or len(rows) < 2:
        return "For one of the models, no case is counted."
    if form == LOG_ODDS:
        one, other = (f"{odds(row[form])} ({odds_interval(row)})" for row in rows)
        text = "The edit changes the log odds of the new word on average"
        return f"{text} by {one} for {names[0]} and by {other} for {names[1]}."
    one, other = (share(row, form=form) for row in rows)
    text = f"The edit makes the new word {_MADE[form]} in"
    return f"{text} {one} of the cases for {names[0]} and in {other} for {names[1]}."


def _check(form: str) -> None:
    if form not in FORMS:
        raise ValueError(f"There is no rate {quoted(form)}. Choose one of: {', '.join(FORMS)}.")


def _stays(row: pd.Series, form: str) -> str:
    """Say what happens to the answers that should not change."""
    if not row["n"]:
        return "No answer that should stay the same could be tested"
    if form == LOG_ODDS:
        return f"Where the answer should stay the same, the log odds of the new word change by {odds(row[form])}"
    if form == RATE and row[form] <= 1 - HARM:
        return f"The edit also does damage: {rate_text(1 - row[form])} of the answers that should stay have changed"
    kept = "do" if form == RATE else "stay more probable than the new word"
    return f"Of the answers that should stay the same, {rate_text(row[form])} {kept}"
