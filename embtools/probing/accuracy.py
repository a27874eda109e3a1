"""How often a probe is right under each layer and recipe, beside the control task and the most frequent label."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.limits import enough, same_count
from embtools.probing.features import Features
from embtools.probing.items import Items
from embtools.probing.probe import FOLDS, NEVER, STRENGTH, held_out, random_labels, split
from embtools.progress import Progress, silent, through
from embtools.statistics.intervals import draws, wilson
from embtools.vectors import Array

_ROUNDS = 1_000
MEASURES = ("accuracy", "control", "selectivity")


@dataclass(frozen=True)
class Accuracy:
    """What probes of r recipes reach on n items of k labels.

    table          frame: recipe, and accuracy, control, selectivity (their difference), each with a 95% interval
                   (…_low, …_high) over the words, or over the sentences of items without a word
    probabilities  recipe → (n, k) of the sorted labels, for each item by a probe that has not learnt from it
    labels         the k labels, sorted
    baseline       how often the most frequent label is right
    types          how many different words (or sentences) there are
    """

    table: pd.DataFrame
    probabilities: dict[str, Array]
    labels: tuple[str, ...]
    baseline: float
    types: int

    @property
    def best(self) -> str:
        """The recipe of the highest accuracy; the first of equals."""
        return str(self.table.loc[self.table["accuracy"].idxmax(), "recipe"])


def measure(
    items: Items,
    features: Features,
    recipes: Sequence[str],
    *,
    folding: str = NEVER,
    strength: float = STRENGTH,
    seed: int = 0,
    progress: Progress = silent,
) -> Accuracy:
    """The accuracy of probes over five folds, and of the same probes on random labels (Hewitt & Liang 2019).

    Selectivity is the difference of the two; its interval is paired. The seed deals the folds, the random labels and
    the resamples. `progress` is told 0 … 1 and may raise to stop. Raises ValueError for another folding, strength or
    recipe.
    """
    enough(items, "items", least=FOLDS)
    enough(recipes, "layer combinations")
    labels, types = [item.label for item in items], [item.type for item in items]
    control = random_labels(labels, types, seed=seed)
    own, other = (split(given, types, folding, seed=seed) for given in (labels, control))
    probabilities, right = {}, []
    for recipe in through(recipes, progress):
        vectors = features.of(recipe)
        probabilities[recipe] = held_out(vectors, labels, own, strength)
        true = is_right(probabilities[recipe], labels)
        chance = is_right(held_out(vectors, control, other, strength), control)
        right.append((true, chance, true - chance))
    table = pd.DataFrame({"recipe": list(recipes)})
    values = np.array(right)  # (r, 3, n)
    for number, name in enumerate(MEASURES):
        mean, low, high = intervals(values[:, number].T, types, seed=seed)
        table[name], table[f"{name}_low"], table[f"{name}_high"] = mean, low, high
    shares = pd.Series(labels).value_counts(normalize=True)
    return Accuracy(table, probabilities, tuple(sorted(set(labels))), float(shares.max()), len(set(types)))


def is_right(probabilities: Array, labels: Sequence[str]) -> Array:
    """1 where the most probable of the sorted labels is the given one, else 0: (n,).

    >>> is_right(np.array([[0.9, 0.1], [0.6, 0.4]]), ["a", "b"])
    array([1., 0.])
    """
    same_count(probabilities=probabilities, labels=labels)
    names = np.unique(labels)
    return (names[probabilities.argmax(1)] == np.asarray(labels)).astype(float)


def intervals(values: Array, types: Sequence[str], *, seed: int = 0) -> tuple[Array, Array, Array]:
    """Means of values (n, m) with their 95% bootstrap intervals over types: mean, low, high, each (m,).

    All items of a type are drawn together, the same types for every column. Where all items are right, or all wrong,
    resamples know no doubt: there Wilson's interval stands, with the types as what was counted.
    """
    enough(types, "words")
    same_count(values=values, words=types)
    codes, found = pd.factorize(np.asarray(types, object))
    weights = draws(len(found), _ROUNDS, generator(seed))[:, codes].astype(float)
    means = weights @ values / weights.sum(1, keepdims=True)
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    for column in np.flatnonzero((values == values[0]).all(0) & np.isin(values[0], (0, 1))):
        low[column], high[column] = wilson(int(values[0, column]) * len(found), len(found))
    return values.mean(0), low, high
