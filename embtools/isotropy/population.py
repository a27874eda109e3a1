"""The vectors whose space is looked at: the static vocabulary, or every word of the built-in text in its sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus
from embtools.occurrences.in_space import occurrence_moments
from embtools.progress import Progress, silent
from embtools.spaces.fitting import Fitted, fit
from embtools.spaces.moments import Moments
from embtools.spaces.of_model import vocabulary_moments
from embtools.spaces.space import Space
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STATIC = "static embeddings"


@dataclass(frozen=True, eq=False)
class Population:
    """The vectors that a space is fitted to, and the words that they belong to.

    source      STATIC, or the recipe of the layers that the occurrences were read with
    words       w different words
    vectors     (n, d): of each word one static embedding, or all of its occurrences
    owner       (n,) the number of the word of each row
    answers     (w,) which words may be neighbours and answers: whole words
    known       the moments of the vectors
    read        the occurrences; None for static embeddings
    """

    source: str
    words: tuple[str, ...]
    vectors: Array
    owner: NDArray[np.intp]
    answers: NDArray[np.bool_]
    known: Moments
    model: "EmbeddingModel"
    read: Occurrences | None = None

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def number(self, word: str) -> int:
        """The number of a word; ValueError for one that is not among them, with what to do."""
        name = word.strip()
        if not name:
            raise ValueError("There is no word. Write one.")
        if self.read is None:
            name = self.model.vocabulary[self.model.token_id(name)]
        elif name not in self.numbers:
            name = "".join(piece.removeprefix("##") for piece in self.model.pieces(name))
        if name not in self.numbers:
            where = "the vocabulary" if self.read is None else "the built-in sentences"
            raise ValueError(f"'{word.strip()[:40]}' does not stand in {where}. Choose another word.")
        return self.numbers[name]

    def known_words(self, words: Sequence[str]) -> list[str]:
        """Those of the words that are among them, as they are spelt."""
        return [word for word in words if word in self.numbers]

    def fit(self, space: Space) -> Fitted:
        """A space fitted to the vectors."""
        return fit(self.vectors, space, self.known)

    def of(self, numbers: Sequence[int], fitted: Fitted) -> Array:
        """The processed vectors (m, d) of words: of several occurrences the mean, taken in the processed space."""
        chosen = np.asarray(numbers, np.intp)
        if self.read is None:
            return fitted.apply(self.vectors[chosen])
        rows = np.flatnonzero(np.isin(self.owner, chosen))
        means = self.means(fitted.apply(self.vectors[rows]), self.owner[rows])
        return means[np.searchsorted(np.unique(chosen), chosen)]

    def means(self, vectors: Array, owner: NDArray[np.intp]) -> Array:
        """The mean of the rows (n, d) of each owner that has any, in the order of the owners."""
        if self.read is None:
            return vectors
        order = np.argsort(owner, kind="stable")
        _, starts, counts = np.unique(owner[order], return_index=True, return_counts=True)
        return np.add.reduceat(vectors[order], starts, axis=0) / counts[:, None].astype(vectors.dtype)


def population(source: str, model: "EmbeddingModel", *, progress: Progress = silent) -> Population:
    """The vocabulary without special tokens and unused entries (STATIC), or the built-in text under a recipe.

    Raises ValueError for an unknown recipe.
    """
    if source == STATIC:
        rows = np.flatnonzero(model.rankable)
        words = tuple(model.vocabulary[i] for i in rows)
        owner = np.arange(len(rows))
        return Population(
            source, words, model.matrix[rows], owner, model.whole_words[rows], vocabulary_moments(model), model
        )
    read = encode_corpus(built_in_corpus(), source, model, progress=progress)
    names, owner = np.unique(read.table["word"].to_numpy().astype(str), return_inverse=True)
    known = occurrence_moments(built_in_corpus(), source, model)
    words = tuple(str(name) for name in names)
    answers = np.array([word[:1].isalpha() for word in words])
    return Population(source, words, read.vectors, owner, answers, known, model, read)
