"""A concept erased from the hidden states of one layer: what a new classifier still finds, and what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.directions.effects import Change, costs, masks_after, other_sentences, same
from embtools.directions.find import check_layer, turned
from embtools.directions.groups import TEMPLATE, WORDS, folds, group_states, tokens_of
from embtools.limits import within
from embtools.mask_filling.forward import probabilities
from embtools.mask_filling.tables import top_union
from embtools.messages import quoted
from embtools.progress import Progress, part, silent
from embtools.spaces.erasers import ERASURES, INLP, LEACE, Eraser, Erasure, fit_eraser, moved, random_eraser
from embtools.spaces.two_groups import Groups, classifier
from embtools.statistics.decimals import signed
from embtools.statistics.intervals import interval, wilson
from embtools.statistics.percentages import percents
from embtools.vectors import Array
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

NONE, RANDOM = "nothing removed", "random directions"
BEFORE, AFTER = "probability_before", "probability_after"
MAX_DRAWS = 30
_TIE = 1e-6  # a score this small says nothing, so it counts as half right
SENTENCES = 30


@dataclass(frozen=True)
class Erased:
    """What is left of two groups after erasure, by method.

    names, layer   both groups by their first items, and the layer
    method         the method whose answers are shown
    methods        method (`NONE`, the three erasures, `RANDOM`), directions (how many are removed), accuracy of a new
                   classifier on items that neither it nor the eraser has seen, with its 95% interval (accuracy_ci_low,
                   accuracy_ci_high), accuracy_fitted (on the items of the eraser), moved (mean distance that a vector
                   moves, divided by its mean distance to the centre), cost (change of the log probability of
                   acceptable answers in other sentences, in nats) with its 95% interval (cost_ci_low, cost_ci_high)
    answers        token, probability_before, probability_after (at the mask of the sentence)
    guess          accuracy of guessing: the share of the larger group
    kind           what the groups consist of: "words" or "sentences"
    """

    names: tuple[str, str]
    layer: int
    method: str
    methods: pd.DataFrame
    answers: pd.DataFrame
    guess: float
    kind: str = WORDS

    def of(self, method: str) -> pd.Series:
        """The row of a method."""
        return self.methods.set_index("method").loc[method]

    @property
    def headline(self) -> str:
        """What a new classifier finds before and after LEACE, compared with the same for random directions."""
        before, own, random = (self.of(each)["accuracy"] for each in (NONE, self.method, RANDOM))
        if not self.differs:
            texts = percents(before, own, digits=0)
            return (
                f"In layer {self.layer}, nothing shows that there is anything to erase: before, a new classifier is"
                f" right for {texts[0]} of the {self.kind} that it has not seen ({_bounds(self.of(NONE))}; guessing:"
                f" {self.guess:.0%}). After {self.method}, it is right for {texts[1]}."
            )
        texts = percents(before, own, random, digits=0)
        return (
            f"After {self.method} in layer {self.layer}, a new classifier is right for {texts[1]} of the {self.kind}"
            f" that it has not seen ({_bounds(self.of(self.method))}), compared with {texts[0]} before and"
            f" {texts[2]} after removing random directions."
        )

    @property
    def differs(self) -> bool:
        """Whether a classifier is better than guessing before anything is removed."""
        return bool(self.of(NONE)["accuracy_ci_low"] > self.guess)

    @property
    def guarantee(self) -> str:
        """What is found on the words of the eraser, and the cost in other sentences."""
        row, random = self.of(self.method), self.of(RANDOM)
        kept = (
            f"LEACE guarantees that nothing linear is left there; for other {self.kind} there is no guarantee."
            if self.method == LEACE
            else f"For other {self.kind} there is no guarantee."
        )
        return (
            f"On the {self.kind} that the eraser was fitted on, a classifier is right for {row['accuracy_fitted']:.0%}."
            f" {kept} In other sentences, the log probability of acceptable answers changes by {signed(row['cost'])}"
            f" nats (random directions: {signed(random['cost'])})."
        )

    @property
    def answer(self) -> str:
        """The top answer of the sentence before and after."""
        tops = [self.answers.loc[self.answers[each].idxmax()] for each in (BEFORE, AFTER)]
        before, after = percents(tops[0][BEFORE], tops[1][AFTER])
        words = [f"“{top['token']}”" for top in tops]
        return f"Before {self.method}, BERT answers {words[0]} ({before}); after it, {words[1]} ({after})."


def erase(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    layer: int,
    text: str,
    template: str = TEMPLATE,
    method: Erasure = LEACE,
    rounds: int = 10,
    k: int = 5,
    draws: int = 5,
    seed: int = 0,
    progress: Progress = silent,
) -> Erased:
    """Erase the difference of two groups from the states of a layer, with three methods and a control.

    The items are divided into two halves. An eraser is fitted on one half; a new classifier is trained and tested on
    the other half, in five folds. Then the halves change places. The control removes as many random directions as INLP.
    For the answers and the costs, each eraser is fitted on all items and applied to all tokens after the layer.

    Parameters
    ----------
    first, second : sequence of str
        The words of both groups, 10 to 150 each; or sentences, with the template "{word}".
    model : EmbeddingModel
    layer : int
        0 (embedding output) to l.
    text : str
        A sentence with a mask.
    template : str, default "This is {word}."
        The sentence in which each word is read. "{word}" alone reads each item as it is.
    method : {"projection", "INLP", "LEACE"}, default "LEACE"
        The method whose answers are returned.
    rounds : int, default 10
        Number of classifiers of INLP.
    k : int, default 5
        Number of answers before and after.
    draws : int, default 5
        Number of draws of random directions.
    seed : int, default 0
        Seed of halves, folds and random directions.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Erased

    Raises
    ------
    ValueError
        For a layer that does not exist, numbers out of range, and as `group_states`, `fit_eraser` and `masks_after`
        do.
    """
    within(draws, MAX_DRAWS, "draws")
    within(k, 50, "answers")
    if method not in ERASURES:
        raise ValueError(f"There is no method {quoted(method)}. Choose one of: {', '.join(ERASURES)}.")
    check_layer(layer, model)
    read = group_states(tuple(first), tuple(second), model, template=template, progress=part(progress, 0.0, 0.2))
    vectors, groups = read.states[layer].astype(np.float64), read.second
    fitted = {each: fit_eraser(vectors, groups, method=each, rounds=rounds) for each in ERASURES}
    random = generator(seed)
    controls = [random_eraser(vectors, count=fitted[INLP].count, random=random) for _ in range(draws)]
    every = [*fitted.values(), *controls]
    sentences = other_sentences(model, most=SENTENCES)
    (states,) = masks_after([text], model, changes=[same, fitted[method]], layer=layer)
    shares = probabilities(model.logits(states))
    changed = costs(sentences, model, changes=every, layer=layer, progress=part(progress, 0.2, 0.6))
    far = moved(vectors, every)
    rows = [(NONE, 0, *_found(_left(vectors, groups, None, rounds, seed)), 0.0, 0.0, 0.0, 0.0)]
    for number, (name, eraser) in enumerate(fitted.items()):
        found = _found(_left(vectors, groups, name, rounds, seed))
        rows.append((name, eraser.count, *found, far[number], *interval(changed[:, number], seed=seed)))
        progress(0.8 + 0.05 * number)
    chance = np.mean([_left(vectors, groups, each, rounds, seed) for each in controls], axis=0)
    mean = interval(changed[:, len(fitted) :].mean(axis=1), seed=seed)
    rows.append((RANDOM, controls[0].count, *_found(chance), far[len(fitted) :].mean(), *mean))
    columns = ["method", "directions", "accuracy", "accuracy_ci_low", "accuracy_ci_high", "accuracy_fitted", "moved"]
    columns += ["cost", "cost_ci_low", "cost_ci_high"]
    answers = top_union({BEFORE: shares[0], AFTER: shares[1]}, model, k=k)
    return Erased(
        read.names,
        layer,
        method,
        pd.DataFrame(rows, columns=columns),
        answers,
        float(max(groups.mean(), 1 - groups.mean())),
        read.kind,
    )


def effort(
    first: Sequence[str], second: Sequence[str], model: "EmbeddingModel", *, draws: int = 5, rounds: int = 10
) -> float:
    """Return about how many seconds `erase` takes.

    Parameters
    ----------
    first, second
        As in `erase`.
    model : EmbeddingModel
    draws, rounds
        As in `erase`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        For an item that cannot be read.
    """
    count = len(first) + len(second)
    pieces = tokens_of((*first, *second), model) + 14 * SENTENCES * (len(ERASURES) + draws + 2)
    fits = 12 * (len(ERASURES) + draws) + 3 * rounds
    return seconds(pieces, model) + fits * count * 1e-4


def halves(second: Groups, *, seed: int = 0) -> tuple[Groups, Groups]:
    """Return two halves of the words, each with half of both groups: whether a word is in it, (n,) each."""
    random, chosen = generator(seed), np.zeros(len(second), bool)
    for group in (False, True):
        rows = random.permutation(np.flatnonzero(second == group))
        chosen[rows[: len(rows) // 2]] = True
    return chosen, ~chosen


def right(vectors: Array, second: Groups, *, fitted: Array, of: Groups) -> Array:
    """Return 1 for each vector (m, d) that a classifier of `fitted` (n, d) and `of` (n,) puts into its group, else 0.

    Half for a score of almost zero: the classifier then says nothing.
    """
    centre, weights, intercept = classifier(fitted, of)
    found = (np.asarray(vectors) - centre) @ weights + intercept
    return np.where(np.abs(found) < _TIE, 0.5, (found > 0) == second)


def _left(vectors: Array, groups: Groups, eraser: "Erasure | Eraser | None", rounds: int, seed: int) -> Array:
    """Return (n, 2): whether each word is right on the half that the eraser has not seen, and on the half that it has.

    Shared by all methods: an erasure is fitted on one half, a fitted eraser is used as it is.
    """
    result = np.zeros((len(groups), 2))
    for fit_on, rest in (pair := halves(groups, seed=seed)), pair[::-1]:
        if eraser is None:
            change: Change = same
        elif isinstance(eraser, Eraser):
            change = eraser
        else:
            change = fit_eraser(vectors[fit_on], groups[fit_on], method=eraser, rounds=rounds)
        new, own = turned(change(vectors[rest])), turned(change(vectors[fit_on]))
        rows = np.flatnonzero(rest)
        for learn, test in folds(groups[rest], seed=seed):
            known = groups[rows[learn]]
            result[rows[test], 0] = right(new[test], groups[rows[test]], fitted=new[learn], of=known)
        result[fit_on, 1] = right(own, groups[fit_on], fitted=own, of=groups[fit_on])
    return result


def _found(found: Array) -> tuple[float, float, float, float]:
    """Return the accuracy with its 95% interval, and the accuracy on the words of the eraser."""
    count = found[:, 0].sum()
    return float(count / len(found)), *wilson(round(count), len(found)), float(found[:, 1].mean())


def _bounds(row: pd.Series) -> str:
    return f"95% interval {row['accuracy_ci_low']:.0%} to {row['accuracy_ci_high']:.0%}"
