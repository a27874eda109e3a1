"""Some occurrences of a large folder, drawn at random, for what needs rows and can do with fewer; of it or of words."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.occurrences.folder.files import Rows
from embtools.occurrences.folder.finishing import npy_header
from embtools.occurrences.folder.keeping import keep
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.shards import WORDS
from embtools.progress import Progress, part, silent

MOST_READ = 2_000_000
"""Occurrences of words that are read so that some can be drawn from them."""
_CHUNK = 32 << 20
"""Bytes of the folder's sample that are read at a time: one request each."""


def sample(folder: CorpusFolder, most: int, *, seed: int = 0, progress: Progress = silent) -> Rows:
    """At most so many occurrences of a folder, drawn at random, in the order of its rows (word, occ).

    They come out of the sample that the folder holds (up to 700,000, chosen by a hash of their numbers), so that
    nobody reads all of it. Their vectors are kept on this machine and mapped into memory; the first who asks waits for
    that, and `progress` may raise to stop it.
    """
    checked_seed(seed)
    whole = folder.files.table("sample.parquet")
    rows = some_of(whole.num_rows, most, seed)
    table = whole.take(rows).to_pandas()
    read = _read(folder, whole.num_rows, rows, table, progress)
    kept = keep(f"{folder.checksum}-sample-{most}-{seed}", len(rows), folder.dimensions, read)
    return Rows(table, kept.vectors).seen(folder.fitted)


def sample_of_words(
    folder: CorpusFolder, words: Sequence[str], most: int, *, seed: int = 0, progress: Progress = silent
) -> Rows:
    """All occurrences of some words of a folder, in the order of its rows; of more than `most` as many, at random.

    All of them are read, so that each is as likely. Raises ValueError for words that occur more than MOST_READ times.
    """
    checked_seed(seed)
    chosen = sorted(set(words))
    counts = np.array([folder.count(word) for word in chosen], np.int64)
    total = int(counts.sum())
    if total > MOST_READ:
        often = chosen[int(counts.argmax())]
        raise ValueError(
            f"These words occur {total:,} times; at most {MOST_READ:,} are read. Leave out frequent ones: {often}."
        )
    rows = some_of(total, most, seed)
    ends = counts.cumsum()
    found = []
    for word, count, end in zip(chosen, counts, ends, strict=True):
        own = rows[np.searchsorted(rows, end - count) : np.searchsorted(rows, end)] - (end - count)
        share = part(progress, (end - count) / max(total, 1), count / max(total, 1))
        found.append(numbered(folder, word, own, share))
    if not found:
        return folder.files.rows(0, 0)
    return Rows(
        pd.concat([some.table for some in found], ignore_index=True), np.concatenate([some.vectors for some in found])
    )


def numbered(folder: CorpusFolder, word: str, numbers: NDArray[np.int64], progress: Progress = silent) -> Rows:
    """The occurrences of a word of these numbers (from 0, rising): occ, word, sentence and norm, and their vectors."""
    begin, found = folder.span(word)[0], []
    for block in folder.blocks_of(word, progress):
        places = numbers + begin - block.first
        inside = places[(places >= 0) & (places < len(block.occ))]
        found.append((block.occ[inside], block.norms[inside], block.vectors[inside]))
    if not found:
        return folder.files.rows(0, 0)
    occ, norms, vectors = (np.concatenate(some) for some in zip(*found, strict=True))
    return Rows(pd.DataFrame({"occ": occ, "word": word, "sentence": occ // WORDS, "norm": norms}), vectors)


def some_of(n: int, most: int, seed: int = 0) -> NDArray[np.int64]:
    """The numbers 0 … n − 1, rising; of more than `most` as many, each as likely.

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
    """The chosen rows of sample.npy, which is read from end to end: occ, norms and vectors, some at a time."""
    width = 4 * folder.dimensions
    head, size = len(npy_header(n, folder.dimensions)), max(1, _CHUNK // width)
    occ, norms = table["occ"].to_numpy(), table["norm"].to_numpy()
    for number, chunk in enumerate(folder.files.chunks("sample.npy", head, size * width)):
        progress(number * size / n)
        vectors = np.frombuffer(chunk, "<f4").reshape(-1, folder.dimensions)
        begin, end = np.searchsorted(rows, [number * size, number * size + len(vectors)])
        yield occ[begin:end], norms[begin:end], vectors[rows[begin:end] - number * size]
