"""The codelength of labels with probes on each layer combination: the mean over several orders, and random labels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.chance import seeds
from embtools.limits import enough, within
from embtools.probing.features import Features
from embtools.probing.items import Items
from embtools.probing.online_code import frequency_bits, online_bits, portions, shuffled
from embtools.progress import Progress, silent, through
from embtools.statistics.probe import NEVER, STRENGTH, random_labels
from embtools.vectors import Array

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


def measure(
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
