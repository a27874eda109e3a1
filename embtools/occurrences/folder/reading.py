"""Open a corpus folder and read its words, occurrences and sentences, and the nearest of all occurrences."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from embtools.doors import import_line
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.files import Block, Files, Rows
from embtools.occurrences.folder.location import Location, offered
from embtools.occurrences.folder.packing import GROUP
from embtools.occurrences.folder.shards import WORDS
from embtools.occurrences.folder.stored_rows import StoredRows, store
from embtools.occurrences.folder.sums import Sums
from embtools.progress import Progress, part, silent
from embtools.spaces.fitting import Fitted, fit_by_moments
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

AT_ONCE = GROUP
"""The number of occurrences of a word that are read at a time."""
MOST_STORED = 2_000_000
"""Up to this many occurrences, all vectors are stored as float32 on this machine; above, files are read each time."""
MOST_FILES = 64
"""Up to this many files of sentences that are read for one query are stored in the common cache."""
STORED, FILES = "kept", "files"


@dataclass(frozen=True, eq=False)
class Index:
    """The content of words.parquet: one row per word, in alphabetical order; see `CorpusFolder` for what it tells.

    table: word, count, and the position of its first occurrence
    """

    table: pa.Table

    def words(self) -> pd.DataFrame:
        return self.table.select(["word", "count"]).to_pandas()

    def span(self, word: str) -> tuple[int, int]:
        index = int(np.searchsorted(self._names, word))
        if index == len(self._names) or self._names[index] != word:
            return 0, 0
        return int(self._ends[index] - self._counts[index]), int(self._ends[index])

    def word_of(self, rows: NDArray[np.int64]) -> NDArray[np.object_]:
        return self._names[np.searchsorted(self._ends, rows, side="right")]

    @cached_property
    def _names(self) -> NDArray[np.object_]:
        return self.table["word"].to_numpy().astype(object)

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return self.table["count"].to_numpy()

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        return self._counts.cumsum()


@dataclass(frozen=True, eq=False)
class NearestRows:
    """The nearest occurrences.

    table       frame: row, occ, word, sentence, cosine
    rung        what was searched: STORED or FILES
    searched    the number of occurrences that were compared
    """

    table: pd.DataFrame
    rung: str
    searched: int


@dataclass(frozen=True, eq=False)
class CorpusFolder:
    """A finished folder of `writing.encode_texts`, on this machine or in an object store; it is only read.

    about: the content of corpus.json;  index: its words;  space: the space of its vectors. The attributes of the class
    are those of `opened.AnyCorpus`.
    """

    where: ClassVar[str] = "this folder"
    means: ClassVar[str] = "the words of a sentence, because the folder stores only words"
    any_layers: ClassVar[bool] = False
    any_model: ClassVar[bool] = False
    any_space: ClassVar[bool] = False
    is_encoded: ClassVar[bool] = True
    lists_all: ClassVar[bool] = False
    labels_senses: ClassVar[bool] = False

    uri: str
    about: dict[str, Any]
    files: Files
    index: Index
    space: Space = AS_IS

    @classmethod
    def open(cls, uri: str) -> "CorpusFolder":
        """Open a folder by its path or URI. Raises ValueError if it is missing, not finished or incomplete."""
        location = Location(uri)
        try:
            about = dict(json.loads(location.read("corpus.json")))
            if about["fingerprint"]["schema"] != 1:
                raise ValueError(
                    f"The folder {location.shown} has another version of the format. Encode the text again."
                )
            files = Files(location, about)
            wanted = files.named("words/")
            there = (
                location.names("words") if location.local else {}
            )  # in an object store, files are checked when they are read
        except FileNotFoundError:
            raise ValueError(
                f"The folder {location.shown} has no corpus.json: it does not exist, or its encoding is not finished."
                " Run the command that encodes it again."
            ) from None
        except (OSError, KeyError, json.JSONDecodeError) as error:
            raise ValueError(f"The folder {location.shown} cannot be read ({type(error).__name__}).") from error
        cut = [name for name, file in wanted.items() if there.get(name.removeprefix("words/")) != file["bytes"]]
        if location.local and cut:
            raise ValueError(
                f"The folder {location.shown} is incomplete: {len(cut):,} of {len(wanted):,} files are missing or"
                f" damaged, for example {cut[0]}. Copy it again."
            )
        index = Index(files.table("words.parquet"))
        if index.table.num_rows != about["words"]:
            raise ValueError(
                f"The file words.parquet of the folder {location.shown} has changed. Copy the folder again."
            )
        return cls(uri, about, files, index)

    def __repr__(self) -> str:
        what = f"{len(self):,} occurrences of {self.about['words']:,} words, {self.checksum[:8]}, {self.space.says}"
        return f"<CorpusFolder: {what}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CorpusFolder) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __len__(self) -> int:
        return int(self.about["occurrences"])

    @property
    def dimensions(self) -> int:
        """The number of dimensions of the vectors."""
        return int(self.about["fingerprint"]["dimensions"])

    @property
    def combination(self) -> str:
        """The layer combination of the vectors."""
        return str(self.about["fingerprint"]["recipe"])

    @property
    def _key(self) -> tuple[str, str, Space]:
        return self.uri, self.checksum, self.space

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the content of corpus.json, which contains the checksums of all files."""
        return sha256(json.dumps(self.about, sort_keys=True).encode()).hexdigest()

    @property
    def code(self) -> str:
        """The Python that opens the folder in its space: by its name on this server, never by its path."""
        name = next((name for name, uri in offered().items() if uri == self.uri), "a folder")
        return f"CorpusFolder.open({name!r})" + ("" if self.space == AS_IS else f".in_space({self.space.code})")

    @property
    def imports(self) -> tuple[str, ...]:
        """The lines that import what `code` calls."""
        return (import_line(type(self)), *(() if self.space == AS_IS else (import_line(type(self.space)),)))

    def check(self, model: "EmbeddingModel") -> None:
        """Raise ValueError unless this model and its tokenizer encoded the folder."""
        made = self.about["fingerprint"]
        if (made["weights"], made["tokenizer"]) != (model.checksum, model.tokenizer_checksum):
            raise ValueError(
                f"This folder was encoded with the model {quoted(made['model'], 80)}, but the current model is"
                f" {quoted(model.name, 80)}. Choose the folder's model in the settings, or another text."
            )

    def in_space(self, space: Space) -> "CorpusFolder":
        """The same folder with its vectors in a space fitted to all of them; they are processed while they are read, so
        every search in the space is exact too.
        """
        return self if space == self.space else _view(self, space)

    @property
    def fitted(self) -> Fitted:
        """The fitted space (cached). Raises ValueError for all-but-the-top by cluster, which needs all vectors."""
        if self.space == AS_IS:
            return Fitted(AS_IS, ())
        return _fitted(self.files.location, self.about["files"]["moments.npz"], self.space)

    # Its words

    def words(self) -> pd.DataFrame:
        """The words in alphabetical order and their counts, as a frame: word, count."""
        return self.index.words()

    def contains(self, word: str) -> bool:
        """Whether a word occurs as it is written, or in lower case."""
        return bool(self.count(word) or self.count(word.lower()))

    def count(self, word: str) -> int:
        """How often a word occurs."""
        begin, end = self.span(word)
        return end - begin

    def span(self, word: str) -> tuple[int, int]:
        """The first row of a word and the row after its last one; (0, 0) if it does not occur."""
        return self.index.span(word)

    def word_of(self, rows: NDArray[np.int64]) -> NDArray[np.object_]:
        """The words (n,) of the rows with these numbers (n,)."""
        return self.index.word_of(rows)

    def occurrences(self, word: str, first: int = 0, most: int = AT_ONCE) -> Rows:
        """At most `most` occurrences of a word in the order of the text, starting with number `first` (from 0)."""
        begin, end = self.span(word)
        return self.files.rows(begin + first, min(end, begin + first + most)).processed(self.fitted)

    def blocks_of(self, word: str, progress: Progress = silent) -> Iterator[Block]:
        """All occurrences of a word in the order of the text, in blocks of AT_ONCE."""
        begin, end = self.span(word)
        fitted = self.fitted
        for first in range(begin, end, AT_ONCE):
            progress((first - begin) / (end - begin))
            rows = self.files.rows(first, min(end, first + AT_ONCE)).processed(fitted)
            yield Block(first, rows.table["occ"].to_numpy(), rows.table["norm"].to_numpy(), rows.vectors)

    def sentences(self, numbers: Sequence[int]) -> list[str]:
        """The sentences with these numbers; each file is read once, and one at a time is held."""
        firsts = np.asarray(self.about["firsts"])
        indices: dict[int, list[int]] = {}
        for index, shard in enumerate((np.searchsorted(firsts, numbers, side="right") - 1).tolist()):
            indices.setdefault(shard, []).append(index)
        found = [""] * len(numbers)
        for shard, those in sorted(indices.items()):
            rows = [int(numbers[index] - firsts[shard]) for index in those]
            # The files of many sentences would take the place of other results in the common cache.
            texts = self.files.sentences(shard, store=len(indices) <= MOST_FILES).take(rows).to_pylist()
            for index, text in zip(those, texts, strict=True):
                found[index] = text
        return found

    # All of it

    def rung(self, most_stored: int | None = None) -> str:
        """What a search of all rows reads: STORED, an array on this machine, up to `most_stored` rows; else FILES."""
        return STORED if len(self) <= (MOST_STORED if most_stored is None else most_stored) else FILES

    def blocks(self, most_stored: int | None = None, progress: Progress = silent) -> Iterator[Block]:
        """All rows in order, in blocks; they are first stored on this machine if `rung` says so."""
        fitted = self.fitted
        if self.rung(most_stored) == FILES:
            yield from (block.processed(fitted) for block in self.files.blocks(progress))
            return
        report = progress if self.is_stored() else part(progress, 0.9, 0.1)
        rows = self.stored(part(progress, 0.0, 0.9))
        for first in range(0, len(self), scan.BLOCK):
            report(first / len(self))
            some = slice(first, first + scan.BLOCK)
            yield Block(first, rows.occ[some], rows.norms[some], rows.vectors[some]).processed(fitted)

    def nearest(
        self,
        vector: Array,
        k: int,
        *,
        without: Sequence[tuple[int, int]] = (),
        most_stored: int | None = None,
        progress: Progress = silent,
    ) -> NearestRows:
        """The k occurrences nearest to a vector (d,) by cosine, from an exact search of all but some ranges (see
        `span`); the first search stores the rows on this machine if they are at most `most_stored`.
        """
        best, occ = scan.through(self.blocks(most_stored, progress), vector, k, hidden=without)
        return self.nearest_rows(best, occ, self.rung(most_stored))

    def nearest_rows(self, best: scan.Best, occ: NDArray[np.int64], rung: str) -> NearestRows:
        """The best rows with their words and sentences."""
        columns = {"row": best.rows, "occ": occ, "word": self.word_of(best.rows), "sentence": occ // WORDS}
        return NearestRows(pd.DataFrame({**columns, "cosine": best.cosines}), rung, len(self))

    def is_stored(self) -> bool:
        """Whether all vectors are stored on this machine, so that a search is quick."""
        return StoredRows.open(self.checksum, len(self), self.dimensions) is not None

    def stored(self, progress: Progress = silent) -> StoredRows:
        """All raw vectors as float32, memory-mapped: read once, and shared by all processes of the machine."""
        read = ((block.occ, block.norms, block.vectors) for block in self.files.blocks(progress))
        return store(self.checksum, len(self), self.dimensions, read)

    def sums(self) -> Sums:
        """The sums over all raw vectors."""
        return _sums(self.files.location)


@lru_cache(maxsize=8)  # all views share one index, and the common cache has what is fitted
def _view(folder: CorpusFolder, space: Space) -> CorpusFolder:
    """The folder in a space."""
    return replace(folder, space=space)


@remembered
def _fitted(location: Location, file: dict[str, Any], space: Space) -> Fitted:
    """The space fitted to moments.npz. file: its checksum; so neither the folder nor its index is held by the cache."""
    return fit_by_moments(_sums(location).moments(), space)


def _sums(location: Location) -> Sums:
    return Sums.load(Files(location, {}).read("moments.npz"))  # reading a file by its name needs no corpus.json
