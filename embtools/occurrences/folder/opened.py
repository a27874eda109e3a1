"""A corpus folder as the model that encoded it reads it: the rows of one word, or all rows, with their sentences and
the position of the word in the sentence. An exact search of all rows is also possible in independent steps, one per
file, which workers of a cluster can carry out.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.files import Block
from embtools.occurrences.folder.reading import FILES, CorpusFolder, NearestRows
from embtools.occurrences.folder.scan import Best
from embtools.occurrences.folder.sentences import compare_sentences
from embtools.occurrences.folder.shards import WORDS
from embtools.occurrences.in_memory import ComparedSentences, OpenText
from embtools.progress import Progress, silent
from embtools.spaces.space import AS_IS, CENTRED, RAW, TOP, Space
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_PACE = 150_000, 400_000
"""Rows of 384 numbers per second: read and stored for the next search; only read from the files."""
_PACE_IN_SPACE = 300_000, 130_000
"""Rows per second that are put into a space: along a few directions; by a whole matrix."""
Columns = dict[str, NDArray[Any]]
Engine = Callable[[Callable[[int], Columns], Sequence[int]], Iterable[dict[str, Any]]]
"""Carries out a step for each number, in any order, and yields the rows that the steps return."""


@dataclass(frozen=True, eq=False)
class Search:
    """A search of a folder, which can be sent to any worker.

    vector (d,): the query in the given space;  without: ranges of rows to leave out
    """

    uri: str
    vector: Array
    k: int
    space: Space = AS_IS
    without: tuple[tuple[int, int], ...] = ()

    def work(self, number: int) -> Columns:
        """The k nearest rows of one bucket: row, occ, cosine, best first."""
        folder = _opened(self.uri).in_space(self.space)
        fitted = folder.fitted
        blocks = (block.processed(fitted) for block in folder.files.bucket(number))
        best, occ = scan.through(blocks, self.vector, self.k, hidden=self.without)
        return {"row": best.rows, "occ": occ, "cosine": best.cosines}


def nearest_by(
    engine: Engine,
    folder: CorpusFolder,
    vector: Array,
    k: int,
    *,
    without: Sequence[tuple[int, int]] = (),
    progress: Progress = silent,
) -> NearestRows:
    """`CorpusFolder.nearest` with an engine: each bucket is a step, and the results of all buckets are merged."""
    search = Search(folder.uri, np.asarray(vector, np.float32), k, folder.space, tuple(without))
    buckets = range(len(folder.files.named("words/")))
    rows = []
    for row in engine(search.work, buckets):
        rows.append(row)
        progress(min(1.0, len(rows) / (k * len(buckets))))
    found = pd.DataFrame(rows, columns=["row", "occ", "cosine"]).astype({"row": np.int64, "occ": np.int64})
    best = scan.NONE.merged(found["row"].to_numpy(), found["cosine"].to_numpy(np.float32), k)
    return folder.nearest_rows(best, found.set_index("row")["occ"].loc[best.rows].to_numpy(), FILES)


@lru_cache(maxsize=2)  # once per worker: a folder never changes
def _opened(uri: str) -> CorpusFolder:
    return CorpusFolder.open(uri)


@dataclass(frozen=True, eq=False)
class OpenFolder:
    """A folder in a space, with the model that encoded it.

    most_stored   see `CorpusFolder.rung`
    engine      searches all occurrences file by file on its own machines
    """

    folder: CorpusFolder
    model: "EmbeddingModel"
    most_stored: int | None = None
    engine: Engine | None = None

    @classmethod
    def of_model(
        cls,
        folder: CorpusFolder,
        model: "EmbeddingModel",
        *,
        combination: str = "",
        space: Space = AS_IS,
        most_stored: int | None = None,
        engine: Engine | None = None,
    ) -> "OpenFolder":
        """Open a folder. Raises ValueError for another model or layer combination than those that encoded it."""
        folder.check(model)
        if combination not in ("", folder.combination):
            raise ValueError(
                f"This folder stores only the {folder.combination}, not {quoted(combination)}. Use this layer"
                " combination, or encode the text again with another one."
            )
        return cls(folder if space == AS_IS else folder.in_space(space), model, most_stored, engine)

    @property
    def how(self) -> str:
        """What a search of all rows reads: "kept" (one stored array) or "files"."""
        return FILES if self.engine is not None else self.folder.rung(self.most_stored)

    def of(self, word: str) -> "WordRows":
        """The occurrences of a word in the order of the text; only they are read."""
        return WordRows(self.folder, self.model, word)

    def typed(self, sentence: str) -> OpenText:
        """A sentence that is no part of the folder, read in the same way."""
        fitted = None if self.folder.space == AS_IS else self.folder.fitted
        return OpenText(Corpus((sentence,)), self.model, self.folder.combination, fitted)

    def all(self, progress: Progress = silent) -> "FolderRows":
        """All rows, sorted by word; they are read when they are searched."""
        return FolderRows(self)

    def compare_sentences(self, sentence: str, progress: Progress = silent) -> ComparedSentences:
        """A sentence compared with all others, each as the mean of its words; raises as `sentences.possible` does."""
        query = encode_corpus(Corpus((sentence,)), self.model, combination=self.folder.combination)
        return compare_sentences(self.folder, query.table["word"].to_numpy(), query.vectors, progress=progress)

    def sentences(self, numbers: Sequence[int]) -> list[str]:
        """The sentences with these numbers; each file is read once."""
        return self.folder.sentences(numbers)


@dataclass(frozen=True, eq=False)
class WordRows:
    """The rows of one word of a folder."""

    folder: CorpusFolder
    model: "EmbeddingModel"
    word: str

    def __len__(self) -> int:
        return self.folder.count(self.word)

    def blocks(self, progress: Progress = silent) -> Iterator[Block]:
        begin, _ = self.folder.span(self.word)
        for block in self.folder.blocks_of(self.word, progress):
            yield Block(block.first - begin, block.occ, block.norms, block.vectors)

    def one(self, number: int) -> tuple[int, Array]:
        rows = self.folder.occurrences(self.word, number, 1)
        return int(rows.table["occ"].iloc[0]), rows.vectors[0]

    def described(self, occ: NDArray[Any], words: Any, **columns: Any) -> pd.DataFrame:
        return described(self.folder, self.model, occ=occ, words=words, **columns)


@dataclass(frozen=True, eq=False)
class FolderRows:
    """All rows of a folder."""

    source: OpenFolder

    def __len__(self) -> int:
        return len(self.source.folder)

    def words(self) -> pd.Series:
        return self.source.folder.words()["word"]

    def word_of(self, rows: NDArray[Any]) -> NDArray[Any]:
        return self.source.folder.word_of(rows)

    def span(self, word: str) -> tuple[int, int]:
        return self.source.folder.span(word)

    def blocks(self, progress: Progress = silent) -> Iterator[Block]:
        return self.source.folder.blocks(self.source.most_stored, progress)

    def described(self, occ: NDArray[Any], words: Any, **columns: Any) -> pd.DataFrame:
        return described(self.source.folder, self.source.model, occ=occ, words=words, **columns)

    def nearest(
        self, vector: Array, k: int, hidden: tuple[tuple[int, int], ...], progress: Progress = silent
    ) -> tuple[Best, NDArray[Any]]:
        folder, engine = self.source.folder, self.source.engine
        if engine is None:
            found = folder.nearest(vector, k, without=hidden, most_stored=self.source.most_stored, progress=progress)
        else:
            found = nearest_by(engine, folder, vector, k, without=hidden, progress=progress)
        table = found.table
        return Best(table["row"].to_numpy(), table["cosine"].to_numpy()), table["occ"].to_numpy()


def seconds(folder: CorpusFolder, *, most_stored: int | None = None) -> float:
    """Estimated seconds for a search of all occurrences; 0 for raw vectors that are stored on this machine."""
    files, rows = folder.rung(most_stored) == FILES, len(folder) * folder.dimensions / 384
    reading = 0.0 if not files and folder.is_stored() else rows / _PACE[files]
    if folder.space.kind == RAW:
        return reading
    if folder.space.kind in (CENTRED, TOP):
        return reading + rows / _PACE_IN_SPACE[0]
    return reading + rows * folder.dimensions / 384 / _PACE_IN_SPACE[1]


def sentence_positions(folder: CorpusFolder, model: "EmbeddingModel", *, occ: NDArray[np.int64]) -> pd.DataFrame:
    """The sentences of occurrences, and the position of the word in each, as a frame: text, start, end."""
    numbers = np.asarray(occ, np.int64)
    texts = folder.sentences((numbers // WORDS).tolist())
    found = [model.words(text)[1][number % WORDS] for text, number in zip(texts, numbers.tolist(), strict=True)]
    starts, ends = ([word[n] for word in found] for n in (2, 3))
    return pd.DataFrame({"text": texts, "start": np.array(starts, np.int64), "end": np.array(ends, np.int64)})


def described(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    *,
    occ: NDArray[np.int64],
    words: Any,
    sense: Any = "",
    **columns: Any,
) -> pd.DataFrame:
    """Occurrences as a frame, like `Occurrences.described`: rank, word, the given columns, sense, text, start, end."""
    ranks = pd.DataFrame({"rank": np.arange(1, len(occ) + 1), "word": np.asarray(words, object)})
    return ranks.assign(**columns, sense=sense).join(sentence_positions(folder, model, occ=occ))
