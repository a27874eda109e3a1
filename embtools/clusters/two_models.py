"""The same words in the spaces of two models: who stays a neighbour?"""

import numpy as np
import pandas as pd

from embtools.clusters.points import Points
from embtools.clusters.view import View, check, prepared
from embtools.statistics import agreement
from embtools.statistics.agreement import Kept

MOST = 2_000  # words: their tables of distances are compared whole


def kept(first: Points, second: Points, view: View, k: int = 10) -> Kept:
    """How many of each word's k nearest neighbours in the first model's space the second's keeps.

    Over the words that both have, in whatever capitals, each once; distances as the view says. Raises ValueError for
    fewer than three of them or more than 2,000, and as `view.prepared` does.
    """
    from sklearn.metrics import pairwise_distances

    check(view)
    words = [
        pd.Series(np.flatnonzero(points.is_word), points.frame["word"][points.is_word].str.lower())
        for points in (first, second)
    ]
    common = pd.concat([rows[~rows.index.duplicated()] for rows in words], axis=1, join="inner").to_numpy()
    if len(common) > MOST:
        raise ValueError(f"There are {len(common):,} words; neighbours are compared for at most {MOST:,}.")
    if not len(common):
        raise ValueError("The two models have no word in common here. Choose other words.")
    one, other = (
        pairwise_distances(prepared(points.vectors, points.is_word, view)[rows], metric=view.metric)
        for points, rows in zip((first, second), common.T, strict=True)
    )
    return agreement.kept(one, other, k)


def sentence(found: Kept, names: tuple[str, str]) -> str:
    """What was found, beside chance.

    >>> sentence(Kept(0.5, 0.25, 10, 41), ("A", "B"))
    "Of each word's 10 nearest words in A's space, B's keeps 50% (25% by chance, 41 words in both)."
    """
    near = f"{found.k} nearest words" if found.k > 1 else "nearest word"
    return (
        f"Of each word's {near} in {names[0]}'s space, {names[1]}'s keeps {found.share:.0%} ({found.chance:.0%} by"
        f" chance, {found.words:,} words in both)."
    )
