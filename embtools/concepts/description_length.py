"""Description length of labels: they are sent in portions, each coded by a probe trained on the portions before."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator, seeds
from embtools.concepts.items import Items
from embtools.concepts.layer_probes import LayerProbes, named, probe_layers
from embtools.concepts.probes import Features, Probes
from embtools.drawing import Displayed
from embtools.limits import enough, same_count, within
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.progress import Progress, part, silent, through
from embtools.statistics.probe import FOLDINGS, NEVER, STRENGTH, fit, random_labels
from embtools.vectors import Array, check_finite

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

FRACTIONS = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.0625, 0.125, 0.25, 0.5, 1.0)
"""The fractions of the items at which the portions of the article end."""


def portions(units: int, labels: int) -> tuple[int, ...]:
    """Return the number of units at the end of each portion (`FRACTIONS`); those with fewer units than labels become
    one with the first that has as many, because a probe can learn nothing from them.

    >>> portions(120, 4)
    (4, 8, 15, 30, 60, 120)
    """
    within(units, 1_000_000, "units")
    within(labels, 1_000_000, "labels")
    ends = {int(np.floor(units * fraction + 0.5)) for fraction in FRACTIONS}
    return tuple(sorted(end for end in ends if end >= min(units, labels)))


def shuffled(
    types: Sequence[str], *, folding: str = NEVER, labels: int = 2, seed: int = 0
) -> tuple[NDArray[np.intp], tuple[int, ...]]:
    """Return a random order of n items (their rows) and the number of items at the end of each portion; with "never
    seen", a type is not divided, so that a probe codes only words that it was not trained on.

    >>> order, ends = shuffled(["a", "a", "b", "c"], labels=2)
    >>> order.tolist(), ends
    ([2, 3, 0, 1], (2, 4))
    """
    enough(types, "items")
    if folding not in FOLDINGS:
        raise ValueError(f"There is no folding {quoted(folding)}. Choose one of: {', '.join(FOLDINGS)}.")
    names = np.asarray(types, object).astype(str) if folding == NEVER else np.arange(len(types))
    codes = np.unique(names, return_inverse=True)[1]
    rank = generator(seed, 1).permutation(codes.max() + 1)[codes]  # of each item's unit in the order
    order = np.argsort(rank, kind="stable")
    ends = np.searchsorted(rank[order], portions(int(codes.max()) + 1, labels))
    return order, tuple(int(end) for end in ends)


def online_bits(
    vectors: Array, labels: Sequence[str], ends: Sequence[int], *, choices: int, strength: float = STRENGTH
) -> Array:
    """Return the bits of each portion of labels (p,): the first with log2(choices) per label, the rest by a probe
    (Voita & Titov 2020, https://aclanthology.org/2020.emnlp-main.14/, section 3.2).
    """
    from sklearn.preprocessing import StandardScaler

    same_count(vectors=vectors, labels=labels)
    given = _checked(labels, ends, choices)
    check_finite(vectors)
    # Together, because the receiver has all vectors: on the scale of a small first portion, a probe would give some
    # labels a probability of almost 0.
    scaled = StandardScaler().fit_transform(np.asarray(vectors, np.float64))
    bits = [ends[0] * np.log2(choices)]
    for start, end in pairwise(ends):
        probe = fit(scaled[:start], given[:start].tolist(), strength=strength, standardise=False)
        known = np.asarray(probe.classes_).astype(str)
        probabilities = probe.predict_proba(scaled[start:end])
        bits.append(_bits(given[start:end], known, probabilities, start, choices))
    return np.array(bits)


def frequency_bits(labels: Sequence[str], ends: Sequence[int], *, choices: int) -> Array:
    """Return the bits of each portion of labels (p,) without vectors: the probability of a label is (count + 1) / (m +
    choices) after m labels (Laplace).

    >>> frequency_bits(["a", "b", "a", "a"], (2, 4), choices=2).round(2).tolist()
    [2.0, 2.0]
    """
    given = _checked(labels, ends, choices)
    bits = [ends[0] * np.log2(choices)]
    for start, end in pairwise(ends):
        counts = (given[start:end, None] == given[:start]).sum(1)
        bits.append(-np.log2((counts + 1) / (start + choices)).sum())
    return np.array(bits)


def _checked(labels: Sequence[str], ends: Sequence[int], choices: int) -> NDArray[np.str_]:
    """Return the labels as an array if they can be sent in these portions."""
    enough(labels, "labels")
    enough(ends, "portions")
    if list(ends) != sorted(set(ends)) or ends[0] < 1 or ends[-1] != len(labels):
        raise ValueError(f"The portions must rise to the number of labels, {len(labels)}. Use `shuffled` to make them.")
    if len(set(labels)) > choices:
        raise ValueError(
            f"There are {len(set(labels))} different labels, but only {choices} choices. Give more choices."
        )
    return np.asarray(labels).astype(str)


def _bits(sent: NDArray[np.str_], known: NDArray[np.str_], probabilities: Array, before: int, choices: int) -> float:
    """Return the bits of a portion after `before` labels, given a probe's probabilities of the known labels."""
    # A label that has not been sent yet gets 1 / (before + new), so that every label can be coded.
    new = choices - len(known)
    share = np.full(len(sent), 1 / (before + new)) if new else np.zeros(len(sent))
    columns = np.searchsorted(known, sent)
    seen = np.isin(sent, known)
    rows = np.flatnonzero(seen)
    share[rows] = probabilities[rows, columns[rows]] * before / (before + new)
    smallest = float(np.finfo(np.float64).tiny)  # a probability that is rounded to 0 would take infinitely many bits
    return float(-np.log2(np.maximum(share, smallest)).sum())


ORDERS, MOST_ORDERS = 5, 100
_SERIES = ("codelength", "control_codelength")


@dataclass(frozen=True)
class Codelength:
    """The codelength of n labels of k kinds with probes on r layer combinations, mean over some orders of the items.

    table        frame: combination; codelength and control_codelength (random labels) in bits, compression and
                 control_compression, each with the lowest and the highest of the orders
    uniform      bits if every label takes the same number: n log2 k
    frequencies  bits if only the frequencies of the labels sent so far are known, without vectors: mean over the orders
    portions     the number of units at the end of each portion
    units        what is sent together: "different words", "words" or "sentences"
    orders       number of orders
    """

    table: pd.DataFrame
    uniform: float
    frequencies: float
    portions: tuple[int, ...]
    units: str
    orders: int

    @property
    def shortest(self) -> int:
        """The row of the shortest codelength; the first on ties."""
        return int(self.table["codelength"].to_numpy().argmin())


def measure_codelength(
    items: Items,
    features: Features,
    combinations: Sequence[str],
    *,
    folding: str = NEVER,
    strength: float = STRENGTH,
    orders: int = ORDERS,
    seed: int = 0,
    progress: Progress = silent,
) -> Codelength:
    """Return the codelength of the labels with probes on each layer combination, and that of random labels."""
    enough(items, "items", least=2)
    enough(combinations, "layer combinations")
    within(orders, MOST_ORDERS, "orders")
    labels, types = [item.label for item in items], [item.type for item in items]
    choices = len(set(labels))
    enough(set(labels), "different labels", least=2)
    runs = [
        (*shuffled(types, folding=folding, labels=choices, seed=each), labels, random_labels(labels, types, seed=each))
        for each in seeds(seed, orders)
    ]
    lengths = []
    for combination in through(combinations, progress):
        vectors = features.of(combination)
        both = [
            online_bits(vectors[order], [sent[i] for i in order], ends, choices=choices, strength=strength).sum()
            for order, ends, *known in runs
            for sent in known
        ]
        lengths.append(np.reshape(both, (orders, 2)))
    uniform = len(items) * float(np.log2(choices))
    plain = [frequency_bits([labels[i] for i in order], ends, choices=choices).sum() for order, ends, *_ in runs]
    count = len(set(types)) if folding == NEVER else len(items)
    units = "different words" if count < len(items) else "words" if items[0].word else "sentences"
    table = _table(combinations, np.array(lengths), uniform)
    return Codelength(table, uniform, float(np.mean(plain)), portions(count, choices), units, orders)


def _table(combinations: Sequence[str], lengths: Array, uniform: float) -> pd.DataFrame:
    """Return the table of `Codelength` for lengths (r, orders, 2)."""
    table = pd.DataFrame({"combination": list(combinations)})
    for number, name in enumerate(_SERIES):
        bits = lengths[:, :, number]
        mean, low, high = bits.mean(1), bits.min(1), bits.max(1)
        table[name], table[f"{name}_lowest"], table[f"{name}_highest"] = mean, low, high
        other = name.replace("codelength", "compression")
        table[other], table[f"{other}_lowest"], table[f"{other}_highest"] = (
            uniform / mean,
            uniform / high,
            uniform / low,
        )
    return table


@dataclass(frozen=True)
class LayerCodes(Displayed):
    """The codelength of the labels with a probe on each layer; one layer is looked at more closely.

    probes  the accuracies of the same probes, with the layer that was asked for
    code    the codelength on each layer
    """

    probes: LayerProbes
    code: Codelength

    @property
    def table(self) -> pd.DataFrame:
        """Codelength and compression by layer, with random labels too, and the accuracy of the same probes."""
        accuracy = self.probes.table[["accuracy", "accuracy_low", "accuracy_high"]]
        return pd.concat([self.code.table, accuracy], axis=1)

    @property
    def uniform(self) -> float:
        """The bits of the labels if each takes the same number."""
        return self.code.uniform

    @property
    def frequencies(self) -> float:
        """The bits of the labels if only their frequencies are known."""
        return self.code.frequencies

    @property
    def portions(self) -> tuple[int, ...]:
        """The number of words or sentences at the end of each portion."""
        return self.code.portions

    @property
    def naming(self) -> float:
        """The bits that it takes to say which layer is the best one."""
        return float(np.log2(len(self.code.table)))

    @property
    def layer(self) -> int:
        """The layer that was asked for, or the one of the shortest codelength (the first on ties)."""
        return self.code.shortest if self.probes.chosen is None else self.probes.chosen

    @property
    def headline(self) -> str:
        """The codelength on the layer, and whether it is shorter in every order than the controls."""
        row = self.table.iloc[self.layer]
        what, things = named(self.probes.task, self.probes.kind)
        best = " (the best)" if self.probes.chosen is None else ""
        text = (
            f"With a probe on {row['combination']}{best}, sending {what} of {self.probes.count} {things} takes"
            f" {bits(row['codelength'])} bits instead of {bits(self.uniform)}: compression {row['compression']:.2f}."
        )
        control = f"{bits(row['control_codelength'])} bits (compression {row['control_compression']:.2f})"
        if row["codelength_highest"] >= row["control_codelength_lowest"]:
            return f"{text} That is not reliably shorter than for random labels: {control}."
        if row["codelength_highest"] >= self.frequencies:
            return (
                f"{text} That is not reliably shorter than a code that only uses the frequencies of the labels"
                f" ({bits(self.frequencies)} bits)."
            )
        return f"{text} Random labels take {control}."


def bits(value: float) -> str:
    """Format a number of bits: with a decimal place below 100, so that a compression can be checked.

    >>> bits(9.38), bits(99.96), bits(1234.5)
    ('9.4', '100', '1,234')
    """
    return f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


@remembered
def layer_codelength(probes: Probes, model: "EmbeddingModel", *, progress: Progress = silent) -> Codelength:
    """Return the codelength of the labels with probes on every layer. Cached."""
    vectors = probes.vectors(model, progress=part(progress, 0, 0.3))
    layers, rest = vectors.combinations[: model.layers + 1], part(progress, 0.3, 0.7)
    how = {"folding": probes.folding, "strength": probes.strength}
    return measure_codelength(probes.items, vectors, layers, **how, progress=rest)  # type: ignore[arg-type]


def describe_layers(
    probes: Probes, model: "EmbeddingModel", *, layer: int | None = None, progress: Progress = silent
) -> LayerCodes:
    """Return how many bits the labels take with a probe on every layer, next to the accuracy of the same probes.

    The labels are sent in portions, each coded by a probe that was trained on the portions before it. The fewer bits,
    the more easily a probe finds the labels in the vectors: accuracy only says how well, description length also how
    soon. The means of five random orders are given.

    Parameters
    ----------
    probes : Probes
        Items, pooling and folds; words whose occurrences are in the same fold are sent together.
    model : EmbeddingModel
    layer : int or None, optional
        The layer of the headline; None: the one of the shortest codelength.
    progress
        As in `probe_layers`.

    Returns
    -------
    LayerCodes
        Bits and compression by layer, for the labels and for random ones.

    Raises
    ------
    ValueError
        As `probe_layers` does.

    References
    ----------
    Voita & Titov 2020, "Information-theoretic probing with minimum description length",
    https://aclanthology.org/2020.emnlp-main.14/.
    """
    result = probe_layers(probes, model, layer=layer, progress=part(progress, 0, 0.5))
    return LayerCodes(result, layer_codelength(probes, model, progress=part(progress, 0.5, 0.5)))
