"""Online coding: labels are sent one portion after the other, each coded by a probe that was trained on those before.

Voita & Titov 2020, "Information-theoretic probing with minimum description length", section 3.2.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.limits import enough, same_count, within
from embtools.messages import quoted
from embtools.statistics.probe import FOLDINGS, NEVER, STRENGTH, fit
from embtools.vectors import Array, check_finite

FRACTIONS = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.0625, 0.125, 0.25, 0.5, 1.0)
"""The fractions of the items at which the portions of the article end."""


def portions(units: int, labels: int) -> tuple[int, ...]:
    """Return the number of units at the end of each portion: the fractions of the article, in whole units.

    Portions with fewer units than labels become one with the first that has as many, because a probe can learn nothing
    from them: with a few hundred units, the first of the article's portions are empty.

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
    """Return a random order of n items (their rows), and the number of items at the end of each portion.

    With "never seen", all items of a type (a word) follow each other in the same portion, so that a probe codes only
    words that it was not trained on. Raises ValueError for an unknown folding.

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
    """Return the bits of each portion of labels (p,): the first with log2(choices) per label, the rest by a probe.

    A label that has not been sent yet gets 1 / (m + u), where m labels have been sent and u of the `choices` have not
    occurred; the probe divides the rest. So every label can be coded, and once the probe knows all of them it alone
    counts. The vectors are standardised together, because the receiver has all of them: the first portions are too
    small for that, and a probe on their scale would give some labels a probability of almost 0.

    References
    ----------
    Voita & Titov 2020, https://aclanthology.org/2020.emnlp-main.14/, section 3.2.
    """
    from sklearn.preprocessing import StandardScaler

    same_count(vectors=vectors, labels=labels)
    given = _checked(labels, ends, choices)
    check_finite(vectors)
    scaled = StandardScaler().fit_transform(np.asarray(vectors, np.float64))
    bits = [ends[0] * np.log2(choices)]
    for start, end in pairwise(ends):
        probe = fit(scaled[:start], given[:start].tolist(), strength=strength, standardise=False)
        known = np.asarray(probe.classes_).astype(str)
        probabilities = probe.predict_proba(scaled[start:end])
        bits.append(_bits(given[start:end], known, probabilities, start, choices))
    return np.array(bits)


def frequency_bits(labels: Sequence[str], ends: Sequence[int], *, choices: int) -> Array:
    """Return the bits of each portion of labels (p,) without vectors, if only the labels sent before are known.

    The probability of a label is (count + 1) / (m + choices) after m labels (Laplace). It is what guessing is for
    accuracy. Raises ValueError as `online_bits` does.

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
    new = choices - len(known)
    share = np.full(len(sent), 1 / (before + new)) if new else np.zeros(len(sent))
    columns = np.searchsorted(known, sent)
    seen = np.isin(sent, known)
    rows = np.flatnonzero(seen)
    share[rows] = probabilities[rows, columns[rows]] * before / (before + new)
    smallest = float(np.finfo(np.float64).tiny)  # a probability that is rounded to 0 would take infinitely many bits
    return float(-np.log2(np.maximum(share, smallest)).sum())
