"""Claims A2 and A3 of "BERT Embedding Math", about edited words. A cased model gets names with capitals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools import wordlists
from embtools.arithmetic.candidate_words import candidates
from embtools.mask_filling import controls
from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.edits import Change, Patch, Scope, resolve
from embtools.mask_filling.forward import mask_probabilities
from embtools.models.spelling import capitalised
from embtools.paper.conditions import LEVEL, SEEDS, exact, rarely, same_for_all
from embtools.paper.measured import Condition, Figure, Measure, Measured, percent, published
from embtools.progress import Progress
from embtools.statistics.decimals import decimal
from embtools.vectors import Array, cosine

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_RANDOM = 20  # random changes for each seed
_DRAWN = 5  # words of the same kind that the Arithmetic page subtracts by default
_ROME = "Rome is the capital of [MASK]."
_PAKISTAN = "Pakistan is the south of [MASK]."


@dataclass(frozen=True)
class Run:
    """One edited sentence: the name of the run, the top answer, and the probability of the expected word."""

    what: str
    answer: str
    probability: float


def rome(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of A2: Rome in France, in the scope of the author's script, with controls."""
    ((place, land), figure), *_ = published("A2").items()
    word, edit = capitalised(land, model), capitalised("rome = rome - italy + france", model, context=_ROME)
    target, old, new = (model.token_id(capitalised(name, model)) for name in ("rome", "italy", "france"))
    change = Change.of((edit,), "tied")
    (similar,) = controls.similar_words([old], model, used={target, old, new})
    swapped = {model.vocabulary[i]: edit.replace(model.vocabulary[old], model.vocabulary[i]) for i in similar}
    drawn = [controls.controls(_ROME, model, change=change, draws=_RANDOM, seed=seed) for seed in SEEDS]
    on_page = [
        controls.controls(_ROME, model, change=one, draws=_DRAWN) for one in (change, Change.of((edit,), "input"))
    ]

    def patch(line: str, scope: Scope) -> Patch:
        return resolve(Change.of((line,), scope), model)

    groups = [
        [("before", Patch()), ("edit", patch(edit, "tied")), ("input", patch(edit, "input"))],
        [(run.name, run.patch) for run in drawn[0] if run.name in _PARTS],
        [(other, patch(line, "tied")) for other, line in swapped.items()],
        [(other, patch(line, "input")) for other, line in swapped.items()],
        *([(run.detail, run.patch) for run in runs if run.name == controls.OTHER_SUBTRACTED] for runs in on_page),
        *([(run.detail, run.patch) for run in runs if run.name == controls.RANDOM] for runs in drawn),
    ]
    patches = [patch for group in groups for _, patch in group]
    rows = mask_probabilities(_ROME, model, patches=patches, progress=progress)

    def run(what: str, row: Array) -> Run:
        best = int(np.where(model.rankable, row, -1).argmax())
        return Run(what, model.vocabulary[best], float(row[model.ids[word]]))

    single, parts, others, others_input, few, few_input, *random = (
        [run(what, next(rows)[0]) for what, _ in group] for group in groups
    )
    judged = judge_rome(word, single, parts, (others, others_input), random, (few, few_input))
    return Measured(judged.answer, judged.conditions, (Figure(f"{place}: {land}", figure, single[1].probability),))


_PARTS = {
    controls.ADDED: "Adding France alone",
    controls.SUBTRACTED: "Subtracting Italy alone",
    controls.OTHER_EDITED: "The same change to another word",
}


def _reach(count: int) -> str:
    return str(count or "None")


def _verb(count: int) -> str:
    return "reach" if count > 1 else "reaches"


def judge_rome(
    word: str,
    single: Sequence[Run],
    parts: Sequence[Run],
    others: tuple[Sequence[Run], Sequence[Run]],
    random: Sequence[Sequence[Run]],
    on_page: tuple[Sequence[Run], Sequence[Run]],
) -> Measured:
    """Judge A2."""
    before, edit, alone = single
    tied, read_only = others
    reached, reached_input = (
        sum(run.probability >= own.probability for run in runs) for runs, own in ((tied, edit), (read_only, alone))
    )
    strongest = max(tied, key=lambda run: run.probability)
    first = sum(run.answer == word for run in tied)
    reaching = [[run.probability >= edit.probability for run in runs] for runs in random]
    highest = max(run.probability for runs in random for run in runs)

    def shown(run: Run) -> str:
        share = f"{word} {percent(run.probability)}"
        return share if run.answer == word else f"{share} (top answer {run.answer})"

    def mean(runs: Sequence[Run]) -> str:
        return percent(float(np.mean([run.probability for run in runs])))

    return Measured(
        f"{shown(edit)}; before the edit {percent(before.probability)}. With scope “input”, the default of the"
        f" Arithmetic page, only the vector that BERT reads is changed: {shown(alone)}.",
        (
            exact(f"The top answer is {word}.", edit.answer == word, f"{shown(edit)}."),
            exact(
                f"Both parts of the edit are needed: {word} is the top answer with the edit, but not if only France is"
                " added, only Italy is subtracted, or another word is changed in the same way.",
                edit.answer == word and all(run.answer != word for run in parts),
                f"{'. '.join(f'{_PARTS[run.what]} gives {shown(run)}' for run in parts)}.",
            ),
            _ranked(
                f"It matters that Italy is subtracted: if another word is subtracted, {word} is less likely.",
                reached,
                len(tied),
                evidence=f"Each of {len(tied)} words of the same kind as Italy was subtracted instead."
                f" {_reach(reached)} of them {_verb(reached)} {percent(edit.probability)} (mean {mean(tied)}, highest"
                f" {percent(strongest.probability)} with {strongest.what}); {word} is the top answer with {first} of"
                f" the words. With scope “input”, {_reach(reached_input).lower()} of the {len(read_only)} words"
                f" {_verb(reached_input)} the probability of the edit (mean {mean(read_only)}). The Arithmetic page"
                f" subtracts {len(on_page[0])} of them by default (mean {mean(on_page[0])}; with scope “input”"
                f" {mean(on_page[1])}).",
            ),
            same_for_all(
                f"At most 1 in 20 random changes of the same size makes {word} as likely.",
                [rarely(sum(reached), len(reached)) for reached in reaching],
                evidence=f"{sum(map(sum, reaching))} of {sum(map(len, reaching))} random changes reach"
                f" {percent(edit.probability)} (highest {percent(highest)}).",
            ),
        ),
    )


def _ranked(statement: str, as_good: int, similar: int, *, evidence: str) -> Condition:
    """Decide by whether the edit is among the best 5% of edits with similar words, which are no random sample to test;
    with fewer than 19 it cannot be, and is undecided unless another word is as good."""
    first = as_good + 1 <= LEVEL * (similar + 1)
    holds = True if first else None if not as_good else False
    return Condition(statement, holds, f"{evidence} Rank of the edit: {as_good + 1} of {similar + 1}.")


@dataclass(frozen=True)
class Moved:
    """The answers for Pakistan in a continent: the two top words with probabilities, and the continent of the first."""

    continent: str
    answers: tuple[tuple[str, float], ...]
    lies_in: str


def pakistan(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of A3: the top answer for each continent, without Pakistan itself, and two cosines."""
    numbers = published("A3")
    lands = wordlists.load("countries").set_index("country")["continent"].str.lower()
    seats = wordlists.load("capitals").set_index("capital")["continent"].str.lower()
    moved, figures = [], []
    for continent, word in numbers:
        edit = capitalised(f"pakistan = pakistan - asia + {continent}", model, context=_PAKISTAN)
        edits = () if continent == "asia" else (edit,)
        own = capitalised("pakistan", model, context=_PAKISTAN)
        answers = fill_mask(_PAKISTAN, model, k=2, edits=edits, scope="tied", leave_out=[own])
        first = str(answers["token"].iloc[0]).lower()
        rows = tuple(answers[["token", "probability"]].itertuples(index=False, name=None))
        moved.append(Moved(continent, rows, str(lands.get(first, seats.get(first, "")))))
        expected = [capitalised(word, model)]
        here = candidates(_PAKISTAN, model, words=expected, change=Change.of(edits, "tied"))["probability_after"].iloc[
            0
        ]
        figures.append(Figure(f"pakistan in {continent}: {word}", numbers[continent, word], float(here)))
    ties = [
        float(cosine(model.vector(a), model.vector(b)[None])[0, 0])
        for a, b in (capitalised(pair, model).split() for pair in ("rome italy", "pakistan asia"))
    ]
    judged = judge_pakistan(moved, ties[0], ties[1])
    return Measured(judged.answer, judged.conditions, tuple(figures))


def judge_pakistan(moved: Sequence[Moved], rome_italy: float, pakistan_asia: float) -> Measured:
    """Judge A3 from the answers for each continent (Asia is the unedited sentence) and two cosines."""
    answers = "; ".join(f"{m.continent.capitalize()}: {m.answers[0][0]} {percent(m.answers[0][1])}" for m in moved)
    conditions = []
    for row in moved:
        if row.continent == "asia":
            continue
        name, (first, probability) = row.continent.capitalize(), row.answers[0]
        copied = first.lower() == row.continent
        evidence = f"{first} {percent(probability)}"
        if copied:
            second, less = row.answers[1]
            evidence += f" (the added word itself); {second} ranks 2nd with {percent(less)}"
        conditions.append(
            exact(
                f"With {name}, the top answer is a country or capital of {name}, not just the word that was added.",
                row.lies_in == row.continent and not copied,
                f"{evidence}.",
            )
        )
    cosines = (
        f"The cosine of Rome and Italy is {decimal(rome_italy)}, that of Pakistan and Asia {decimal(pakistan_asia)}."
    )
    return Measured(
        f"{answers}. {cosines}",
        (
            *conditions,
            exact(
                "Rome is closer to Italy than Pakistan is to Asia.",
                rome_italy > pakistan_asia,
                cosines,
            ),
        ),
    )


MEASURES: dict[str, Measure] = {"A2": rome, "A3": pakistan}
