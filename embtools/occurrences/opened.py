"""One way to search all corpora: a text in memory, and a folder of files that was encoded in advance."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import pandas as pd
from numpy.typing import NDArray

from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder.files import Block
from embtools.occurrences.folder.opened import Engine, OpenFolder
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.scan import Best
from embtools.occurrences.in_memory import ComparedSentences, OpenText
from embtools.progress import Progress, silent
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


class AnyCorpus(Protocol):
    """A text (`Corpus`) or a folder (`CorpusFolder`), and what it can do; hashable.

    where          what messages call it: "the text", "this folder"
    combination    its layer combination unless another one is chosen
    any_layers     whether every layer combination can be chosen; otherwise there is only `combination`
    any_model      whether every model can read it; otherwise only the model that encoded it
    any_space      whether spaces by cluster can be fitted, which needs all vectors in memory
    is_encoded     whether its vectors are stored, so that a space is fitted without reading the text
    means          what the mean vector of a sentence is taken over
    lists_all      whether all occurrences of a word are listed; otherwise the nearest ones, and the others are counted
    labels_senses  whether senses can be labelled in it; otherwise a word's occurrences are divided into clusters
    """

    where: str
    means: str
    any_layers: bool
    any_model: bool
    any_space: bool
    is_encoded: bool
    lists_all: bool
    labels_senses: bool

    @property
    def combination(self) -> str: ...

    def contains(self, word: str) -> bool:
        """Whether a word occurs, ignoring case; reads no vectors."""


class AnyRows(Protocol):
    """Some or all occurrences of an open corpus, numbered from 0."""

    def __len__(self) -> int: ...

    def blocks(self, progress: Progress = silent) -> Iterator[Block]:
        """All rows in order, in blocks."""

    def described(self, occ: NDArray[Any], words: Any, **columns: Any) -> pd.DataFrame:
        """Rows by their `occ` as a frame: rank, word, the given columns, sense, text, start, end."""


class Rows(AnyRows, Protocol):
    """Some occurrences of an open corpus."""

    def one(self, number: int) -> tuple[int, Array]:
        """The `occ` of the row with this number, and its vector (d,)."""


class AllRows(AnyRows, Protocol):
    """All occurrences of an open corpus, sorted by word and then by their order in the text."""

    def words(self) -> pd.Series:
        """The words in alphabetical order."""

    def word_of(self, rows: NDArray[Any]) -> NDArray[Any]:
        """The words of the rows with these numbers."""

    def span(self, word: str) -> tuple[int, int]:
        """The first row of a word and the row after its last one; two equal numbers if it does not occur."""

    def nearest(
        self, vector: Array, k: int, hidden: tuple[tuple[int, int], ...], progress: Progress = silent
    ) -> tuple[Best, NDArray[Any]]:
        """The k rows nearest to a vector (d,) by an exact search without the `hidden` ranges, and their `occ`."""


class Opened(Protocol):
    """A corpus as one model reads it, with one layer combination and in one space.

    how     what a search of all rows reads: "memory", "kept" (one stored array of a folder) or "files"
    """

    @property
    def how(self) -> str: ...

    def of(self, word: str) -> Rows:
        """The occurrences of a word, as the model spells it, in the order of the text."""

    def typed(self, sentence: str) -> "Opened":
        """A sentence that is no part of the corpus, read in the same way."""

    def all(self, progress: Progress = silent) -> AllRows:
        """All rows; a text is read now, unless its vectors are cached."""

    def compare_sentences(self, sentence: str, progress: Progress = silent) -> ComparedSentences:
        """A sentence compared with all other sentences of the corpus, by meaning and by shared words."""

    def sentences(self, numbers: Sequence[int]) -> list[str]:
        """The sentences with these numbers."""


def opened(
    corpus: Corpus | CorpusFolder,
    model: "EmbeddingModel",
    *,
    combination: str = "",
    space: Space = AS_IS,
    most_stored: int | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> Opened:
    """Open a text or a folder for searches, by default in its own layer combination, in a space fitted to all
    occurrences; for `most_stored` and `engine` see `CorpusFolder.nearest` and `folder.opened.nearest_by`.
    """
    if isinstance(corpus, CorpusFolder):
        return OpenFolder.of_model(
            corpus, model, combination=combination, space=space, most_stored=most_stored, engine=engine
        )
    return OpenText.in_space(
        corpus, model, combination=combination or corpus.combination, space=space, progress=progress
    )
