"""What an experiment says in sentences: did the answer turn, and do the controls leave the edit the credit?"""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from embtools.arithmetic.controls import ADDED, OTHER_EDITED, OTHER_TAKEN, RANDOM, TAKEN, Experiment
from embtools.formula import expression
from embtools.formula.expression import Equation
from embtools.statistics.agreement import shared

RIVALS = {
    ADDED: "adding without taking away",
    TAKEN: "taking away without adding",
    OTHER_TAKEN: "taking another word away",
    OTHER_EDITED: "the same change to another word",
}
_BUT = ". But "  # what follows takes the credit away


@dataclass(frozen=True)
class _Outcome:
    """One mask of an experiment: the first lines of `answers` before and after, the lines of `summary` by control."""

    before: Any
    after: Any
    lines: dict[str, Any]

    @property
    def turned(self) -> bool:
        return bool(self.before.token != self.after.token)

    @property
    def answer(self) -> str:
        return str(self.after.token)

    @property
    def random(self) -> bool:
        """Whether random changes of the same size do as much: then nothing is explained, and no rival is asked."""
        return bool(self.lines[RANDOM].same_answer >= 0.5)

    @property
    def rivals(self) -> list[str]:
        """The other controls that put the answer first in half of their draws, or give it half of its probability."""
        named = [(name, self.lines[name]) for name in RIVALS if name in self.lines]
        return [n for n, line in named if line.same_answer >= 0.5 or line.mean > self.after.probability / 2]

    @property
    def parted(self) -> bool:
        """Whether the formula has words whose adding or taking away could be tried."""
        return ADDED in self.lines or OTHER_TAKEN in self.lines


def finding(result: Experiment, mask: int = 1) -> str:
    """What an edit did to the first answer at one mask, and the first control that does so too: a headline.

    The credit is given as `verdict` gives it.
    """
    now = _outcome(result, mask)
    if not now.lines:
        return f"BERT says {now.answer} ({_percent(now.after.probability)})."
    if result.change.strength == 0:
        return f"At strength 0 nothing is changed: BERT says {now.answer} ({_percent(now.after.probability)})."
    if not now.turned:
        before, after = _percent(now.before.before), _percent(now.after.probability)
        return f"BERT still says {now.answer}: {before} before, {after} now."
    turn = f"BERT now says {now.answer} instead of {now.before.token}"
    if now.random:
        return f"{turn}{_BUT}random changes of the same size do so too."
    if now.rivals:
        line, whole = now.lines[now.rivals[0]], now.after.probability
        does = "does so too" if line.same_answer >= 0.5 else "takes it more than halfway there"
        if line.mean <= whole / 2:  # first, yet far behind: a bare "too" would make the two equal
            does += f", at {_percent(line.mean)} instead of {_percent(whole)}"
        return f"{turn}{_BUT}{_rival(line.control, result)} {does}."
    if not now.parted:
        return f"{turn}. Random changes do not do so; the formula has no parts to try one by one."
    return f"{turn}, and none of the controls does so."


def of_many(frame: pd.DataFrame) -> str:
    """How many sentences of `many.answers` have another first answer, and of how many a control takes the credit.

    >>> rows = {"row": [1, 2], "rank": 1, "before": ["a", "b"], "after": ["c", "d"], "problem": ""}
    >>> of_many(pd.DataFrame(rows | {"finding": ["BERT now says c. But merely adding c does so too.", "…"]}))
    'The first answer turns in 2 of 2 sentences; in 1 of them a control does so too or comes halfway.'
    """
    first = frame[frame["rank"] == 1]
    turned = first[first["before"] != first["after"]]
    n, failed = turned["row"].nunique(), frame[frame["problem"] != ""]["row"].nunique()
    said = f"The first answer turns in {n} of {frame['row'].nunique() - failed} sentences"
    if n and "finding" in frame:
        doubted = turned[turned["finding"].str.contains(_BUT, regex=False)]["row"].nunique()
        said += f"; in {doubted or 'none'} of them a control does so too or comes halfway"
    return f"{said}." + (f" {failed} could not be read." if failed else "")


def reason(result: Experiment, mask: int = 1) -> str:
    """What the strip of controls shows for one mask, in one sentence with its figures; empty without controls."""
    now = _outcome(result, mask)
    if not now.lines:
        return ""
    random, whole = now.lines[RANDOM], _percent(now.after.probability)
    if not now.turned:
        return (
            f"The edit brings {now.answer} to {whole}, random changes of the same size to {_percent(random.mean)} on"
            f" average (before: {_percent(now.before.before)})."
        )
    if now.random:
        return f"Random changes give {now.answer} in {_turned(random)} draws: the edit explains nothing here."
    if now.rivals:
        best = max((now.lines[name] for name in now.rivals), key=lambda line: line.mean)
        return (
            f"Of the controls, {RIVALS[best.control]} gives {now.answer} {_percent(best.mean)}; the whole formula"
            f" gives it {whole}."
        )
    best = max(now.lines.values(), key=lambda line: line.mean)
    most = f"The best control, {RIVALS.get(best.control, 'a random change')}, gives {now.answer} {_percent(best.mean)}"
    return f"{most}: here the whole formula earns the credit." if now.parted else f"{most}."


def verdict(result: Experiment, mask: int = 1) -> tuple[str, str]:
    """(what happened, what the controls say) for one mask of an edited run; the second is empty without controls.

    The credit goes to the whole edit only when less than half of the random changes give its answer, and no rival
    explanation puts it first in half of its draws or gives it more than half of its probability. One sentence stays an
    anecdote whatever the controls say.
    """
    now = _outcome(result, mask)
    before, after = now.before, now.after
    if not now.turned:
        happened = f"The first answer stays {now.answer} ({before.before:.1%} → {after.probability:.1%})."
    else:
        happened = (
            f"The first answer turns from {before.token} ({before.before:.1%}) to {now.answer}"
            f" ({after.probability:.1%}, before {after.before:.1%})."
        )
    if not now.lines:
        return happened, ""
    if not now.turned:
        return happened, "There is no turn to explain; compare the probabilities with those of the controls."
    return happened, _credit(now)


def _outcome(result: Experiment, mask: int) -> _Outcome:
    answers = [line for line in result.answers.itertuples() if line.mask == mask]
    lines = {str(line.control): line for line in result.summary.itertuples() if line.mask == mask}
    return _Outcome(
        min(answers, key=lambda line: line.rank_before), min(answers, key=lambda line: line.rank_after), lines
    )  # fmt: skip


def _credit(now: _Outcome) -> str:
    random, probability = now.lines[RANDOM], now.after.probability
    turned = _turned(random)
    if now.random:
        return f"Random changes of the same size give {now.answer} too ({turned}): the edit explains nothing here."
    said = [f"Random changes give {now.answer} in {turned} draws"]
    for name, words in RIVALS.items():
        if line := now.lines.get(name):
            said.append(f"{words} {'puts it first too' if line.same_answer >= 0.5 else 'does not'} ({line.mean:.1%})")
    text = "; ".join(said) + "."
    if now.rivals:
        best = max(now.lines[name].mean for name in now.rivals)
        return f"{text} The whole formula adds {(probability - best) * 100:+.1f} points to the best of these."
    if not now.parted:
        return f"{text} The formula has no parts that could be tested one by one."
    return f"{text} Here the whole formula earns the credit."


def _turned(line: Any) -> str:
    """In how many of a control's draws the answer came first."""
    return f"{line.same_answer * line.draws:.0f} of {line.draws}"


def _rival(name: str, result: Experiment) -> str:
    """A control as the subject of a sentence, with the words that it adds or takes away."""
    added, taken = _parts(result.change.edits)
    return {
        ADDED: f"merely adding {added}",
        TAKEN: f"merely taking {taken} away",
        OTHER_TAKEN: f"taking another word away instead of {taken}",
        OTHER_EDITED: "the same change to another word",
    }[name]


def _parts(edits: tuple[Equation, ...]) -> tuple[str, str]:
    """The words that edits add and those that they take away, each as "a, b and c"."""
    added: list[str] = []
    taken: list[str] = []
    for edit in edits:
        for word, weight in (expression.coefficients(edit.expression) or {}).items():
            if weight < 0:
                taken.append(word)
            elif weight > 0 and word.lower() != edit.target.lower():
                added.append(word)
    return _listed(added), _listed(taken)


def _listed(words: list[str]) -> str:
    """Words as a sentence lists them.

    >>> _listed(["strong", "dangerous", "quick"])
    'strong, dangerous and quick'
    """
    *others, last = dict.fromkeys(words) or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _percent(probability: float) -> str:
    """A probability as a headline gives it, with a digit more where it is small."""
    return f"{probability:.0%}" if probability >= 0.1 else f"{probability:.1%}"


def two_models(first: Experiment, second: Experiment, names: tuple[str, str], mask: int = 1, k: int = 5) -> str:
    """What two models put first at one mask, and how many of the k likeliest words of each they share.

    Capitals make no other word: a model may tell Rome from rome.
    """
    likeliest = [
        result.answers[result.answers["mask"] == mask].sort_values("rank_after").head(k) for result in (first, second)
    ]
    (one, p), (other, q) = (
        (str(rows["token"].iloc[0]), _percent(float(rows["probability"].iloc[0]))) for rows in likeliest
    )
    if one.lower() == other.lower():
        said = f"Both say {one}: {names[0]} with {p}, {names[1]} with {q}."
    else:
        said = f"{names[0]} says {one} ({p}), {names[1]} {other} ({q})."
    common = shared(*(list(rows["token"]) for rows in likeliest))
    return f"{said} Of the {k} likeliest words of each they share {len(common) or 'none'}."
