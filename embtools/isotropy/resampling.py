"""How much a score depends on the words it is measured with: the same score with the words of each list drawn again.

Pairs and triplets share words, so that they are no independent trials, and an interval that takes them for such is too
narrow. Instead the words of each list are drawn again with replacement (a bootstrap stratified by list; Efron &
Tibshirani 1993), and the score is taken of all pairs or triplets of drawn words. The same draws in two spaces give the
interval of their difference.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.vectors import Array, cosine

RESAMPLES = 400


def resamples(sizes: Sequence[int], *, rounds: int = RESAMPLES, seed: int = 0) -> NDArray[np.int64]:
    """How often each word is drawn, (rounds, m): from each list of these sizes as many words as it has."""
    rng = generator(seed)
    return np.concatenate([rng.multinomial(n, np.full(n, 1 / n), size=rounds) for n in sizes], axis=1)


def separations(vectors: Array, labels: NDArray[np.intp], draws: NDArray[np.int64]) -> NDArray[np.float64]:
    """The AUC of `tasks.separation` for each resample (rounds, m) of the m words: (rounds,).

    vectors (m, d), labels (m,). A pair counts as often as both of its words were drawn; a word is not paired with
    itself. nan for a resample without pairs of both kinds.
    """
    i, j = np.triu_indices(len(labels), 1)
    values = cosine(vectors, vectors)[i, j]
    same = labels[i] == labels[j]
    order = np.flatnonzero(~same)[np.argsort(values[~same], kind="stable")]
    below, upto = (np.searchsorted(values[order], values[same], side) for side in ("left", "right"))
    (one, other), (first, second) = (i[same], j[same]), (i[order], j[order])
    summed = np.zeros(len(order) + 1)  # weights of the pairs of two labels, in the order of their cosines
    found = np.full(len(draws), np.nan)
    weights, partner = np.empty(len(order), np.float32), np.empty(len(order), np.float32)
    for number, drawn in enumerate(draws.astype(np.float32)):  # one by one, so that everything stays in the cache
        np.take(drawn, first, out=weights)
        np.multiply(weights, np.take(drawn, second, out=partner), out=weights)
        np.cumsum(weights, dtype=np.float64, out=summed[1:])
        own = (drawn[one] * drawn[other]).astype(np.float64)
        total = own.sum() * summed[-1]
        if total:
            found[number] = own @ (summed[below] + summed[upto]) / 2 / total  # ties count half
    return found


def shares(right: NDArray[np.bool_], words: NDArray[np.intp], draws: NDArray[np.int64]) -> NDArray[np.float64]:
    """The share of questions answered right for each resample (rounds, m) of the words: (rounds,).

    right (q,) says of each question whether it was answered right; words (q, w) are the words it is made of. A question
    counts as often as all of its words were drawn. nan for a resample without a question.
    """
    weights = np.prod(draws[:, words], axis=2)
    total = weights.sum(axis=1)
    return np.divide(weights @ right, total, out=np.full(len(draws), np.nan), where=total > 0)


def interval(scores: NDArray[np.float64]) -> tuple[float, float]:
    """95% of the resampled scores, or differences, lie between these two numbers."""
    known = scores[np.isfinite(scores)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)
