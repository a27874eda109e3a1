"""The confusion matrix of a probe, precision, recall and F1 of each label, and the list of mistakes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.limits import enough, same_count
from embtools.probing.items import Items
from embtools.vectors import Array


@dataclass(frozen=True)
class Scores:
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
    """Return precision, recall, F1 and the number of items of each label.

    The precision of a label that is never predicted is 0.
    """
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
