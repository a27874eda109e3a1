"""All vectors of a folder as float32 on this machine: derived once, mapped into memory, shared by its processes."""

import os
import secrets
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embtools.vectors import Array

_NAMES = ("occ", "norms", "vectors")


@dataclass(frozen=True, eq=False)
class Kept:
    """The n rows of a folder in its order: occ (n,), norms (n,), vectors (n, d) float32, mapped from files."""

    occ: NDArray[np.int64]
    norms: Array
    vectors: Array

    @classmethod
    def open(cls, name: str, n: int, d: int) -> "Kept | None":
        """What is kept under a name; None where nothing is, or not the whole."""
        try:
            occ, norms, vectors = (np.load(cache() / name / f"{part}.npy", mmap_mode="r") for part in _NAMES)
        except (OSError, ValueError):
            return None
        return cls(occ, norms, vectors) if vectors.shape == (n, d) else None


def cache() -> Path:
    """Where it is kept: EMBTOOLS_CACHE, or embtools in the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("EMBTOOLS_CACHE") or Path(home) / "embtools")


def keep(name: str, n: int, d: int, rows: Iterable[tuple[Any, Any, Any]]) -> Kept:
    """Keep n rows (occ, norms, vectors; some at a time) under a name, unless they are there.

    It is written beside its place and renamed when whole; a job that is stopped leaves nothing. Raises ValueError where
    the disk is full.
    """
    if found := Kept.open(name, n, d):
        return found
    folder = cache() / f"{name}.{secrets.token_hex(4)}.tmp"
    try:
        folder.mkdir(parents=True)
        if shutil.disk_usage(folder).free < 1.1 * n * (d * 4 + 12):
            raise OSError("no space is left")
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
        except OSError:  # another process was quicker
            if Kept.open(name, n, d) is None:
                raise
    except OSError as error:
        raise ValueError(
            f"The vectors cannot be kept in {cache()}: {error}. Set EMBTOOLS_CACHE to another disk."
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    found = Kept.open(name, n, d)
    assert found is not None
    return found
