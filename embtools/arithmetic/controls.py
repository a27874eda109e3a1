"""Experiments: an edit together with the controls that could disprove its effect.

The controls themselves are in `embtools.mask_filling.controls`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.answers import best_answer, left_out, ranking, without
from embtools.mask_filling.controls import Control, controls, named, replaced
from embtools.mask_filling.edits import Change, Patch, resolve
from embtools.mask_filling.forward import mask_probabilities
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class Experiment:
    """The results of an edit and of its controls.

    change    the edit
    answers   mask, token, probability_before, probability_after, change, rank_before, rank_after
    controls  control, detail, clause (what is changed, after "if"), mask, answer (the top answer), token (the edit's
              top answer), probability (of `token`), left_out (the word that would be the top answer if it were not
              left out, or "")
    summary   the result of `summary`, with one row per mask and control
    replaced  edited words whose vector becomes that of another word, each with that word
    left_out  by mask, the left-out words that would be the top answer (before, after) the edit, or ""
    """

    change: Change
    answers: pd.DataFrame
    controls: pd.DataFrame
    summary: pd.DataFrame
    left_out: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    replaced: tuple[tuple[str, str], ...] = ()


def experiment(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    k: int = 8,
    leave_out: Sequence[str] = (),
    temperature: float = 1.0,
    draws: int = 5,
    seed: int = 0,
    progress: Progress = silent,
) -> Experiment:
    """Run the original sentence, the edit and all its controls, many in one batch."""
    runs = controls(text, model, change=change, draws=draws, seed=seed) if change.edits else []
    stream = mask_probabilities(
        text, model, patches=patches(change, model, runs=runs), temperature=temperature, progress=progress
    )
    return collected(text, model, change=change, runs=runs, outputs=stream, k=k, leave_out=leave_out)


def patches(change: Change, model: "EmbeddingModel", *, runs: Sequence[Control]) -> list[Patch]:
    """Return the patches of an experiment in order: the original, the edit if there is one, the controls."""
    return [Patch(), *([resolve(change, model)] if change.edits else []), *(run.patch for run in runs)]


def collected(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    runs: Sequence[Control],
    outputs: Iterable[Array],
    k: int,
    leave_out: Sequence[str] = (),
) -> Experiment:
    """Collect an experiment from the probabilities (m, v) of its `patches`, in their order."""
    hidden, stream = left_out(leave_out, model), iter(outputs)
    before = next(stream)
    after = next(stream) if change.edits else before
    answers = ranking(before, after, model, k=k, leave_out=leave_out)
    firsts: dict[int, str] = {}
    for line in answers[answers["rank_after"] == 1].itertuples():
        firsts.setdefault(line.mask, line.token)  # the first if two are equally probable
    rows = []
    for run, probabilities in zip(runs, stream, strict=True):
        best, others = without(probabilities, hidden).argmax(1), _left_out_top(probabilities, hidden, model)
        for mask, first in firsts.items():
            answer, own = model.vocabulary[int(best[mask - 1])], float(probabilities[mask - 1, model.ids[first]])
            rows.append((run.name, run.detail, run.clause, mask, answer, first, own, others[mask - 1]))
    columns = ["control", "detail", "clause", "mask", "answer", "token", "probability", "left_out"]
    table = pd.DataFrame(rows, columns=columns).sort_values("mask", kind="stable", ignore_index=True)
    left_out_tops = enumerate(
        zip(_left_out_top(before, hidden, model), _left_out_top(after, hidden, model), strict=True), 1
    )
    hidden_tops = {mask: words for mask, words in left_out_tops if any(words)}
    ids = model.ids_and_segments(text)[0]  # nothing is written instead of a word that is not in the text
    words = named({target: word for target, word in replaced(change, model).items() if target in ids}, model)
    return Experiment(change, answers, table, summary(table), hidden_tops, words)


def _left_out_top(probabilities: Array, hidden: Sequence[int], model: "EmbeddingModel") -> list[str]:
    """Return, for each mask of probabilities (m, v), the most probable word if it is left out, else ""."""
    return [model.vocabulary[i] if i in hidden else "" for i in best_answer(probabilities, model)]


def leading(answers: pd.DataFrame, after: int, before: int) -> pd.DataFrame:
    """Select the top `after` answers after an edit, then those of the top `before` before it that are missing."""
    now = answers.sort_values("rank_after", kind="stable").head(after)
    was = answers.sort_values("rank_before", kind="stable").head(before)
    return pd.concat([now, was[~was["token"].isin(now["token"])]], ignore_index=True)


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Summarise the runs of each control: mask, control, draws, same_answer (share), mean, lowest, highest."""
    kinds: dict[tuple[int, str], list[tuple[bool, float]]] = {}
    # Without pandas: for these twenty rows, groupby takes as long as a third of the forward passes.
    for mask, control, answer, token, probability in zip(
        frame["mask"], frame["control"], frame["answer"], frame["token"], frame["probability"], strict=True
    ):
        kinds.setdefault((mask, control), []).append((answer == token, probability))
    lines = []
    for (mask, control), draws in kinds.items():
        same, values = np.array(draws).T
        lines.append((mask, control, len(draws), same.mean(), values.mean(), values.min(), values.max()))
    return pd.DataFrame(lines, columns=["mask", "control", "draws", "same_answer", "mean", "lowest", "highest"])
