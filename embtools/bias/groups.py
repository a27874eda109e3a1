"""Answers at the mask of a sentence for several groups, and for the average of the groups' vectors.

All of this describes a model's guesses, learnt from its texts. It says nothing about people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.bias.answers_by_group import AVERAGE, GroupAnswers
from embtools.chance import generator
from embtools.limits import within
from embtools.mask_filling.answers import answer_ids, best, divergence, top_union
from embtools.mask_filling.edits import Patch, Scope, check_scope
from embtools.mask_filling.forward import mask_probabilities
from embtools.messages import quoted
from embtools.progress import Progress, part, silent
from embtools.vectors import Array
from embtools.words.templates import SLOT, check_distinct, fill, slot_positions

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MAX_GROUPS = 12
MAX_ANSWERS = 50
MAX_STEPS = 101
CONTROLS = 8
_RESERVED = {AVERAGE, "token", "answers_for", "kind"}  # columns of the frames
_COMMON = 8_000  # BERT's vocabulary is ordered by frequency: control words come from its common part


def group_answers(
    template: str,
    model: "EmbeddingModel",
    *,
    groups: Sequence[str],
    k: int = 5,
    lean: float = 0.0,
    scope: Scope = "tied",
    leave_out: Sequence[str] = (),
    seed: int = 0,
    progress: Progress = silent,
) -> GroupAnswers:
    """The k best words at [MASK] when {group} is each of the groups, and when it is their average.

    The average replaces the first group's vector; in scope "tied" it also replaces that word's output score, as in BERT
    Embedding Math (figure 5), in scope "input" it does not. The control is the first group averaged, with the same
    weight, with 8 unrelated words: the effect of mixing with any word.

    Parameters
    ----------
    template : str
        A sentence with {group} and one [MASK].
    model : EmbeddingModel
    groups : sequence of str
        The words that replace {group}.
    k : int, default 5
        Number of words.
    lean : float, default 0.0
        Weights of the average: 0 all groups equally, -1 only the first group, 1 only the others.
    scope : {"input", "tied"}, default "tied"
        "input" changes what BERT reads; "tied" changes its output scores too.
    leave_out : sequence of str, optional
        Words that are skipped; the others keep their probability.
    seed : int, default 0
        Draws the unrelated words.
    progress : callable, optional

    Returns
    -------
    GroupAnswers
        The answers, and the distances between them: Jensen-Shannon divergences over the whole vocabulary, from 0 (the
        same answers) to 1 bit (Lin 1991, doi:10.1109/18.61115).

    Raises
    ------
    ValueError
        For a template without {group} or without exactly one [MASK], fewer than 2 or more than 12 groups, a group that
        is too long or that the model cannot read, two spellings that the model reads as the same word, a word to leave
        out that is not one token, a scope that the model does not have, and numbers out of range.
    """
    within(k, MAX_ANSWERS, "answers")
    _check(template)
    check_scope(scope, model)
    names = checked_groups(groups, model)
    single = [g for g in names if len(model.pieces(g)) == 1]
    by_group: dict[str, Array] = {}
    controls: list[Array] = []
    formula, gap, share = "", float("nan"), 0.0
    if len(single) >= 2:
        base = _slot(template, single[0], model)
        vectors = np.stack([model.vector(g) for g in single])
        weights = average_weights(len(single), lean=lean)
        average = weights @ vectors
        others = _unrelated(single, model, seed)
        patches = [base.patch(v) for v in vectors] + [base.patch(average, tied) for tied in (False, True)]
        # In the control, an unrelated word has the weight of the other groups.
        mixed = (weights[0] * vectors[0] + (1 - weights[0]) * model.vector(w) for w in others)
        patches += [base.patch(vector, scope == "tied") for vector in mixed]
        # "an" before one group and "a" before another make two sentences: those are computed separately below.
        same_text = [g for g in single if fill(template, g, SLOT) == fill(template, g, SLOT, spelling=single[0])]
        share = len(patches) / (len(patches) + len(names) - len(same_text))
        rows = _probabilities(base, model, patches, part(progress, 0, share))
        n = len(single)
        by_group = {g: row for g, row in zip(single, rows[:n], strict=True) if g in same_text}
        by_group[AVERAGE] = rows[n + (scope == "tied")]
        gap = float(np.abs(rows[n] - rows[n + 1]).max())
        controls = list(rows[n + 2 :])
        formula = " + ".join(f"{w:.2g} {g}" for w, g in zip(weights, single, strict=True))
    separate = [name for name in names if name not in by_group]
    for done, name in enumerate(separate, 1):
        (by_group[name],) = next(mask_probabilities(fill(template, name, SLOT), model))
        progress(share + (1 - share) * done / len(separate))
    columns = {name: by_group[name] for name in [*names, AVERAGE] if name in by_group}
    return GroupAnswers(
        tuple(names),
        best(columns, model, k=k, leave_out=leave_out),
        top_union(columns, model, k=k, leave_out=leave_out),
        _distances(columns, controls, names, single),
        formula,
        tuple(g for g in names if g not in single),
        gap,
        _gaps(columns, names, model, leave_out),
    )


def lean_curve(
    template: str,
    model: "EmbeddingModel",
    *,
    groups: Sequence[str],
    tokens: Sequence[str],
    steps: int = 21,
    scope: Scope = "tied",
    progress: Progress = silent,
) -> pd.DataFrame:
    """Probabilities of words by weight of the average.

    Parameters
    ----------
    template : str
        A sentence with {group} and one [MASK].
    model : EmbeddingModel
    groups : sequence of str
        The words that replace {group}; two or more must be single tokens.
    tokens : sequence of str
        The words whose probabilities are returned.
    steps : int, default 21
        Number of weights.
    scope : {"input", "tied"}, default "tied"
        As in `group_answers`.
    progress : callable, optional

    Returns
    -------
    DataFrame
        Columns: weight (-1: only the first group, 1: only the others), token, probability.

    Raises
    ------
    ValueError
        As `group_answers` does, if fewer than two groups are a single token, for a token that is not in the vocabulary,
        and for numbers of steps and tokens out of range.
    """
    if not 2 <= steps <= MAX_STEPS:
        raise ValueError(f"The number of steps is {steps}; choose 2 to {MAX_STEPS}.")
    check_scope(scope, model)
    within(len(tokens), MAX_ANSWERS, "words")
    targets = answer_ids(tokens, model)
    single = [g for g in checked_groups(groups, model) if len(model.pieces(g)) == 1]
    if len(single) < 2:
        raise ValueError("An average needs two groups that are a single token each. Choose more common words.")
    base = _slot(template, single[0], model)
    vectors = np.stack([model.vector(g) for g in single])
    leans = np.linspace(-1, 1, steps)
    patches = [base.patch(average_weights(len(single), lean=float(x)) @ vectors, scope == "tied") for x in leans]
    rows = _probabilities(base, model, patches, progress)
    return pd.DataFrame(
        {
            "weight": np.tile(leans, len(targets)),
            "token": np.repeat([model.vocabulary[i] for i in targets], steps),
            "probability": rows[:, targets].T.ravel(),
        }
    )


def average_weights(n: int, *, lean: float = 0.0) -> Array:
    """Weights (n,) of an average that sum to one: lean 0 all equal, -1 only the first, 1 only the others.

    >>> average_weights(2, lean=0.5)
    array([0.25, 0.75], dtype=float32)
    """
    within(n, MAX_GROUPS, "groups", least=2)
    if not -1 <= lean <= 1:  # also false for nan
        raise ValueError(f"The weight is {lean}; choose −1 (only the first group) to 1 (only the other groups).")
    first = 1 / n + (-lean * (1 - 1 / n) if lean < 0 else -lean / n)
    return np.array([first, *[(1 - first) / (n - 1)] * (n - 1)], np.float32)


def checked_groups(groups: Sequence[str], model: "EmbeddingModel") -> list[str]:
    """The groups as a list without empty and repeated ones; ValueError for groups that cannot be compared."""
    names = list(dict.fromkeys(g.strip() for g in groups if g.strip()))
    if len(names) < 2:
        raise ValueError("There is nothing to compare yet. Write at least two different groups, such as he, she.")
    if len(names) > MAX_GROUPS:
        raise ValueError(f"There are {len(names)} groups, but at most {MAX_GROUPS} can be compared. Remove some.")
    for name in names:
        if len(name) > 40 or not any(c.isalnum() for c in name):
            raise ValueError(f"{quoted(name)} is not a group's name. Write a word or two, such as she or the nurse.")
        if "[" in name or "{" in name or name in _RESERVED:
            raise ValueError(
                f"{quoted(name)} cannot be a group's name, because it has another meaning here. Choose another word."
            )
    check_distinct(names, model)
    return names


@dataclass(frozen=True)
class _Slot:
    """A sentence with the first group in it: its text, the id of that word, and the word's positions."""

    text: str
    id: int
    positions: tuple[int, ...]

    def patch(self, vector: Array, tied: bool = False) -> Patch:
        return Patch({self.id: np.asarray(vector, np.float32)}, self.positions, tied)


def _slot(template: str, word: str, model: "EmbeddingModel") -> _Slot:
    _check(template)
    text = fill(template, word, SLOT)
    ids = model.tokenize(text)["id"].to_numpy()
    target = model.token_id(word)
    positions = tuple(pieces[0] for pieces in slot_positions(template, model, word=word, slot=SLOT))
    if any(ids[i] != target for i in positions):
        raise ValueError(f"{quoted(word)} is not read as one word at the position of {SLOT}. Put spaces around {SLOT}.")
    return _Slot(text, target, positions)


def _probabilities(slot: _Slot, model: "EmbeddingModel", patches: Sequence[Patch], progress: Progress) -> Array:
    """Probabilities (b, v) at the mask, one row per patch; `progress` receives 0 … 1 after every batch."""
    return np.concatenate(list(mask_probabilities(slot.text, model, patches=patches, progress=progress)))


def _check(template: str) -> None:
    if SLOT not in template:
        raise ValueError(f"The sentence has no {SLOT}. Put {SLOT} where the name of the group belongs.")
    if template.count("[MASK]") != 1:
        raise ValueError("The sentence needs exactly one [MASK] for the word that BERT should predict.")


def _unrelated(taken: Sequence[str], model: "EmbeddingModel", seed: int) -> list[str]:
    pool = [
        p
        for i, p in enumerate(model.vocabulary[:_COMMON])
        if model.whole_words[i] and len(p) > 3 and p.isalpha() and p not in taken
    ]
    return [str(w) for w in generator(seed).choice(pool, CONTROLS, replace=False)]


def _gaps(
    columns: dict[str, Array], groups: Sequence[str], model: "EmbeddingModel", leave_out: Sequence[str]
) -> dict[str, float]:
    """How much more likely the best words of each group are for the first group than for the others, in nats."""
    of_groups = {name: columns[name] for name in groups}
    union = top_union(of_groups, model, k=MAX_ANSWERS, leave_out=leave_out).set_index("token")
    logs = np.log(union.astype(np.float64).clip(lower=1e-30))
    return dict((logs[groups[0]] - logs[list(groups[1:])].mean(axis=1)).items())


def _distances(
    columns: dict[str, Array], controls: Sequence[Array], groups: Sequence[str], single: Sequence[str]
) -> pd.DataFrame:
    rows: list[dict[str, object]] = [
        {"answers_for": name, "kind": "average" if name == AVERAGE else "group"}
        | {g: divergence(row, columns[g]) for g in groups}
        for name, row in columns.items()
    ]
    if controls:
        rows.append(
            {"answers_for": f"{single[0]} + an unrelated word", "kind": "control"}
            | {g: float(np.mean([divergence(row, columns[g]) for row in controls])) for g in groups}
        )
    return pd.DataFrame(rows)
