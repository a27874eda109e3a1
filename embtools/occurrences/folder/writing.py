"""Write a corpus folder in steps that each can be repeated: split, encode the parts, pack the buckets, finish.

    plan.json                      the fingerprint and the shards; another fingerprint is refused
    sentences/part-000042.csv      sentence, document, text
    parts/part-000042.parquet      its occurrences, sorted by (word, occ); may be deleted when all is done
    receipts/…                     one for each finished part and bucket; may be deleted when all is done
    words/bucket-000042.parquet    a range of all occurrences in the order of (word, occ)
    words.parquet                  word, count, bucket, row_group, row: where a word's occurrences begin
    sample.npy, sample.parquet     up to 700,000 occurrences, float32
    moments.npz                    sums over all vectors
    corpus.json                    the last file written; without it a folder is not opened

The name of a file is its identity: an attempt that is repeated, by whatever engine, puts equal content in its place.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from embtools.occurrences.folder import packing, shards
from embtools.occurrences.folder.encoder import Encoder, vectors_of
from embtools.occurrences.folder.finishing import PACK, PART, SAMPLE, as_json, finish
from embtools.occurrences.folder.place import Place
from embtools.occurrences.folder.receipts import Receipt
from embtools.occurrences.folder.sums import Sums

SCHEMA = 1
SHARD, BUCKET = 50_000, 262_144
Tell = Callable[[int, int, int], None]
"""Told after each step of a stage: how many are done, of how many, and the word pieces of the last one."""


@dataclass(frozen=True)
class Job:
    """What a worker needs to know: where, with what, and how the buckets are cut. It can be sent anywhere."""

    uri: str
    encode: Encoder
    bounds: tuple[packing.Bound, ...] = ()
    parts: int = 0
    share: float = 1.0

    def work(self, stage: str, number: int) -> int:
        """Write one part or bucket and then its receipt; returns its word pieces (0 for a bucket)."""
        return self._encode(number) if stage == PART else self._pack(number)

    def _encode(self, number: int) -> int:
        place, name = Place(self.uri), f"{PART}-{number:06}"
        table = self.encode(shards.read_csv(place.read(f"sentences/{name}.csv")))
        written = place.write(f"parts/{name}.parquet", [packing.parquet_bytes(table)])
        receipt = Receipt.of(table, written, Sums.of(vectors_of(table)))
        place.write(f"receipts/{name}.npz", [receipt.saved()])
        return receipt.pieces

    def _pack(self, number: int) -> int:
        place, name = Place(self.uri), f"{PACK}-{number:06}"
        lo, hi = self.bounds[number], self.bounds[number + 1] if number + 1 < len(self.bounds) else None
        tables = []
        for part in range(self.parts):
            with place.open(f"parts/{PART}-{part:06}.parquet") as file:
                tables.append(packing.read_range(file, lo, hi))
        table = packing.pack_bucket(tables, lo, hi)
        sample = table.filter(pa.array(packing.chosen(table["occ"].to_numpy(), self.share)))
        place.write(f"sample/{name}.parquet", [packing.parquet_bytes(sample)])
        written = place.write(f"words/{name}.parquet", [packing.parquet_bytes(table)])
        place.write(f"receipts/{name}.npz", [Receipt.of(table, written).saved()])
        return 0


Engine = Callable[[Job, str, Sequence[int]], Iterable[int]]
"""Carries out a stage of a job for these numbers, in any order; yields what `Job.work` returns."""


def one_by_one(job: Job, stage: str, todo: Sequence[int]) -> Iterable[int]:
    """The engine of one machine: a plain loop."""
    return (job.work(stage, number) for number in todo)


def quiet(done: int, of: int, pieces: int) -> None:
    """Tell nobody."""


def encode_texts(
    texts: Sequence[Path],
    uri: str,
    encoder: Encoder,
    *,
    shard: int = SHARD,
    bucket: int = BUCKET,
    engine: Engine = one_by_one,
    attempts: int = 1,
    tell: Tell = quiet,
) -> dict[str, Any]:
    """Encode texts into a folder; returns what stands in its corpus.json. After an interruption it goes on.

    `shard`: words of a part, `bucket`: rows of a bucket. `attempts`: how often a stage is begun whose workers failed.
    Raises ValueError for a text that cannot be read, for a folder that holds another corpus (other texts, model,
    tokenizer, recipe or shard size), and for a text without a word that the model knows.
    """
    place = Place(uri)
    fingerprint = {
        "schema": SCHEMA,
        "texts": [shards.checksum(Path(path)) for path in texts],
        "shard": shard,
        **encoder.fingerprint(),
    }
    plan = _plan(place, fingerprint, [Path(path) for path in texts], shard, bucket)
    place.clean()
    if place.has("corpus.json"):  # its parts and receipts may have been deleted since
        return dict(json.loads(place.read("corpus.json")))
    _carry_out(Job(uri, encoder), PART, len(plan["shards"]), engine, attempts, tell)
    return pack(uri, encoder, engine=engine, attempts=attempts, tell=tell)


def pack(
    uri: str, encoder: Encoder, *, engine: Engine = one_by_one, attempts: int = 1, tell: Tell = quiet
) -> dict[str, Any]:
    """Merge the parts of a folder into buckets and finish it; returns what stands in its corpus.json.

    Raises ValueError where parts are missing.
    """
    place = Place(uri)
    if place.has("corpus.json"):
        return dict(json.loads(place.read("corpus.json")))
    plan = read_plan(place)
    n = len(plan["shards"])
    if missing := n - len(finished(place, PART)):
        raise ValueError(f"{missing:,} of {n:,} parts are missing. Run the encoding again: it goes on where it ended.")
    counts, rows = [], 0
    for number in range(n):
        receipt = Receipt.load(place.read(f"receipts/{PART}-{number:06}.npz"))
        counts.append(receipt.counts)
        rows += receipt.rows
    if not rows:
        raise ValueError("There is no word in the texts that this model knows. Give other texts.")
    bounds = packing.bounds(counts, [each["first"] for each in plan["shards"]], plan["bucket"])
    job = Job(uri, encoder, tuple(bounds), n, SAMPLE / rows)
    _carry_out(job, PACK, len(bounds), engine, attempts, tell)
    return finish(place, plan, len(bounds))


def read_plan(place: Place) -> dict[str, Any]:
    """What stands in plan.json; ValueError where there is none."""
    if not place.has("plan.json"):
        raise ValueError(f"{place.shown} holds no corpus that was begun. Name the folder that was given as --out.")
    return dict(json.loads(place.read("plan.json")))


def finished(place: Place, stage: str) -> set[int]:
    """The numbers of a stage's finished files: those with a receipt."""
    names = (name for name in place.names("receipts") if name.startswith(f"{stage}-"))
    return {int(name.removeprefix(f"{stage}-").removesuffix(".npz")) for name in names}


def _plan(place: Place, fingerprint: dict[str, Any], texts: list[Path], shard: int, bucket: int) -> dict[str, Any]:
    """The plan of a folder, the sentences written; refuses one that was begun with another fingerprint."""
    if place.has("plan.json"):
        plan = read_plan(place)
        known = plan["fingerprint"]
        if other := sorted(key for key in known | fingerprint if known.get(key) != fingerprint.get(key)):
            raise ValueError(
                f"{place.shown} holds another corpus: {', '.join(other)} differ. Give another folder as --out."
            )
        return plan
    found: list[dict[str, Any]] = []
    for number, table in enumerate(shards.shards(shards.sentences(texts), shard)):
        written = place.write(f"sentences/{PART}-{number:06}.csv", [shards.csv_bytes(table)])
        words = sum(len(text.split()) for text in table["text"].to_pylist())
        first, last = table["sentence"][0].as_py(), table["document"][-1].as_py()
        found.append({"first": first, "rows": len(table), "words": words, "last_document": last, **vars(written)})
    if not found:
        raise ValueError("There is no sentence in the texts. Give a text file with at least one.")
    plan = {"fingerprint": fingerprint, "bucket": bucket, "shards": found}
    place.write("plan.json", [as_json(plan)])
    return plan


def _carry_out(job: Job, stage: str, n: int, engine: Engine, attempts: int, tell: Tell) -> None:
    """Have every number of a stage worked on; what failed is tried again, what is finished is not."""
    for attempt in range(1, attempts + 1):
        done = finished(Place(job.uri), stage)
        todo = [number for number in range(n) if number not in done]
        if not todo:
            return
        try:
            for count, pieces in enumerate(engine(job, stage, todo), n - len(todo) + 1):
                tell(count, n, pieces)
        except ValueError:
            raise  # wrong input does not mend itself
        except Exception:
            if attempt == attempts:
                raise
    if missing := n - len(finished(Place(job.uri), stage)):
        raise OSError(f"{missing:,} of {n:,} steps are not done. Run the command again: it goes on where it ended.")
