"""A concept erased from the hidden states of one layer, chosen by the visitor or by half of the items."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.concepts.effects import SENTENCES, held_out_text, masks_after, same, text_costs
from embtools.concepts.erased import AFTER, BEFORE, NONE, RANDOM, Erased, Sweep, random_name
from embtools.concepts.groups import TEMPLATE, group_states, tokens_of
from embtools.concepts.left_over import (
    PART_OF_SPEECH,
    Property,
    accuracy,
    check_property,
    halves,
    labelled_states,
    left_over,
    probes_after,
    right_in_folds,
)
from embtools.limits import check_layer, within
from embtools.mask_filling.answers import best_answer, top_union
from embtools.mask_filling.forward import probabilities
from embtools.messages import quoted
from embtools.progress import Progress, part, silent, through
from embtools.spaces.erasers import ERASURES, LEACE, Eraser, Erasure, fit_eraser, moved, random_eraser
from embtools.spaces.two_groups import Groups
from embtools.statistics.intervals import interval
from embtools.statistics.probe import FOLDS
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
    first, second, model, layer
        As in `find_direction`.
    text : str
        A sentence with a mask.
    template
        As in `find_direction`.
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
    progress
        As in `find_direction`.

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
    check_layer(layer, model.layers)
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
        """Return the row of a method, or of a control as a mean, with the erasers `columns` of `every`, next to its
        control (`chance`, `controls`); `lowest`: the accuracy after a control's strongest draw.
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
    stays = int((best_answer(np.array(random), model) == best_answer(before, model)).sum())
    return top_union({BEFORE: before, AFTER: after, RANDOM: np.mean(random, axis=0)}, model, k=k), stays


def _random(vectors: Array, count: int, draws: int, seed: int) -> list[Eraser]:
    """Return erasers that remove this number of random directions each."""
    random = generator(seed, count)
    return [random_eraser(vectors, count=count, random=random) for _ in range(draws)]


SWEEP_LEAST = 4 * FOLDS  # items per group: each half is divided again, and its parts need an item for every fold


def sweep(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    template: str = TEMPLATE,
    rounds: int = 10,
    draws: int = 5,
    seed: int = 0,
    progress: Progress = silent,
) -> Sweep:
    """Erase the difference of two groups in every layer with every method, choose one on half of the items, test it.

    The items and the sentences of a held-out text are divided into two halves. On the first half, each layer and method
    is judged as in `erase`: an eraser is fitted on one part of the half, and a new classifier is trained and tested on
    the other part. Of those with the lowest accuracy, the one with the smallest cost is chosen. Its eraser is then
    fitted on the whole first half, and reported on the second half, next to the same number of random directions.

    Parameters
    ----------
    first, second, model, template
        As in `find_direction`, but at least 20 items per group.
    rounds
        As in `erase`.
    draws : int, default 5
        Number of draws of random directions.
    seed : int, default 0
        Seed of halves, folds, the text, its masks and random directions.
    progress
        As in `find_direction`.

    Returns
    -------
    Sweep

    Raises
    ------
    ValueError
        For fewer than 20 items in a group, numbers out of range, and as `erase` does for the groups and the template.
    """
    within(draws, MAX_DRAWS, "draws")
    _check_size(first, second)
    read = group_states(tuple(first), tuple(second), model, template=template, progress=part(progress, 0.0, 0.1))
    text = held_out_text(read.items, model, seed=seed)
    parts = text.half(0), text.half(1)
    choosing, testing = halves(read.second, seed=seed)
    groups, rows = read.second[choosing], []
    for layer in through(range(model.layers + 1), part(progress, 0.1, 0.8)):
        vectors = read.states[layer].astype(np.float64)[choosing]
        before = float(left_over(vectors, groups, None, rounds=rounds, seed=seed)[:, 0].mean())
        fitted = [fit_eraser(vectors, groups, method=method, rounds=rounds) for method in ERASURES]
        costs = text_costs(parts[0], model, changes=fitted, layer=layer).mean(axis=0)
        for method, cost in zip(ERASURES, costs, strict=True):
            after = float(left_over(vectors, groups, method, rounds=rounds, seed=seed)[:, 0].mean())
            rows.append((layer, method, before, after, float(cost)))
    choices = pd.DataFrame(rows, columns=["layer", "method", "accuracy_before", "accuracy", "cost"])
    number, limit = choose(choices, guess=_guess(groups), count=len(groups))
    choices["chosen"] = np.arange(len(choices)) == number
    layer, method = int(choices["layer"][number]), ERASURES[number % len(ERASURES)]
    vectors, second_half = read.states[layer].astype(np.float64), read.second[testing]
    eraser = fit_eraser(vectors[choosing], groups, method=method, rounds=rounds)
    random = generator(seed, eraser.count)
    drawn = [random_eraser(vectors[choosing], count=eraser.count, random=random) for _ in range(draws)]
    lost = text_costs(parts[1], model, changes=[eraser, *drawn], layer=layer, progress=part(progress, 0.9, 0.1))
    right = np.array([right_in_folds(change(vectors[testing]), second_half, seed=seed) for change in (eraser, *drawn)])
    return Sweep(
        read.names,
        layer,
        method,
        choices,
        limit,
        _reported(
            (NONE, method, random_name(eraser.count)),
            (right_in_folds(vectors[testing], second_half, seed=seed), right[0], right[1:].mean(axis=0)),
            (np.zeros(len(lost)), lost[:, 0], lost[:, 1:].mean(axis=1)),
            parts[1].of.tolist(),
            seed,
        ).assign(accuracy_lowest=[np.nan, np.nan, right[1:].mean(axis=1).min()]),
        _guess(second_half),
        (int(choosing.sum()), int(testing.sum())),
        (len(parts[0].of), len(lost)),
        (len(parts[0].sentences), len(parts[1].sentences)),
        (parts[0].seen, parts[1].seen),
        draws,
        read.kind,
    )


def choose(choices: pd.DataFrame, *, guess: float, count: int) -> tuple[int, float]:
    """Return the row of the smallest cost among those of the lowest accuracy after (at least guessing), and this limit;
    rows with at most a standard error above guessing before count only if there are no others.

    >>> rows = pd.DataFrame({"accuracy_before": 0.9, "accuracy": [0.5, 0.45, 0.8], "cost": [-0.3, -0.1, 0.0]})
    >>> choose(rows, guess=0.5, count=25)
    (1, 0.5)
    """
    within(count, 1_000_000, "items")
    if choices.empty:
        raise ValueError("There is nothing to choose from. Give at least one layer and method.")
    something = choices["accuracy_before"] > guess + np.sqrt(guess * (1 - guess) / count)
    able = choices[something] if something.any() else choices
    limit = max(float(able["accuracy"].min()), guess)
    return int(able.loc[able["accuracy"] <= limit, "cost"].idxmax()), limit


def sweep_effort(
    first: Sequence[str], second: Sequence[str], model: "EmbeddingModel", *, draws: int = 5, rounds: int = 10
) -> float:
    """Return about how many seconds `sweep` takes."""
    _check_size(first, second)
    count, layers = len(first) + len(second), model.layers + 1
    read = 17 * (SENTENCES // 2)  # tokens of one half of the text
    pieces = tokens_of((*first, *second), model) + read * (layers * (len(ERASURES) + 1) + draws + 2)
    fits = layers * (12 * (len(ERASURES) + 1) + 3 * rounds) + 5 * (draws + 2)
    return seconds(pieces, model) + fits * (4.5e-3 + count * 3e-5)


def _check_size(first: Sequence[str], second: Sequence[str]) -> None:
    if (count := min(len(first), len(second))) < SWEEP_LEAST:
        raise ValueError(
            f"One of the groups has {count} items. To choose layer and method on one half, use at least {SWEEP_LEAST}."
        )


def _guess(second: Groups) -> float:
    return float(max(second.mean(), 1 - second.mean()))


def _reported(
    names: Sequence[str], right: Sequence[Array], lost: Sequence[Array], of: Sequence[int], seed: int
) -> pd.DataFrame:
    """Return the rows of nothing, the chosen method and random directions, from what is right and what is lost."""
    rows = []
    for number, (name, found, cost) in enumerate(zip(names, right, lost, strict=True)):
        difference = interval(found - right[2], seed=seed) if number == 1 else (np.nan,) * 3
        rows.append((name, *accuracy(found), *difference, *interval(cost, of, seed=seed)))
    columns = [f"{name}{end}" for name in ("accuracy", "difference", "cost") for end in ("", "_low", "_high")]
    return pd.DataFrame(rows, columns=["method", *columns])
