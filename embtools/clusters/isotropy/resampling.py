"""Bootstrap of task scores over words: how much a score depends on the words it is measured with.

Pairs and triplets share words, so they are not independent trials, and an interval that treats them as such is too
narrow. Instead, the words of each list are resampled with replacement (a bootstrap stratified by list; Efron &
Tibshirani 1993), and the score is computed from all pairs or triplets of the resampled words. Using the same resamples
in two spaces gives an interval for their difference.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.vectors import Array, cosine

RESAMPLES = 400


def resamples(sizes: Sequence[int], *, rounds: int = RESAMPLES, seed: int = 0) -> NDArray[np.int64]:
    """How often each word is drawn in each resample, (rounds, m), for lists of these sizes."""
    rng = generator(seed)
    return np.concatenate([rng.multinomial(n, np.full(n, 1 / n), size=rounds) for n in sizes], axis=1)


def separations(vectors: Array, labels: NDArray[np.intp], draws: NDArray[np.int64]) -> NDArray[np.float64]:
    """AUC of `spaces.controls.separation` for each resample (rounds, m) of the m words, whose pairs are weighted by the
    product of how often both were drawn; nan without pairs of both kinds."""
    i, j = np.triu_indices(len(labels), 1)
    values = cosine(vectors, vectors)[i, j]
    same = labels[i] == labels[j]
    order = np.flatnonzero(~same)[np.argsort(values[~same], kind="stable")]
    below, upto = (np.searchsorted(values[order], values[same], side) for side in ("left", "right"))
    (one, other), (first, second) = (i[same], j[same]), (i[order], j[order])
    summed = np.zeros(len(order) + 1)  # weights of pairs with two labels, sorted by cosine
    scores = np.full(len(draws), np.nan)
    weights, partner = np.empty(len(order), np.float32), np.empty(len(order), np.float32)
    for number, drawn in enumerate(
        draws.astype(np.float32)
    ):  # one at a time, so that everything stays in the processor cache
        np.take(drawn, first, out=weights)
        np.multiply(weights, np.take(drawn, second, out=partner), out=weights)
        np.cumsum(weights, dtype=np.float64, out=summed[1:])
        own = (drawn[one] * drawn[other]).astype(np.float64)
        total = own.sum() * summed[-1]
        if total:
            scores[number] = own @ (summed[below] + summed[upto]) / 2 / total  # ties count half
    return scores


def shares(right: NDArray[np.bool_], words: NDArray[np.intp], draws: NDArray[np.int64]) -> NDArray[np.float64]:
    """Share of correct items for each resample (rounds, m) of their words (q, w), each item weighted by the product of
    how often its words were drawn; nan without an item."""
    weights = np.prod(draws[:, words], axis=2)
    total = weights.sum(axis=1)
    return np.divide(weights @ right, total, out=np.full(len(draws), np.nan), where=total > 0)


def interval(scores: NDArray[np.float64]) -> tuple[float, float]:
    """95% interval of resampled scores or differences: the 2.5% and 97.5% quantiles."""
    known = scores[np.isfinite(scores)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)
