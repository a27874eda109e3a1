"""A model's static embeddings in a processed space, cached."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from embtools.memory import remembered
from embtools.progress import Progress, silent
from embtools.spaces.fitting import Fitted, along_random_directions, fit, fit_by_moments
from embtools.spaces.moments import Moments, moments
from embtools.spaces.space import BY_CLUSTER, RAW, Space

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def in_space(model: "EmbeddingModel", *, space: Space) -> "EmbeddingModel":
    """The same model with every static embedding in a processed space. It compares words but does not read sentences.

    The space is fitted to the vocabulary without special tokens and unused entries, and applied to all. The result is
    cached. Edited words are left as they were for the fit: their edited vectors are processed like all others.

    Parameters
    ----------
    model : EmbeddingModel
    space : Space
        The processed space, such as `Space("whitened")`.

    Returns
    -------
    EmbeddingModel
        A model with another matrix (v, d).

    Raises
    ------
    ValueError
        For more directions to remove than the vectors have, and for more clusters than they allow.
    """
    if space.kind == RAW:
        return model
    seen = _view(model.original, space)
    if not model.edited:
        return seen
    rows = fitted(model.original, space=space).apply(np.array(list(model.edited.values())))
    return seen.with_rows(dict(zip(model.edited, rows, strict=True)), model.checksum)


def fitted(model: "EmbeddingModel", *, space: Space, progress: Progress = silent) -> Fitted:
    """The space fitted to the static embeddings of the vocabulary, without special tokens and unused entries; it is
    cached, because clusters take a second to find.
    """
    if space.kind == BY_CLUSTER and space.shuffled is not None:
        plain = fitted(model, space=replace(space, shuffled=None), progress=progress)
        return along_random_directions(plain, space)
    return _fitted(model, space, progress=progress)


@remembered
def _fitted(model: "EmbeddingModel", space: Space, progress: Progress = silent) -> Fitted:
    known = vocabulary_moments(model)
    if space.kind != BY_CLUSTER:
        return fit_by_moments(known, space)
    return fit(model.matrix[model.rankable], space, known=known, progress=progress)


@remembered
def vocabulary_moments(model: "EmbeddingModel") -> Moments:
    """The moments of those embeddings; they are cached."""
    return moments(model.matrix[model.rankable])


@remembered
def _view(model: "EmbeddingModel", space: Space) -> "EmbeddingModel":
    return model.with_static_embeddings(fitted(model, space=space).apply(model.matrix), repr(space))
