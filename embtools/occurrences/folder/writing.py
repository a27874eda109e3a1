"""Write a corpus folder in steps that can be repeated: split the texts, encode parts, pack buckets, finish.

    plan.json                      the fingerprint and the shards; a different fingerprint is an error
    sentences/part-000042.csv      sentence, document, text
    parts/part-000042.parquet      its occurrences, sorted by (word, occ); may be deleted at the end
    receipts/…                     one for each finished part and bucket; may be deleted at the end
    words/bucket-000042.parquet    a range of all occurrences in the order of (word, occ)
    words.parquet                  word, count, bucket, row_group, row: the first occurrence of each word
    sample.npy, sample.parquet     up to 700,000 occurrences, float32
    moments.npz                    sums over all vectors
    corpus.json                    the last file; a folder without it cannot be opened

The name of a file identifies its content: a repeated attempt, with any engine, writes the same content again.
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
from embtools.occurrences.folder.location import Location
from embtools.occurrences.folder.receipts import Receipt
from embtools.occurrences.folder.sums import Sums

SCHEMA = 1
SHARD, BUCKET = 50_000, 262_144
Tell = Callable[[int, int, int], None]
"""Called after each step of a stage with the number of steps done, all steps, and the tokens of the last step."""


@dataclass(frozen=True)
class Job:
    """The encoding of a folder, which can be sent to any worker: folder, encoder, and bounds of the buckets."""

    uri: str
    encode: Encoder
    bounds: tuple[packing.Bound, ...] = ()
    parts: int = 0
    share: float = 1.0

    def work(self, stage: str, number: int) -> int:
        """Write one part or bucket and then its receipt; returns its number of tokens (0 for a bucket)."""
        return self._encode(number) if stage == PART else self._pack(number)

    def _encode(self, number: int) -> int:
        location, name = Location(self.uri), f"{PART}-{number:06}"
        table = self.encode(shards.read_csv(location.read(f"sentences/{name}.csv")))
        written = location.write(f"parts/{name}.parquet", [packing.parquet_bytes(table)])
        receipt = Receipt.of(table, written, Sums.of(vectors_of(table)))
        location.write(f"receipts/{name}.npz", [receipt.saved()])
        return receipt.pieces

    def _pack(self, number: int) -> int:
        location, name = Location(self.uri), f"{PACK}-{number:06}"
        lo, hi = self.bounds[number], self.bounds[number + 1] if number + 1 < len(self.bounds) else None
        tables = []
        for part in range(self.parts):
            with location.open(f"parts/{PART}-{part:06}.parquet") as file:
                tables.append(packing.read_range(file, lo, hi))
        table = packing.pack_bucket(tables, lo, hi)
        sample = table.filter(pa.array(packing.chosen(table["occ"].to_numpy(), self.share)))
        location.write(f"sample/{name}.parquet", [packing.parquet_bytes(sample)])
        written = location.write(f"words/{name}.parquet", [packing.parquet_bytes(table)])
        location.write(f"receipts/{name}.npz", [Receipt.of(table, written).saved()])
        return 0


Engine = Callable[[Job, str, Sequence[int]], Iterable[int]]
"""Carries out a stage of a job for these numbers, in any order, and yields the results of `Job.work`."""


def one_by_one(job: Job, stage: str, todo: Sequence[int]) -> Iterable[int]:
    """The engine for a single machine: a plain loop."""
    return (job.work(stage, number) for number in todo)


def quiet(done: int, of: int, pieces: int) -> None:
    """Report nothing."""


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
    """Encode texts into a folder, in parts of `shard` words and buckets of `bucket` rows, or resume after an
    interruption, starting a stage up to `attempts` times if its workers fail; returns the content of corpus.json.
    """
    location = Location(uri)
    fingerprint = {
        "schema": SCHEMA,
        "texts": [shards.checksum(Path(path)) for path in texts],
        "shard": shard,
        **encoder.fingerprint(),
    }
    plan = _plan(location, fingerprint, [Path(path) for path in texts], shard, bucket)
    location.clean()
    if location.has("corpus.json"):  # its parts and receipts may have been deleted
        return dict(json.loads(location.read("corpus.json")))
    _carry_out(Job(uri, encoder), PART, len(plan["shards"]), engine, attempts, tell)
    return pack(uri, encoder, engine=engine, attempts=attempts, tell=tell)


def pack(
    uri: str, encoder: Encoder, *, engine: Engine = one_by_one, attempts: int = 1, tell: Tell = quiet
) -> dict[str, Any]:
    """Merge the parts of a folder into buckets and finish it; returns the content of corpus.json."""
    location = Location(uri)
    if location.has("corpus.json"):
        return dict(json.loads(location.read("corpus.json")))
    plan = read_plan(location)
    n = len(plan["shards"])
    if missing := n - len(finished(location, PART)):
        raise ValueError(f"{missing:,} of {n:,} parts are missing. Run the encoding again; it will resume.")
    counts, rows = [], 0
    for number in range(n):
        receipt = Receipt.load(location.read(f"receipts/{PART}-{number:06}.npz"))
        counts.append(receipt.counts)
        rows += receipt.rows
    if not rows:
        raise ValueError("There is no word in the texts that this model knows. Use other texts.")
    bounds = packing.bounds(counts, [each["first"] for each in plan["shards"]], plan["bucket"])
    job = Job(uri, encoder, tuple(bounds), n, SAMPLE / rows)
    _carry_out(job, PACK, len(bounds), engine, attempts, tell)
    return finish(location, plan, len(bounds))


def read_plan(location: Location) -> dict[str, Any]:
    """The content of plan.json. Raises ValueError if there is none."""
    if not location.has("plan.json"):
        raise ValueError(f"No encoding was started in {location.shown}. Name the folder that was given as --out.")
    return dict(json.loads(location.read("plan.json")))


def finished(location: Location, stage: str) -> set[int]:
    """The numbers of the finished files of a stage, which have a receipt."""
    names = (name for name in location.names("receipts") if name.startswith(f"{stage}-"))
    return {int(name.removeprefix(f"{stage}-").removesuffix(".npz")) for name in names}


def _plan(
    location: Location, fingerprint: dict[str, Any], texts: list[Path], shard: int, bucket: int
) -> dict[str, Any]:
    """The plan of a folder, after writing its sentences. Raises ValueError if it was started differently."""
    if location.has("plan.json"):
        plan = read_plan(location)
        known = plan["fingerprint"]
        if other := sorted(key for key in known | fingerprint if known.get(key) != fingerprint.get(key)):
            other = ["layer combination" if key == "recipe" else key for key in other]
            raise ValueError(
                f"{location.shown} contains another corpus (different: {', '.join(other)})."
                " Name another folder as --out."
            )
        return plan
    found: list[dict[str, Any]] = []
    for number, table in enumerate(shards.shards(shards.sentences(texts), shard)):
        written = location.write(f"sentences/{PART}-{number:06}.csv", [shards.csv_bytes(table)])
        words = sum(len(text.split()) for text in table["text"].to_pylist())
        first, last = table["sentence"][0].as_py(), table["document"][-1].as_py()
        found.append({"first": first, "rows": len(table), "words": words, "last_document": last, **vars(written)})
    if not found:
        raise ValueError("There is no sentence in the texts. Use a text file with at least one sentence.")
    plan = {"fingerprint": fingerprint, "bucket": bucket, "shards": found}
    location.write("plan.json", [as_json(plan)])
    return plan


def _carry_out(job: Job, stage: str, n: int, engine: Engine, attempts: int, tell: Tell) -> None:
    """Carry out every step of a stage that is not finished; steps that fail are tried again."""
    for attempt in range(1, attempts + 1):
        done = finished(Location(job.uri), stage)
        todo = [number for number in range(n) if number not in done]
        if not todo:
            return
        try:
            for count, pieces in enumerate(engine(job, stage, todo), n - len(todo) + 1):
                tell(count, n, pieces)
        except ValueError:
            raise  # wrong input fails again
        except Exception:
            if attempt == attempts:
                raise
    if missing := n - len(finished(Location(job.uri), stage)):
        raise OSError(f"{missing:,} of {n:,} steps are not done. Run the command again; it will resume.")
