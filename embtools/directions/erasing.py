"""A concept erased from the hidden states of one layer: what a new classifier still finds, and what it costs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.directions.effects import masks_after, same
from embtools.directions.erased import AFTER, BEFORE, NONE, RANDOM, Erased, random_name
from embtools.directions.find import check_layer
from embtools.directions.groups import TEMPLATE, group_states, tokens_of
from embtools.directions.held_out_text import SENTENCES, held_out_text, text_costs
from embtools.directions.new_classifier import accuracy, left_over
from embtools.directions.other_property import (
    PART_OF_SPEECH,
    Property,
    check_property,
    labelled_states,
    probes_after,
)
from embtools.limits import within
from embtools.mask_filling.forward import probabilities
from embtools.mask_filling.tables import top_union
from embtools.messages import quoted
from embtools.progress import Progress, part, silent
from embtools.spaces.erasers import ERASURES, LEACE, Eraser, Erasure, fit_eraser, moved, random_eraser
from embtools.statistics.intervals import interval
from embtools.vectors import Array
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_DRAWS, COST_DRAWS = 30, 3
_COLUMNS = (
    *("method", "directions", "accuracy", "accuracy_low", "accuracy_high", "difference", "difference_low"),
    *("difference_high", "accuracy_fitted", "moved", "cost", "cost_low", "cost_high"),
    *("cost_difference", "cost_difference_low", "cost_difference_high", "other_accuracy"),
    *("other_accuracy_low", "other_accuracy_high", "other_change", "other_change_low", "other_change_high"),
    *("other_difference", "other_difference_low", "other_difference_high", "accuracy_lowest"),
)


def erase(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    layer: int,
    text: str,
    template: str = TEMPLATE,
    method: Erasure = LEACE,
    other: Property = PART_OF_SPEECH,
    rounds: int = 10,
    k: int = 5,
    draws: int = 5,
    seed: int = 0,
    progress: Progress = silent,
) -> Erased:
    """Erase the difference of two groups from the states of a layer, with three methods and their controls.

    The items are divided into two halves. An eraser is fitted on one half; a new classifier is trained and tested on
    the other half, in five folds. Then the halves are exchanged. The control of a method removes the same number of
    random directions. For the answers and the costs, each eraser is fitted on all items and applied to all tokens
    after the layer. The sentence is also answered after each draw of the same number of random directions. The costs
    are measured at masked words of built-in sentences, of those that contain none of the items where enough such
    sentences exist, and with a new probe for another property.

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
    other : {"part of speech", "tense", "number"}, default "part of speech"
        The property for which other probes are trained, before and after.
    rounds : int, default 10
        Number of classifiers of INLP.
    k : int, default 5
        Number of answers before and after.
    draws : int, default 5
        Number of draws of random directions, for each number of directions; at most three for the costs.
    seed : int, default 0
        Seed of halves, folds, the text, its masks and random directions.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Erased

    Raises
    ------
    ValueError
        For a layer, a method or a property that does not exist, numbers out of range, a group that is too small or too
        large, an item that is listed twice or that the model cannot read, a template without {word} as a separate word,
        groups without a difference, a sentence without a mask, and if the model knows too few of the built-in words of
        the property.
    """
    within(draws, MAX_DRAWS, "draws")
    within(k, 50, "answers")
    if method not in ERASURES:
        raise ValueError(f"There is no method {quoted(method)}. Choose one of: {', '.join(ERASURES)}.")
    check_layer(layer, model)
    check_property(other)
    read = group_states(tuple(first), tuple(second), model, template=template, progress=part(progress, 0.0, 0.1))
    labelled = labelled_states(other, model, progress=part(progress, 0.1, 0.1))
    vectors, groups = read.states[layer].astype(np.float64), read.second
    fitted = {each: fit_eraser(vectors, groups, method=each, rounds=rounds) for each in ERASURES}
    controls = {
        count: _random(vectors, count, draws, seed) for count in sorted({each.count for each in fitted.values()})
    }
    few = min(draws, COST_DRAWS)
    every = [*fitted.values(), *(each for drawn in controls.values() for each in drawn[:few])]
    text_read = held_out_text(read.items, model, seed=seed)
    answers, stays = _answers(text, model, fitted[method], controls[fitted[method].count], layer, k)
    changed = text_costs(text_read, model, changes=every, layer=layer, progress=part(progress, 0.2, 0.4))
    probes = probes_after(labelled, changes=[same, *every], layer=layer, seed=seed, progress=part(progress, 0.6, 0.2))
    far = moved(vectors, every)

    def row(
        name: str,
        count: int,
        found: Array,
        chance: Array | None,
        columns: slice,
        controls: slice = slice(0),
        lowest: float = np.nan,
    ) -> tuple[str | float, ...]:
        """Return the row of a method, or of a control as a mean, whose erasers are these of `every`.

        With `chance`, what is found after random directions, and `controls`, theirs of `every`: next to its control.
        `lowest`: the accuracy after the strongest draw of a control.
        """
        own = far[columns]
        after = probes[1:][columns].mean(axis=0) if len(own) else probes[0]
        cost = changed[:, columns].mean(axis=1) if len(own) else np.zeros(len(changed))
        difference = cost_difference = other_difference = (np.nan,) * 3
        if chance is not None:
            difference = interval((found - chance)[:, 0], seed=seed)
            cost_difference = interval(cost - changed[:, controls].mean(axis=1), text_read.of.tolist(), seed=seed)
            other_difference = interval(after - probes[1:][controls].mean(axis=0), labelled.words, seed=seed)
        return (
            *(name, count, *accuracy(found[:, 0]), *difference, float(found[:, 1].mean())),
            float(own.mean()) if len(own) else 0.0,
            *interval(cost, text_read.of.tolist(), seed=seed),
            *cost_difference,
            *interval(after, labelled.words, seed=seed),
            *interval(after - probes[0], labelled.words, seed=seed),
            *other_difference,
            lowest,
        )

    rows = [row(NONE, 0, left_over(vectors, groups, None, rounds=rounds, seed=seed), None, slice(0))]
    at = len(fitted)
    for number, (count, drawn) in enumerate(controls.items()):
        random = slice(at, at + few)
        left = np.array([left_over(vectors, groups, each, rounds=rounds, seed=seed) for each in drawn])
        chance, lowest = left.mean(axis=0), float(left[:, :, 0].mean(axis=1).min())
        for index, (name, eraser) in enumerate(fitted.items()):
            if eraser.count == count:
                found = left_over(vectors, groups, name, rounds=rounds, seed=seed)
                rows.append(row(name, count, found, chance, slice(index, index + 1), random))
        rows.append(row(random_name(count), count, chance, None, random, lowest=lowest))
        at += few
        progress(0.8 + 0.2 * (number + 1) / len(controls))
    labels = np.unique(labelled.labels, return_counts=True)[1]
    return Erased(
        read.names,
        layer,
        method,
        pd.DataFrame(rows, columns=list(_COLUMNS)),
        answers,
        stays,
        draws,
        float(max(groups.mean(), 1 - groups.mean())),
        other,
        float(labels.max() / labels.sum()),
        len(text_read.sentences),
        len(text_read.of),
        text_read.seen,
        read.kind,
    )


def effort(
    first: Sequence[str], second: Sequence[str], model: "EmbeddingModel", *, draws: int = 5, rounds: int = 10
) -> float:
    """Return about how many seconds `erase` takes."""
    count = len(first) + len(second)
    changes = len(ERASURES) + 2 * min(draws, COST_DRAWS) + 1
    pieces = tokens_of((*first, *second), model) + 17 * SENTENCES * changes
    fits = 12 * (len(ERASURES) + 2 * draws) + 3 * rounds
    other = changes * model.dimensions * 2e-4
    return seconds(pieces, model) + fits * count * 1e-4 + other


def _answers(
    text: str, model: "EmbeddingModel", eraser: Eraser, drawn: Sequence[Eraser], layer: int, k: int
) -> tuple[pd.DataFrame, int]:
    """Return the answers before and after, next to their means over the draws; in how many the top answer stays."""
    (states,) = masks_after([text], model, changes=[same, eraser, *drawn], layer=layer)
    before, after, *random = probabilities(model.logits(states))
    stays = sum(int(each.argmax()) == int(before.argmax()) for each in random)
    return top_union({BEFORE: before, AFTER: after, RANDOM: np.mean(random, axis=0)}, model, k=k), stays


def _random(vectors: Array, count: int, draws: int, seed: int) -> list[Eraser]:
    """Return erasers that remove this number of random directions each."""
    random = generator(seed, count)
    return [random_eraser(vectors, count=count, random=random) for _ in range(draws)]
