"""Merges sorted parts into buckets, each with a range of words of all parts."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from embtools.occurrences.folder.shards import WORDS

GROUP = 8_192
"""Rows per row group, the smallest unit that is read."""
Bound = tuple[str, int]
"""A word and the number of an occurrence: the start of a bucket in the order of (word, occ)."""
FIRST: Bound = ("", -1)


def bounds(counts: Sequence[dict[str, int]], firsts: Sequence[int], size: int) -> list[Bound]:
    """The starts of buckets with about `size` rows, for parts with these word counts and first sentences; a word that
    fills more than a bucket is split between parts.

    >>> bounds([{"a": 2, "the": 9}, {"b": 1, "the": 9}], [0, 50], 10)
    [('', -1), ('the', 0), ('the', 51200)]
    """
    totals: dict[str, int] = {}
    for part in counts:
        for word, count in part.items():
            totals[word] = totals.get(word, 0) + count
    found, rows = [FIRST], 0
    for word in sorted(totals):
        if rows and rows + totals[word] > size:
            found.append((word, firsts[0] * WORDS))
            rows = 0
        if totals[word] <= size:
            rows += totals[word]
            continue
        for part, first in zip(counts, firsts, strict=True):
            count = part.get(word, 0)
            if rows and rows + count > size:
                found.append((word, first * WORDS))
                rows = 0
            rows += count
    return found


def pack_bucket(tables: Iterable[pa.Table], lo: Bound, hi: Bound | None) -> pa.Table:
    """The rows of all tables from `lo` to before `hi`, sorted by (word, occ)."""
    merged = pa.concat_tables([_between(table, lo, hi) for table in tables])
    return merged.sort_by([("word", "ascending"), ("occ", "ascending")]).combine_chunks().replace_schema_metadata()


def read_range(file: Any, lo: Bound, hi: Bound | None) -> pa.Table:
    """The row groups of a sorted Parquet file that contain words from `lo` to `hi`."""
    parquet = pq.ParquetFile(file, pre_buffer=True)
    groups = []
    column = parquet.schema_arrow.get_field_index("word")
    for number in range(parquet.metadata.num_row_groups):
        group = parquet.metadata.row_group(number)
        if not group.num_rows:
            continue
        words = group.column(column).statistics
        if words.max >= lo[0] and (hi is None or words.min <= hi[0]):
            groups.append(number)
    return parquet.read_row_groups(groups) if groups else parquet.schema_arrow.empty_table()


def parquet_bytes(table: pa.Table) -> pa.Buffer:
    """A table as the bytes of a Parquet file (zstd, byte-stream split floats); equal tables give equal bytes."""
    floats = [name for name in ("norm", "vector.list.element") if name.split(".")[0] in table.column_names]
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=GROUP,
        compression="zstd",
        use_dictionary=["word"] if "word" in table.column_names else False,
        column_encoding=dict.fromkeys(floats, "BYTE_STREAM_SPLIT"),
        write_page_index=True,
    )
    return sink.getvalue()


def word_counts(table: pa.Table) -> dict[str, int]:
    """The words of a table that is sorted by word, and their counts."""
    runs = pc.run_end_encode(table["word"].combine_chunks()) if len(table) else None
    if runs is None:
        return {}
    ends = runs.run_ends.to_numpy()
    return dict(zip(runs.values.to_pylist(), np.diff(ends, prepend=0).tolist(), strict=True))


def mixed(occ: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A hash of each number, uniform over 64 bits and equal on every machine (the finaliser of SplitMix64)."""
    x = occ.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def chosen(occ: NDArray[np.int64], share: float) -> NDArray[np.bool_]:
    """Which occurrences belong to a sample of about this share; this depends only on their numbers."""
    return mixed(occ) < share * 2.0**64 if share < 1 else np.ones(len(occ), bool)


def _between(table: pa.Table, lo: Bound, hi: Bound | None) -> pa.Table:
    keep = _from(table, lo)
    return table.filter(keep if hi is None else pc.and_not(keep, _from(table, hi)))


def _from(table: pa.Table, bound: Bound) -> Any:
    word, occ = bound
    later = pc.greater(table["word"], word)
    return pc.or_(later, pc.and_(pc.equal(table["word"], word), pc.greater_equal(table["occ"], occ)))
