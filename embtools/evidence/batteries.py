"""A battery: one edit with its controls over many words, sentences and new answers, in blocks that are stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.evidence.rates import EDIT, EFFICACY, PARAPHRASE, SPECIFICITY
from embtools.evidence.result import COLUMNS, Battery
from embtools.mask_filling.answers import best_answer
from embtools.mask_filling.cases import Pair, case_patch, case_tokens, read_edit
from embtools.mask_filling.controls import controls_by_id
from embtools.mask_filling.edits import Change, Patch, Scope, check_scope, check_strength
from embtools.mask_filling.experiments import Blocks, Cases
from embtools.mask_filling.forward import Run, logits_of
from embtools.memory import remembered
from embtools.progress import Progress, part, silent
from embtools.vectors import Array
from embtools.words.kinds import same_kind

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_RUNS = 500_000
"""Forward passes of one call, without those of the pairs that are left out."""
BLOCK = 10
"""Pairs that are computed and stored together; work that is stopped keeps the finished blocks."""
CONDITIONS = 6
_SECONDS = 1e-11  # per token and model parameter, on one core


def battery(
    cases: Cases,
    model: "EmbeddingModel",
    *,
    scope: Scope = "input",
    strength: float = 1.0,
    controls: bool = True,
    skip: int = 0,
    progress: Progress = silent,
) -> Battery:
    """Run an edit with its controls for many pairs of words, and measure how often it changes the answer.

    The five controls are those of the Arithmetic page, each with one draw per case.

    Parameters
    ----------
    cases : Cases
        Pairs, edit and sentences.
    model : EmbeddingModel
    scope : {"input", "tied"}, default "input"
        "input" changes what BERT reads; "tied" changes its output scores too.
    strength : float, default 1.0
        0 is the original vector, 1 the result of the formula; −1 … 2.
    controls : bool, default True
        Whether the controls are run.
    skip : int, default 0
        Leave out so many of the first pairs, which were tested before.
    progress : callable, optional
        Receives 0 … 1; may raise to stop. Finished blocks of pairs are then cached.

    Returns
    -------
    Battery
        With `rates`, a frame with one row per measure and condition, and `cases`, one row per a, b, c, sentence and
        condition.

    Raises
    ------
    ValueError
        For cases, a scope or a strength that cannot be used, and for too many runs.

    References
    ----------
    Meng et al. 2022, "Locating and Editing Factual Associations in GPT", section 3.
    """
    work = blocks(cases, model, scope=scope, strength=strength, controls=controls).without(skip)
    asked, stay = cases.read()
    total = work.cases * len((*asked, *stay)) * (CONDITIONS if controls else 1)
    if total > MAX_RUNS:
        raise ValueError(
            f"This battery has {total:,} forward passes; at most {MAX_RUNS:,} are possible. Use fewer pairs, other"
            " words or sentences."
        )
    frame = pd.concat(work.run(model, progress), ignore_index=True)
    return Battery(cases.edit, asked, stay, frame, *cases.left_out(model), int(cases.seed))


def blocks(
    cases: Cases,
    model: "EmbeddingModel",
    *,
    scope: Scope = "input",
    strength: float = 1.0,
    controls: bool = True,
) -> Blocks:
    """Return the work of a battery, whose arguments and errors these are."""
    check_scope(scope, model)
    check_strength(strength)
    asked, stay = cases.read()
    how = {"scope": scope, "strength": float(strength), "controls": bool(controls), "seed": int(cases.seed)}
    return Blocks.of(block_cases, cases.plan(model).pairs, BLOCK, edit=cases.edit, asked=asked, stay=stay, **how)


def runs(cases: Cases, model: "EmbeddingModel") -> int:
    """Return the number of forward passes of a battery with its controls."""
    return cases.count(model) * len((*cases.sentences, *cases.must_stay)) * CONDITIONS


def effort(cases: Cases, model: "EmbeddingModel") -> float:
    """Return about how many seconds a battery with its controls takes on one core."""
    # The scores of all words and their softmax are computed at one position only.
    scores = 2e-8 * len(model.vocabulary) * (len(cases.sentences) + 1)
    return cases.count(model) * CONDITIONS * (cases.tokens * model.parameters * _SECONDS + scores)


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
    """Return the cases of a few pairs: `Battery.cases`."""
    checked_seed(seed)
    formula = read_edit(edit)
    templates = (*asked, *stay)
    uses = (EFFICACY, *(PARAPHRASE for _ in asked[1:]), *(SPECIFICITY for _ in stay))
    change = Change((), scope, strength)
    rows = {(pair.a, template): case_tokens(pair, model, template=template) for pair in pairs for template in templates}
    before = _before(pairs, templates, rows, model)
    similar = _Similar(model)
    found: list[dict[str, object]] = []
    jobs: list[_Job] = []
    for pair in pairs:
        for c, c_id in pair.others:
            patches = case_patch(pair, model, formula=formula, c_id=c_id, change=change)
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
        found[keys[job.case]] = int(best_answer(logits, model)), odds
    return found


def _line(case: dict[str, object], job: _Job, logits: Array, model: "EmbeddingModel") -> tuple[object, ...]:
    """Return a row of the cases after its number."""
    b, c, first = (int(str(case[name])) for name in ("b_id", "c_id", "answer_before"))
    top = int(best_answer(logits, model))
    specific = case["measure"] == SPECIFICITY
    return (
        job.case, case["a"], case["b"], case["c"], case["sentence"], case["measure"], job.condition,
        top != first if specific else top == c,
        bool(logits[first] > logits[c]) if specific else bool(logits[c] > logits[b]),
        case["correct"], first == c, model.vocabulary[first], model.vocabulary[top], case["log_odds_before"],
        _log_odds(logits, c), job.detail,
    )  # fmt: skip


def _log_odds(logits: Array, word: int) -> float:
    """Return ln(p / (1 − p)) of a word from logits (v,); exact also if p is almost 1."""
    exponents = np.exp(logits - logits.max())
    own, exponents[word] = float(logits[word] - logits.max()), 0.0
    return own - float(np.log(exponents.sum(dtype=np.float64)))


def _computed(jobs: Sequence[_Job], model: "EmbeddingModel", progress: Progress) -> Iterator[tuple[_Job, Array]]:
    """Yield each job with its logits (v,); rows of equal length are computed together, and equal rows once, such as
    those of all c where nothing is added."""
    lengths: dict[int, dict[object, list[_Job]]] = {}
    for job in jobs:
        lengths.setdefault(len(job.run.ids), {}).setdefault(_content(job.run), []).append(job)
    done, rows = 0, sum(map(len, lengths.values()))
    for length, groups in lengths.items():
        report = part(progress, done / rows, len(groups) / rows)
        different = [group[0].run for group in groups.values()]
        stream = logits_of(different, model, segments=np.zeros(length, np.int64), progress=report)
        for group, logits in zip(groups.values(), stream, strict=True):
            for job in group:
                yield job, logits[0]
        done += len(groups)


def _content(run: Run) -> object:
    """Return a key that is equal for runs with equal tokens, masks and changed vectors."""
    patch = run.embeddings
    assert isinstance(patch, Patch)
    vectors = tuple((i, vector.tobytes()) for i, vector in sorted(patch.vectors.items()))
    return run.ids.tobytes(), tuple(run.positions), vectors, patch.positions, patch.tied


class _Similar:
    """`similar_words` for many cases: the neighbours of each word are computed once."""

    def __init__(self, model: "EmbeddingModel") -> None:
        self.model = model
        self.near: dict[int, list[int]] = {}

    def __call__(self, ids: Sequence[int], *, used: set[int]) -> list[list[int]]:
        for i in ids:
            if i not in self.near:
                self.near[i] = list(same_kind(i, self.model))
        return [[j for j in self.near[i] if j not in used][:30] for i in ids]
