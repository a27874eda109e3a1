"""The vectors whose space is looked at: the static vocabulary, the words of the built-in text, or a corpus folder."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

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
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STATIC, FOLDER = "static embeddings", "a folder"
MOST_DRAWN = 50_000
"""Occurrences of a folder that are looked at one by one, at most."""


@dataclass(frozen=True, eq=False)
class Population:
    """The vectors that a space is fitted to, and the words that they belong to.

    source      STATIC, the recipe of the layers that the occurrences were read with, or FOLDER
    words       w different words
    vectors     (n, d): of each word one static embedding, or all of its occurrences
    owner       (n,) the number of the word of each row
    answers     (w,) which words may be neighbours and answers: whole words
    known       the moments of the vectors; of a folder those of all its rows, of which `vectors` are some
    read        the occurrences of the built-in text
    every       the sums over all rows of a folder
    fitted      what is remembered of a space fitted to them; without it a space is fitted anew
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
    fitted: Callable[[Space], Fitted] | None = None

    @property
    def where(self) -> str:
        """What a word that is not among them does not stand in."""
        return {STATIC: "the vocabulary", FOLDER: "the sample of this folder"}.get(
            self.source, "the built-in sentences"
        )

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def number(self, word: str) -> int:
        """The number of a word; ValueError for one that is not among them, with what to do."""
        name = word.strip()
        if not name:
            raise ValueError("There is no word. Write one.")
        if self.source == STATIC:
            name = self.model.vocabulary[self.model.token_id(name)]
        elif name not in self.numbers:
            name = "".join(piece.removeprefix("##") for piece in self.model.pieces(name))
        if name not in self.numbers:
            raise ValueError(f"{quoted(word)} does not stand in {self.where}. Choose another word.")
        return self.numbers[name]

    def known_words(self, words: Sequence[str]) -> list[str]:
        """Those of the words that are among them, as they are spelt."""
        return [word for word in words if word in self.numbers]

    def fit(self, space: Space) -> Fitted:
        """A space fitted to the vectors."""
        return fit(self.vectors, space, self.known) if self.fitted is None else self.fitted(space)

    def of(self, numbers: Sequence[int], fitted: Fitted) -> Array:
        """The processed vectors (m, d) of words: of several occurrences the mean, taken in the processed space."""
        chosen = np.asarray(numbers, np.intp)
        if self.source == STATIC:
            return fitted.apply(self.vectors[chosen])
        rows = np.flatnonzero(np.isin(self.owner, chosen))
        means = self.means(fitted.apply(self.vectors[rows]), self.owner[rows])
        return means[np.searchsorted(np.unique(chosen), chosen)]

    def means(self, vectors: Array, owner: NDArray[np.intp]) -> Array:
        """The mean of the rows (n, d) of each owner that has any, in the order of the owners."""
        if self.source == STATIC:
            return vectors
        order = np.argsort(owner, kind="stable")
        _, starts, counts = np.unique(owner[order], return_index=True, return_counts=True)
        return np.add.reduceat(vectors[order], starts, axis=0) / counts[:, None].astype(vectors.dtype)


def population(source: str | CorpusFolder, model: "EmbeddingModel", *, progress: Progress = silent) -> Population:
    """The vocabulary without special tokens and unused entries (STATIC), the built-in text under a recipe, or a folder:
    at most MOST_DRAWN of its occurrences, drawn at random, with the moments of all.

    Raises ValueError for an unknown recipe, and for a folder of another model.
    """
    if isinstance(source, CorpusFolder):
        return _of_folder(source, model, progress)
    if source == STATIC:
        rows = np.flatnonzero(model.rankable)
        words = tuple(model.vocabulary[i] for i in rows)
        owner = np.arange(len(rows))
        answers, known, space = model.whole_words[rows], vocabulary_moments(model), partial(of_model.fitted, model)
        return Population(source, words, model.matrix[rows], owner, answers, known, model, fitted=space)
    read = encode_corpus(built_in_corpus(), source, model, progress=progress)
    known = occurrence_moments(built_in_corpus(), source, model)
    space = partial(fitted_space, built_in_corpus(), source, model)
    return Population(source, *_owned(read.table, read.vectors), known, model, read, fitted=space)


def measured_on(folder: CorpusFolder) -> str:
    """What is exact of a folder and what is estimated, in a sentence or two."""
    if len(folder) <= MOST_DRAWN:
        return f"Measured on all {len(folder):,} occurrences of the folder."
    return (
        f"Exact over all {len(folder):,} occurrences of the folder, by its moments: the raw mean cosine, the variances,"
        f" and what each space takes away (but for clusters). All else is measured on {MOST_DRAWN:,} of them, drawn at"
        " random."
    )


def _of_folder(folder: CorpusFolder, model: "EmbeddingModel", progress: Progress) -> Population:
    folder.check(model)
    sums = folder.sums()
    drawn = sample(folder, MOST_DRAWN, progress=progress)
    return Population(FOLDER, *_owned(drawn.table, drawn.vectors), sums.moments(), model, every=sums)


def _owned(table: pd.DataFrame, vectors: Array) -> tuple[tuple[str, ...], Array, NDArray[np.intp], NDArray[np.bool_]]:
    """The different words of occurrences, the vectors, the number of the word of each, and which words may answer."""
    names, owner = np.unique(table["word"].to_numpy().astype(str), return_inverse=True)
    words = tuple(str(name) for name in names)
    return words, vectors, owner, np.array([word[:1].isalpha() for word in words])
