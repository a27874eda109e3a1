"""Whether a corpus folder holds what it says: every file's checksum, every occurrence once."""

import hashlib
import json
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from embtools.occurrences.folder import writing
from embtools.occurrences.folder.finishing import PACK, PART
from embtools.occurrences.folder.packing import mixed
from embtools.occurrences.folder.place import Place
from embtools.progress import Progress, silent

_BLOCK = 1 << 24


@dataclass(frozen=True)
class Verdict:
    """What was counted, and everything that is wrong; nothing is where `problems` is empty."""

    files: int
    rows: int
    problems: tuple[str, ...]


def verify(uri: str, *, progress: Progress = silent) -> Verdict:
    """Read every file of a finished folder: length, checksum and rows; the order of all occurrences, none twice.

    Where the parts are still there, the buckets must hold exactly their occurrences. `progress` is told 0 … 1. Raises
    ValueError for a folder that is not finished.
    """
    place = Place(uri)
    if not place.has("corpus.json"):
        raise ValueError(f"{place.shown} has no corpus.json: it is not finished. Run the command that began it again.")
    about = json.loads(place.read("corpus.json"))
    problems: list[str] = []
    last, rows, hashed = ("", -1), 0, np.uint64(0)
    for number, (name, said) in enumerate(about["files"].items()):
        progress(number / len(about["files"]))
        try:
            if _checksum(place, name) != said["sha256"]:
                problems.append(f"{name} is not what was written.")
                continue
            if name.startswith("words/"):
                with place.open(name) as file:
                    table = pq.read_table(file, columns=["word", "occ"])
                last, ordered = _follows(table, last)
                if not ordered:
                    problems.append(f"{name} is not in order, or holds an occurrence twice.")
                rows += len(table)
                with np.errstate(over="ignore"):
                    hashed += mixed(table["occ"].to_numpy()).sum(dtype=np.uint64)
        except (OSError, pa.ArrowException) as error:
            problems.append(f"{name} cannot be read: {type(error).__name__}.")
    if rows != about["occurrences"] and not problems:
        problems.append(f"There are {rows:,} occurrences where {about['occurrences']:,} were counted.")
    if not problems:
        problems += _parts(place, int(hashed))
    return Verdict(len(about["files"]), rows, tuple(problems))


def status(uri: str) -> str:
    """How far a folder has come, in a sentence. Raises ValueError where nothing was begun."""
    place = Place(uri)
    plan = writing.read_plan(place)
    if place.has("corpus.json"):
        about = json.loads(place.read("corpus.json"))
        size = sum(file["bytes"] for file in about["files"].values())
        return (
            f"Finished: {about['occurrences']:,} occurrences of {about['words']:,} words in {about['sentences']:,}"
            f" sentences, {size / 1e6:,.0f} MB."
        )
    parts, buckets = len(writing.finished(place, PART)), len(writing.finished(place, PACK))
    packed = f", {buckets:,} buckets are packed" if buckets else ""
    return f"Not finished: {parts:,} of {len(plan['shards']):,} parts are encoded{packed}."


def _parts(place: Place, hashed: int) -> list[str]:
    """Each part's occurrences once, and all of them in the buckets; nothing to say where the parts were deleted."""
    names = place.names("parts")
    if not names:
        return []
    total, problems = np.uint64(0), []
    for name in sorted(names):
        with place.open(f"parts/{name}") as file:
            occ = pq.read_table(file, columns=["occ"])["occ"].to_numpy()
        if len(np.unique(occ)) != len(occ):
            problems.append(f"parts/{name} holds an occurrence twice.")
        with np.errstate(over="ignore"):
            total += mixed(occ).sum(dtype=np.uint64)
    if int(total) != hashed:
        problems.append("The buckets do not hold the occurrences of the parts.")
    return problems


def _follows(table: pa.Table, last: tuple[str, int]) -> tuple[tuple[str, int], bool]:
    """The last (word, occ) of a table, and whether all of it comes after `last`, each after the one before."""
    if not len(table):
        return last, True
    words, occ = table["word"].to_numpy().astype(object), table["occ"].to_numpy()
    later = (words[1:] > words[:-1]) | ((words[1:] == words[:-1]) & (occ[1:] > occ[:-1]))
    return (words[-1], int(occ[-1])), bool(later.all()) and (words[0], int(occ[0])) > last


def _checksum(place: Place, name: str) -> str:
    digest = hashlib.sha256()
    with place.open(name) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
