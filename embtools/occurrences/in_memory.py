"""A text as a model reads it: the vectors of one word's sentences, or of all, in memory; and how similar a sentence is
to every sentence of a corpus, by meaning and by shared words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.limits import enough
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import Occurrences, encode_part
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.files import Block
from embtools.occurrences.folder.scan import Best
from embtools.occurrences.in_space import fitted_space
from embtools.progress import Progress, silent
from embtools.spaces.fitting import Fitted
from embtools.spaces.space import RAW, Space
from embtools.vectors import Array, cosine

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MEMORY = "memory"
_AT_ONCE = 8_192  # rows that are copied at a time


@dataclass(frozen=True, eq=False)
class ComparedSentences:
    """A sentence compared with n sentences of a corpus; the sentence itself is left out.

    numbers  (n,) their numbers in the corpus
    meaning  (n,) cosines of the mean vectors
    shared   (n,) cosines of the word counts, weighted by rarity (tf-idf), which use no meaning
    """

    numbers: NDArray[np.intp]
    meaning: Array
    shared: Array


def shared_words(sentence: str, sentences: Sequence[str]) -> Array:
    """The cosine (n,) between the words of a sentence and those of n others, each word weighted by its rarity (tf-idf).

    >>> shared_words("A king.", ["the king", "the queen"]).round(2).tolist()
    [0.43, 0.0]
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    enough(sentences, "sentences")
    counted = TfidfVectorizer(token_pattern=r"(?u)\w+").fit_transform([sentence, *sentences])
    found: Array = (counted[1:] @ counted[0].T).toarray()[:, 0]
    return found


@dataclass(frozen=True, eq=False)
class OpenText:
    """A text as one model reads it, with one layer combination and in one space (None: raw)."""

    corpus: Corpus
    model: "EmbeddingModel"
    combination: str
    fitted: Fitted | None = None
    how: str = MEMORY

    @classmethod
    def in_space(
        cls, corpus: Corpus, model: "EmbeddingModel", *, combination: str, space: Space, progress: Progress = silent
    ) -> "OpenText":
        """Open a text; a processed space is fitted to all its occurrences, so all of it is read now."""
        if space.kind == RAW:
            return cls(corpus, model, combination)
        fitted = fitted_space(corpus, model, combination=combination, space=space, progress=progress)
        return cls(corpus, model, combination, fitted)

    def of(self, word: str) -> "TextRows":
        """The occurrences of a word. Only the sentences that contain it are read."""
        part = self.corpus.having(word)
        if not part.sentences:
            return TextRows(None, np.empty(0, np.intp))
        found = self._read(part, silent)
        return TextRows(found, found.of(word), self.fitted)

    def typed(self, sentence: str) -> "OpenText":
        """A sentence that is no part of the text, read in the same way."""
        return OpenText(Corpus((sentence,)), self.model, self.combination, self.fitted)

    def all(self, progress: Progress = silent) -> "TextRows":
        """All occurrences, sorted by word; the whole text is read now unless its vectors are cached."""
        found = self._read(self.corpus, progress)
        return TextRows(found, found.by_word[2], self.fitted)

    def compare_sentences(self, sentence: str, progress: Progress = silent) -> ComparedSentences:
        """A sentence compared with all others, each as the mean over all its tokens."""
        found = self._read(self.corpus, progress)
        query = self._read(Corpus((sentence,)), silent)
        if query.cut:
            raise ValueError("The sentence has more tokens than this model reads at once. Shorten it.")
        others = np.array([n for n, text in enumerate(found.sentences) if text != sentence], np.intp)
        if not len(others):
            raise ValueError("The text has no other sentence. Use a longer text.")
        own, means = query.means, found.means
        if self.fitted is not None:
            own, means = self.fitted.apply(own), self.fitted.apply(means)
        shared = shared_words(sentence, [found.sentences[n] for n in others])
        return ComparedSentences(others, cosine(own[0], means[others])[0], shared)

    def sentences(self, numbers: Sequence[int]) -> list[str]:
        """The sentences with these numbers, as they were read."""
        found = self._read(self.corpus, silent)
        return [found.sentences[number] for number in numbers]

    def _read(self, part: Corpus, progress: Progress) -> Occurrences:
        return encode_part(part, self.model, whole=self.corpus, combination=self.combination, progress=progress)


@dataclass(frozen=True, eq=False)
class TextRows:
    """Some occurrences of a text: `order` are their rows in `found` (None: no occurrence was found)."""

    found: Occurrences | None
    order: NDArray[np.intp]
    fitted: Fitted | None = None

    def __len__(self) -> int:
        return len(self.order)

    @property
    def _source(self) -> Occurrences:
        if self.found is None:
            raise ValueError("There is no occurrence. Use a word that occurs in the text.")
        return self.found

    def blocks(self, progress: Progress = silent) -> Iterator[Block]:
        for first in range(0, len(self), _AT_ONCE):
            progress(first / len(self))
            yield self._block(first, self.order[first : first + _AT_ONCE])

    def one(self, number: int) -> tuple[int, Array]:
        block = self._block(number, self.order[number : number + 1])
        return int(block.occ[0]), block.vectors[0]

    def described(self, occ: NDArray[Any], words: Any, **columns: Any) -> pd.DataFrame:
        return self._source.described(np.asarray(occ, np.intp), **columns).assign(word=words)

    def words(self) -> pd.Series:
        return pd.Series(self._source.by_word[0], dtype=object)

    def word_of(self, rows: NDArray[Any]) -> NDArray[Any]:
        """The words of the rows with these numbers, from all occurrences."""
        return self._source.table["word"].to_numpy()[self.order[rows]]

    def span(self, word: str) -> tuple[int, int]:
        """The first row of a word among all occurrences, and the row after its last one."""
        names, begins, _ = self._source.by_word
        index = int(np.searchsorted(names, word))
        if index == len(names) or names[index] != word:
            return 0, 0
        return int(begins[index]), int(begins[index + 1])

    def nearest(
        self, vector: Array, k: int, hidden: tuple[tuple[int, int], ...], progress: Progress = silent
    ) -> tuple[Best, NDArray[np.int64]]:
        return scan.through(self.blocks(progress), vector, k, hidden=hidden)

    def _block(self, first: int, rows: NDArray[np.intp]) -> Block:
        source = self._source
        block = Block(first, rows.astype(np.int64), source.lengths[rows], source.vectors[rows])
        return block if self.fitted is None else block.processed(self.fitted)
