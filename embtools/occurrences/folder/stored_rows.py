"""All vectors of a folder stored as float32 on this machine: written once, memory-mapped, shared by processes."""

import secrets
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embtools import settings
from embtools.vectors import Array

_NAMES = ("occ", "norms", "vectors")


@dataclass(frozen=True, eq=False)
class StoredRows:
    """The n rows of a folder in order: occ (n,), norms (n,), vectors (n, d) float32, memory-mapped."""

    occ: NDArray[np.int64]
    norms: Array
    vectors: Array

    @classmethod
    def open(cls, name: str, n: int, d: int) -> "StoredRows | None":
        """The rows stored under a name; None if they are missing or incomplete."""
        try:
            occ, norms, vectors = (np.load(cache() / name / f"{part}.npy", mmap_mode="r") for part in _NAMES)
        except (OSError, ValueError):
            return None
        return cls(occ, norms, vectors) if vectors.shape == (n, d) else None


def cache() -> Path:
    """The folder for stored rows: EMBTOOLS_CACHE, or embtools in the user's cache folder."""
    return settings.current().cache


def store(name: str, n: int, d: int, rows: Iterable[tuple[Any, Any, Any]]) -> StoredRows:
    """Store n rows (occ, norms, vectors; some at a time) under a name, unless they are already stored; a temporary
    folder is renamed at the end, so a call that is stopped leaves nothing.
    """
    if found := StoredRows.open(name, n, d):
        return found
    folder = cache() / f"{name}.{secrets.token_hex(4)}.tmp"
    try:
        folder.mkdir(parents=True)
        if shutil.disk_usage(folder).free < 1.1 * n * (d * 4 + 12):
            raise OSError("there is not enough space")
        shapes = {"occ": ((n,), np.int64), "norms": ((n,), np.float32), "vectors": ((n, d), np.float32)}
        files = [
            np.lib.format.open_memmap(folder / f"{part}.npy", mode="w+", dtype=kind, shape=shape)
            for part, (shape, kind) in shapes.items()
        ]
        done = 0
        for some in rows:
            for file, values in zip(files, some, strict=True):
                file[done : done + len(values)] = values
            done += len(some[0])
        for file in files:
            file.flush()
        try:
            folder.rename(cache() / name)
        except OSError:  # another process was faster
            if StoredRows.open(name, n, d) is None:
                raise
    except OSError as error:
        raise ValueError(
            f"The vectors cannot be stored: {error.strerror or error}. Set EMBTOOLS_CACHE to a folder on another disk."
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    found = StoredRows.open(name, n, d)
    assert found is not None
    return found
