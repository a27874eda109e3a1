"""What new classifiers find after an erasure: the two groups, and another property that should stay."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from embtools.chance import generator
from embtools.concepts.direction import turned
from embtools.concepts.effects import Change, same
from embtools.concepts.groups import folds
from embtools.concepts.items import built_in
from embtools.concepts.probes import read_features, readable
from embtools.layer_combinations import WORD_POOLINGS
from embtools.limits import check_layer, enough
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.progress import Progress, silent, through
from embtools.spaces.erasers import Eraser, Erasure, fit_eraser
from embtools.spaces.two_groups import Groups, classifier
from embtools.statistics.intervals import wilson
from embtools.statistics.probe import FOLDS, held_out, split
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_TIE = 1e-6  # a score this small says nothing, so it counts as half right


def halves(second: Groups, *, seed: int = 0) -> tuple[Groups, Groups]:
    """Return two halves of the words, each with half of both groups: whether a word is in it, (n,) each."""
    random, chosen = generator(seed), np.zeros(len(second), bool)
    for group in (False, True):
        rows = random.permutation(np.flatnonzero(second == group))
        chosen[rows[: len(rows) // 2]] = True
    return chosen, ~chosen


def right(vectors: Array, second: Groups, *, fitted: Array, of: Groups) -> Array:
    """Return 1 for each vector (m, d) that a classifier of `fitted` (n, d) and `of` (n,) puts into its group, else 0;
    half for a score of almost zero, which says nothing.
    """
    centre, weights, intercept = classifier(fitted, of)
    found = (np.asarray(vectors) - centre) @ weights + intercept
    return np.where(np.abs(found) < _TIE, 0.5, (found > 0) == second)


def right_in_folds(vectors: Array, second: Groups, *, seed: int = 0) -> Array:
    """Return whether each of n vectors (n, d) is right for a classifier of the other folds; half for a tie."""
    result, turned_vectors = np.zeros(len(second)), turned(vectors)
    for learn, test in folds(second, seed=seed):
        result[test] = right(turned_vectors[test], second[test], fitted=turned_vectors[learn], of=second[learn])
    return result


def left_over(
    vectors: Array, groups: Groups, eraser: "Erasure | Eraser | None", *, rounds: int = 10, seed: int = 0
) -> Array:
    """Return (n, 2): whether each item is right on the half that the eraser has not seen, and on the half that it has;
    an erasure is fitted on each half, a fitted eraser is used as it is.
    """
    result = np.zeros((len(groups), 2))
    for fit_on, rest in (pair := halves(groups, seed=seed)), pair[::-1]:
        if eraser is None:
            change: Change = same
        elif isinstance(eraser, Eraser):
            change = eraser
        else:
            change = fit_eraser(vectors[fit_on], groups[fit_on], method=eraser, rounds=rounds)
        own = turned(change(vectors[fit_on]))
        result[rest, 0] = right_in_folds(change(vectors[rest]), groups[rest], seed=seed)
        result[fit_on, 1] = right(own, groups[fit_on], fitted=own, of=groups[fit_on])
    return result


def accuracy(right: Array) -> tuple[float, float, float]:
    """Return the accuracy with its 95% interval."""
    return float(right.mean()), *wilson(round(float(right.sum())), len(right))


Property = Literal["part of speech", "tense", "number"]
PART_OF_SPEECH, TENSE, NUMBER = PROPERTIES = get_args(Property)


@dataclass(frozen=True, eq=False)
class LabelledStates:
    """Words in sentences, labelled by hand, with their hidden states.

    words   the n words; a word can occur in several sentences
    labels  the n labels
    states  (l + 1, n, d) the mean over a word's tokens, after every layer
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    states: Array


@remembered
def labelled_states(name: Property, model: "EmbeddingModel", *, progress: Progress = silent) -> LabelledStates:
    """Read the built-in words that are labelled with a property, those of the probes; not those unknown to a model."""
    check_property(name)
    every = built_in(name)
    items = readable(every, model)
    different = {(item.label, item.type) for item in items}
    if any(sum(label == each for each, _ in different) < FOLDS for label in {item.label for item in every}):
        raise ValueError(
            f"This model cannot read enough of the built-in words for the property {quoted(name)}. Choose another"
            " property or another model."
        )
    read = read_features(items, model, pooling=WORD_POOLINGS[1], progress=progress)
    states = np.stack(read.vectors[: model.layers + 1])
    return LabelledStates(tuple(item.type for item in items), tuple(item.label for item in items), states)


def probes_after(
    read: LabelledStates, *, changes: Sequence[Change], layer: int, seed: int = 0, progress: Progress = silent
) -> Array:
    """Return (c, n): whether a linear probe, newly trained after each of c changes, labels each of n held-out words
    correctly; all occurrences of a word are in one fold.
    """
    enough(changes, "changes")
    check_layer(layer, len(read.states) - 1)
    labels, names = np.array(read.labels), np.unique(read.labels)
    splits = split(read.labels, read.words, seed=seed)
    vectors = read.states[layer].astype(np.float64)
    return np.array(
        [
            names[held_out(change(vectors), read.labels, splits).argmax(axis=1)] == labels
            for change in through(changes, progress)
        ],
        float,
    )


def check_property(name: str) -> None:
    """Raise ValueError for an unknown property."""
    if name not in PROPERTIES:
        raise ValueError(f"There is no property {quoted(name)}. Choose one of: {', '.join(PROPERTIES)}.")
