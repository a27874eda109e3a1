"""The learning curve: the accuracy of probes that are trained on fewer words."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.limits import enough, same_count
from embtools.probing import verdict
from embtools.probing.accuracy import intervals, is_right
from embtools.probing.items import Items
from embtools.progress import Progress, silent, through
from embtools.statistics.probe import DIVISIONS, FOLDS, NEVER, STRENGTH, Splits, held_out, random_labels, split
from embtools.vectors import Array

SHARES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class LearningCurve:
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
            f"With {few['items']:.0f} training items the accuracy is {verdict.share(few['accuracy'])}; with"
            f" {most['items']:.0f} it is {verdict.share(most['accuracy'])}."
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
    """Return the accuracy on the same held-out items for probes trained on a share of each training fold's types.

    A larger share contains the smaller ones. A share of 1 gives the result of `accuracy.measure`.
    """
    enough(items, "items", least=FOLDS)
    same_count(items=items, vectors=vectors)
    labels, types = [item.label for item in items], [item.type for item in items]
    control = random_labels(labels, types, seed=seed)
    given = {"accuracy": labels, "control": control}
    splits = {
        name: [split(known, types, folding=folding, seed=seed + number) for number in range(divisions)]
        for (name, known), divisions in zip(given.items(), (DIVISIONS, 1), strict=True)
    }
    rows, right = [], []
    for share in through(SHARES, progress):
        parts = {name: [part(each, types, share, seed=seed) for each in whole] for name, whole in splits.items()}
        rows.append((share, float(np.mean([len(learn) for each in parts["accuracy"] for learn, _ in each]))))
        right.append([
            np.mean([is_right(held_out(vectors, given[name], splits, strength=strength), given[name])
                     for splits in whole], axis=0)
            for name, whole in parts.items()
        ])  # fmt: skip
    table = pd.DataFrame(rows, columns=["share", "items"])
    for number, name in enumerate(given):
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
