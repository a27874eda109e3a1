"""A processed space next to the raw vectors and its controls, and how well groups of vectors are apart in each."""

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed
from embtools.spaces.space import CENTRED, RAW, Space
from embtools.statistics.percentages import rounded
from embtools.vectors import Array, cosine

BEFORE, AFTER, CENTRE, RANDOM = "raw", "processed", "centred only", "random directions"


def with_controls(space: Space, *, seed: int = 1) -> dict[str, Space]:
    """The spaces to compare: raw, processed, only centred (the effect of the mean alone), and random directions."""
    checked_seed(seed)
    spaces = {BEFORE: Space(RAW), AFTER: space, CENTRE: Space(CENTRED), RANDOM: replace(space, shuffled=seed)}
    if space.kind == RAW:
        return {BEFORE: spaces[BEFORE]}
    return {name: one for name, one in spaces.items() if name != CENTRE or space.kind != CENTRED}


def separation(vectors: Array, labels: NDArray[np.intp]) -> tuple[float, float, float]:
    """How often a pair with one label is nearer than a pair with two (AUC, 0.5 for meaningless labels), and the mean
    cosine of each kind of pair, for vectors (m, d) and labels (m,); nan without both kinds.

    >>> separation(np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]]), np.array([0, 0, 1]))[0]
    1.0
    """
    from scipy.stats import rankdata

    i, j = np.triu_indices(len(labels), 1)
    values = cosine(vectors, vectors)[i, j]
    same = labels[i] == labels[j]
    if same.all() or not same.any():
        return float("nan"), float("nan"), float("nan")
    m, n = int(same.sum()), int((~same).sum())
    auc = (rankdata(values)[same].sum() - m * (m + 1) / 2) / (m * n)
    return float(auc), float(values[same].mean()), float(values[~same].mean())


def group_finding(table: pd.DataFrame) -> str:
    """Sentence with the share of comparisons in which pairs from one group are more similar, before and after.

    >>> group_finding(pd.DataFrame({"space": ["raw"], "auc": [0.9]}))
    'Two words of the same group are more similar than two words of different groups in 90% of comparisons.'
    """
    auc = table.set_index("space")["auc"]
    if auc.isna().any():
        return "To compare groups, enter at least two of them, and at least two words in one of them."
    after = f" ({rounded(auc[AFTER])} after processing)" if AFTER in auc else ""
    return (
        "Two words of the same group are more similar than two words of different groups in"
        f" {rounded(auc[BEFORE])} of comparisons{after}."
    )
