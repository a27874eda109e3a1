"""A part of a battery: the cases of a few pairs, computed in batches of rows of equal length and stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.evidence.cases import A, B, C, Pair, filled, read_edit
from embtools.evidence.result import COLUMNS, EDIT, EFFICACY, PARAPHRASE, SPECIFICITY
from embtools.formula import expression
from embtools.formula.expression import Expression
from embtools.mask_filling.controls import by_id, controls_by_id
from embtools.mask_filling.edits import Change, Patch, Scope, moved
from embtools.mask_filling.forward import Run, logits_of
from embtools.memory import remembered
from embtools.neighbours import neighbours
from embtools.progress import Progress, part, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class _Job:
    """One forward pass: the row of tokens, the vectors that replace some of them, and the case it belongs to."""

    run: Run
    case: int
    condition: str
    detail: str


@remembered
def block_cases(
    pairs: tuple[Pair, ...],
    model: "EmbeddingModel",
    *,
    edit: str,
    asked: tuple[str, ...],
    stay: tuple[str, ...],
    scope: Scope,
    strength: float,
    controls: bool,
    seed: int,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Return the cases of a few pairs: `Battery.cases`. Rows of equal length are computed together.

    Raises ValueError if a word is not a word of its own in a sentence.
    """
    checked_seed(seed)
    formula = read_edit(edit)
    templates = (*asked, *stay)
    uses = (EFFICACY, *(PARAPHRASE for _ in asked[1:]), *(SPECIFICITY for _ in stay))
    change = Change((), scope, strength)
    rows = {(pair.a, template): _ids(pair, template, model) for pair in pairs for template in templates}
    before = _before(pairs, templates, rows, model)
    similar = _Similar(model)
    found: list[dict[str, object]] = []
    jobs: list[_Job] = []
    for pair in pairs:
        for c, c_id in pair.others:
            patches = _patches(formula, pair, c_id, change, model)
            for template, use in zip(templates, uses, strict=True):
                ids, mask = rows[pair.a, template]
                first, odds = before[pair.a, template]
                case = len(found)
                found.append(
                    {
                        "a": pair.a, "b": pair.b, "c": c, "sentence": template, "measure": use, "answer_before": first,
                        "log_odds_before": odds[c_id], "b_id": pair.b_id, "c_id": c_id,
                        "correct": before[pair.a, templates[0]][0] == pair.b_id,
                    }
                )  # fmt: skip
                jobs.append(_Job(Run(ids, mask, patches[0]), case, EDIT, ""))
                if controls:
                    random = generator(seed, pair.a_id + 1, pair.b_id + 1, c_id + 1)
                    for run in controls_by_id(
                        ids.tolist(), model, edited=patches[0], sums=patches[1], change=change, draws=1, random=random,
                        similar=similar,
                    ):  # fmt: skip
                        jobs.append(_Job(Run(ids, mask, run.patch), case, run.name, run.detail))
    lines = [_line(found[job.case], job, logits, model) for job, logits in _computed(jobs, model, progress)]
    lines.sort(key=lambda line: int(str(line[0])))
    return pd.DataFrame([line[1:] for line in lines], columns=list(COLUMNS))


def _patches(
    formula: Expression, pair: Pair, c_id: int, change: Change, model: "EmbeddingModel"
) -> tuple[Patch, dict[int, dict[int, float]] | None]:
    """Return the patch of one case, and the weights of the words in its formula by id; None if it has a function."""
    places = {A: pair.a_id, B: pair.b_id, C: c_id}
    ids = {word: places[word] if word in places else model.token_id(word) for word in expression.words(formula)}
    original = model.matrix[pair.a_id]
    value = expression.value(formula, lambda word: model.matrix[ids[word]].astype(np.float64))
    vector = moved(original, value - original, change)
    weights = expression.coefficients(formula)
    sums = None if weights is None else {pair.a_id: by_id((ids[word], weight) for word, weight in weights.items())}
    return Patch({pair.a_id: vector}, (), change.scope == "tied"), sums


def _ids(pair: Pair, template: str, model: "EmbeddingModel") -> tuple[Array, tuple[int]]:
    """Return the tokens (t,) of a sentence about a word, and the position of its mask."""
    text = filled(template, pair.a)
    ids = model.tokenize(text)["id"].to_numpy()
    if pair.a_id not in ids:
        raise ValueError(f"In “{text}”, “{pair.a}” is not a word of its own. Write spaces around {{a}}.")
    return ids, (int(np.flatnonzero(ids == model.mask_id)[0]),)


def _before(
    pairs: tuple[Pair, ...],
    templates: tuple[str, ...],
    rows: dict[tuple[str, str], tuple[Array, tuple[int]]],
    model: "EmbeddingModel",
) -> dict[tuple[str, str], tuple[int, dict[int, float]]]:
    """Return the top answer without an edit in each sentence, and the log odds of each word c."""
    wanted: dict[tuple[str, str], list[int]] = {}
    for pair in pairs:
        for template in templates:
            wanted.setdefault((pair.a, template), []).extend(i for _, i in pair.others)
    jobs = [_Job(Run(*rows[key], Patch()), number, "", "") for number, key in enumerate(wanted)]
    keys = list(wanted)
    found = {}
    for job, logits in _computed(jobs, model, silent):
        ids = wanted[keys[job.case]]
        exponents = np.exp(logits.astype(np.float64) - logits.max())
        odds = {i: float(np.log(exponents[i]) - np.log(exponents.sum() - exponents[i])) for i in set(ids)}
        found[keys[job.case]] = int(logits.argmax()), odds
    return found


def _line(case: dict[str, object], job: _Job, logits: Array, model: "EmbeddingModel") -> tuple[object, ...]:
    """Return a row of the cases after its number."""
    b, c, first = (int(str(case[name])) for name in ("b_id", "c_id", "answer_before"))
    top = int(logits.argmax())
    specific = case["measure"] == SPECIFICITY
    return (
        job.case, case["a"], case["b"], case["c"], case["sentence"], case["measure"], job.condition,
        top != first if specific else top == c,
        bool(logits[first] > logits[c]) if specific else bool(logits[c] > logits[b]),
        case["correct"], model.vocabulary[first], model.vocabulary[top], case["log_odds_before"],
        _log_odds(logits, c), job.detail,
    )  # fmt: skip


def _log_odds(logits: Array, word: int) -> float:
    """Return ln(p / (1 − p)) of a word from logits (v,); exact also if p is almost 1."""
    exponents = np.exp(logits - logits.max())
    own, exponents[word] = float(logits[word] - logits.max()), 0.0
    return own - float(np.log(exponents.sum(dtype=np.float64)))


def _computed(jobs: Sequence[_Job], model: "EmbeddingModel", progress: Progress) -> Iterator[tuple[_Job, Array]]:
    """Yield each job with its logits (v,); rows of equal length are computed together."""
    lengths: dict[int, list[_Job]] = {}
    for job in jobs:
        lengths.setdefault(len(job.run.ids), []).append(job)
    done = 0
    for length, group in lengths.items():
        report = part(progress, done / len(jobs), len(group) / len(jobs))
        stream = logits_of([job.run for job in group], model, segments=np.zeros(length, np.int64), progress=report)
        for job, logits in zip(group, stream, strict=True):
            yield job, logits[0]
        done += len(group)


class _Similar:
    """`similar_words` for many cases: the neighbours of each word are computed once."""

    def __init__(self, model: "EmbeddingModel") -> None:
        self.model = model
        self.near: dict[int, list[int]] = {}

    def __call__(self, ids: Sequence[int], *, used: set[int]) -> list[list[int]]:
        for i in ids:
            if i not in self.near:
                (frame,) = neighbours(self.model.matrix[[i]], self.model, k=100, whole_words=True)
                self.near[i] = [self.model.ids[token] for token in frame["token"]]
        return [[j for j in self.near[i] if j not in used][:30] for i in ids]
