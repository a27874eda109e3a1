"""Reading the files of a finished corpus folder: rows by their numbers, and sentences."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from embtools.memory import remembered
from embtools.occurrences.folder.encoder import vectors_of
from embtools.occurrences.folder.location import Location
from embtools.occurrences.folder.shards import SENTENCES
from embtools.progress import Progress, silent
from embtools.spaces.fitting import Fitted
from embtools.vectors import Array


@dataclass(frozen=True, eq=False)
class Rows:
    """Occurrences: table (occ, word, sentence, position, pieces, norm) and vectors (n, d) float32."""

    table: pd.DataFrame
    vectors: Array

    def processed(self, fitted: Fitted) -> "Rows":
        """The same rows with vectors and norms in a processed space."""
        if not fitted.parts:
            return self
        vectors = fitted.apply(self.vectors)
        return Rows(self.table.assign(norm=np.linalg.norm(vectors, axis=1)), vectors)


@dataclass(frozen=True, eq=False)
class Block:
    """Consecutive rows: the number of the first one, and occ (n,), norms (n,) and vectors (n, d) float32 of all."""

    first: int
    occ: NDArray[np.int64]
    norms: Array
    vectors: Array

    def processed(self, fitted: Fitted) -> "Block":
        """The same rows with vectors and norms in a processed space."""
        if not fitted.parts:
            return self
        vectors = fitted.apply(self.vectors)
        return replace(self, norms=np.linalg.norm(vectors, axis=1), vectors=vectors)

    def cleared(self, values: Array, spans: Iterable[tuple[int, int]], value: float = 0) -> Array:
        """The values (…, n) of the rows, in which those in these ranges of row numbers have been set to `value`."""
        for low, high in spans:
            values[..., max(0, low - self.first) : max(0, high - self.first)] = value
        return values

    def numbers(self, rows: NDArray[np.int64]) -> dict[int, int]:
        """The occ of the rows that are in this block, by row number."""
        inside = (row for row in rows.tolist() if self.first <= row < self.first + len(self.occ))
        return {row: int(self.occ[row - self.first]) for row in inside}


@dataclass(frozen=True, eq=False)
class Files:
    """The files of a folder; rows are numbered through all buckets.

    about: the content of corpus.json. Every method raises ValueError for a file that cannot be read.
    """

    location: Location
    about: dict[str, Any]

    def named(self, begin: str) -> dict[str, dict[str, Any]]:
        """The files whose names start with `begin`, with their rows, bytes and checksums."""
        return {name: file for name, file in self.about["files"].items() if name.startswith(begin)}

    def read(self, name: str) -> bytes:
        """The content of a file."""
        with self._opened(name) as file:
            return bytes(file.read())

    def table(self, name: str) -> pa.Table:
        """The content of a Parquet file, with a single request."""
        with self._opened(name) as file:
            return pq.read_table(pa.BufferReader(file.read()))

    def chunks(self, name: str, first: int, size: int) -> Iterator[bytes]:
        """The content of a file from byte `first` on, in chunks of at most `size` bytes, with one request each."""
        with self._opened(name) as file:
            file.seek(first)
            while chunk := file.read(size):
                yield bytes(chunk)

    def rows(self, begin: int, end: int) -> Rows:
        """The rows from `begin` to before `end`; only row groups that contain some of them are read."""
        tables = []
        for bucket in range(int(np.searchsorted(self._starts, begin, side="right")) - 1, len(self._starts) - 1):
            if self._starts[bucket] >= end:
                break
            low, high = max(0, begin - self._starts[bucket]), min(end, self._starts[bucket + 1]) - self._starts[bucket]
            with self._opened(f"words/bucket-{bucket:06}.parquet") as file:
                parquet = pq.ParquetFile(file, pre_buffer=True)
                meta = parquet.metadata
                ends = np.cumsum([meta.row_group(n).num_rows for n in range(meta.num_row_groups)])
                groups = [n for n, stop in enumerate(ends) if low < stop and stop - meta.row_group(n).num_rows < high]
                skipped = ends[groups[0]] - meta.row_group(groups[0]).num_rows
                tables.append(parquet.read_row_groups(groups).slice(low - skipped, high - low))
        if not tables:
            return Rows(pd.DataFrame(), np.empty((0, self.about["fingerprint"]["dimensions"]), np.float32))
        table = pa.concat_tables(tables)
        return Rows(table.drop_columns(["vector"]).to_pandas(), vectors_of(table).astype(np.float32))

    def blocks(self, progress: Progress) -> Iterator[Block]:
        """All rows in order, one row group at a time."""
        for bucket in range(len(self._starts) - 1):
            yield from self.bucket(bucket, progress)

    def bucket(self, number: int, progress: Progress = silent) -> Iterator[Block]:
        """The rows of one bucket, one row group at a time; `progress` receives the share of all rows that are done."""
        done = int(self._starts[number])
        with self._opened(f"words/bucket-{number:06}.parquet") as file:
            parquet = pq.ParquetFile(file, pre_buffer=True)
            for group in range(parquet.metadata.num_row_groups):
                progress(done / int(self._starts[-1]))
                table = parquet.read_row_group(group, columns=["occ", "norm", "vector"])
                vectors = vectors_of(table).astype(np.float32)
                yield Block(done, table["occ"].to_numpy(), table["norm"].to_numpy(), vectors)
                done += len(table)

    def sentences(self, shard: int, *, store: bool = True) -> pa.ChunkedArray:
        """The sentences of a shard in the order of the text; they are stored in the common cache if `store`."""
        name = f"sentences/part-{shard:06}.csv"
        with _readable_errors(name):
            return (_sentences if store else _read_sentences)(self.location, name, self.about["files"][name])

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.cumsum([0, *(file["rows"] for file in self.named("words/").values())])

    @contextmanager
    def _opened(self, name: str) -> Iterator[Any]:
        with _readable_errors(name), self.location.open(name) as file:
            yield file


@remembered
def _sentences(location: Location, name: str, file: dict[str, Any]) -> pa.ChunkedArray:
    """The sentences of a file. file: its bytes and its checksum, so another file of this name is another entry."""
    return _read_sentences(location, name, file)


def _read_sentences(location: Location, name: str, file: dict[str, Any]) -> pa.ChunkedArray:
    return location.lines(name, file["bytes"], SENTENCES)["text"]


@contextmanager
def _readable_errors(name: str) -> Iterator[None]:
    """Turn errors of a file into a ValueError with a sentence for the visitor."""
    try:
        yield
    except (OSError, pa.ArrowException, KeyError) as error:
        raise ValueError(
            f"The file {name} of the folder cannot be read. Check the folder with python -m embtools.corpus verify."
        ) from error
