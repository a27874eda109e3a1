"""Experiments in sentences: did the top answer change, and does a control explain the change?"""

from dataclasses import dataclass
from typing import Any

from embtools.arithmetic import phrases
from embtools.arithmetic.controls import ADDED, OTHER_TAKEN, RANDOM, Experiment
from embtools.arithmetic.phrases import RIVALS
from embtools.statistics.agreement import shared
from embtools.statistics.percentages import percent, percents


@dataclass(frozen=True)
class _Outcome:
    """One mask of an experiment.

    before, after  the lines of `answers` with the top answer before and after the edit
    lines          the lines of `summary` by control
    left_out       left-out words that would be the top answer (before, after) the edit, "" where none would
    unseen         by control: those that would be it there, where the control has the edit's answer for that reason
    """

    before: Any
    after: Any
    lines: dict[str, Any]
    left_out: tuple[str, str]
    unseen: dict[str, tuple[str, ...]]

    @property
    def changed(self) -> bool:
        return bool(self.before.token != self.after.token)

    @property
    def answer(self) -> str:
        return str(self.after.token)

    @property
    def random(self) -> bool:
        """Whether random changes of the same size do this too: then nothing is explained, and no rival is named."""
        return bool(self.lines[RANDOM].same_answer >= 0.5)

    @property
    def rivals(self) -> list[str]:
        """The other controls that put the answer first in half of their draws, or get more than halfway there."""
        named = [(name, self.lines[name]) for name in RIVALS if name in self.lines]
        return [name for name, line in named if line.same_answer >= 0.5 or self.halfway(line)]

    def halfway(self, line: Any) -> bool:
        """Whether a control raises the answer's probability by more than half as much as the edit does."""
        was, now = self.after.before, self.after.probability
        return bool(now > was and line.mean - was > (now - was) / 2)

    @property
    def has_parts(self) -> bool:
        """Whether the formula has words that can be added or subtracted one by one."""
        return ADDED in self.lines or OTHER_TAKEN in self.lines

    def says(self, start: str) -> str:
        """The start of a sentence; where words were left out that would be the top answer, it names them first."""
        words = list(filter(None, self.left_out))
        return f"Leaving out {phrases.left_out(words)}, {start}" if words else start

    def also(self, control: str, reached: str) -> str:
        """How a control has the edit's answer too: weakly, or only because words are left out; `reached`: how much."""
        weakly = "" if self.halfway(self.lines[control]) else ", but weakly"
        # The edit itself may have its answer for that reason: then the headline has said so.
        words = [word for word in self.unseen.get(control, ()) if word != self.left_out[1]]
        if not words:
            return f"{weakly} ({reached})"
        because = f"only because {phrases.left_out(words)} {'is' if len(words) == 1 else 'are'} left out"
        return f"{weakly} ({reached}) and {because}" if weakly else f" ({reached}), but {because}"


def finding(result: Experiment, mask: int = 1) -> str:
    """State what an edit did to the top answer at one mask, and the first control that does this too: a headline.

    Which controls count is said at `verdict`.
    """
    now = _outcome(result, mask)
    if not now.lines:
        return f"{now.says('BERT says')} {now.answer} ({percent(now.after.probability)})."
    if result.change.strength == 0:
        start = "At strength 0 nothing is changed."
        return f"{start} {now.says('BERT says')} {now.answer} ({percent(now.after.probability)})."
    if not now.changed:
        before, after = percents(now.before.before, now.after.probability)
        return f"{now.says('BERT still says')} {now.answer}: {before} before, {after} now."
    after, tested = percent(now.after.probability), _untouched(now)
    if now.random:
        tested = f"But random changes of the same size do this too, in {phrases.draws(now.lines[RANDOM])} draws."
    elif now.rivals:
        after, reached = percents(now.after.probability, now.lines[now.rivals[0]].mean)
        subject = phrases.subject(now.rivals[0], result.change.edits)
        tested = f"{subject} {_also(now.rivals[0], now, after, reached)}"
    return f"{now.says('BERT now says')} {now.answer} ({after}) instead of {now.before.token}. {tested}"


def matching_control(result: Experiment, mask: int = 1) -> str:
    """The control that the headline names because it has the same effect as the edit; "" when there is none."""
    now = _outcome(result, mask)
    if not now.lines or not now.changed or result.change.strength == 0:
        return ""
    return RANDOM if now.random else next(iter(now.rivals), "")


def reason(result: Experiment, mask: int = 1) -> str:
    """State what the strip of controls shows for one mask, with its figures; empty without controls."""
    now = _outcome(result, mask)
    if not now.lines:
        return ""
    random, whole = now.lines[RANDOM], now.after.probability
    if not now.changed:
        after, before, drawn = percents(whole, now.before.before, random.mean)
        return (
            f"The edit gives {now.answer} {after} (before: {before}). Random changes of the same size give it {drawn}"
            " on average."
        )
    if now.random:
        return (
            f"Random changes of the same size give {now.answer} too, in {phrases.draws(random)} draws: the edit"
            " explains nothing here."
        )
    best = max(now.lines.values(), key=lambda line: line.mean)
    after, most = percents(whole, best.mean)
    said = (
        f"The strongest control, {RIVALS.get(best.control, 'a random change')}, gives {now.answer} {most}; the edit"
        f" gives it {after}."
    )
    return f"{said} So it takes the whole formula." if now.has_parts and not now.rivals else said


def verdict(result: Experiment, mask: int = 1) -> tuple[str, str]:
    """State (what happened, what the controls say) for one mask of an edited run; the second is "" without controls.

    A change is due to the whole edit only when less than half of the random changes give its answer, and no other
    control puts the answer first in half of its draws or raises its probability more than half as much. One sentence
    proves little whatever the controls say.
    """
    now = _outcome(result, mask)
    before, after = now.before, now.after
    if not now.changed:
        was, is_now = percents(before.before, after.probability, digits=1)
        happened = f"The top answer stays {now.answer} ({was} → {is_now})."
    else:
        old, new, was = percents(before.before, after.probability, after.before, digits=1)
        happened = f"The top answer changes from {before.token} ({old}) to {now.answer} ({new}, before {was})."
    if not now.lines:
        return happened, ""
    if not now.changed:
        return happened, "There is no change to explain; compare the probabilities with those of the controls."
    return happened, _credit(now)


def two_models(first: Experiment, second: Experiment, names: tuple[str, str], mask: int = 1, k: int = 5) -> str:
    """State the top answers of two models at one mask, and how many of their k most probable words they share.

    Capitals make no difference: a model may distinguish Rome from rome.
    """
    top = [
        result.answers[result.answers["mask"] == mask].sort_values("rank_after").head(k) for result in (first, second)
    ]
    one, other = (str(rows["token"].iloc[0]) for rows in top)
    p, q = percents(*(float(rows["probability"].iloc[0]) for rows in top))
    if one.lower() == other.lower():
        said = f"Both say {one}: {names[0]} with {p}, {names[1]} with {q}."
    else:
        said = f"{names[0]} says {one} ({p}), {names[1]} {other} ({q})."
    common = shared(*(list(rows["token"]) for rows in top))
    return f"{said} Of the {k} most probable words of each they share {len(common) or 'none'}."


def _outcome(result: Experiment, mask: int) -> _Outcome:
    answers = [line for line in result.answers.itertuples() if line.mask == mask]
    return _Outcome(
        min(answers, key=lambda line: line.rank_before),
        min(answers, key=lambda line: line.rank_after),
        {str(line.control): line for line in result.summary.itertuples() if line.mask == mask},
        result.left_out.get(mask, ("", "")),
        _unseen(result, mask),
    )


def _unseen(result: Experiment, mask: int) -> dict[str, tuple[str, ...]]:
    """The left-out words of controls that would have the edit's answer in less than half of their draws with them."""
    runs: dict[str, list[str | None]] = {}
    for line in result.controls.itertuples():
        if line.mask == mask:
            runs.setdefault(line.control, []).append(line.left_out if line.answer == line.token else None)
    return {
        control: tuple(dict.fromkeys(filter(None, words)))
        for control, words in runs.items()
        if words.count("") < len(words) / 2
    }


def _untouched(now: _Outcome) -> str:
    """What is said of controls none of which has the same effect as the edit."""
    sometimes = any(line.same_answer for line in now.lines.values())
    does = f"No control does this{' in half of its draws' * sometimes}"
    return f"{does}." if now.has_parts else f"{does}; the formula has no parts to test one by one."


def _also(control: str, now: _Outcome, after: str, reached: str) -> str:
    """What a control does that has the same effect as the edit; `reached` and `after`: the probabilities of the two."""
    line = now.lines[control]
    if line.same_answer >= 0.5:
        return f"also does this{now.also(control, reached)}."
    if reached == after:
        return f"makes it just as probable ({reached})."
    if line.mean > now.after.probability:
        return f"makes it even more probable ({reached})."
    return f"gets more than halfway there ({reached})."


def _credit(now: _Outcome) -> str:
    random, probability = now.lines[RANDOM], now.after.probability
    draws = phrases.draws(random)
    if now.random:
        return f"Random changes of the same size give {now.answer} too ({draws}): the edit explains nothing here."
    said = []
    for name, words in RIVALS.items():
        if line := now.lines.get(name):
            mean = percents(probability, line.mean, digits=1)[1]
            said.append(f"{words} {'puts it first too' if line.same_answer >= 0.5 else 'does not'} ({mean})")
    parts = "; ".join(said)
    text = f"Random changes give {now.answer} in {draws} draws"
    text = f"{text}; {parts}." if parts else f"{text}."
    if now.rivals:
        best = max(line.mean for line in now.lines.values())
        return f"{text} The whole formula gives it {phrases.points(probability - best)} the strongest of these."
    if not now.has_parts:
        return f"{text} The formula has no parts that could be tested one by one."
    return f"{text} So it takes the whole formula."
