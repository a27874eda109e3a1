"""Sentences about an experiment: whether the top answer changed, and whether a control explains the change."""

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from embtools.arithmetic import phrases
from embtools.arithmetic.controls import ADDED, OTHER_SUBTRACTED, RANDOM, Experiment
from embtools.arithmetic.phrases import CONTROL_PHRASES
from embtools.statistics.agreement import shared
from embtools.statistics.percentages import percent, percents

_known: "WeakKeyDictionary[Experiment, dict[int, _Outcome]]" = WeakKeyDictionary()  # forgotten with the experiment
_NO_PARTS = "The formula has no parts that can be tested separately."
_NO_PART_ALONE = "No part of the formula does this alone."


@dataclass(frozen=True)
class _Outcome:
    """The results of an experiment at one mask.

    before, after  the rows of `answers` with the top answer before and after the edit
    lines          the rows of `summary` by control
    left_out       left-out words that would be the top answer (before, after) the edit, or ""
    only_left_out  by control, the left-out words without which it would not have the edit's answer
    added          the words that the formulas add
    place          the start of a sentence that names the mask, or "" if it is the only one
    """

    before: Any
    after: Any
    lines: dict[str, Any]
    left_out: tuple[str, str]
    only_left_out: dict[str, tuple[str, ...]]
    added: tuple[str, ...]
    place: str

    @property
    def changed(self) -> bool:
        return bool(self.before.token != self.after.token)

    @property
    def answer(self) -> str:
        """The top answer after the edit as a sentence names it: punctuation in quotation marks."""
        return _named(self.after.token)

    @property
    def earlier(self) -> str:
        """The top answer before the edit, in the same way."""
        return _named(self.before.token)

    @property
    def random(self) -> bool:
        """Whether random changes of the same size have the same effect, so that nothing is explained."""
        return bool(self.lines[RANDOM].same_answer >= 0.5)

    @property
    def matching_controls(self) -> list[str]:
        """The other controls that have the edit's answer in half of their draws, or more than half of its effect.

        The strongest comes first.
        """
        named = [(name, self.lines[name]) for name in CONTROL_PHRASES if name in self.lines]
        matching = [(name, line) for name, line in named if line.same_answer >= 0.5 or self.halfway(line)]
        return [name for name, line in sorted(matching, key=lambda each: -each[1].mean)]

    def halfway(self, line: Any) -> bool:
        """Whether a control raises the answer's probability by more than half as much as the edit does."""
        before, after = self.after.probability_before, self.after.probability_after
        return bool(after > before and line.mean - before > (after - before) / 2)

    @property
    def has_parts(self) -> bool:
        """Whether the formula has words that can be added or subtracted one by one."""
        return ADDED in self.lines or OTHER_SUBTRACTED in self.lines

    @property
    def repeats(self) -> bool:
        """Whether the answer is a word that the formula adds."""
        return str(self.after.token).lower() in map(str.lower, self.added)

    @property
    def conclusion(self) -> str:
        """What follows if no control has the edit's effect."""
        if not self.has_parts:
            return _NO_PARTS
        if not self.repeats:
            return "So the whole formula is needed."
        if ADDED in self.lines:  # whose probability stands next to this sentence
            return _NO_PART_ALONE
        return f"{_NO_PART_ALONE} But {self.answer} is a word that the formula adds, so the answer may only repeat it."

    def opening(self, start: str) -> str:
        """Return the start of a sentence, after its mask, if there are several, and the words left out before it."""
        words = list(filter(None, self.left_out))
        without = f"with {phrases.left_out(words)} left out, " if words else ""
        text = f"{self.place}{without}{start}"
        return f"{text[0].upper()}{text[1:]}"

    def qualified(self, control: str, reached: str) -> str:
        """State whether a control has the edit's answer only weakly, or only because words are left out.

        `reached` is the probability that it gives to the answer.
        """
        weakly = not self.halfway(self.lines[control])
        stated = f", but at only {reached}" if weakly else f" ({reached})"
        # If the edit itself has its answer for that reason, the headline already says so.
        words = [word for word in self.only_left_out.get(control, ()) if word != self.left_out[1]]
        if not words:
            return stated
        because = f"only because {phrases.left_out(words)} {'is' if len(words) == 1 else 'are'} left out"
        return f"{stated} and {because}" if weakly else f"{stated}, but {because}"


def finding(result: Experiment, *, mask: int = 1) -> str:
    """State, as a headline, how an edit changed the top answer at one mask, and the strongest control with this effect.

    `verdict` describes which controls count.
    """
    outcome = _outcome(result, mask)
    if not outcome.lines:
        return f"{outcome.opening('BERT answers')} {outcome.answer} ({percent(outcome.after.probability_after)})."
    if result.change.strength == 0:
        start = "At strength 0, the edit changes nothing."
        return (
            f"{start} {outcome.opening('BERT answers')} {outcome.answer} ({percent(outcome.after.probability_after)})."
        )
    if not outcome.changed:
        before, after = percents(outcome.before.probability_before, outcome.after.probability_after)
        return f"{outcome.opening('BERT still answers')} {outcome.answer} ({before} before, {after} now)."
    after, tested = percent(outcome.after.probability_after), _no_match(outcome)
    if outcome.random:
        draws = phrases.draws(outcome.lines[RANDOM])
        tested = f"But random changes of the same size also make it the top answer, in {draws} draws."
    elif outcome.matching_controls:
        after, reached = percents(outcome.after.probability_after, outcome.lines[outcome.matching_controls[0]].mean)
        subject = phrases.subject(outcome.matching_controls[0], result.change.edits)
        tested = f"{subject} {_matching_effect(outcome.matching_controls[0], outcome, after, reached)}"
    return f"{outcome.opening('BERT now answers')} {outcome.answer} ({after}) instead of {outcome.earlier}. {tested}"


def matching_control(result: Experiment, *, mask: int = 1) -> str:
    """Return the control that the headline names because it has the same effect as the edit; "" if there is none."""
    outcome = _outcome(result, mask)
    if not outcome.lines or not outcome.changed or result.change.strength == 0:
        return ""
    return RANDOM if outcome.random else next(iter(outcome.matching_controls), "")


def reason(result: Experiment, *, mask: int = 1) -> str:
    """State how the edit compares with its controls at one mask; "" without controls."""
    outcome = _outcome(result, mask)
    if not outcome.lines:
        return ""
    random, whole = outcome.lines[RANDOM], outcome.after.probability_after
    if not outcome.changed:
        after, before, drawn = percents(whole, outcome.before.probability_before, random.mean)
        return (
            f"With the edit, {outcome.answer} has a probability of {after} ({before} before). With random changes of"
            f" the same size, it has {drawn} on average."
        )
    if outcome.random:
        return (
            f"Random changes of the same size also give {outcome.answer}, in {phrases.draws(random)} draws, so the"
            " formula explains nothing here."
        )
    best = max(outcome.lines.values(), key=lambda line: line.mean)
    after, most = percents(whole, best.mean)
    text = (
        f"The strongest control, {CONTROL_PHRASES.get(best.control, 'a random change')}, gives {outcome.answer} {most};"
        f" the edit gives it {after}."
    )
    if outcome.matching_controls or not outcome.has_parts:
        return text
    text = f"{text} {outcome.conclusion}"
    if outcome.repeats and ADDED in outcome.lines and best.control != ADDED:
        text = f"{text[:-1]}: {CONTROL_PHRASES[ADDED]} gives {outcome.answer} {percent(outcome.lines[ADDED].mean)}."
    return text


def verdict(result: Experiment, *, mask: int = 1) -> tuple[str, str]:
    """State the change of the top answer at one mask, and how the controls compare; the second is "" without controls.

    A change is due to the whole edit only if less than half of the random changes give its answer, and no other control
    has this answer in half of its draws or raises its probability more than half as much. One sentence is little
    evidence, whatever the controls show.
    """
    outcome = _outcome(result, mask)
    before, after = outcome.before, outcome.after
    if not outcome.changed:
        was, is_now = percents(before.probability_before, after.probability_after, digits=1)
        happened = f"The top answer is still {outcome.answer} ({was} before the edit, {is_now} after it)."
    else:
        old, new, was = percents(before.probability_before, after.probability_after, after.probability_before, digits=1)
        start = f"The top answer changes from {outcome.earlier} ({old} before the edit)"
        happened = f"{start} to {outcome.answer} ({was} before, {new} after)."
    if not outcome.lines:
        return happened, ""
    if not outcome.changed:
        return happened, "There is no change to explain. Compare the probabilities with those of the controls."
    return happened, _credit(outcome)


def two_models(first: Experiment, second: Experiment, mask: int, k: int, names: tuple[str, str]) -> str:
    """State the top answers of two models at one mask, and how many of their k most probable words they share.

    Capitals are ignored, because one of the models may distinguish Rome from rome.
    """
    top = [
        result.answers[result.answers["mask"] == mask].sort_values("rank_after").head(k) for result in (first, second)
    ]
    one, other = (str(rows["token"].iloc[0]) for rows in top)
    p, q = percents(*(float(rows["probability_after"].iloc[0]) for rows in top))
    if one.lower() == other.lower():
        text = f"Both models answer {one}: {names[0]} with {p}, {names[1]} with {q}."
    else:
        text = f"{names[0]} answers {one} ({p}), and {names[1]} answers {other} ({q})."
    common = shared(*(list(rows["token"]) for rows in top))
    return f"{text} They share {len(common) or 'none'} of their {k} most probable words."


def _named(token: object) -> str:
    """Return a token as a sentence names it.

    >>> _named("rome"), _named(".")
    ('rome', '“.”')
    """
    text = str(token)
    return text if any(map(str.isalnum, text)) else f"“{text}”"


def _outcome(result: Experiment, mask: int) -> _Outcome:
    """Return the results at one mask, read from the tables once: four sentences of a page need them."""
    known = _known.setdefault(result, {})
    if mask not in known:
        known[mask] = _read(result, mask)
    return known[mask]


def _read(result: Experiment, mask: int) -> _Outcome:
    answers = [line for line in result.answers.itertuples() if line.mask == mask]
    return _Outcome(
        min(answers, key=lambda line: line.rank_before),
        min(answers, key=lambda line: line.rank_after),
        {str(line.control): line for line in result.summary.itertuples() if line.mask == mask},
        result.left_out.get(mask, ("", "")),
        _only_left_out(result, mask),
        phrases.parts(result.change.edits)[0],
        f"At mask {mask}, " if len(set(result.answers["mask"])) > 1 else "",
    )


def _only_left_out(result: Experiment, mask: int) -> dict[str, tuple[str, ...]]:
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


def _no_match(outcome: _Outcome) -> str:
    """State that no control has the same effect as the edit."""
    sometimes = any(line.same_answer for line in outcome.lines.values())
    text = f"No control does this{' in half or more of its draws' * sometimes}."
    return text if outcome.has_parts else f"{text} {_NO_PARTS}"


def _matching_effect(control: str, outcome: _Outcome, after: str, reached: str) -> str:
    """Complete the sentence about a control with the same effect as the edit.

    `reached` and `after` are the probabilities that the control and the edit give to the answer.
    """
    line = outcome.lines[control]
    if line.same_answer >= 0.5:
        return f"also makes it the top answer{outcome.qualified(control, reached)}."
    if reached == after:
        return f"makes this answer just as probable ({reached})."
    if line.mean > outcome.after.probability_after:
        return f"makes this answer even more probable ({reached})."
    return f"has more than half of the edit's effect ({reached})."


def _credit(outcome: _Outcome) -> str:
    """State whether the controls leave the credit for the change to the whole formula."""
    random, probability = outcome.lines[RANDOM], outcome.after.probability_after
    draws = phrases.draws(random)
    if outcome.random:
        start = f"Random changes of the same size also give {outcome.answer}, in {draws} draws"
        return f"{start}, so the formula explains nothing here."
    sentences = [f"Random changes of the same size make {outcome.answer} the top answer in {draws} draws."]
    for name, words in CONTROL_PHRASES.items():
        if line := outcome.lines.get(name):
            mean = percents(probability, line.mean, digits=1)[1]
            reaches = f"makes {outcome.answer} the top answer, with" if line.same_answer >= 0.5 else "does not:"
            gets = mean if line.same_answer >= 0.5 else f"{outcome.answer} gets {mean}"
            sentences.append(f"{words[0].upper()}{words[1:]} {reaches} {gets}.")
    if outcome.matching_controls:
        more = phrases.points(probability - max(line.mean for line in outcome.lines.values()))
        sentences.append(f"The whole formula gives {outcome.answer} {more} the strongest control.")
    else:
        sentences.append(outcome.conclusion)
    return " ".join(sentences)
