"""Writes the last files of a corpus folder: words, moments, sample, and finally corpus.json."""

import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from embtools.occurrences.folder import packing
from embtools.occurrences.folder.encoder import vectors_of
from embtools.occurrences.folder.location import Location, Written
from embtools.occurrences.folder.receipts import Receipt
from embtools.occurrences.folder.sums import Sums

PART, PACK = "part", "bucket"
SAMPLE = 700_000
"""The largest number of occurrences in the sample."""


def finish(location: Location, plan: dict[str, Any], buckets: int) -> dict[str, Any]:
    """Collect the receipts and write the last files, corpus.json after all others; returns its content."""
    parts, sums = [], Sums.none(plan["fingerprint"].get("dimensions", 0))
    for number in range(len(plan["shards"])):
        receipt = Receipt.load(location.read(f"receipts/{PART}-{number:06}.npz"))
        sums += receipt.sums or Sums.none(receipt.dimensions)
        parts.append(replace(receipt, sums=None, counts={}))  # the sums of a thousand parts would fill the memory
    packed = [Receipt.load(location.read(f"receipts/{PACK}-{n:06}.npz")) for n in range(buckets)]
    if sum(r.hashed for r in parts) % 2**64 != sum(r.hashed for r in packed) % 2**64:
        raise ValueError(
            "The buckets do not contain the same occurrences as the parts. Delete words/ and receipts/bucket-*, then"
            " run pack again."
        )
    files = {f"sentences/{PART}-{n:06}.csv": each for n, each in enumerate(plan["shards"])}
    files |= {f"words/{PACK}-{n:06}.parquet": {"rows": r.rows, **vars(r.written)} for n, r in enumerate(packed)}
    table = word_table([r.counts for r in packed])
    files["words.parquet"] = {
        "rows": len(table),
        **vars(location.write("words.parquet", [packing.parquet_bytes(table)])),
    }
    files["moments.npz"] = {"rows": sums.n, **vars(location.write("moments.npz", [sums.saved()]))}
    files |= _sample(location, buckets)
    about = {
        "fingerprint": plan["fingerprint"],
        "corpus": sha256("\n".join(each["sha256"] for each in plan["shards"]).encode()).hexdigest(),
        "occurrences": sums.n,
        "sentences": sum(each["rows"] for each in plan["shards"]),
        "documents": plan["shards"][-1]["last_document"] + 1,
        "splitter": "embtools.occurrences.corpus.split_sentences",
        "words": len(table),
        "pieces": sum(r.pieces for r in parts),
        "cut": sum(r.cut for r in parts),
        "left_out": sum(r.left_out for r in parts),
        "machines": sorted({r.machine for r in parts}),
        "libraries": {"python": platform.python_version(), "numpy": np.__version__, "pyarrow": pa.__version__},
        "firsts": [each["first"] for each in plan["shards"]],
        "files": {name: {k: each[k] for k in ("rows", "bytes", "sha256")} for name, each in files.items()},
    }
    location.write("corpus.json", [as_json(about)])
    location.remove("sample")
    return about


def word_table(counts: Sequence[dict[str, int]]) -> pa.Table:
    """The first row of each word in buckets with these counts: word, count, bucket, row_group, row (in the bucket).

    >>> word_table([{"a": 2, "b": 1}, {"b": 5}]).to_pylist()[1]
    {'word': 'b', 'count': 6, 'bucket': 0, 'row_group': 0, 'row': 2}
    """
    found: dict[str, list[Any]] = {}
    for bucket, words in enumerate(counts):
        row = 0
        for word, count in words.items():
            if word in found:
                found[word][0] += count
            else:
                found[word] = [count, bucket, row // packing.GROUP, row]
            row += count
    columns = list(zip(*found.values(), strict=True))
    kinds = (pa.int64(), pa.int32(), pa.int32(), pa.int64())
    return pa.table(
        [list(found), *(pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True))],
        names=["word", "count", "bucket", "row_group", "row"],
    )


def _sample(location: Location, buckets: int) -> dict[str, Any]:
    """Write the sample: its vectors as a float32 .npy file, all other columns as Parquet."""
    names = [f"sample/{PACK}-{n:06}.parquet" for n in range(buckets)]
    rows = pa.concat_tables(pq.read_table(pa.BufferReader(location.read(name)), columns=["occ"]) for name in names)
    hashes = packing.mixed(rows["occ"].to_numpy())
    limit = np.sort(hashes)[SAMPLE - 1] if len(hashes) > SAMPLE else hashes.max(initial=np.uint64(0))
    tables: list[pa.Table] = []
    n = int((hashes <= limit).sum())

    def vectors() -> Iterable[Any]:
        for name in names:
            table = pq.read_table(pa.BufferReader(location.read(name)))
            table = table.filter(pa.array(packing.mixed(table["occ"].to_numpy()) <= limit))
            tables.append(table.drop_columns(["vector"]))
            found = vectors_of(table).astype(np.float32)
            if len(tables) == 1:
                yield npy_header(n, found.shape[1])
            yield np.ascontiguousarray(found)

    written: dict[str, Written] = {"sample.npy": location.write("sample.npy", vectors())}
    written["sample.parquet"] = location.write("sample.parquet", [packing.parquet_bytes(pa.concat_tables(tables))])
    return {name: {"rows": n, **vars(each)} for name, each in written.items()}


def npy_header(n: int, d: int) -> bytes:
    """The header of an .npy file with an array (n, d) of float32."""
    head = BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f4", "fortran_order": False, "shape": (n, d)})
    return head.getvalue()


def as_json(value: Any) -> bytes:
    """A value as the bytes of a JSON file."""
    return json.dumps(value, indent=1, ensure_ascii=False).encode()
