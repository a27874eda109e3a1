"""Open a corpus folder: its words, their occurrences, their sentences, and what is nearest in all of it."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from embtools.occurrences.folder import scan
from embtools.occurrences.folder.encoder import vectors_of
from embtools.occurrences.folder.keeping import Kept, keep
from embtools.occurrences.folder.moments import Moments
from embtools.occurrences.folder.packing import GROUP
from embtools.occurrences.folder.place import Place
from embtools.occurrences.folder.shards import SENTENCES, WORDS
from embtools.progress import Progress, silent
from embtools.vectors import Array

AT_ONCE = GROUP
"""Occurrences of a word that are read at a time."""
MOST_KEPT = 2_000_000
"""Occurrences up to which all vectors are kept as float32 on this machine; above, the files are read each time."""
KEPT, FILES = "kept", "files"


@dataclass(frozen=True, eq=False)
class Rows:
    """Occurrences: `table` (occ, word, sentence, position, pieces, norm), `vectors` (n, d) float32."""

    table: pd.DataFrame
    vectors: Array


@dataclass(frozen=True, eq=False)
class Found:
    """The nearest occurrences: occ, word, sentence, cosine. `rung`: what was searched; `searched`: how many rows."""

    table: pd.DataFrame
    rung: str
    searched: int


@dataclass(frozen=True, eq=False)
class CorpusFolder:
    """A folder that `writing.encode_texts` has finished, on this machine or in an object store; it is never changed.

    about: what stands in its corpus.json
    """

    uri: str
    about: dict[str, Any]

    @classmethod
    def open(cls, uri: str) -> "CorpusFolder":
        """Open a folder by its path or URI; ValueError for one that is not there, not finished or cut short."""
        place = Place(uri)
        try:
            about = dict(json.loads(place.read("corpus.json")))
            folder = cls(uri, about)
            if about["fingerprint"]["schema"] != 1:
                raise ValueError(f"The folder {place.shown} is of another version. Encode the text again.")
            there = place.names("words") if place.local else {}  # an object store is asked file by file
        except FileNotFoundError:
            raise ValueError(
                f"The folder {place.shown} has no corpus.json: it is not there, or its encoding is not finished."
                " Run the command that began it again."
            ) from None
        except (OSError, KeyError, json.JSONDecodeError) as error:
            raise ValueError(f"The folder {place.shown} cannot be read: {error}") from error
        wanted = folder._files("words/")
        cut = [name for name, file in wanted.items() if there.get(name.removeprefix("words/")) != file["bytes"]]
        if place.local and cut:
            raise ValueError(
                f"The folder {place.shown} is cut short: {len(cut):,} of {len(wanted):,} files are missing or not"
                f" whole, {cut[0]} among them. Copy it again."
            )
        if folder._index.num_rows != about["words"]:
            raise ValueError(f"words.parquet of the folder {place.shown} is not the one it had. Copy the folder again.")
        return folder

    def __repr__(self) -> str:
        return f"<CorpusFolder: {len(self):,} occurrences of {self.about['words']:,} words, {self.checksum[:8]}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CorpusFolder) and (self.uri, self.checksum) == (other.uri, other.checksum)

    def __hash__(self) -> int:
        return hash((self.uri, self.checksum))

    def __len__(self) -> int:
        return int(self.about["occurrences"])

    @property
    def dimensions(self) -> int:
        """Of the vectors."""
        return int(self.about["fingerprint"]["dimensions"])

    def words(self) -> pd.DataFrame:
        """The words and how often each occurs, in the order of their spelling: word, count."""
        return self._index.select(["word", "count"]).to_pandas()

    def count(self, word: str) -> int:
        """How often a word occurs."""
        begin, end = self.span(word)
        return end - begin

    def span(self, word: str) -> tuple[int, int]:
        """The numbers of a word's rows in the order of all: from, to before."""
        place = int(np.searchsorted(self._names, word))
        if place == len(self._names) or self._names[place] != word:
            return 0, 0
        return int(self._ends[place] - self._counts[place]), int(self._ends[place])

    def occurrences(self, word: str, first: int = 0, most: int = AT_ONCE) -> Rows:
        """Occurrences of a word, in the order of the text, from the number `first` (from 0) on; at most `most`."""
        begin, end = self.span(word)
        return self._rows(begin + first, min(end, begin + first + most))

    def sentences(self, numbers: Sequence[int]) -> list[str]:
        """The sentences of these numbers; a file is read once for all of them that stand in it."""
        firsts = np.asarray(self.about["firsts"])
        shards = np.searchsorted(firsts, numbers, side="right") - 1
        return [
            str(self._texts(int(shard))[int(number - firsts[shard])].as_py())
            for shard, number in zip(shards, numbers, strict=True)
        ]

    def nearest(
        self,
        vector: Array,
        k: int,
        *,
        without: Sequence[tuple[int, int]] = (),
        most_kept: int = MOST_KEPT,
        progress: Progress = silent,
    ) -> Found:
        """The k occurrences nearest to a vector (d,) by cosine, exactly, out of all.

        Up to `most_kept` rows are kept on this machine (which the first search does); above, all files are read.
        without: ranges of rows that do not take part (see `span`). `progress` is told 0 … 1 and may raise to stop.
        """
        if len(self) <= most_kept:
            kept = self.kept(progress)
            best = scan.search(kept.vectors, kept.norms, vector, k, hidden=without)
            return self._found(best, kept.occ[best.rows], KEPT)
        best, occ = scan.NONE, dict[int, int]()
        for first, table in self._groups(progress):
            vectors, norms = vectors_of(table).astype(np.float32), table["norm"].to_numpy()
            best = scan.search(vectors, norms, vector, k, first=first, hidden=without, best=best)
            numbers = table["occ"].to_numpy()
            occ |= {int(row): int(numbers[row - first]) for row in best.rows if row >= first}
        return self._found(best, np.array([occ[int(row)] for row in best.rows], np.int64), FILES)

    def is_kept(self) -> bool:
        """Whether all vectors are on this machine already, so that the next search is quick."""
        return Kept.open(self.checksum, len(self), self.dimensions) is not None

    def kept(self, progress: Progress = silent) -> Kept:
        """All vectors as float32, mapped into memory: read from the files once, shared by all processes of a host."""
        pairs = ((t["occ"].to_numpy(), t["norm"].to_numpy(), vectors_of(t)) for _, t in self._groups(progress))
        return keep(self.checksum, len(self), self.dimensions, pairs)

    def sample(self) -> Rows:
        """The sample of the folder, its vectors mapped into memory where the folder is on this machine."""
        place = Place(self.uri)
        table = self._table("sample.parquet").to_pandas()
        if place.local is not None:
            return Rows(table, np.load(place.local / "sample.npy", mmap_mode="r", allow_pickle=False))
        return Rows(table, np.load(BytesIO(self._read("sample.npy")), allow_pickle=False))

    def moments(self) -> Moments:
        """The sums over all vectors."""
        return Moments.load(self._read("moments.npz"))

    # The files

    def _found(self, best: scan.Best, occ: NDArray[np.int64], rung: str) -> Found:
        words = self._names[np.searchsorted(self._ends, best.rows, side="right")]
        columns = {"row": best.rows, "occ": occ, "word": words, "sentence": occ // WORDS, "cosine": best.cosines}
        return Found(pd.DataFrame(columns), rung, len(self))

    def _rows(self, begin: int, end: int) -> Rows:
        """The rows of these numbers; only row groups that hold some of them are read."""
        tables = []
        starts = self._bucket_starts
        for bucket in range(int(np.searchsorted(starts, begin, side="right")) - 1, len(starts) - 1):
            if starts[bucket] >= end:
                break
            low, high = max(0, begin - starts[bucket]), min(end, starts[bucket + 1]) - starts[bucket]
            with self._opened(f"words/bucket-{bucket:06}.parquet") as file:
                parquet = pq.ParquetFile(file, pre_buffer=True)
                meta = parquet.metadata
                ends = np.cumsum([meta.row_group(n).num_rows for n in range(meta.num_row_groups)])
                groups = [n for n, stop in enumerate(ends) if low < stop and stop - meta.row_group(n).num_rows < high]
                skipped = ends[groups[0]] - meta.row_group(groups[0]).num_rows
                tables.append(parquet.read_row_groups(groups).slice(low - skipped, high - low))
        if not tables:
            return Rows(pd.DataFrame(), np.empty((0, self.dimensions), np.float32))
        table = pa.concat_tables(tables)
        return Rows(table.drop_columns(["vector"]).to_pandas(), vectors_of(table).astype(np.float32))

    def _groups(self, progress: Progress) -> Iterator[tuple[int, pa.Table]]:
        """All rows in their order, a row group at a time, each with the number of its first row."""
        done = 0
        for bucket in range(len(self._bucket_starts) - 1):
            with self._opened(f"words/bucket-{bucket:06}.parquet") as file:
                parquet = pq.ParquetFile(file, pre_buffer=True)
                for number in range(parquet.metadata.num_row_groups):
                    progress(done / len(self))
                    table = parquet.read_row_group(number, columns=["occ", "norm", "vector"])
                    yield done, table
                    done += len(table)

    def _files(self, begin: str) -> dict[str, dict[str, Any]]:
        return {name: file for name, file in self.about["files"].items() if name.startswith(begin)}

    @contextmanager
    def _opened(self, name: str) -> Iterator[Any]:
        with self._said(name), Place(self.uri).open(name) as file:
            yield file

    @contextmanager
    def _said(self, name: str) -> Iterator[None]:
        """What is wrong with a file of the folder is said in a sentence."""
        try:
            yield
        except (OSError, pa.ArrowException, KeyError) as error:
            raise ValueError(
                f"The file {name} of the folder cannot be read. Check it: python -m embtools.corpus verify."
            ) from error

    def _read(self, name: str) -> bytes:
        with self._opened(name) as file:
            return bytes(file.read())

    def _table(self, name: str) -> pa.Table:
        with self._opened(name) as file:
            return pq.read_table(pa.BufferReader(file.read()))

    @cached_property
    def _index(self) -> pa.Table:
        return self._table("words.parquet")

    @cached_property
    def _names(self) -> NDArray[Any]:
        return self._index["word"].to_numpy().astype(object)

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return self._index["count"].to_numpy()

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        return self._counts.cumsum()

    @cached_property
    def _bucket_starts(self) -> NDArray[np.int64]:
        return np.cumsum([0, *(file["rows"] for file in self._files("words/").values())])

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of what stands in its corpus.json, and so of all its files."""
        return sha256(json.dumps(self.about, sort_keys=True).encode()).hexdigest()

    @cached_property
    def _texts(self) -> Any:
        return lru_cache(maxsize=64)(self._shard)

    def _shard(self, number: int) -> Any:
        name = f"sentences/part-{number:06}.csv"
        with self._said(name):
            return Place(self.uri).lines(name, self.about["files"][name]["bytes"], SENTENCES)["text"]
