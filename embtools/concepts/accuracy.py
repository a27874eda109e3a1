"""Accuracy of probes next to guessing and random labels: by layer combination, label and number of training items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.concepts.items import Items
from embtools.concepts.probes import Features
from embtools.drawing import Displayed
from embtools.limits import enough, same_count
from embtools.progress import Progress, silent, through
from embtools.statistics.intervals import draws, wilson
from embtools.statistics.percentages import rate_text, rounded
from embtools.statistics.probe import DIVISIONS, FOLDS, NEVER, STRENGTH, Splits, held_out, random_labels, split
from embtools.vectors import Array

_ROUNDS = 1_000
MEASURES = ("accuracy", "control", "selectivity")


@dataclass(frozen=True)
class Accuracy:
    """The accuracy of probes on r layer combinations, for n items of k labels.

    table          frame: combination, and accuracy, control, selectivity (their difference), each with a 95% interval
                   (…_low, …_high) over the words, or over the sentences of items without a word
    probabilities  combination → (n, k) of the sorted labels, for each item from probes that were not trained on it:
                   means over the divisions
    right          combination → (n,) in which share of the divisions each item is predicted correctly
    labels         the k labels, sorted
    baseline       accuracy of guessing: always the most frequent label
    types          how many different words (or sentences) there are
    equal          the combinations that cannot be distinguished from the best one, itself included: `not_distinguished`
    best_held_out  accuracy with its 95% interval (mean, low, high) if the best combination is chosen again in each
                   resample (`chosen_again`), because the highest of several accuracies overestimates the true one
    """

    table: pd.DataFrame
    probabilities: dict[str, Array]
    right: dict[str, Array]
    labels: tuple[str, ...]
    baseline: float
    types: int
    equal: tuple[str, ...]
    best_held_out: tuple[float, float, float]

    @property
    def best(self) -> str:
        """The layer combination of the highest accuracy; the first on ties."""
        return str(self.table.loc[self.table["accuracy"].idxmax(), "combination"])


@dataclass(frozen=True)
class Combinations(Displayed):
    """The accuracy of a probe on each layer and on each combination of several layers.

    table       frame: `Accuracy.table`
    baseline    accuracy of guessing
    equal       the combinations that cannot be distinguished from the best one, itself included
    """

    table: pd.DataFrame
    baseline: float
    equal: tuple[str, ...]

    @property
    def headline(self) -> str:
        """The combination of the highest accuracy, and how many others cannot be distinguished from it."""
        best = self.table.loc[self.table["accuracy"].idxmax()]
        count, others = len(self.table), len(self.table) - 1
        lowest = self.table.set_index("combination").loc[list(self.equal), "accuracy"].min()
        if len(self.equal) == 1:
            name, rest = str(best["combination"]), "The other one is" if others == 1 else f"All {others} others are"
            return (
                f"{name[0].upper()}{name[1:]} has the highest accuracy, {rounded(best['accuracy'], 1)}. {rest}"
                " significantly lower."
            )
        many = f"All {count}" if len(self.equal) == count else f"{len(self.equal)} of the {count}"
        which = f"{many} layer combinations cannot be distinguished"
        least, most = rounded(lowest, 1), rounded(best["accuracy"], 1)
        if lowest == best["accuracy"]:
            return f"{which}: they have the same accuracy, {most}."
        return f"{which}: their accuracies are {least} to {most} (highest: {best['combination']})."


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
    """Return the accuracy of probes over five folds (the mean of `DIVISIONS` divisions), and of the same probes on
    random labels (Hewitt & Liang 2019).
    """
    enough(items, "items", least=FOLDS)
    enough(combinations, "layer combinations")
    types = [item.type for item in items]
    (labels, own), (control, (other,)) = _labels_and_divisions(items, folding, seed)
    probabilities, right, values = {}, {}, []
    for combination in through(combinations, progress):
        vectors = features.of(combination)
        each = [held_out(vectors, labels, splits, strength=strength) for splits in own]
        probabilities[combination] = np.mean(each, axis=0)
        right[combination] = np.mean([is_right(found, labels) for found in each], axis=0)
        chance = is_right(held_out(vectors, control, other, strength=strength), control)
        values.append((right[combination], chance, right[combination] - chance))
    table = pd.DataFrame({"combination": list(combinations)})
    for number, name in enumerate(MEASURES):
        mean, low, high = intervals(np.array(values)[:, number].T, types, seed=seed)
        table[name], table[f"{name}_low"], table[f"{name}_high"] = mean, low, high
    shares = pd.Series(labels).value_counts(normalize=True)
    return Accuracy(
        table,
        probabilities,
        right,
        tuple(sorted(set(labels))),
        float(shares.max()),
        len(set(types)),
        not_distinguished(right, types, seed=seed),
        chosen_again(right, types, seed=seed),
    )


def _labels_and_divisions(items: Items, folding: str, seed: int) -> tuple[tuple[list[str], list[Splits]], ...]:
    """Return the true labels with `DIVISIONS` divisions into folds, and random labels with one."""
    labels, types = [item.label for item in items], [item.type for item in items]
    return tuple(
        (given, [split(given, types, folding=folding, seed=seed + number) for number in range(divisions)])
        for given, divisions in ((labels, DIVISIONS), (random_labels(labels, types, seed=seed), 1))
    )


def chosen_again(right: Mapping[str, Array], types: Sequence[str], *, seed: int = 0) -> tuple[float, float, float]:
    """Return the accuracy of the best layer combination with its 95% interval: in each resample of the types, the best
    is chosen and measured on types that were not drawn (Tsamardinos et al. 2018, doi:10.1007/s10994-018-5714-4).
    """
    enough(right, "layer combinations")
    values = np.array(list(right.values()))
    same_count(values=values[0], types=types)
    if len(values) == 1 or len(set(types)) == 1:
        mean, *ends = intervals(values[values.mean(1).argmax()][:, None], types, seed=seed)
        return float(mean[0]), float(ends[0][0]), float(ends[1][0])
    weights = _weights(types, seed)
    weights = weights[(weights == 0).any(1)]
    drawn = _means(weights, values)
    best = (drawn >= drawn.max(1, keepdims=True) - 1e-9).astype(float)
    found = (_means((weights == 0).astype(float), values) * best).sum(1) / best.sum(1)
    low, high = np.quantile(found, [0.025, 0.975])
    if found.min() == found.max() and found[0] in (0, 1):
        low, high = wilson(int(found[0]) * len(set(types)), len(set(types)))
    return float(found.mean()), float(low), float(high)


def not_distinguished(right: Mapping[str, Array], types: Sequence[str], *, seed: int = 0) -> tuple[str, ...]:
    """Return the combinations that cannot be distinguished from that of the highest accuracy, itself included; all
    pairs are compared at once (95%), because the best one is chosen among all.
    """
    enough(right, "layer combinations")
    names, values = list(right), np.array(list(right.values()))
    same_count(values=values[0], types=types)
    means, best = values.mean(1), int(values.mean(1).argmax())
    drawn = _means(_weights(types, seed), values)
    off = (drawn[:, :, None] - drawn[:, None]) - (means[:, None] - means)
    error = off.std(0)
    differ = error > 1e-9
    units = np.abs(off) / np.where(differ, error, 1.0) * differ
    limit = np.quantile(units.max((1, 2)), 0.95)
    return tuple(name for i, name in enumerate(names) if means[best] - means[i] <= limit * error[best, i] + 1e-9)


def is_right(probabilities: Array, labels: Sequence[str]) -> Array:
    """Return 1 where the most probable of the sorted labels is the given one, else 0: (n,).

    >>> is_right(np.array([[0.9, 0.1], [0.6, 0.4]]), ["a", "b"])
    array([1., 0.])
    """
    same_count(probabilities=probabilities, labels=labels)
    names = np.unique(labels)
    return (names[probabilities.argmax(1)] == np.asarray(labels)).astype(float)


def intervals(values: Array, types: Sequence[str], *, seed: int = 0) -> tuple[Array, Array, Array]:
    """Return means of values (n, m) with their 95% bootstrap intervals over types: mean, low, high, each (m,); Wilson's
    if all items are right or all are wrong, because resamples then do not differ.
    """
    enough(types, "words")
    same_count(values=values, words=types)
    low, high = np.quantile(_means(_weights(types, seed), values.T), [0.025, 0.975], axis=0)
    count = len(set(types))
    for column in np.flatnonzero((values == values[0]).all(0) & np.isin(values[0], (0, 1))):
        low[column], high[column] = wilson(int(values[0, column]) * count, count)
    return values.mean(0), low, high


def _weights(types: Sequence[str], seed: int) -> Array:
    """Return how often each item is in each resample of the types, (rounds, n)."""
    codes, found = pd.factorize(np.asarray(types, object))
    return np.asarray(draws(len(found), _ROUNDS, generator(seed))[:, codes], float)


def _means(weights: Array, values: Array) -> Array:
    """Return the weighted means of values (m, n) in each round, (rounds, m)."""
    return np.asarray(weights @ values.T / weights.sum(1, keepdims=True))


@dataclass(frozen=True)
class Scores(Displayed):
    """What a probe on one layer got right and wrong.

    layer       the layer
    confusion   frame of `confusion`
    per_label   frame of `per_label`, rounded
    mistakes    frame of `mistakes`
    """

    layer: int
    confusion: pd.DataFrame
    per_label: pd.DataFrame
    mistakes: pd.DataFrame

    @property
    def headline(self) -> str:
        """The number of mistakes of the mean probabilities over the divisions into folds."""
        total = self.confusion["count"].sum()
        return f"A probe on layer {self.layer} gets {len(self.mistakes)} of {total} items wrong."


def confusion(labels: Sequence[str], probabilities: Array) -> pd.DataFrame:
    """Return how often each label was predicted for each true label."""
    enough(labels, "labels")
    same_count(labels=labels, probabilities=probabilities)
    from sklearn.metrics import confusion_matrix

    names = np.unique(labels)
    counts = confusion_matrix(labels, names[probabilities.argmax(1)], labels=names)
    rows = [(str(true), str(other), int(counts[i, j])) for i, true in enumerate(names) for j, other in enumerate(names)]
    return pd.DataFrame(rows, columns=["label", "predicted", "count"])


def per_label(labels: Sequence[str], probabilities: Array) -> pd.DataFrame:
    """Return precision (0 for a label that is never predicted), recall, F1 and the number of items of each label."""
    enough(labels, "labels")
    same_count(labels=labels, probabilities=probabilities)
    from sklearn.metrics import precision_recall_fscore_support

    names = np.unique(labels)
    predicted = names[probabilities.argmax(1)]
    columns = precision_recall_fscore_support(labels, predicted, labels=names, zero_division=0)
    return pd.DataFrame(dict(zip(("label", "precision", "recall", "f1", "items"), (names, *columns), strict=True)))


def mistakes(items: Items, probabilities: Array) -> pd.DataFrame:
    """Return the items that the probe got wrong, by descending probability of the predicted label."""
    same_count(items=items, probabilities=probabilities)
    labels = [item.label for item in items]
    names, highest = np.unique(labels), probabilities.max(1)
    predicted = names[probabilities.argmax(1)]
    rows = [
        (item.word, item.occurrence, item.label, str(predicted[n]), float(highest[n]), item.sentence)
        for n, item in enumerate(items)
        if predicted[n] != item.label
    ]
    frame = pd.DataFrame(rows, columns=["word", "occurrence", "label", "predicted", "probability", "sentence"])
    return frame.sort_values("probability", ascending=False, kind="stable", ignore_index=True)


SHARES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class LearningCurve(Displayed):
    """The accuracy of a probe by the number of training items.

    table       frame of `learning_curve`
    baseline    accuracy of guessing
    """

    table: pd.DataFrame
    baseline: float

    @property
    def headline(self) -> str:
        """The accuracy with the fewest and with the most training items."""
        few, most = self.table.iloc[0], self.table.iloc[-1]
        return (
            f"With {few['items']:.0f} training items the accuracy is {rate_text(few['accuracy'])}; with"
            f" {most['items']:.0f} it is {rate_text(most['accuracy'])}."
        )


def learning_curve(
    items: Items,
    vectors: Array,
    *,
    folding: str = NEVER,
    strength: float = STRENGTH,
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Return the accuracy on the same held-out items for probes trained on a share of each training fold's types; a
    larger share contains the smaller ones.
    """
    enough(items, "items", least=FOLDS)
    same_count(items=items, vectors=vectors)
    types = [item.type for item in items]
    both = _labels_and_divisions(items, folding, seed)
    rows, right = [], []
    for share in through(SHARES, progress):
        fewer = [[part(each, types, share, seed=seed) for each in divisions] for _, divisions in both]
        rows.append((share, float(np.mean([len(learn) for splits in fewer[0] for learn, _ in splits]))))
        found = [
            [is_right(held_out(vectors, labels, each, strength=strength), labels) for each in splits]
            for (labels, _), splits in zip(both, fewer, strict=True)
        ]
        right.append([np.mean(each, axis=0) for each in found])
    table = pd.DataFrame(rows, columns=["share", "items"])
    for number, name in enumerate(("accuracy", "control")):
        mean, low, high = intervals(np.array(right)[:, number].T, types, seed=seed)
        table[name], table[f"{name}_low"], table[f"{name}_high"] = mean, low, high
    return table


def part(splits: Splits, types: list[str], share: float, *, seed: int = 0) -> Splits:
    """Return the same folds with a random share of the types (at least two) for training; shares are nested."""
    if not 0 < share <= 1:
        raise ValueError(f"The share of the training items is {share}. Choose more than 0 and at most 1.")
    enough(types, "words", least=2)
    codes = np.unique(np.asarray(types, object).astype(str), return_inverse=True)[1]
    order = generator(seed).permutation(codes.max() + 1)
    position = np.argsort(order)[codes]  # of each item's type in that order
    result = []
    for learn, rest in splits:
        known = np.unique(position[learn])
        last = known[max(2, round(share * len(known))) - 1]
        result.append((learn[position[learn] <= last], rest))
    return tuple(result)
