"""Experiments: an edit together with the controls that could disprove its effect.

A changed answer proves nothing by itself: adding France may copy "france" into the answer whatever is subtracted, and
any large change may change the answer. Each control rules out one such alternative explanation (after the efficacy and
specificity tests of Meng et al. 2022, "Locating and Editing Factual Associations in GPT").
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.formula import expression
from embtools.formula.expression import Equation
from embtools.limits import within
from embtools.mask_filling.answers import left_out, ranking, without
from embtools.mask_filling.edits import Change, Patch, by_target, moved, resolve
from embtools.mask_filling.forward import mask_probabilities
from embtools.neighbours import neighbours
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ADDED, SUBTRACTED, OTHER_SUBTRACTED = "added only", "subtracted only", "another word subtracted"
OTHER_EDITED, RANDOM = "another word edited", "random difference"
CONTROLS = {  # the five names, and what each control does and tests
    ADDED: "The new words are added and nothing is subtracted. This tests whether BERT merely copies an added word.",
    SUBTRACTED: "The old words are subtracted and nothing is added. This tests whether that alone changes the answer.",
    OTHER_SUBTRACTED: "A word similar to the old one is subtracted instead. This tests whether it matters which word is"
    " subtracted.",
    OTHER_EDITED: "The same change is made to another word of the sentence. This tests whether it matters which word is"
    " edited.",
    RANDOM: "The difference of two random words, scaled to the same length, is added. This tests whether any change of"
    " this size changes the answer.",
}
MAX_DRAWS = 20


@dataclass(frozen=True)
class Control:
    """One run of a control: its name in `CONTROLS`, what is changed in words, and the patch.

    `edits` is the patch as edits of words, if it can be written so.
    """

    name: str
    detail: str
    patch: Patch
    edits: tuple[Equation, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """The results of an edit and of its controls.

    change    the edit
    answers   mask, token, probability_before, probability_after, change, rank_before, rank_after
    controls  control, detail, mask, answer (the top answer), token (the edit's top answer), probability (of `token`),
              left_out (the word that would be the top answer if it were not left out, or "")
    summary   the result of `summary`, with one row per mask and control
    left_out  by mask, the left-out words that would be the top answer (before, after) the edit, or ""
    """

    change: Change
    answers: pd.DataFrame
    controls: pd.DataFrame
    summary: pd.DataFrame
    left_out: Mapping[int, tuple[str, str]] = field(default_factory=dict)


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
    """Run the original sentence, the edit and all its controls, many in one batch.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    change : Change
        The edits, from `Change.of`.
    k : int, default 8
        Number of answers at each mask.
    leave_out : sequence of str, optional
        Words that are skipped; the others keep their probability.
    temperature : float, default 1.0
        Divides the scores before the softmax.
    draws : int, default 5
        Number of runs of each control that chooses words at random.
    seed : int, default 0
        Seed of the random draws.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Experiment
        The answers of all runs, with a summary of each control.

    Raises
    ------
    ValueError
        As `resolve`, `mask_probabilities` and `left_out` do, and for `draws` out of range.
    """
    runs = controls(text, model, change=change, draws=draws, seed=seed) if change.edits else []
    stream = mask_probabilities(
        text, model, patches=patches(change, model, runs=runs), temperature=temperature, progress=progress
    )
    return collected(change, model, runs=runs, outputs=stream, k=k, leave_out=leave_out)


def patches(change: Change, model: "EmbeddingModel", *, runs: Sequence[Control]) -> list[Patch]:
    """Return the patches of an experiment in order: the original, the edit if there is one, the controls."""
    return [Patch(), *([resolve(change, model)] if change.edits else []), *(run.patch for run in runs)]


def collected(
    change: Change,
    model: "EmbeddingModel",
    *,
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
            rows.append((run.name, run.detail, mask, answer, first, own, others[mask - 1]))
    columns = ["control", "detail", "mask", "answer", "token", "probability", "left_out"]
    table = pd.DataFrame(rows, columns=columns).sort_values("mask", kind="stable", ignore_index=True)
    left_out_tops = enumerate(
        zip(_left_out_top(before, hidden, model), _left_out_top(after, hidden, model), strict=True), 1
    )
    named = {mask: words for mask, words in left_out_tops if any(words)}
    return Experiment(change, answers, table, summary(table), named)


def _left_out_top(probabilities: Array, hidden: Sequence[int], model: "EmbeddingModel") -> list[str]:
    """Return, for each mask of probabilities (m, v), the most probable word if it is left out, else ""."""
    return [model.vocabulary[i] if i in hidden else "" for i in map(int, probabilities.argmax(1))]


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


def controls(text: str, model: "EmbeddingModel", *, change: Change, draws: int = 5, seed: int = 0) -> list[Control]:
    """Return the controls that apply to a change, with several draws of those that choose words at random.

    An edit with a function in its formula has no words that could be added or subtracted alone; only the two controls
    that use the difference remain. Raises ValueError as `edits.resolve` does.
    """
    within(draws, MAX_DRAWS, "draws")
    random = generator(seed)
    edits = by_target(change.edits, model)
    weights = {t: expression.coefficients(e.expression) for t, e in edits.items()}
    result: list[Control] = []
    if all(w is not None for w in weights.values()):
        sums = {t: _by_id(w or {}, model) for t, w in weights.items()}
        result += _without(sums, change, model)
        result += _another_subtracted(sums, change, model, draws, random)
    # The edit before its length is restored: the controls move equally far and then restore theirs.
    edited = resolve(replace(change, keep_length=False), model)
    result += _another_edited(text, edits, edited, change, model)
    result += _random_difference(edited, change, model, draws, random)
    return result


def _by_id(weights: dict[str, float], model: "EmbeddingModel") -> dict[int, float]:
    """Return the weights by token id, so that Rome and rome count as one word."""
    total: dict[int, float] = {}
    for word, weight in weights.items():
        total[model.token_id(word)] = total.get(model.token_id(word), 0.0) + weight
    return {i: w for i, w in total.items() if w != 0}


def _control(name: str, sums: dict[int, dict[int, float]], change: Change, model: "EmbeddingModel") -> Control:
    vectors = {}
    edits = []
    for target, weights in sums.items():
        value = np.sum([w * model.matrix[i] for i, w in weights.items()], axis=0)
        vectors[target] = moved(model.matrix[target], value - model.matrix[target], change)
        terms: expression.Expression = expression.Number(0)
        if weights:
            terms = expression.from_coefficients({model.vocabulary[i]: w for i, w in weights.items()})
        edits.append(Equation(model.vocabulary[target], terms))
    patch = Patch(vectors, change.positions, change.scope == "tied")
    return Control(name, ", ".join(map(str, edits)), patch, tuple(edits))


def _without(sums: dict[int, dict[int, float]], change: Change, model: "EmbeddingModel") -> list[Control]:
    subtracted = any(w < 0 for s in sums.values() for w in s.values())
    added = any(w > 0 and i != t for t, s in sums.items() for i, w in s.items())
    if not (subtracted and added):
        return []
    only_added = {t: {i: w for i, w in s.items() if w > 0} for t, s in sums.items()}
    only_subtracted = {t: {i: w for i, w in s.items() if w < 0 or i == t} for t, s in sums.items()}
    return [
        _control(name, weights, change, model)
        for name, weights in ((ADDED, only_added), (SUBTRACTED, only_subtracted))
        if all(weights.values())
    ]


def _another_subtracted(
    sums: dict[int, dict[int, float]], change: Change, model: "EmbeddingModel", draws: int, random: np.random.Generator
) -> list[Control]:
    """Replace each subtracted word by a similar one: one of its 30 nearest whole words."""
    minus = sorted({i for s in sums.values() for i, w in s.items() if w < 0})
    if not minus:
        return []
    used = {i for s in sums.values() for i in s} | set(sums)
    others = similar_words(minus, model, used=used)
    # Two subtracted words are never replaced by the same word.
    orders = zip(*(random.permutation(o) for o in others), strict=False)
    chosen = [draw for draw in orders if len(set(draw)) == len(draw)][:draws]
    result = []
    for draw in chosen:
        swap = dict(zip(minus, (int(i) for i in draw), strict=True))
        swapped = {t: {swap.get(i, i) if w < 0 else i: w for i, w in s.items()} for t, s in sums.items()}
        result.append(_control(OTHER_SUBTRACTED, swapped, change, model))
    return result


def similar_words(ids: Sequence[int], model: "EmbeddingModel", *, used: set[int]) -> list[list[int]]:
    """Return, for each token id, the ids of its 30 nearest whole words that are not in `used`, the nearest first."""
    near = neighbours(model.matrix[list(ids)], model, k=min(100, 30 + len(used)), whole_words=True)
    return [[model.ids[t] for t in frame["token"] if model.ids[t] not in used][:30] for frame in near]


def _another_edited(
    text: str, edits: dict[int, Equation], edited: Patch, change: Change, model: "EmbeddingModel"
) -> list[Control]:
    """Move the rarest other whole word of the sentence by the same difference."""
    present = [int(i) for i in model.tokenize(text)["id"] if model.whole_words[i] and int(i) not in edits]
    if not present:
        return []
    # The rarest word is most similar to an edited noun. It has the highest id: the vocabulary is ordered by frequency.
    other = max(present)
    shift = np.sum([v - model.matrix[t] for t, v in edited.vectors.items()], axis=0)
    vector = moved(model.matrix[other], shift, replace(change, strength=1.0))
    detail = f"{model.vocabulary[other]} changed by the same difference"
    return [Control(OTHER_EDITED, detail, Patch({other: vector}, (), change.scope == "tied"))]


def _random_difference(
    edited: Patch, change: Change, model: "EmbeddingModel", draws: int, random: np.random.Generator
) -> list[Control]:
    words = np.flatnonzero(model.whole_words)
    result = []
    for _ in range(draws):
        first, second = random.choice(words, size=2, replace=False)
        vectors = {
            t: _shifted(model.matrix[t], v, model.matrix[first] - model.matrix[second], change)
            for t, v in edited.vectors.items()
        }
        detail = f"+ {model.vocabulary[first]} - {model.vocabulary[second]}, scaled to the same length"
        result.append(Control(RANDOM, detail, Patch(vectors, edited.positions, edited.tied)))
    return result


def _shifted(original: Array, edited: Array, direction: Array, change: Change) -> Array:
    """Move the original (d,) along a direction as far as the edit moved it; keep its length if the edit does."""
    length = np.linalg.norm(edited - original)
    step = direction * (length / max(float(np.linalg.norm(direction)), 1e-12))
    return moved(original, step, replace(change, strength=1.0))
