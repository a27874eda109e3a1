"""Sentences about an experiment: whether the top answer changed, and whether a control explains the change."""

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from embtools.arithmetic import phrases
from embtools.arithmetic.controls import Experiment
from embtools.arithmetic.phrases import CONTROL_PHRASES
from embtools.mask_filling.controls import ADDED, OTHER_SUBTRACTED, RANDOM, WRITTEN, sentence_of
from embtools.messages import counted, mentioned
from embtools.statistics.agreement import shared
from embtools.statistics.percentages import percent, percents

_known: "WeakKeyDictionary[Experiment, dict[int, _Outcome]]" = WeakKeyDictionary()  # forgotten with the experiment
_NO_PARTS = "The formula has no words that could be added or subtracted alone."
_NO_PART_ALONE = "No part of the formula does this alone."


@dataclass(frozen=True)
class _Outcome:
    """The results of an experiment at one mask.

    before, after  the rows of `answers` with the top answer before and after the edit
    lines          the rows of `summary` by control
    runs           the rows of `controls`
    left_out       left-out words that would be the top answer (before, after) the edit, or ""
    added          the words that the formulas add
    same           the sentence that the edits are the same as writing other words, or ""
    place          the start of a sentence that names the mask, or "" if it is the only one
    """

    before: Any
    after: Any
    lines: dict[str, Any]
    runs: tuple[Any, ...]
    left_out: tuple[str, str]
    added: tuple[str, ...]
    same: str
    place: str

    @property
    def changed(self) -> bool:
        return bool(self.before.token != self.after.token)

    @property
    def answer(self) -> str:
        """The top answer after the edit as a sentence names it: punctuation in quotation marks."""
        return mentioned(self.after.token)

    @property
    def earlier(self) -> str:
        """The top answer before the edit, in the same way."""
        return mentioned(self.before.token)

    @property
    def random(self) -> bool:
        """Whether random changes of the same size have the same effect, so that nothing is explained."""
        return bool(self.lines[RANDOM].same_answer >= 0.5)

    @property
    def strongest(self) -> Any:
        """The run of a control that gives the edit's answer the highest probability."""
        return max(self.runs, key=lambda run: run.probability)

    @property
    def matching(self) -> Any:
        """The strongest run that has the edit's answer, or more than half of its effect; None if there is none."""
        if self.strongest.answer == self.after.token or self.halfway(self.strongest.probability):
            return self.strongest
        same = [run for run in self.runs if run.answer == self.after.token]
        return max(same, key=lambda run: run.probability, default=None)

    def halfway(self, probability: float) -> bool:
        """Whether a run raises the answer's probability by more than half as much as the edit does."""
        before, after = self.after.probability_before, self.after.probability_after
        return bool(after > before and probability - before > (after - before) / 2)

    @property
    def of_runs(self) -> str:
        """How many runs the strongest one is chosen from."""
        return f"the strongest of {counted(len(self.runs), 'control run')}" if len(self.runs) > 1 else "1 control run"

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
        if self.same:
            return self.same
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

    def because(self, run: Any) -> str:
        """Return that a run has the edit's answer only because a word is left out; "" if this is not so."""
        # If the edit itself has its answer for that reason, the headline already says so.
        if not run.left_out or run.left_out == self.left_out[1] or run.answer != self.after.token:
            return ""
        return f" only because {phrases.left_out([run.left_out])} is left out"


def finding(result: Experiment, *, mask: int = 1) -> str:
    """State, as a headline, how an edit changed the top answer at one mask, and the strongest control with this
    effect."""
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
        text = (
            f"{outcome.opening('BERT still answers')} {outcome.answer} ({before} before, {after} now). {outcome.same}"
        )
        return text.rstrip()
    after, tested = _tested(outcome)
    return f"{outcome.opening('BERT now answers')} {outcome.answer} ({after}) instead of {outcome.earlier}. {tested}"


def matching_control(result: Experiment, *, mask: int = 1) -> str:
    """Return the control of the strongest run that has the same effect as the edit; "" if no run has it."""
    outcome = _outcome(result, mask)
    if not outcome.lines or not outcome.changed or result.change.strength == 0:
        return ""
    return str(outcome.matching.control) if outcome.matching else ""


def strongest_run(result: Experiment, *, mask: int = 1) -> tuple[str, float]:
    """Return what the strongest run of all controls changes, as the end of a sentence after "if" ("" without controls),
    and the probability that it gives to the edit's answer."""
    outcome = _outcome(result, mask)
    if not outcome.runs:
        return "", float("nan")
    return str(outcome.strongest.clause), float(outcome.strongest.probability)


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
            f"Random changes of the same size also give {outcome.answer}, in {phrases.draws(random)}, so the"
            " formula explains nothing here."
        )
    best = outcome.lines[str(outcome.strongest.control)]
    after, most = percents(whole, best.mean)
    text = (
        f"The strongest control, {CONTROL_PHRASES.get(best.control, 'a random change')}, gives {outcome.answer}"
        f" {most}{phrases.spread(best)}; the edit gives it {after}."
    )
    if outcome.same or outcome.matching or not outcome.has_parts:
        return text
    text = f"{text} {outcome.conclusion}"
    if outcome.repeats and ADDED in outcome.lines and best.control != ADDED:
        text = f"{text[:-1]}: {CONTROL_PHRASES[ADDED]} gives {outcome.answer} {percent(outcome.lines[ADDED].mean)}."
    return text


def verdict(result: Experiment, *, mask: int = 1) -> tuple[str, str]:
    """State the change of the top answer at one mask, and whether it is due to the whole edit, because no run of a
    control has its answer or raises its probability more than half as much ("" without controls)."""
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


def two_edits(first: Experiment, second: Experiment, mask: int, k: int, names: tuple[str, str]) -> str:
    """State the top answers of two models at one mask, and how many of their k most probable words they share.

    Capitals are ignored, because one of the models may distinguish Rome from rome.
    """
    top = [
        result.answers[result.answers["mask"] == mask].sort_values("rank_after").head(k) for result in (first, second)
    ]
    one, other = (mentioned(str(rows["token"].iloc[0])) for rows in top)
    p, q = percents(*(float(rows["probability_after"].iloc[0]) for rows in top))
    if one.lower() == other.lower():
        text = f"Both models answer {one}: {names[0]} with {p}, {names[1]} with {q}."
    else:
        text = f"{names[0]} answers {one} ({p}), and {names[1]} answers {other} ({q})."
    common = shared(*(list(rows["token"]) for rows in top))
    return f"{text} They share {len(common) or 'none'} of their {k} most probable words."


def _outcome(result: Experiment, mask: int) -> _Outcome:
    """Return the results at one mask, read from the tables once: four sentences of a page need them."""
    known = _known.setdefault(result, {})
    if mask not in known:
        known[mask] = _read(result, mask)
    return known[mask]


def _read(result: Experiment, mask: int) -> _Outcome:
    answers = [line for line in result.answers.itertuples() if line.mask == mask]
    runs = tuple(run for run in result.controls.itertuples() if run.mask == mask)
    return _Outcome(
        min(answers, key=lambda line: line.rank_before),
        min(answers, key=lambda line: line.rank_after),
        {str(line.control): line for line in result.summary.itertuples() if line.mask == mask},
        runs,
        result.left_out.get(mask, ("", "")),
        phrases.parts(result.change.edits)[0],
        sentence_of(result.replaced, result.change),
        f"At mask {mask}, " if len(set(result.answers["mask"])) > 1 else "",
    )


def _tested(outcome: _Outcome) -> tuple[str, str]:
    """Return the probability after the edit, and sentences that compare it with the strongest run of all controls."""
    run, match = outcome.strongest, outcome.matching
    after, reached = percents(outcome.after.probability_after, run.probability)
    start = ""
    if outcome.same:
        start = f"{outcome.same} "
        if run.control == WRITTEN:
            start, text = outcome.same[:-1], f"; that sentence gives {outcome.answer} {reached}."
            return after, f"{start}{text}"
    if outcome.random:
        draws = phrases.draws(outcome.lines[RANDOM])
        start += f"But random changes of the same size also make it the top answer, in {draws}. "
    if match is run:
        return after, f"{start}If {run.clause}, {_effect(run, outcome, after, reached)}"
    if match:
        lower = percent(match.probability)
        others = f"{outcome.of_runs.capitalize()} gives it {reached} (if {run.clause})."
        return after, f"{start}If {match.clause}, BERT answers {outcome.answer} too, but at only {lower}. {others}"
    text = f"No control does this: {outcome.of_runs} gives {outcome.answer} {reached} (if {run.clause})."
    if outcome.same:
        text = f"Of the controls, {outcome.of_runs} gives {outcome.answer} {reached} (if {run.clause})."
    return after, f"{start}{text}{'' if outcome.has_parts or outcome.same else f' {_NO_PARTS}'}"


def _effect(run: Any, outcome: _Outcome, after: str, reached: str) -> str:
    """Complete the sentence about the strongest run, which gives the edit's answer the probability `reached`, the edit
    itself `after`."""
    if run.answer == outcome.after.token:
        because = outcome.because(run)
        if outcome.halfway(run.probability) or run.probability >= outcome.after.probability_after:
            because = f", but{because}" if because else ""
            return f"BERT answers {outcome.answer} too ({reached}, {outcome.of_runs}){because}."
        because = f" and{because}" if because else ""
        return f"BERT answers {outcome.answer} too, but at only {reached}{because} ({outcome.of_runs})."
    if reached == after:
        return f"{outcome.answer} is just as probable ({reached}, {outcome.of_runs})."
    if run.probability > outcome.after.probability_after:
        return f"{outcome.answer} is even more probable ({reached}, {outcome.of_runs})."
    return f"{outcome.answer} gets {reached}, more than half of the edit's effect ({outcome.of_runs})."


def _credit(outcome: _Outcome) -> str:
    """State whether the controls leave the credit for the change to the whole formula."""
    random, probability = outcome.lines[RANDOM], outcome.after.probability_after
    draws = phrases.draws(random)
    if outcome.random:
        start = f"Random changes of the same size also give {outcome.answer}, in {draws}"
        return f"{start}, so the formula explains nothing here."
    sentences = [f"Random changes of the same size make {outcome.answer} the top answer in {draws}."]
    for name, words in CONTROL_PHRASES.items():
        if line := outcome.lines.get(name):
            mean = percents(probability, line.mean, digits=1)[1]
            several = f" on average, and {percents(probability, line.highest, digits=1)[1]} at most" * (line.draws > 1)
            runs = f"in {phrases.draws(line)}, " * (line.draws > 1)
            reaches = f"makes {outcome.answer} the top answer {runs}" if line.same_answer else "does not: "
            gets = f"with {mean}" if line.same_answer else f"{outcome.answer} gets {mean}"
            sentences.append(f"{words[0].upper()}{words[1:]} {reaches}{gets}{several}.")
    if outcome.matching:
        more = phrases.points(probability - outcome.strongest.probability)
        sentences.append(f"The whole formula gives {outcome.answer} {more} the strongest of the control runs.")
    if outcome.same or not outcome.matching:
        sentences.append(outcome.conclusion)
    return " ".join(sentences)
