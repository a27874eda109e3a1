"""Sentences of a group that are nearly the same, so that holding one of them out says little about new sentences."""

from collections.abc import Sequence

import numpy as np

from embtools.limits import same_count

SHARE = 0.7
"""Two sentences are nearly the same if they share at least this much of all words that are in either of them."""


def near_copies(texts: Sequence[str], groups: Sequence[str]) -> int:
    """Return how many texts are nearly the same as another text of their own group.

    Examples
    --------
    >>> near_copies(["We saw a big red dog.", "We saw a big red cat.", "It rained."], ["a", "a", "a"])
    2
    >>> near_copies(["We saw a big red dog.", "We saw a big red cat.", "It rained."], ["a", "b", "a"])
    0
    """
    same_count(texts=texts, groups=groups)
    words = [frozenset(word.strip(".,;:!?\"'()").casefold() for word in text.split()) for text in texts]
    vocabulary = {word: number for number, word in enumerate(sorted(frozenset().union(*words)))}
    counts = np.zeros((len(words), len(vocabulary)))
    for row, each in zip(counts, words, strict=True):
        row[[vocabulary[word] for word in each]] = 1
    common, sizes = counts @ counts.T, counts.sum(axis=1)
    same_group = np.equal.outer(np.asarray(groups, dtype=object), np.asarray(groups, dtype=object))
    near = (common >= SHARE * (sizes[:, None] + sizes - common)) & same_group & ~np.eye(len(words), dtype=bool)
    return int(near.any(axis=1).sum())
