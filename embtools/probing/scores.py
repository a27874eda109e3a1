"""What a probe confuses: the confusion matrix, precision, recall and F1 of each label, and the mistakes themselves."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from embtools.limits import enough, same_count
from embtools.probing.items import Items
from embtools.vectors import Array


def confusion(labels: Sequence[str], probabilities: Array) -> pd.DataFrame:
    """How often each label was taken for each: label, said, count; the labels sorted.

    probabilities: (n, k) of the sorted labels, as `accuracy.Accuracy` has them.
    """
    enough(labels, "labels")
    same_count(labels=labels, probabilities=probabilities)
    from sklearn.metrics import confusion_matrix

    names = np.unique(labels)
    counts = confusion_matrix(labels, names[probabilities.argmax(1)], labels=names)
    rows = [(str(label), str(said), int(counts[i, j])) for i, label in enumerate(names) for j, said in enumerate(names)]
    return pd.DataFrame(rows, columns=["label", "said", "count"])


def per_label(labels: Sequence[str], probabilities: Array) -> pd.DataFrame:
    """Precision, recall, F1 and the number of items of each label: label, precision, recall, f1, items.

    The precision of a label that is never said is 0.
    """
    enough(labels, "labels")
    same_count(labels=labels, probabilities=probabilities)
    from sklearn.metrics import precision_recall_fscore_support

    names = np.unique(labels)
    said = names[probabilities.argmax(1)]
    columns = precision_recall_fscore_support(labels, said, labels=names, zero_division=0)
    return pd.DataFrame(dict(zip(("label", "precision", "recall", "f1", "items"), (names, *columns), strict=True)))


def mistakes(items: Items, probabilities: Array) -> pd.DataFrame:
    """The items that the probe got wrong, the surest first: word, occurrence, label, said, probability, sentence."""
    same_count(items=items, probabilities=probabilities)
    labels = [item.label for item in items]
    names, sure = np.unique(labels), probabilities.max(1)
    said = names[probabilities.argmax(1)]
    rows = [
        (item.word, item.occurrence, item.label, str(said[n]), float(sure[n]), item.sentence)
        for n, item in enumerate(items)
        if said[n] != item.label
    ]
    frame = pd.DataFrame(rows, columns=["word", "occurrence", "label", "said", "probability", "sentence"])
    return frame.sort_values("probability", ascending=False, kind="stable", ignore_index=True)
