"""A model's static embeddings in a processed space, cached."""

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from cachetools import LRUCache, cached
from cachetools.keys import hashkey

from embtools.spaces.fitting import Fitted, along_random_directions, fit, fit_by_moments
from embtools.spaces.moments import Moments, moments
from embtools.spaces.space import BY_CLUSTER, RAW, Space

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST_BYTES = 100_000_000
"""Of all matrices that are remembered together, or of the last one, where it is larger; the others are made again."""
MOST_FITTED = 20_000_000
"""Of all fitted spaces that are remembered together, or of the last one."""


def in_space(model: "EmbeddingModel", space: Space) -> "EmbeddingModel":
    """The same model with every static embedding in a processed space: for looking at words, it does not run.

    The space is fitted to the vocabulary without special tokens and unused entries, and applied to all. What has been
    made is remembered up to MOST_BYTES. Raises ValueError as `fit` does.
    """
    return model if space.kind == RAW else _seen(model, space)


def fitted(model: "EmbeddingModel", space: Space) -> Fitted:
    """The space fitted to the static embeddings of the vocabulary, without special tokens and unused entries.

    It is remembered: clusters take a second to find. Raises ValueError as `fit` does.
    """
    if space.kind == BY_CLUSTER and space.shuffled is not None:
        return along_random_directions(fitted(model, replace(space, shuffled=None)), space)
    return _fitted(model, space)


@cached(
    LRUCache(MOST_FITTED, getsizeof=lambda fitted: min(fitted.bytes, MOST_FITTED)),
    key=lambda model, space: hashkey(model.checksum, space),
    condition=threading.Condition(),
)
def _fitted(model: "EmbeddingModel", space: Space) -> Fitted:
    known = vocabulary_moments(model)
    return fit(model.matrix[model.rankable], space, known) if space.kind == BY_CLUSTER else fit_by_moments(known, space)


@cached(LRUCache(4), key=lambda model: model.checksum, condition=threading.Condition())
def vocabulary_moments(model: "EmbeddingModel") -> Moments:
    """The moments of those embeddings; they are remembered."""
    return moments(model.matrix[model.rankable])


def forget() -> None:
    """Forget every space: for tests."""
    _seen.cache.clear()
    _fitted.cache.clear()
    vocabulary_moments.cache.clear()


@cached(
    LRUCache(MOST_BYTES, getsizeof=lambda model: min(model.matrix.nbytes, MOST_BYTES)),
    key=lambda model, space: hashkey(model.checksum, space),
    condition=threading.Condition(),
)
def _seen(model: "EmbeddingModel", space: Space) -> "EmbeddingModel":
    return model.looked_at(fitted(model, space).apply(model.matrix), repr(space))
