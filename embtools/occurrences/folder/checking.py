"""Checks of a corpus folder: the checksum of every file, and every occurrence exactly once."""

import hashlib
import json
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from embtools.messages import counted
from embtools.occurrences.folder import writing
from embtools.occurrences.folder.finishing import PACK, PART
from embtools.occurrences.folder.location import Location
from embtools.occurrences.folder.packing import mixed
from embtools.progress import Progress, silent


@dataclass(frozen=True)
class Verdict:
    """The numbers of files and rows, and the problems found (empty if the folder is complete)."""

    files: int
    rows: int
    problems: tuple[str, ...]


def verify(uri: str, *, progress: Progress = silent) -> Verdict:
    """Check every file of a finished folder: checksums, row counts, the order of occurrences, no duplicates, and, if
    the parts still exist, whether the buckets contain exactly their occurrences.
    """
    location = Location(uri)
    if not location.has("corpus.json"):
        raise ValueError(
            f"{location.shown} has no corpus.json, so it is not finished. Run the command that encodes it again."
        )
    about = json.loads(location.read("corpus.json"))
    problems: list[str] = []
    last, rows, hashed = ("", -1), 0, np.uint64(0)
    for number, (name, listed) in enumerate(about["files"].items()):
        progress(number / len(about["files"]))
        try:
            if _checksum(location, name) != listed["sha256"]:
                problems.append(f"{name} has changed since it was written.")
                continue
            if name.startswith("words/"):
                with location.open(name) as file:
                    table = pq.read_table(file, columns=["word", "occ"])
                last, ordered = _follows(table, last)
                if not ordered:
                    problems.append(f"{name} is not in order, or contains an occurrence twice.")
                rows += len(table)
                with np.errstate(over="ignore"):
                    hashed += mixed(table["occ"].to_numpy()).sum(dtype=np.uint64)
        except (OSError, pa.ArrowException) as error:
            problems.append(f"{name} cannot be read: {type(error).__name__}.")
    if rows != about["occurrences"] and not problems:
        problems.append(f"The folder contains {rows:,} occurrences instead of {about['occurrences']:,}.")
    if not problems:
        problems += _parts(location, int(hashed))
    return Verdict(len(about["files"]), rows, tuple(problems))


def status(uri: str) -> str:
    """The progress of a folder, in a sentence. Raises ValueError if no encoding was started there."""
    location = Location(uri)
    plan = writing.read_plan(location)
    if location.has("corpus.json"):
        about = json.loads(location.read("corpus.json"))
        size = sum(file["bytes"] for file in about["files"].values())
        return (
            f"Finished: {counted(about['occurrences'], 'occurrence')} of {counted(about['words'], 'word')} in"
            f" {counted(about['sentences'], 'sentence')}, {size / 1e6:,.0f} MB."
        )
    parts, buckets = len(writing.finished(location, PART)), len(writing.finished(location, PACK))
    packed = f", and {counted(buckets, 'bucket')} {'is' if buckets == 1 else 'are'} packed" if buckets else ""
    return f"Not finished: {parts:,} of {len(plan['shards']):,} parts are encoded{packed}."


def _parts(location: Location, hashed: int) -> list[str]:
    """Problems with the parts: duplicates, or occurrences missing in the buckets; none if the parts were deleted."""
    names = location.names("parts")
    if not names:
        return []
    total, problems = np.uint64(0), []
    for name in sorted(names):
        with location.open(f"parts/{name}") as file:
            occ = pq.read_table(file, columns=["occ"])["occ"].to_numpy()
        if len(np.unique(occ)) != len(occ):
            problems.append(f"parts/{name} contains an occurrence twice.")
        with np.errstate(over="ignore"):
            total += mixed(occ).sum(dtype=np.uint64)
    if int(total) != hashed:
        problems.append("The buckets do not contain the same occurrences as the parts.")
    return problems


def _follows(table: pa.Table, last: tuple[str, int]) -> tuple[tuple[str, int], bool]:
    """The last (word, occ) of a table, and whether the table is sorted and comes after `last`."""
    if not len(table):
        return last, True
    words, occ = table["word"].to_numpy().astype(object), table["occ"].to_numpy()
    later = (words[1:] > words[:-1]) | ((words[1:] == words[:-1]) & (occ[1:] > occ[:-1]))
    return (words[-1], int(occ[-1])), bool(later.all()) and (words[0], int(occ[0])) > last


def _checksum(location: Location, name: str) -> str:
    with location.open(name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
