"""Sentences about a battery: what its rates show, and what limits them."""

import numpy as np
import pandas as pd

from embtools.evidence.rates import (
    EDIT,
    EFFICACY,
    ENDS,
    LOG_ODDS,
    PARAPHRASE,
    PREFERRED,
    RATE,
    SPECIFICITY,
    RatedCases,
)
from embtools.mask_filling.controls import ADDED, OTHER_EDITED, OTHER_SUBTRACTED, RANDOM, SUBTRACTED
from embtools.messages import counted, first_of
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import interval_text, rate_text
from embtools.statistics.reporting import LEVEL, few

KNOWN = 0.5
"""With a smaller share of right answers before the edit, a battery says little about what the model knows."""
PHRASES = {
    ADDED: "adding only the new word",
    SUBTRACTED: "subtracting only the old word",
    OTHER_SUBTRACTED: "subtracting another word",
    OTHER_EDITED: "editing another word of the sentence",
    RANDOM: "a random change of the same size",
}
"""What each control does, as a part of a sentence."""
WITH = {
    ADDED: "if only the new word is added",
    SUBTRACTED: "if only the old word is subtracted",
    OTHER_SUBTRACTED: "if another word is subtracted",
    OTHER_EDITED: "if another word of the sentence is edited",
    RANDOM: "with a random change of the same size",
}
"""The same after a rate in brackets."""
HARM = 0.1
"""From this share on, changed answers that should have stayed are called damage."""
_NAMED = 5  # words that a sentence lists


def findings(battery: RatedCases) -> tuple[str, ...]:
    """Return what the other measures show, how many answers were right before, and what limits the result."""
    found = (
        _unknown(battery), _paraphrase(battery), _specificity(battery), _weaker(battery), _correct(battery),
        _failures(battery), failing_words(battery.by_new_word),
    )  # fmt: skip
    return tuple(filter(None, (*found, *cautions(battery))))


def cautions(battery: RatedCases) -> tuple[str, ...]:
    """Return what the reader must know: cases and pairs that are left out or not tested, and few words."""
    words = {f"words {name}": battery.cases[name].nunique() for name in ("a", "c")}
    return tuple(filter(None, (_already(battery), partial(battery), excluded(battery.excluded), few(words))))


def excluded(pairs: pd.DataFrame) -> str:
    """Return how many pairs are left out by reason, from a frame with the columns a, b and reason; "" for none."""
    parts = []
    for reason, rows in pairs.groupby("reason", sort=False):
        named = ", ".join(f"{row.a}–{row.b}" for row in rows.head(_NAMED).itertuples())
        count = f"{len(rows)} " if len(rows) < len(pairs) else ""
        parts.append(f"{count}because {reason} ({named}{', …' if len(rows) > _NAMED else ''})")
    n = len(pairs)
    left_out = f"{n} {'pair is' if n == 1 else 'pairs are'} left out{':' if len(parts) > 1 else ''}"
    return f"{left_out} {'; '.join(parts)}." if n else ""


def share(row: pd.Series, *, form: str = RATE) -> str:
    """Format a rate with its interval, such as "96% (95% interval 85% to 100%)"."""
    low, high = ENDS[form]
    return f"{rate_text(row[form])} ({interval_text(row[low], row[high])})"


def odds_interval(row: pd.Series) -> str:
    """Name the interval of a mean change in the log odds; below 8 cases there is none."""
    low, high = (row[end] for end in ENDS[LOG_ODDS])
    return "too few cases for an interval" if np.isnan(low) else f"95% interval {odds(low)} to {odds(high)}"


def _unknown(battery: RatedCases) -> str:
    words = battery.by_word
    right = int(words["correct"].sum())
    if right >= KNOWN * len(words):
        return ""
    return (
        f"This model answers the first sentence correctly for only {right} of {counted(len(words), 'pair')} before the"
        " edit. So this battery says little about changing what the model knows."
    )


def _paraphrase(battery: RatedCases) -> str:
    if len(battery.sentences) < 2 or not battery.rate(PARAPHRASE, EDIT)["n"]:
        return ""
    others = len(battery.sentences) - 1
    where = "the other sentence" if others == 1 else f"the {others} other sentences"
    return f"In {where}, the new word becomes the answer in {_compared(battery, PARAPHRASE)}."


def _specificity(battery: RatedCases) -> str:
    if not battery.must_stay or not battery.rate(SPECIFICITY, EDIT)["n"]:
        return ""
    text = f"Answers that should not change stay the same in {_compared(battery, SPECIFICITY)}."
    best, rows = battery.strongest, battery.rates.query("measure == @SPECIFICITY and condition != @EDIT and n > 0")
    if best is None or rows.empty or str((most := rows.loc[rows[RATE].idxmax()])["condition"]) == best["condition"]:
        return text
    if most[RATE] <= battery.rate(SPECIFICITY, EDIT)[RATE]:
        return text
    return (
        f"{text} A control that changes few answers overall also leaves more of these unchanged:"
        f" {PHRASES[str(most['condition'])]} leaves {rate_text(most[RATE])} unchanged."
    )


def _weaker(battery: RatedCases) -> str:
    """The two weaker forms of efficacy, each next to its strongest control."""
    edit = battery.rate(EFFICACY, EDIT)
    if not edit["n"]:
        return ""
    preferred, changed = battery.strongest_by(PREFERRED), battery.strongest_by(LOG_ODDS)
    first = f"The new word becomes more probable than the old one in {share(edit, form=PREFERRED)} of the cases"
    second = f"Its log odds change by {odds(edit[LOG_ODDS])} on average"
    if preferred is None or changed is None:
        return f"{first}. {second}."
    if preferred[PREFERRED] == 0:
        first += "; with no control does this happen"
    else:
        control, reached = PHRASES[str(preferred["condition"])], rate_text(preferred[PREFERRED])
        first += f"; with the strongest control, {control}, in {reached}"
    control = PHRASES[str(changed["condition"])]
    return f"{first}. {second}; with the strongest control, {control}, by {odds(changed[LOG_ODDS])}."


def _compared(battery: RatedCases, measure: str) -> str:
    """A rate of the edit with its interval, next to that of the control with the highest efficacy."""
    text = f"{share(battery.rate(measure, EDIT))} of the cases"
    rows, best = battery.rates, battery.strongest
    if best is None or not ((rows["measure"] == measure) & (rows["condition"] == best["condition"])).any():
        return text  # for example because a sentence has no other word to edit
    name = str(best["condition"])
    return f"{text} ({rate_text(battery.rate(measure, name)[RATE])} {WITH[name]})"


def _correct(battery: RatedCases) -> str:
    words = battery.by_word
    right = int(words["correct"].sum())
    text = f"Without the edit, BERT's answer is right for {right} of {counted(len(words), 'pair')}."
    rows = battery.rates_of_correct
    rows = rows[(rows["measure"] == EFFICACY) & (rows["condition"] == EDIT)]
    if not right or right == len(words) or rows.empty:
        return text
    return f"{text} For these, the edit changes it in {rate_text(rows.iloc[0][RATE])} of the cases."


def _failures(battery: RatedCases) -> str:
    tested = battery.by_word[battery.by_word["cases"] > 0].groupby("a", sort=False)["changed"].sum()
    never = list(tested[tested == 0].index)
    if not never:
        return ""
    named = first_of([f"“{word}”" for word in never], _NAMED)
    return f"The edit never makes the new word the answer for {len(never)} of {counted(len(tested), 'word')}: {named}."


def failing_words(words: pd.DataFrame) -> str:
    """Name the new words that clearly fail more often than others, from `by_new_word`; "" if there are none."""
    clear = words[(words["p_adjusted"] < LEVEL) & (words["rate"] < words["expected"])]
    if clear.empty:
        return ""
    named = [
        f"“{row.c}” ({row.changed} of {row.cases} cases; expected: {row.cases * row.expected:.1f})"
        for row in clear.itertuples()
    ]
    which = "1 new word becomes" if len(clear) == 1 else f"{len(clear)} new words become"
    text = f"{which} the answer clearly less often than other new words with the same words a"
    return f"{text}: {first_of(named, _NAMED)}."


def _already(battery: RatedCases) -> str:
    rows = battery.cases[(battery.cases["condition"] == EDIT) & battery.cases["already"]]
    if rows.empty:
        return ""
    what = "1 result is" if len(rows) == 1 else f"{len(rows):,} results are"
    if len(battery.sentences) > 1:
        what = f"In all {len(battery.sentences)} sentences together, {what}"
    return f"{what} left out of the rates, because the unedited answer was already the new word."


def partial(battery: RatedCases) -> str:
    """Return how many of the pairs were tested; "" for all of them."""
    if battery.done >= battery.pairs:
        return ""
    verb = "was" if battery.done == 1 else "were"
    return f"{battery.done} of the {battery.pairs} pairs {verb} tested, drawn at random."


def odds(value: float) -> str:
    """Format a change of log odds; that of no cases is a dash.

    >>> odds(-1.26), odds(float("nan"))
    ('−1.3', '–')
    """
    return "–" if np.isnan(value) else decimal(value, 1, signed=True)
