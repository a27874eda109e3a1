"""One sentence with its edits, as rows: its answers before and after, and the effects of the edits on target words."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.arithmetic import controls, effects, phrases, verdict
from embtools.arithmetic.effects import ADDED_WORD, EDIT
from embtools.arithmetic.verdict import matching_control
from embtools.chance import checked_seed
from embtools.mask_filling.answers import answer_ids
from embtools.mask_filling.controls import DESCRIPTIONS
from embtools.mask_filling.edits import Change
from embtools.mask_filling.forward import mask_probabilities
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ANSWERS = (
    "row", "sentence", "edits", "mask", "rank", "answer_before", "probability_before", "answer_after",
    "probability_after",
)  # fmt: skip
CONTROLS = {name: name.replace(" ", "_") for name in DESCRIPTIONS}  # the columns of their mean probabilities
Targets = tuple[tuple[str, tuple[str, ...]], ...]
"""The targets that are measured at the masks of a sentence: the name of each, and the words it stands for."""
Line = dict[str, object]


def answer_row(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    k: int,
    targets: Targets = (),
    leave_out: Sequence[str] = (),
    with_controls: bool = False,
    draws: int = 5,
    seed: int = 0,
) -> tuple[list[Line], list[Line]]:
    """Return the rows of `answers` and of `effects` for one sentence."""
    checked_seed(seed)
    tested = with_controls and bool(change.edits)
    runs = controls.controls(text, model, change=change, draws=draws, seed=seed) if tested else []
    targets = (targets or _added(change)) if change.edits else ()
    odds: list[list[tuple[Array, Array]]] = []
    stream = mask_probabilities(text, model, patches=controls.patches(change, model, runs=runs))
    recorded = _recorded(stream, [answer_ids(words, model) for _, words in targets], odds)
    result = controls.collected(text, model, change=change, runs=runs, outputs=recorded, k=k, leave_out=leave_out)
    answers = _lines(result.answers, k)
    for line in answers:
        if tested and line["rank"] == 1:
            mask = int(str(line["mask"]))
            means = result.summary[result.summary["mask"] == mask]
            run, probability = verdict.strongest_run(result, mask=mask)
            line |= {
                "finding": verdict.finding(result, mask=mask),
                "matching_control": matching_control(result, mask=mask),
                "strongest_run": run,
                "strongest": probability,
            }
            line |= dict(zip(means["control"].map(CONTROLS), means["mean"], strict=True))
    return answers, _effects(targets, odds, [EDIT, *(run.name for run in runs)])


def _added(change: Change) -> Targets:
    """Return the added words as the target; none if no edit adds a word, or a function hides which one."""
    added, _ = phrases.parts(change.edits)
    return ((ADDED_WORD, added),) if added else ()


def _recorded(
    stream: Iterable[Array], ids: Sequence[Sequence[int]], odds: list[list[tuple[Array, Array]]]
) -> Iterator[Array]:
    """Pass on the probabilities (m, v) of each run, and append each target's probability and log odds to `odds`."""
    for probabilities in stream:
        odds.append([(probabilities[:, own].sum(-1), effects.log_odds(probabilities, own)) for own in ids])
        yield probabilities


def _effects(targets: Targets, odds: list[list[tuple[Array, Array]]], runs: Sequence[str]) -> list[Line]:
    """Return the effects of one sentence, from the odds of the original and of the `runs`, averaged by name."""
    lines: list[Line] = []
    for number, (target, words) in enumerate(targets):
        before = odds[0][number]
        for run in dict.fromkeys(runs):
            same = [each[number] for each, name in zip(odds[1:], runs, strict=True) if name == run]
            after = [np.mean(values, axis=0) for values in zip(*same, strict=True)]
            for mask, (p, log, p_after, log_after) in enumerate(zip(*before, *after, strict=True), 1):
                changes = [values[1][mask - 1] - log for values in same]
                values = (
                    mask, target, " or ".join(words), run, len(same), p, p_after, log, log_after, log_after - log,
                    min(changes), max(changes),
                )  # fmt: skip
                lines.append(dict(zip(effects.COLUMNS[3:], values, strict=True)))
    return lines


def _lines(answers: pd.DataFrame, k: int) -> list[Line]:
    """Return the k top answers before and after as rows by mask and rank."""
    lines: list[Line] = []
    for mask, group in answers.groupby("mask"):
        old = group.sort_values("rank_before", kind="stable").head(k)
        new = group.sort_values("rank_after", kind="stable").head(k)
        for rank, (was, now) in enumerate(zip(old.itertuples(), new.itertuples(), strict=True), 1):
            values = (mask, rank, was.token, was.probability_before, now.token, now.probability_after)
            lines.append(dict(zip(ANSWERS[3:], values, strict=True)))
    return lines
