"""Some occurrences of a large folder, drawn at random, for what needs rows and can do with fewer."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.occurrences.folder.files import Rows
from embtools.occurrences.folder.finishing import npy_header
from embtools.occurrences.folder.keeping import keep
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import Progress, silent

_CHUNK = 32 << 20
"""Bytes of the folder's sample that are read at a time: one request each."""


def sample(folder: CorpusFolder, most: int, *, seed: int = 0, progress: Progress = silent) -> Rows:
    """At most so many occurrences of a folder, drawn at random, in the order of its rows (word, occ).

    They come out of the sample that the folder holds (up to 700,000, chosen by a hash of their numbers), so that
    nobody reads all of it. Their vectors are kept on this machine and mapped into memory; the first who asks waits for
    that, and `progress` may raise to stop it.
    """
    whole = folder.files.table("sample.parquet")
    rows = np.arange(whole.num_rows)
    if len(rows) > most:
        rows = np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))
    table = whole.take(rows).to_pandas()
    drawn = _drawn(folder, whole.num_rows, rows, table, progress)
    kept = keep(f"{folder.checksum}-sample-{most}-{seed}", len(rows), folder.dimensions, drawn)
    return Rows(table, kept.vectors).seen(folder.fitted)


def _drawn(
    folder: CorpusFolder, n: int, rows: NDArray[np.int64], table: pd.DataFrame, progress: Progress
) -> Iterator[tuple[Any, Any, Any]]:
    """The chosen rows of sample.npy, which is read from end to end: occ, norms and vectors, some at a time."""
    width = 4 * folder.dimensions
    head, size = len(npy_header(n, folder.dimensions)), max(1, _CHUNK // width)
    occ, norms = table["occ"].to_numpy(), table["norm"].to_numpy()
    for number, chunk in enumerate(folder.files.chunks("sample.npy", head, size * width)):
        progress(number * size / n)
        vectors = np.frombuffer(chunk, "<f4").reshape(-1, folder.dimensions)
        begin, end = np.searchsorted(rows, [number * size, number * size + len(vectors)])
        yield occ[begin:end], norms[begin:end], vectors[rows[begin:end] - number * size]
