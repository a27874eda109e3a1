"""Layer and method of an erasure, chosen on one half of the items and reported on the other half."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.directions.erased import NONE, random_name
from embtools.directions.erasing import MAX_DRAWS
from embtools.directions.groups import FOLDS, TEMPLATE, group_states, tokens_of
from embtools.directions.held_out_text import SENTENCES, held_out_text, text_costs
from embtools.directions.new_classifier import accuracy, halves, left_over, right_in_folds
from embtools.directions.sweep_result import Sweep
from embtools.limits import within
from embtools.progress import Progress, part, silent, through
from embtools.spaces.erasers import ERASURES, fit_eraser, random_eraser
from embtools.spaces.two_groups import Groups
from embtools.statistics.intervals import interval
from embtools.vectors import Array
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LEAST = 4 * FOLDS  # items per group: each half is divided again, and its parts need an item for every fold


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
    first, second : sequence of str
        The words of both groups, 20 to 150 each; or sentences, with the template "{word}".
    model : EmbeddingModel
    template : str, default "This is {word}."
        The sentence in which each word is read. "{word}" alone reads each item as it is.
    rounds : int, default 10
        Number of classifiers of INLP.
    draws : int, default 5
        Number of draws of random directions.
    seed : int, default 0
        Seed of halves, folds, the text, its masks and random directions.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Sweep

    Raises
    ------
    ValueError
        For fewer than 20 items in a group, numbers out of range, and as `erase` does for the groups and the template.
    """
    within(draws, MAX_DRAWS, "draws")
    _check(first, second)
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
    """Return the row that is chosen, and the accuracy up to which a row can be chosen.

    Only rows in which a classifier finds something before count: more than one standard error above guessing (if there
    are none, all rows). Of those with the lowest accuracy after, the one with the smallest cost is chosen. An accuracy
    below guessing counts as guessing.

    Examples
    --------
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


def effort(
    first: Sequence[str], second: Sequence[str], model: "EmbeddingModel", *, draws: int = 5, rounds: int = 10
) -> float:
    """Return about how many seconds `sweep` takes."""
    _check(first, second)
    count, layers = len(first) + len(second), model.layers + 1
    read = 17 * (SENTENCES // 2)  # tokens of one half of the text
    pieces = tokens_of((*first, *second), model) + read * (layers * (len(ERASURES) + 1) + draws + 2)
    fits = layers * (12 * (len(ERASURES) + 1) + 3 * rounds) + 5 * (draws + 2)
    return seconds(pieces, model) + fits * (4.5e-3 + count * 3e-5)


def _check(first: Sequence[str], second: Sequence[str]) -> None:
    if (count := min(len(first), len(second))) < LEAST:
        raise ValueError(
            f"One of the groups has {count} items. To choose layer and method on one half, use at least {LEAST}."
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
