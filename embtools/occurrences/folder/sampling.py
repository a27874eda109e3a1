"""Random samples of the occurrences of a large folder, or of some of its words."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.files import Rows
from embtools.occurrences.folder.finishing import npy_header
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.shards import WORDS
from embtools.occurrences.folder.stored_rows import store
from embtools.progress import Progress, part, silent

MOST_READ = 2_000_000
"""The largest number of occurrences from which a sample of words is drawn."""
_CHUNK = 32 << 20
"""Bytes of the folder's sample that are read per request."""


def sample(folder: CorpusFolder, most: int, *, seed: int = 0, progress: Progress = silent) -> Rows:
    """A random sample of at most `most` occurrences of a folder, in the order of its rows (word, occ), drawn from the
    sample of up to 700,000 that the folder contains; the vectors are stored on this machine.
    """
    whole = folder.files.table("sample.parquet")
    rows = some_of(whole.num_rows, most, seed=seed)
    table = whole.take(rows).to_pandas()
    read = _read(folder, whole.num_rows, rows, table, progress)
    stored = store(f"{folder.checksum}-sample-{most}-{seed}", len(rows), folder.dimensions, read)
    return Rows(table, stored.vectors).processed(folder.fitted)


def sample_of_words(
    folder: CorpusFolder, words: Sequence[str], most: int, *, seed: int = 0, progress: Progress = silent
) -> Rows:
    """The occurrences of some words of a folder, in the order of its rows; a random sample, for which each is equally
    likely, if there are over `most`.
    """
    chosen = sorted(set(words))
    counts = np.array([folder.count(word) for word in chosen], np.int64)
    total = int(counts.sum())
    if total > MOST_READ:
        often = chosen[int(counts.argmax())]
        raise ValueError(
            f"These words occur {total:,} times; at most {MOST_READ:,} occurrences can be read. Leave out frequent"
            f" words, such as {often}."
        )
    rows = some_of(total, most, seed=seed)
    ends = counts.cumsum()
    found = []
    for word, count, end in zip(chosen, counts, ends, strict=True):
        own = rows[np.searchsorted(rows, end - count) : np.searchsorted(rows, end)] - (end - count)
        share = part(progress, (end - count) / max(total, 1), count / max(total, 1))
        found.append(numbered(folder, word, own, progress=share))
    if not found:
        return folder.files.rows(0, 0)
    return Rows(
        pd.concat([some.table for some in found], ignore_index=True), np.concatenate([some.vectors for some in found])
    )


def numbered(folder: CorpusFolder, word: str, numbers: NDArray[np.int64], *, progress: Progress = silent) -> Rows:
    """The occurrences of a word with these numbers (from 0, sorted): occ, word, sentence, norm, and their vectors."""
    if not folder.count(word):
        return folder.files.rows(0, 0)
    occ, norms, vectors = scan.selected(folder.blocks_of(word, progress), numbers + folder.span(word)[0])
    return Rows(pd.DataFrame({"occ": occ, "word": word, "sentence": occ // WORDS, "norm": norms}), vectors)


def some_of(n: int, most: int, *, seed: int = 0) -> NDArray[np.int64]:
    """Sorted row numbers from 0 to n − 1: all of them, or a uniform random sample of `most`.

    >>> some_of(3, 5), len(some_of(100, 5))
    (array([0, 1, 2]), 5)
    """
    if most < 0:
        raise ValueError(f"{most} occurrences were asked for. Choose 0 or more.")
    checked_seed(seed)
    if n <= most:
        return np.arange(n)
    return np.sort(generator(seed).choice(n, most, replace=False))


def _read(
    folder: CorpusFolder, n: int, rows: NDArray[np.int64], table: pd.DataFrame, progress: Progress
) -> Iterator[tuple[Any, Any, Any]]:
    """The chosen rows of sample.npy in chunks: occ, norms and vectors; the whole file is read."""
    width = 4 * folder.dimensions
    head, size = len(npy_header(n, folder.dimensions)), max(1, _CHUNK // width)
    occ, norms = table["occ"].to_numpy(), table["norm"].to_numpy()
    for number, chunk in enumerate(folder.files.chunks("sample.npy", head, size * width)):
        progress(number * size / n)
        vectors = np.frombuffer(chunk, "<f4").reshape(-1, folder.dimensions)
        begin, end = np.searchsorted(rows, [number * size, number * size + len(vectors)])
        yield occ[begin:end], norms[begin:end], vectors[rows[begin:end] - number * size]
