"""The nearest occurrences in a corpus folder: among those of one word (at any size), or among all words."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.corpus.search import MAX_NEIGHBOURS, MAX_SENTENCE, Query, find, model_spelling, out_of_range
from embtools.limits import within
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.described import described
from embtools.occurrences.folder.reading import FILES, CorpusFolder
from embtools.occurrences.folder.searching import Engine, nearest_by
from embtools.progress import Progress, part, silent
from embtools.spaces.space import CENTRED, RAW, TOP
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_BIN = 0.02
_PACE = 150_000, 400_000
"""Rows of 384 numbers per second: read and stored for the next search; only read from the files."""
_PACE_IN_SPACE = 300_000, 130_000
"""Rows per second that are put into a space: along a few directions; by a whole matrix."""


@dataclass(frozen=True)
class InFolder:
    """The occurrences in a folder nearest to a word in one sentence.

    word      as the model writes it
    count     how often it occurs in the folder
    query     frame with one row: word, cosine (1), sense (""), text, start, end
    others    frame: rank, word, cosine, sense, text, start, end, number of the nearest occurrences of the word itself
    spread    frame: low, high, count: how many of all its other occurrences have a cosine in this range
    near      the columns of `others` without number, among all words; empty until all of them are searched
    searched  the number of occurrences that were compared
    rung      what was searched: "word", "kept" (one stored array) or "files"
    """

    word: str
    count: int
    query: pd.DataFrame
    others: pd.DataFrame
    spread: pd.DataFrame
    near: pd.DataFrame
    searched: int
    rung: str


def nearest_in_folder(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    *,
    query: Query,
    k: int = 10,
    same_word: bool = True,
    whole: bool = True,
    most_kept: int | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> InFolder:
    """The k occurrences nearest to the occurrence of the query, by an exact search, without that occurrence itself.

    Parameters
    ----------
    folder : CorpusFolder
        An encoded corpus.
    model : EmbeddingModel
    query : Query
        A word with the number of its occurrence (from 1), in the corpus or in a typed sentence.
    k : int, default 10
        Number of occurrences.
    same_word : bool, default True
        Whether the search of all occurrences lists the word itself.
    whole : bool, default True
        Whether to search all occurrences. Otherwise only those of the word are read, which works for folders of any
        size.
    most_kept : int or None, optional
        Folders with more occurrences are searched file by file, not in one array on this machine.
    engine : callable or None, optional
        Searches all occurrences file by file on its own machines.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    InFolder
        The nearest occurrences, and how similar those of the word are.

    Raises
    ------
    ValueError
        For a folder of another model, k out of range, and a word that does not occur.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    folder.check(model)
    word, row, vector, selected = _selected(folder, query, model)
    begin, end = folder.span(word)
    own = ((row, row + 1),) if row >= 0 else ()
    best, spread = _within(folder, word, vector, k, own, part(progress, 0.0, 0.2 if whole else 1.0))
    others = described(folder, model, occ=best.occ, words=word, cosine=best.cosines.astype(np.float64))
    others["number"] = best.rows - begin + 1
    result = InFolder(word, end - begin, selected, others, spread, others.iloc[:0, :-1], end - begin - len(own), "word")
    if not whole:
        return result
    hidden = own if same_word else ((begin, end),)
    rest = part(progress, 0.2, 0.8)
    if engine is None:
        every = folder.nearest(vector, k, without=hidden, most_kept=most_kept, progress=rest)
    else:
        every = nearest_by(engine, folder, vector, k, without=hidden, progress=rest)
    table = every.table
    near = described(
        folder, model, occ=table["occ"].to_numpy(), words=table["word"], cosine=table["cosine"].astype(np.float64)
    )
    searched = every.searched - sum(high - low for low, high in hidden)
    return replace(result, near=near, searched=searched, rung=every.rung)


def seconds(folder: CorpusFolder, most_kept: int | None = None) -> float:
    """Estimated seconds for a search of all occurrences; 0 for raw vectors that are stored on this machine."""
    files, rows = folder.rung(most_kept) == FILES, len(folder) * folder.dimensions / 384
    reading = 0.0 if not files and folder.is_kept() else rows / _PACE[files]
    if folder.space.kind == RAW:
        return reading
    if folder.space.kind in (CENTRED, TOP):
        return reading + rows / _PACE_IN_SPACE[0]
    return reading + rows * folder.dimensions / 384 / _PACE_IN_SPACE[1]


def frequent(folder: CorpusFolder, k: int = 6, letters: int = 4) -> list[str]:
    """The k most frequent words of a folder that have at least `letters` letters, to offer as examples."""
    words = folder.words()
    words = words[words["word"].str.len().ge(letters) & words["word"].str.isalpha()]
    return [str(word) for word in words.nlargest(k, "count")["word"]]


def finding(result: InFolder) -> str:
    """The headline: which words the nearest occurrences belong to."""
    if result.rung == "word":
        if result.others.empty:
            return f"{result.word} occurs only here."
        nearest = result.others["cosine"].iloc[0]
        times = "once" if result.count == 1 else f"{result.count:,} times"
        return (
            f"{result.word} occurs {times} in this folder. The occurrence nearest to this one has a cosine of"
            f" {nearest:.2f} with it."
        )
    same = int((result.near["word"] == result.word).sum())
    if same == len(result.near):
        return f"The {same} nearest of {result.searched:,} occurrences all belong to the word {result.word} itself."
    if same:
        belong = "belongs" if same == 1 else "belong"
        return (
            f"{same} of the {len(result.near)} nearest occurrences {belong} to the word {result.word} itself. The"
            f" search compared {result.searched:,} occurrences."
        )
    return f"The nearest of {result.searched:,} occurrences belongs to the word {result.near['word'].iloc[0]}."


def answered_by(result: InFolder) -> str:
    """A caption: which occurrences were searched, and how."""
    if result.rung == "word":
        other = "other " if result.searched < result.count else ""
        which = f"the {result.searched:,} {other}occurrences of {result.word}"
        return f"This is an exact search of {which}, read from their files."
    how = "read from the files" if result.rung == FILES else "stored on this server as one array"
    return (
        f"This is an exact search of {result.searched:,} occurrences, {how}. It uses no index, so it misses no near"
        " occurrence."
    )


@dataclass(frozen=True, eq=False)
class _Best:
    rows: NDArray[np.int64]
    occ: NDArray[np.int64]
    cosines: Array


def _selected(folder: CorpusFolder, query: Query, model: "EmbeddingModel") -> tuple[str, int, Array, pd.DataFrame]:
    """The word, its row in the folder (-1 for a typed sentence), its vector, and the query as a frame."""
    if query.sentence:
        if len(query.sentence) > MAX_SENTENCE:
            raise ValueError(
                f"The sentence has {len(query.sentence):,} characters; at most {MAX_SENTENCE:,} are allowed. Shorten"
                " it."
            )
        word, source, at = find(Corpus((query.sentence,)), model, query=query, recipe=folder.recipe)
        frame = source.described(np.array([at]), cosine=[1.0]).assign(rank=0)
        return word, -1, folder.fitted.apply(source.vectors[at]), frame
    word, shown = model_spelling(query.word, model), quoted(query.word)
    count = folder.count(word)
    if not count:
        raise ValueError(
            f"{shown} does not occur in this folder. Use another word, in the form in which it occurs there."
        )
    if not 1 <= query.number <= count:
        raise ValueError(out_of_range(shown, "this folder", count))
    one = folder.occurrences(word, query.number - 1, 1)
    row = folder.span(word)[0] + query.number - 1
    frame = described(folder, model, occ=one.table["occ"].to_numpy(), words=word, cosine=1.0).assign(rank=0)
    return word, row, one.vectors[0], frame


def _within(
    folder: CorpusFolder, word: str, vector: Array, k: int, own: tuple[tuple[int, int], ...], progress: Progress
) -> tuple[_Best, pd.DataFrame]:
    """The word's occurrences nearest to a vector, and a histogram of all their cosines; read in blocks."""
    best, counts, numbers = scan.NONE, np.zeros(round(2 / _BIN), np.int64), dict[int, int]()
    for block in folder.blocks_of(word, progress):
        best = scan.search(block.vectors, block.norms, vector, k, first=block.first, hidden=own, best=best)
        numbers |= block.numbers(best.rows)
        keep = np.ones(len(block.norms), bool)
        for low, high in own:
            keep[max(0, low - block.first) : max(0, high - block.first)] = False
        values = scan.cosines(block.vectors, block.norms, vector)[keep]
        counts += np.bincount(np.clip((values + 1) // _BIN, 0, len(counts) - 1).astype(int), minlength=len(counts))
    used = np.flatnonzero(counts)
    bins = np.arange(used[0], used[-1] + 1) if len(used) else used
    edges = bins * _BIN - 1
    spread = pd.DataFrame({"low": edges.round(2), "high": (edges + _BIN).round(2), "count": counts[bins]})
    return _Best(best.rows, np.array([numbers[row] for row in best.rows.tolist()], np.int64), best.cosines), spread
