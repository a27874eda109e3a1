"""Exact search of all rows in independent steps, one per file, which workers of a cluster can carry out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.occurrences.folder import scan
from embtools.occurrences.folder.reading import FILES, CorpusFolder, NearestRows
from embtools.progress import Progress, silent
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array

Columns = dict[str, NDArray[Any]]
Engine = Callable[[Callable[[int], Columns], Sequence[int]], Iterable[dict[str, Any]]]
"""Carries out a step for each number, in any order, and yields the rows that the steps return."""


@dataclass(frozen=True, eq=False)
class Search:
    """A search of a folder, which can be sent to any worker.

    vector (d,): the query in the given space;  without: ranges of rows to leave out
    """

    uri: str
    vector: Array
    k: int
    space: Space = AS_IS
    without: tuple[tuple[int, int], ...] = ()

    def work(self, number: int) -> Columns:
        """The k nearest rows of one bucket: row, occ, cosine, best first."""
        folder = _opened(self.uri).in_space(self.space)
        fitted = folder.fitted
        blocks = (block.processed(fitted) for block in folder.files.bucket(number))
        best, occ = scan.through(blocks, self.vector, self.k, hidden=self.without)
        return {"row": best.rows, "occ": occ, "cosine": best.cosines}


def nearest_by(
    engine: Engine,
    folder: CorpusFolder,
    vector: Array,
    k: int,
    *,
    without: Sequence[tuple[int, int]] = (),
    progress: Progress = silent,
) -> NearestRows:
    """`CorpusFolder.nearest` with an engine: each bucket is a step, and the results of all buckets are merged."""
    search = Search(folder.uri, np.asarray(vector, np.float32), k, folder.space, tuple(without))
    buckets = range(len(folder.files.named("words/")))
    rows = []
    for row in engine(search.work, buckets):
        rows.append(row)
        progress(min(1.0, len(rows) / (k * len(buckets))))
    found = pd.DataFrame(rows, columns=["row", "occ", "cosine"]).astype({"row": np.int64, "occ": np.int64})
    best = scan.NONE.merged(found["row"].to_numpy(), found["cosine"].to_numpy(np.float32), k)
    return folder.nearest_rows(best, found.set_index("row")["occ"].loc[best.rows].to_numpy(), FILES)


@lru_cache(maxsize=2)  # once per worker: a folder never changes
def _opened(uri: str) -> CorpusFolder:
    return CorpusFolder.open(uri)
