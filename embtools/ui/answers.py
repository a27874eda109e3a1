"""Prepared answers: results of the examples that take long, stored with the bundled weights.

A server that has just been started shows them at once instead of computing them. `prepare_answers` writes the file; a
slow test computes one answer of each function again, and all of them with EVERY_ANSWER=1.
"""

import json
import logging
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from embtools import settings, values
from embtools.ui.call import Call

FILE = Path(values.__file__).parent / "bundled" / "answers.zip"
_ABOUT = "about.json"
_DAMAGED = (OSError, ValueError, KeyError, zipfile.BadZipFile, zlib.error)
_reading = threading.Lock()


def name(query: Call, checksum: str) -> str:
    """Return the checksum of a query and its model under which its answer is stored; "" if an argument, such as an
    encoded folder, cannot be stored."""
    try:
        content = values.to_json([query.name, checksum, query.complete])
    except TypeError:
        return ""
    return sha256(json.dumps(content).encode()).hexdigest()[:32]


def find(query: Call, checksum: str) -> Any:
    """Return the prepared answer to a query; None if there is none."""
    if not has(query, checksum):
        return None
    try:
        with _reading, zipfile.ZipFile(FILE) as file:
            return values.from_json(json.loads(file.read(name(query, checksum)))["answer"])
    except _DAMAGED as error:
        _tell(error)
        return None


def has(query: Call, checksum: str) -> bool:
    """Return whether there is a prepared answer to a query, and the host wants such answers."""
    # The name comes last: for a large file in the query, it takes a second.
    return settings.current().prepared and query.name in _index().functions and name(query, checksum) in _index().names


def checksum() -> str:
    """Return the checksum of the weights that gave the prepared answers."""
    with zipfile.ZipFile(FILE) as file:
        return str(json.loads(file.read(_ABOUT))["weights"])


def every() -> Iterator[tuple[str, str, Any]]:
    """Yield each prepared answer: the Python that imports what its query needs, the query, and the answer as JSON."""
    for _, entry in sorted(_entries().items()):
        yield "\n".join(entry["imports"]), entry["query"], entry["answer"]


def _entries() -> dict[str, Any]:
    """What the file has, by the names of the queries; nothing if there is no file."""
    if not FILE.exists():
        return {}
    with zipfile.ZipFile(FILE) as file:
        return {name: json.loads(file.read(name)) for name in set(file.namelist()) - {_ABOUT}}


def write(answers: Sequence[tuple[str, Call, Any]], weights: str, keep: Callable[[str], bool] | None = None) -> None:
    """Store answers with their queries, always as the same file for the same answers; `keep` says for the name of a
    function whether the stored answers of that function stay."""
    stored = _entries() if keep else {}
    entries = {name: entry for name, entry in stored.items() if keep and keep(entry["function"])}
    for name, query, value in answers:
        described = {"function": query.name, "query": repr(query), "imports": sorted(query.imports)}
        entries[name] = described | {"answer": values.to_json(value)}
    functions = sorted({entry["function"] for entry in entries.values()})
    about = {_ABOUT: {"weights": weights, "functions": functions}}
    with zipfile.ZipFile(FILE, "w") as file:
        for name, entry in (*about.items(), *sorted(entries.items())):
            info = zipfile.ZipInfo(name)  # without the time
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, json.dumps(entry, separators=(",", ":"), allow_nan=False), compresslevel=9)
    forget()


def forget() -> None:
    """Look for the file again."""
    _index.cache_clear()


@dataclass(frozen=True)
class _Index:
    """What the file has: the names of the queries, and the functions that they call."""

    names: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()


@lru_cache(1)
def _index() -> _Index:
    try:
        with zipfile.ZipFile(FILE) as file:
            functions = json.loads(file.read(_ABOUT))["functions"]
            return _Index(frozenset(file.namelist()) - {_ABOUT}, frozenset(functions))
    except _DAMAGED as error:
        _tell(error)
        return _Index()


def _tell(error: Exception) -> None:
    logging.getLogger(__name__).warning("A prepared answer cannot be read, so it is computed: %s", error)
