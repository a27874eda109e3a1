"""Accuracy of probes on each layer combination, compared with guessing, and the control task as a check."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.limits import enough, same_count
from embtools.messages import counted
from embtools.probing.features import Features
from embtools.probing.items import Items
from embtools.progress import Progress, silent, through
from embtools.statistics.intervals import draws, wilson
from embtools.statistics.percentages import rounded
from embtools.statistics.probe import FOLDS, NEVER, STRENGTH, Splits, held_out, random_labels, split
from embtools.vectors import Array

_ROUNDS = 1_000
MEASURES = ("accuracy", "control", "selectivity")


@dataclass(frozen=True)
class Accuracy:
    """The accuracy of probes on r layer combinations, for n items of k labels.

    table          frame: combination, and accuracy, control, selectivity (their difference), each with a 95% interval
                   (…_low, …_high) over the words, or over the sentences of items without a word
    probabilities  combination → (n, k) of the sorted labels, for each item from a probe that was not trained on it
    labels         the k labels, sorted
    baseline       accuracy of guessing: always the most frequent label
    types          how many different words (or sentences) there are
    best_held_out  accuracy with its 95% interval (mean, low, high) if the best combination is chosen on the other folds
                   for each fold, because the highest of several accuracies overestimates the true one on average
    """

    table: pd.DataFrame
    probabilities: dict[str, Array]
    labels: tuple[str, ...]
    baseline: float
    types: int
    best_held_out: tuple[float, float, float]

    @property
    def best(self) -> str:
        """The layer combination of the highest accuracy; the first on ties."""
        return str(self.table.loc[self.table["accuracy"].idxmax(), "combination"])

    @property
    def ties(self) -> int:
        """How many other layer combinations have the highest accuracy too."""
        return _ties(self.table)


@dataclass(frozen=True)
class Combinations:
    """The accuracy of a probe on each layer and on each combination of several layers.

    table       frame: `Accuracy.table`
    baseline    accuracy of guessing
    as_good     the combinations that may be as good as the one of the highest accuracy
    """

    table: pd.DataFrame
    baseline: float
    as_good: tuple[str, ...]

    @property
    def headline(self) -> str:
        """The combination of the highest accuracy, and how many others may be as good."""
        best = self.table.loc[self.table["accuracy"].idxmax()]
        ties, others = _ties(self.table), len(self.table) - 1
        if ties and ties == others:
            return f"All {ties + 1} layer combinations have the same accuracy, {rounded(best['accuracy'], 1)}."
        also = f" and {counted(ties, 'other combination')}" if ties else ""
        text = f"The highest accuracy is {rounded(best['accuracy'], 1)} ({best['combination']}{also})"
        good = len([name for name in self.as_good if not ties or self._accuracy(name) < best["accuracy"]])
        if others - ties == 1:
            last = ", but the remaining one may be as good" if good else ". The remaining one is significantly lower"
            return f"{text}{last}."
        rest = f"{others - ties} remaining combinations" if ties else f"{others} other layer combinations"
        if not good:
            return f"{text}. All {rest} are significantly lower."
        return f"{text}, but {good} of the {rest} may be as good."

    def _accuracy(self, combination: str) -> float:
        return float(self.table.set_index("combination").loc[combination, "accuracy"])


def measure(
    items: Items,
    features: Features,
    combinations: Sequence[str],
    *,
    folding: str = NEVER,
    strength: float = STRENGTH,
    seed: int = 0,
    progress: Progress = silent,
) -> Accuracy:
    """Return the accuracy of probes over five folds, and of the same probes on random labels (Hewitt & Liang 2019).

    Selectivity is the difference of the two; its interval is paired.

    Parameters
    ----------
    items : tuple of Item
        n items.
    features : Features
        From `read_features`.
    combinations : sequence of str
        Layer combinations of the features.
    folding : str, optional
        Which items must be in the same fold.
    strength : float, optional
        Strength of the regularisation, above 0.
    seed : int, default 0
        Seed of the folds, the random labels and the resamples.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Accuracy
        Accuracy and selectivity (0 … 1) by layer combination, and the probabilities of the labels.

    Raises
    ------
    ValueError
        For an unknown folding or layer combination, and for a strength that is not above 0.
    """
    enough(items, "items", least=FOLDS)
    enough(combinations, "layer combinations")
    labels, types = [item.label for item in items], [item.type for item in items]
    control = random_labels(labels, types, seed=seed)
    own, other = (split(given, types, folding=folding, seed=seed) for given in (labels, control))
    probabilities, right = {}, []
    for combination in through(combinations, progress):
        vectors = features.of(combination)
        probabilities[combination] = held_out(vectors, labels, own, strength=strength)
        true = is_right(probabilities[combination], labels)
        chance = is_right(held_out(vectors, control, other, strength=strength), control)
        right.append((true, chance, true - chance))
    table = pd.DataFrame({"combination": list(combinations)})
    values = np.array(right)  # (r, 3, n)
    for number, name in enumerate(MEASURES):
        mean, low, high = intervals(values[:, number].T, types, seed=seed)
        table[name], table[f"{name}_low"], table[f"{name}_high"] = mean, low, high
    shares = pd.Series(labels).value_counts(normalize=True)
    mean, low, high = intervals(selected(values[:, 0], own)[:, None], types, seed=seed)
    return Accuracy(
        table,
        probabilities,
        tuple(sorted(set(labels))),
        float(shares.max()),
        len(set(types)),
        (float(mean[0]), float(low[0]), float(high[0])),
    )


def selected(right: Array, splits: Splits) -> Array:
    """Return whether each item is right (n,) if its fold uses the layer combination that is best on the other folds.

    right: (r, n), 1 if a probe that was not trained on the item is right. Choosing among held-out predictions in this
    way corrects the optimism of the best of several (Tsamardinos et al. 2018, doi:10.1007/s10994-018-5714-4).

    >>> selected(np.array([[1, 0, 1, 1], [1, 1, 0, 0]]), [([2, 3], [0, 1]), ([0, 1], [2, 3])])
    array([1., 0., 0., 0.])
    """
    result = np.empty(right.shape[1])
    for learn, rest in splits:
        result[rest] = right[right[:, learn].mean(1).argmax(), rest]
    return result


def as_good(items: Items, probabilities: Mapping[str, Array], *, seed: int = 0) -> tuple[str, ...]:
    """Return the layer combinations that may be as good as the one of the highest accuracy.

    They are those for which the 95% bootstrap interval of the difference, on the same items, includes 0.

    Parameters
    ----------
    items : tuple of Item
        n items.
    probabilities : mapping
        Layer combination → (n, k) probabilities of the labels, as in `Accuracy`.
    seed : int, default 0
        Seed of the random draws.

    Returns
    -------
    tuple of str
    """
    checked_seed(seed)
    enough(items, "items")
    enough(probabilities, "layer combinations")
    labels, types = [item.label for item in items], [item.type for item in items]
    names = list(probabilities)
    right = np.array([is_right(probabilities[name], labels) for name in names])
    best = int(right.mean(1).argmax())
    _, low, _ = intervals((right[best] - right).T, types, seed=seed)
    return tuple(name for i, name in enumerate(names) if i != best and low[i] <= 0)


def is_right(probabilities: Array, labels: Sequence[str]) -> Array:
    """Return 1 where the most probable of the sorted labels is the given one, else 0: (n,).

    >>> is_right(np.array([[0.9, 0.1], [0.6, 0.4]]), ["a", "b"])
    array([1., 0.])
    """
    same_count(probabilities=probabilities, labels=labels)
    names = np.unique(labels)
    return (names[probabilities.argmax(1)] == np.asarray(labels)).astype(float)


def intervals(values: Array, types: Sequence[str], *, seed: int = 0) -> tuple[Array, Array, Array]:
    """Return means of values (n, m) with their 95% bootstrap intervals over types: mean, low, high, each (m,).

    All items of a type are resampled together, with the same types for every column. If all items are right, or all
    are wrong, resamples do not differ, so Wilson's interval over types is returned.
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


def _ties(table: pd.DataFrame) -> int:
    return int((table["accuracy"] == table["accuracy"].max()).sum()) - 1
