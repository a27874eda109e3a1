"""Receipts with the counts, checksum and sums of a finished file, so that it need not be read again."""

import json
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
import pyarrow as pa

from embtools.occurrences.folder.encoder import machine
from embtools.occurrences.folder.location import Written
from embtools.occurrences.folder.packing import mixed, word_counts
from embtools.occurrences.folder.sums import Sums


@dataclass(frozen=True, eq=False)
class Receipt:
    """The receipt of a part or a bucket, written when its file is complete.

    written     bytes and SHA-256 of the file
    counts      its words in order, and their counts
    hashed      the sum (modulo 2⁶⁴) of hashes of all occurrence numbers: equal for equal sets of occurrences
    pieces, cut, left_out   as counted by `encode_shard`
    machine     the kind of machine that wrote it
    sums        the sums of its vectors; None for a bucket
    """

    written: Written
    rows: int
    dimensions: int
    counts: dict[str, int]
    hashed: int
    pieces: int
    cut: int
    left_out: int
    machine: str
    sums: Sums | None = None

    @classmethod
    def of(cls, table: pa.Table, written: Written, sums: Sums | None = None) -> "Receipt":
        """The receipt of a table of occurrences that was written."""
        metadata = table.schema.metadata or {}
        pieces, cut, left_out = (int(metadata.get(name, b"0")) for name in (b"pieces", b"cut", b"left_out"))
        with np.errstate(over="ignore"):
            hashed = int(mixed(table["occ"].to_numpy()).sum(dtype=np.uint64))
        size = table.schema.field("vector").type.list_size
        counts = word_counts(table)
        return cls(written, len(table), size, counts, hashed, pieces, cut, left_out, machine(), sums)

    def saved(self) -> bytes:
        """The receipt as an .npz file."""
        file = BytesIO()
        said = {name: getattr(self, name) for name in _PLAIN} | vars(self.written)
        added: dict[str, Any] = {}
        if self.sums:
            added = {name: getattr(self.sums, name) for name in ("n", "total", "units", "squares")}
        np.savez(
            file,
            allow_pickle=False,
            said=_text(json.dumps(said)),
            words=_text("\n".join(self.counts)),
            counts=np.array(list(self.counts.values()), np.int64),
            **added,
        )
        return file.getvalue()

    @classmethod
    def load(cls, data: bytes) -> "Receipt":
        """The receipt stored by `saved`."""
        with np.load(BytesIO(data), allow_pickle=False) as file:
            said = json.loads(file["said"].tobytes())
            words = file["words"].tobytes().decode()
            counts = dict(zip(words.split("\n") if words else (), file["counts"].tolist(), strict=True))
        sums = Sums.load(data) if "squares" in file.files else None
        plain = {name: said[name] for name in _PLAIN}
        return cls(Written(said["bytes"], said["sha256"]), counts=counts, sums=sums, **plain)


_PLAIN = ("rows", "dimensions", "hashed", "pieces", "cut", "left_out", "machine")


def _text(text: str) -> Any:
    return np.frombuffer(text.encode(), np.uint8)
