"""Sentences about an experiment: whether the top answer changed, and whether a control explains the change."""

from dataclasses import dataclass
from typing import Any

from embtools.arithmetic import phrases
from embtools.arithmetic.controls import ADDED, OTHER_TAKEN, RANDOM, Experiment
from embtools.arithmetic.phrases import RIVALS
from embtools.statistics.agreement import shared
from embtools.statistics.percentages import percent, percents

_NO_PARTS = "The formula has no parts that can be tested separately."


@dataclass(frozen=True)
class _Outcome:
    """The results of an experiment at one mask.

    before, after  the rows of `answers` with the top answer before and after the edit
    lines          the rows of `summary` by control
    left_out       left-out words that would be the top answer (before, after) the edit, or ""
    unseen         by control, the left-out words without which it would not have the edit's answer
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
        """Whether random changes of the same size have the same effect, so that nothing is explained."""
        return bool(self.lines[RANDOM].same_answer >= 0.5)

    @property
    def rivals(self) -> list[str]:
        """The other controls that have the edit's answer in half of their draws, or get more than halfway there."""
        named = [(name, self.lines[name]) for name in RIVALS if name in self.lines]
        return [name for name, line in named if line.same_answer >= 0.5 or self.halfway(line)]

    def halfway(self, line: Any) -> bool:
        """Whether a control raises the answer's probability by more than half as much as the edit does."""
        was, now = self.after.probability_before, self.after.probability_after
        return bool(now > was and line.mean - was > (now - was) / 2)

    @property
    def has_parts(self) -> bool:
        """Whether the formula has words that can be added or subtracted one by one."""
        return ADDED in self.lines or OTHER_TAKEN in self.lines

    def says(self, start: str) -> str:
        """Return the start of a sentence, after the left-out words that would be the top answer, if there are any."""
        words = list(filter(None, self.left_out))
        return f"With {phrases.left_out(words)} left out, {start}" if words else start

    def also(self, control: str, reached: str) -> str:
        """State whether a control has the edit's answer only weakly, or only because words are left out.

        `reached` is the probability that it gives to the answer.
        """
        weakly = "" if self.halfway(self.lines[control]) else ", but weakly"
        # If the edit itself has its answer for that reason, the headline already says so.
        words = [word for word in self.unseen.get(control, ()) if word != self.left_out[1]]
        if not words:
            return f"{weakly} ({reached})"
        because = f"only because {phrases.left_out(words)} {'is' if len(words) == 1 else 'are'} left out"
        return f"{weakly} ({reached}) and {because}" if weakly else f" ({reached}), but {because}"


def finding(result: Experiment, mask: int = 1) -> str:
    """State, as a headline, how an edit changed the top answer at one mask, and the first control with this effect.

    `verdict` describes which controls count.
    """
    now = _outcome(result, mask)
    if not now.lines:
        return f"{now.says('BERT answers')} {now.answer} ({percent(now.after.probability_after)})."
    if result.change.strength == 0:
        start = "At strength 0, the edit changes nothing."
        return f"{start} {now.says('BERT answers')} {now.answer} ({percent(now.after.probability_after)})."
    if not now.changed:
        before, after = percents(now.before.probability_before, now.after.probability_after)
        return f"{now.says('BERT still answers')} {now.answer} ({before} before, {after} now)."
    after, tested = percent(now.after.probability_after), _untouched(now)
    if now.random:
        tested = f"But random changes of the same size also do this, in {phrases.draws(now.lines[RANDOM])} draws."
    elif now.rivals:
        after, reached = percents(now.after.probability_after, now.lines[now.rivals[0]].mean)
        subject = phrases.subject(now.rivals[0], result.change.edits)
        tested = f"{subject} {_also(now.rivals[0], now, after, reached)}"
    return f"{now.says('BERT now answers')} {now.answer} ({after}) instead of {now.before.token}. {tested}"


def matching_control(result: Experiment, mask: int = 1) -> str:
    """Return the control that the headline names because it has the same effect as the edit; "" if there is none."""
    now = _outcome(result, mask)
    if not now.lines or not now.changed or result.change.strength == 0:
        return ""
    return RANDOM if now.random else next(iter(now.rivals), "")


def reason(result: Experiment, mask: int = 1) -> str:
    """State how the edit compares with its controls at one mask; "" without controls."""
    now = _outcome(result, mask)
    if not now.lines:
        return ""
    random, whole = now.lines[RANDOM], now.after.probability_after
    if not now.changed:
        after, before, drawn = percents(whole, now.before.probability_before, random.mean)
        return (
            f"With the edit, {now.answer} has a probability of {after} ({before} before). With random changes of the"
            f" same size, it has {drawn} on average."
        )
    if now.random:
        return (
            f"Random changes of the same size also give {now.answer}, in {phrases.draws(random)} draws, so the formula"
            " explains nothing here."
        )
    best = max(now.lines.values(), key=lambda line: line.mean)
    after, most = percents(whole, best.mean)
    said = (
        f"The strongest control, {RIVALS.get(best.control, 'a random change')}, gives {now.answer} {most}; the edit"
        f" gives it {after}."
    )
    return f"{said} So the whole formula is needed." if now.has_parts and not now.rivals else said


def verdict(result: Experiment, mask: int = 1) -> tuple[str, str]:
    """State the change of the top answer at one mask, and how the controls compare; the second is "" without controls.

    A change is due to the whole edit only if less than half of the random changes give its answer, and no other control
    has this answer in half of its draws or raises its probability more than half as much. One sentence is little
    evidence, whatever the controls show.
    """
    now = _outcome(result, mask)
    before, after = now.before, now.after
    if not now.changed:
        was, is_now = percents(before.probability_before, after.probability_after, digits=1)
        happened = f"The top answer is still {now.answer} ({was} before the edit, {is_now} after it)."
    else:
        old, new, was = percents(before.probability_before, after.probability_after, after.probability_before, digits=1)
        start = f"The top answer changes from {before.token} ({old} before the edit)"
        happened = f"{start} to {now.answer} ({was} before, {new} after)."
    if not now.lines:
        return happened, ""
    if not now.changed:
        return happened, "There is no change to explain. Compare the probabilities with those of the controls."
    return happened, _credit(now)


def two_models(first: Experiment, second: Experiment, names: tuple[str, str], mask: int = 1, k: int = 5) -> str:
    """State the top answers of two models at one mask, and how many of their k most probable words they share.

    Capitals are ignored, because one of the models may distinguish Rome from rome.
    """
    top = [
        result.answers[result.answers["mask"] == mask].sort_values("rank_after").head(k) for result in (first, second)
    ]
    one, other = (str(rows["token"].iloc[0]) for rows in top)
    p, q = percents(*(float(rows["probability_after"].iloc[0]) for rows in top))
    if one.lower() == other.lower():
        said = f"Both models answer {one}: {names[0]} with {p}, {names[1]} with {q}."
    else:
        said = f"{names[0]} answers {one} ({p}), and {names[1]} answers {other} ({q})."
    common = shared(*(list(rows["token"]) for rows in top))
    return f"{said} They share {len(common) or 'none'} of their {k} most probable words."


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
    """Return, for controls that mostly have the edit's answer only because words are left out, these words."""
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
    """State that no control has the same effect as the edit."""
    sometimes = any(line.same_answer for line in now.lines.values())
    said = f"No control does this{' in half or more of its draws' * sometimes}."
    return said if now.has_parts else f"{said} {_NO_PARTS}"


def _also(control: str, now: _Outcome, after: str, reached: str) -> str:
    """Complete the sentence about a control with the same effect as the edit.

    `reached` and `after` are the probabilities that the control and the edit give to the answer.
    """
    line = now.lines[control]
    if line.same_answer >= 0.5:
        return f"also does this{now.also(control, reached)}."
    if reached == after:
        return f"makes this answer just as probable ({reached})."
    if line.mean > now.after.probability_after:
        return f"makes this answer even more probable ({reached})."
    return f"gets more than halfway there ({reached})."


def _credit(now: _Outcome) -> str:
    """State whether the controls leave the credit for the change to the whole formula."""
    random, probability = now.lines[RANDOM], now.after.probability_after
    draws = phrases.draws(random)
    if now.random:
        start = f"Random changes of the same size also give {now.answer}, in {draws} draws"
        return f"{start}, so the formula explains nothing here."
    said = []
    for name, words in RIVALS.items():
        if line := now.lines.get(name):
            mean = percents(probability, line.mean, digits=1)[1]
            does = "also does" if line.same_answer >= 0.5 else "does not"
            said.append(f"{words[0].upper()}{words[1:]} {does}: it gives {now.answer} {mean}.")
    text = " ".join([f"Random changes of the same size make {now.answer} the top answer in {draws} draws.", *said])
    if now.rivals:
        best = max(line.mean for line in now.lines.values())
        return (
            f"{text} The whole formula gives {now.answer} {phrases.points(probability - best)} the strongest control."
        )
    return f"{text} {'So the whole formula is needed.' if now.has_parts else _NO_PARTS}"
