"""The occurrences of a corpus in a processed space that is fitted to all of them."""

from dataclasses import replace
from typing import TYPE_CHECKING

from embtools.memory import remembered
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.progress import Progress, silent
from embtools.spaces.fitting import Fitted, along_random_directions, fit
from embtools.spaces.moments import Moments, moments
from embtools.spaces.space import BY_CLUSTER, Space

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def fitted_space(
    corpus: Corpus, model: "EmbeddingModel", *, combination: str, space: Space, progress: Progress = silent
) -> Fitted:
    """The space fitted to all occurrences of a corpus for one layer combination (cached)."""
    if space.kind == BY_CLUSTER and space.shuffled is not None:
        plain = fitted_space(
            corpus, model, combination=combination, space=replace(space, shuffled=None), progress=progress
        )
        return along_random_directions(plain, space)
    occurrence_moments(
        corpus, model, combination=combination, progress=progress
    )  # shows the progress of what takes long
    return _fitted(corpus, combination, model, space, progress=progress)


@remembered
def occurrence_moments(
    corpus: Corpus, model: "EmbeddingModel", *, combination: str, progress: Progress = silent
) -> Moments:
    """The moments of all occurrences of a corpus for one layer combination (cached)."""
    return moments(encode_corpus(corpus, model, combination=combination, progress=progress).vectors)


@remembered
def _fitted(
    corpus: Corpus, combination: str, model: "EmbeddingModel", space: Space, progress: Progress = silent
) -> Fitted:
    known = occurrence_moments(corpus, model, combination=combination)
    return fit(encode_corpus(corpus, model, combination=combination).vectors, space, known=known, progress=progress)
