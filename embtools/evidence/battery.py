"""A battery: one edit with its controls over many words, sentences and new answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.evidence import cases as case_reading
from embtools.evidence.cases import Pair, Pairs, Plan, filled, plan, read_edit, read_sentences
from embtools.evidence.result import (
    COLUMNS,
    EDIT,
    EFFICACY,
    PARAPHRASE,
    SPECIFICITY,
    Battery,
)
from embtools.formula import expression
from embtools.formula.expression import Expression
from embtools.mask_filling.controls import by_id, controls_by_id
from embtools.mask_filling.edits import Change, Patch, Scope, check_scope, moved
from embtools.mask_filling.forward import Run, logits_of
from embtools.memory import known, remembered
from embtools.neighbours import neighbours
from embtools.progress import Progress, part, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_RUNS = 500_000
BLOCK = 10
"""Pairs that are computed and stored together; work that is stopped keeps the finished blocks."""
CONDITIONS = 6
_SECONDS = 1e-11  # per token and model parameter, on one core


@dataclass(frozen=True)
class _Job:
    """One forward pass: the row of tokens, the vectors that replace some of them, and the case it belongs to."""

    run: Run
    case: int
    condition: str
    detail: str


def battery(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]]",
    model: "EmbeddingModel",
    *,
    edit: str,
    sentences: Sequence[str],
    must_stay: Sequence[str] = (),
    others: int | None = None,
    scope: Scope = "input",
    strength: float = 1.0,
    controls: bool = True,
    seed: int = 0,
    first: int | None = None,
    progress: Progress = silent,
) -> Battery:
    """Run an edit with its controls for many pairs of words, and measure how often it changes the answer.

    Each pair (a, b) is tested with other words c: the edit should change the answer from b to c. The five controls are
    those of the Arithmetic page, each with one draw per case.

    Parameters
    ----------
    pairs : DataFrame or sequence of (str, str)
        Pairs (a, b), such as capitals with their countries; a frame has the columns a and b.
    model : EmbeddingModel
    edit : str
        An edit with placeholders, such as "{a} = {a} - {b} + {c}".
    sentences : sequence of str
        Sentences with {a} and one [MASK] for b. The first measures efficacy, the others paraphrase.
    must_stay : sequence of str, optional
        Sentences with {a} and one [MASK] whose answer should not change: they measure specificity.
    others : int or None, optional
        Number of words c for each pair, drawn at random from the other words b; None takes all.
    scope : {"input", "tied"}, default "input"
        "input" changes what BERT reads; "tied" changes its output scores too.
    strength : float, default 1.0
        0 is the original vector, 1 the result of the formula; −1 … 2.
    controls : bool, default True
        Whether the controls are run.
    seed : int, default 0
        Seed of the random draws.
    first : int or None, optional
        Use only the first pairs, with the same words c; None uses all.
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
        For pairs, an edit, sentences, a scope or a strength that cannot be used, and for too many runs.

    References
    ----------
    Meng et al. 2022, "Locating and Editing Factual Associations in GPT", section 3.
    """
    planned, asked, stay, blocks = _blocks(
        pairs, model, edit, sentences, must_stay, others, scope, strength, controls, seed, first
    )
    done, frames = 0, []
    for block in blocks:
        size = sum(len(pair.others) for pair in block["pairs"])
        report = part(progress, done / planned.cases, size / planned.cases)
        frames.append(_block_cases(model=model, progress=report, **block))
        done += size
        progress(done / planned.cases)
    excluded = pd.DataFrame(planned.excluded, columns=["a", "b", "reason"])
    every = len(plan(pairs, model, others=1, seed=seed).pairs)
    return Battery(edit, asked, stay, pd.concat(frames, ignore_index=True), excluded, every, int(seed))


def finished_pairs(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]]",
    model: "EmbeddingModel",
    *,
    edit: str,
    sentences: Sequence[str],
    must_stay: Sequence[str] = (),
    others: int | None = None,
    scope: Scope = "input",
    strength: float = 1.0,
    controls: bool = True,
    seed: int = 0,
) -> int:
    """Return how many of the first pairs of a battery are in the cache, after it was stopped.

    `battery` with this number as `first` needs no forward pass. The parameters and errors are those of `battery`.
    """
    blocks = _blocks(pairs, model, edit, sentences, must_stay, others, scope, strength, controls, seed, None)[3]
    count = 0
    for block in blocks:
        if not known(_block_cases, block, checksum=model.checksum):
            break
        count += len(block["pairs"])
    return count


def _blocks(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]]",
    model: "EmbeddingModel",
    edit: str,
    sentences: Sequence[str],
    must_stay: Sequence[str],
    others: int | None,
    scope: Scope,
    strength: float,
    controls: bool,
    seed: int,
    first: int | None,
) -> tuple[Plan, tuple[str, ...], tuple[str, ...], list[dict[str, Any]]]:
    """Check the arguments of `battery`; return its plan, its sentences, and the arguments of each block."""
    checked_seed(seed)
    check_scope(scope, model)
    if isinstance(strength, bool) or not isinstance(strength, int | float | np.number) or not -1 <= strength <= 2:
        raise ValueError(f"The strength is {strength}; choose −1 to 2.")  # also for nan
    formula = read_edit(edit)
    for word in expression.words(formula):
        if word not in (case_reading.A, case_reading.B, case_reading.C):
            model.token_id(word)
    asked, stay = read_sentences(sentences), read_sentences(must_stay, least=0)
    if both := set(asked) & set(stay):
        raise ValueError(f"The sentence “{min(both)}” is in both lists. Remove it from one.")
    planned = plan(pairs, model, others=others, first=first, seed=seed)
    total = planned.cases * len((*asked, *stay)) * (CONDITIONS if controls else 1)
    if total > MAX_RUNS:
        raise ValueError(
            f"This battery has {total:,} forward passes; at most {MAX_RUNS:,} are possible. Use fewer pairs, other"
            " words or sentences."
        )
    shared = {
        "edit": edit, "asked": asked, "stay": stay, "scope": scope, "strength": float(strength),
        "controls": bool(controls), "seed": int(seed),
    }  # fmt: skip
    starts = range(0, len(planned.pairs), BLOCK)
    return planned, asked, stay, [{"pairs": planned.pairs[i : i + BLOCK], **shared} for i in starts]


def runs(pairs: Pairs, model: "EmbeddingModel", *, sentences: int, others: int | None = None) -> int:
    """Return the number of forward passes of a battery with its controls.

    Parameters
    ----------
    pairs : tuple of (str, str)
        Pairs (a, b).
    model : EmbeddingModel
    sentences : int
        Number of sentences of both kinds.
    others : int or None, optional
        Number of words c for each pair; None takes all.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        As `plan` does.
    """
    return plan(pairs, model, others=others).cases * sentences * CONDITIONS


def effort(
    pairs: Pairs,
    model: "EmbeddingModel",
    *,
    sentences: Sequence[str],
    must_stay: Sequence[str] = (),
    others: int | None = None,
) -> float:
    """Return about how many seconds a battery with its controls takes on one core.

    Parameters
    ----------
    pairs : tuple of (str, str)
        Pairs (a, b).
    model : EmbeddingModel
    sentences, must_stay : sequence of str
        Sentences with {a} and one [MASK].
    others : int or None, optional
        Number of words c for each pair; None takes all.

    Returns
    -------
    float
        Seconds.

    Raises
    ------
    ValueError
        As `plan` does.
    """
    tokens = sum(3 + len(sentence) / 4 for sentence in (*sentences, *must_stay))
    count = plan(pairs, model, others=others).cases * CONDITIONS
    # The scores of all words and their softmax are computed at one position only.
    return count * (tokens * model.parameters * _SECONDS + 2e-8 * len(model.vocabulary) * (len(sentences) + 1))


@remembered
def _block_cases(
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
    places = {case_reading.A: pair.a_id, case_reading.B: pair.b_id, case_reading.C: c_id}
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
