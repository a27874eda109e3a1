"""Encodes a shard of sentences as a table of occurrences, a pure function of shard, model and layer combination."""

import platform
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa

from embtools.layer_combinations import SUM_FOUR, check_combination, combination_names, combine
from embtools.occurrences.folder.shards import WORDS
from embtools.occurrences.rows import Row, read, spelling, word_vectors
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


class Encoder(Protocol):
    """Encodes a shard. Encoders with different fingerprints must write to different folders."""

    def __call__(self, sentences: pa.Table) -> pa.Table: ...

    def fingerprint(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class ModelEncoder:
    """`encode_shard` with the name of a model and a layer combination; small enough to be sent to workers."""

    model: str = "bundled"
    combination: str = SUM_FOUR
    device: str = "cpu"

    def __call__(self, sentences: pa.Table) -> pa.Table:
        return encode_shard(sentences, _loaded(self.model, self.device), combination=self.combination)

    def fingerprint(self) -> dict[str, Any]:
        """Everything that the vectors depend on, except the kind of processor."""
        model = _loaded(self.model)  # on the CPU, because the caller may not have another device
        check_combination(self.combination, combination_names(model.layers))
        return {
            "model": self.model,
            "revision": model.revision or "",
            "weights": model.checksum,
            "tokenizer": model.tokenizer_checksum,
            "recipe": self.combination,  # the name in files
            "pooling": "mean of pieces",
            "max_tokens": model.max_tokens,
            "batch_pieces": model.BATCH_PIECES,
            "dtype": "float32, stored as float16",
            "device": self.device,
            "dimensions": model.dimensions,
        }


def encode_shard(sentences: pa.Table, model: "EmbeddingModel", *, combination: str) -> pa.Table:
    """The n occurrences of a shard (see `occurrence_schema`), sorted by (word, occ); batches depend only on the content
    of the shard, so every worker gets the same table.
    """
    rows: list[Row] = []
    owners: list[int] = []
    cut = left_out = 0
    for number, text in zip(sentences["sentence"].to_pylist(), sentences["text"].to_pylist(), strict=True):
        parts = list(read(text, model))
        cut += len(parts) > 1
        left_out += sum(without for _, without in parts)
        rows += [row for row, _ in parts if row.places]
        owners += [number for row, _ in parts if row.places]
    begins = np.cumsum([0, *(len(row.places) for row in rows)])
    vectors: Array | None = None
    for numbers, states in model.encode_many([row.ids for row in rows]):
        for line, number in enumerate(numbers):
            row = rows[number]
            firsts, pieces = np.array(row.places).T[:2]
            found = word_vectors(combine(states[:, line, : len(row.ids)], combination), firsts, pieces)
            if vectors is None:
                vectors = np.empty((begins[-1], found.shape[1]), np.float16)
            with np.errstate(over="ignore"):
                vectors[begins[number] : begins[number + 1]] = found
    if vectors is None:
        vectors = np.empty((0, model.dimensions), np.float16)
    if not np.isfinite(vectors).all():
        raise ValueError("These vectors have numbers that are too large for half precision. Choose a single layer.")
    counts = {"pieces": sum(len(row.ids) for row in rows), "cut": cut, "left_out": left_out}
    return occurrence_table(
        [owner * WORDS + number for owner, row in zip(owners, rows, strict=True) for number in row.numbers],
        [spelling(row.ids[p : p + n], model) for row in rows for p, n, _, _ in row.places],
        [p for row in rows for p, _, _, _ in row.places],
        [n for row in rows for _, n, _, _ in row.places],
        vectors,
        counts,
    )


def occurrence_schema(dimensions: int) -> pa.Schema:
    """The schema of a table of occurrences; no value is missing."""
    types = {
        "occ": pa.int64(),  # number of the sentence × WORDS + number of the word in it, which is unique
        "word": pa.string(),  # as spelled by the model's tokens
        "sentence": pa.int64(),
        "position": pa.int16(),  # of the first token in what the model read, where [CLS] is 0
        "pieces": pa.int8(),  # number of tokens of the word
        "norm": pa.float32(),  # length of the vector, the mean of the word's tokens
        "vector": pa.list_(pa.field("element", pa.float16(), nullable=False), dimensions),
    }
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in types.items()])


def occurrence_table(
    occ: Any, words: list[str], positions: list[int], pieces: list[int], vectors: Array, counts: dict[str, int]
) -> pa.Table:
    """A table of occurrences, sorted by (word, occ). vectors: (n, d) float16; counts: stored as metadata."""
    occ = np.asarray(occ, np.int64)
    schema = occurrence_schema(vectors.shape[1])
    norms = np.linalg.norm(vectors.astype(np.float32), axis=1)
    flat = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), type=schema.field("vector").type)
    table = pa.Table.from_arrays(
        [
            pa.array(occ),
            pa.array(words, pa.string()),
            pa.array(occ // WORDS),
            pa.array(positions, pa.int16()),
            pa.array(pieces, pa.int8()),
            pa.array(norms, pa.float32()),
            flat,
        ],
        schema=schema.with_metadata({name: str(count) for name, count in counts.items()}),
    )
    return table.sort_by([("word", "ascending"), ("occ", "ascending")])


def vectors_of(table: pa.Table) -> Array:
    """The vectors (n, d) of a table of occurrences, as they are stored: float16."""
    size = table.schema.field("vector").type.list_size
    chunks = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in table["vector"].chunks]
    return np.concatenate(chunks).reshape(-1, size) if chunks else np.empty((0, size), np.float16)


def machine() -> str:
    """The kind of machine that encodes a shard; equal bytes are only guaranteed on machines of the same kind."""
    return f"{platform.system()} {platform.machine()} {platform.processor()}".strip()


@lru_cache(maxsize=2)
def _loaded(name: str, device: str = "cpu") -> "EmbeddingModel":
    from embtools.models.loading import load_model

    model = load_model(name)
    if device != "cpu":
        model.encode_on(device)
    return model
