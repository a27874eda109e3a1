"""Populations of vectors: the static vocabulary, the words of the built-in corpus, or a corpus folder."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.memory import remembered
from embtools.messages import quoted
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import sample
from embtools.occurrences.folder.sums import Sums
from embtools.occurrences.in_space import fitted_space, occurrence_moments
from embtools.progress import Progress, silent
from embtools.spaces import of_model
from embtools.spaces.fitting import Fitted, fit
from embtools.spaces.moments import Moments
from embtools.spaces.of_model import vocabulary_moments
from embtools.spaces.space import Space
from embtools.vectors import Array, cosine

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STATIC, FOLDER = "static embeddings", "a folder"
MOST_DRAWN = 50_000
"""Largest number of occurrences of a folder that are read one by one."""


@dataclass(frozen=True, eq=False)
class Population:
    """The vectors to which a space is fitted, and the words that they belong to.

    source      STATIC, the layer combination of the occurrences, or FOLDER
    words       w different words
    vectors     (n, d): one static embedding per word, or all occurrences of the words
    owner       (n,) index of the word of each row
    answers     (w,) which words may be neighbours and answers: whole words
    known       moments of the vectors; for a folder, those of all its rows, of which `vectors` is a sample
    read        the occurrences in the built-in corpus
    every       sums over all rows of a folder
    fitted      function that returns a cached fitted space; without it, a space is fitted each time
    """

    source: str
    words: tuple[str, ...]
    vectors: Array
    owner: NDArray[np.intp]
    answers: NDArray[np.bool_]
    known: Moments
    model: "EmbeddingModel"
    read: Occurrences | None = None
    every: Sums | None = None
    fitted: Callable[..., Fitted] | None = None

    @property
    def where(self) -> str:
        """Name of the place in which words are looked up, for error messages."""
        return {STATIC: "the vocabulary", FOLDER: "the sample of this folder"}.get(
            self.source, "the built-in sentences"
        )

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Index of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def number(self, word: str) -> int:
        """Index of a word. Raises ValueError if the population does not contain it."""
        name = word.strip()
        if not name:
            raise ValueError("The word is missing. Enter one, such as rome.")
        if self.source == STATIC:
            name = self.model.vocabulary[self.model.token_id(name)]
        elif name not in self.numbers:
            name = "".join(piece.removeprefix("##") for piece in self.model.pieces(name))
        if name not in self.numbers and self.source == STATIC:  # it has a token, which is not compared
            raise ValueError(f"{quoted(word)} is a special token, and no word of the vocabulary. Choose a word.")
        if name not in self.numbers:
            raise ValueError(f"{quoted(word)} does not occur in {self.where}. Choose another word.")
        return self.numbers[name]

    def known_words(self, words: Sequence[str]) -> list[str]:
        """The given words that the population contains in exactly this form."""
        return [word for word in words if word in self.numbers]

    def fit(self, space: Space, progress: Progress = silent) -> Fitted:
        """A space fitted to the vectors."""
        if self.fitted is None:
            return fit(self.vectors, space, known=self.known, progress=progress)
        return self.fitted(space, progress=progress)

    def of(self, numbers: Sequence[int], fitted: Fitted) -> Array:
        """Processed vectors (m, d) of words; several occurrences are averaged in the processed space."""
        chosen = np.asarray(numbers, np.intp)
        if self.source == STATIC:
            return fitted.apply(self.vectors[chosen])
        rows = np.flatnonzero(np.isin(self.owner, chosen))
        means = self.means(fitted.apply(self.vectors[rows]), self.owner[rows])
        return means[np.searchsorted(np.unique(chosen), chosen)]

    def cosines(self, number: int, space: Space) -> Array:
        """Cosines (w,) between a word and every word in a space."""
        fitted = self.fit(space)
        if self.source != STATIC or not fitted.is_affine:
            rows = self.means(fitted.apply(self.vectors), self.owner)
            return cosine(rows[number], rows)[0]
        # The products follow from the raw vectors, so the processed ones are not written out.
        lengths = _static_lengths(space, self.model)
        own = fitted.apply(self.vectors[number])
        return fitted.dots(self.vectors, own) / (lengths * (lengths[number] or 1))

    def means(self, vectors: Array, owner: NDArray[np.intp]) -> Array:
        """Mean of the rows (n, d) of each owner that has rows, in the order of the owners."""
        if self.source == STATIC:
            return vectors
        order = np.argsort(owner, kind="stable")
        _, starts, counts = np.unique(owner[order], return_index=True, return_counts=True)
        return np.add.reduceat(vectors[order], starts, axis=0) / counts[:, None].astype(vectors.dtype)


def population(source: str | CorpusFolder, model: "EmbeddingModel", *, progress: Progress = silent) -> Population:
    """The vectors of a source."""
    if isinstance(source, CorpusFolder):
        return _of_folder(source, model, progress)
    if source == STATIC:
        rows = np.flatnonzero(model.rankable)
        words = tuple(model.vocabulary[i] for i in rows)
        owner = np.arange(len(rows))
        answers, known, space = model.whole_words[rows], vocabulary_moments(model), partial(_in_vocabulary, model)
        return Population(source, words, model.matrix[rows], owner, answers, known, model, fitted=space)
    read = encode_corpus(built_in_corpus(), model, combination=source, progress=progress)
    known = occurrence_moments(built_in_corpus(), model, combination=source)
    space = partial(_in_corpus, source, model)
    return Population(source, *_owned(read.table, read.vectors), known, model, read, fitted=space)


@remembered
def _static_lengths(space: Space, model: "EmbeddingModel") -> Array:
    """The lengths (w,) of all static embeddings in a space; 1 for a vector of zeros (cached)."""
    lengths = np.linalg.norm(of_model.fitted(model, space=space).apply(model.matrix[model.rankable]), axis=1)
    return np.where(lengths == 0, 1, lengths)


def _in_vocabulary(model: "EmbeddingModel", space: Space, progress: Progress) -> Fitted:
    return of_model.fitted(model, space=space, progress=progress)


def _in_corpus(combination: str, model: "EmbeddingModel", space: Space, progress: Progress) -> Fitted:
    return fitted_space(built_in_corpus(), model, combination=combination, space=space, progress=progress)


def measured_on(folder: CorpusFolder) -> str:
    """Sentences that say what is exact for a folder and what is estimated from a sample."""
    if len(folder) <= MOST_DRAWN:
        return f"Everything is measured on all {len(folder):,} occurrences in the folder."
    return (
        f"The raw mean cosine, the variances and the fitted spaces (except by cluster) are exact, because they use the"
        f" moments of all {len(folder):,} occurrences in the folder. Everything else is measured on a random sample of"
        f" {MOST_DRAWN:,}."
    )


def _of_folder(folder: CorpusFolder, model: "EmbeddingModel", progress: Progress) -> Population:
    folder.check(model)
    sums = folder.sums()
    drawn = sample(folder, MOST_DRAWN, progress=progress)
    return Population(FOLDER, *_owned(drawn.table, drawn.vectors), sums.moments(), model, every=sums)


def _owned(table: pd.DataFrame, vectors: Array) -> tuple[tuple[str, ...], Array, NDArray[np.intp], NDArray[np.bool_]]:
    """Distinct words of occurrences, their vectors, the index of the word of each, and which words may be answers."""
    names, owner = np.unique(table["word"].to_numpy().astype(str), return_inverse=True)
    words = tuple(str(name) for name in names)
    return words, vectors, owner, np.array([word[:1].isalpha() for word in words])
