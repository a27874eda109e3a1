"""The nearest occurrences in a corpus folder: within one word at any size, and out of all, with the sentences shown."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.corpus.search import MAX_NEIGHBOURS, MAX_SENTENCE, Query, find, spelt
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
"""Rows of 384 numbers in a second: read and kept for the next time; read from the files alone."""
_PACE_IN_SPACE = 300_000, 130_000
"""The same, put into a space: along a few directions; by a whole matrix."""


@dataclass(frozen=True)
class InFolder:
    """What is near a word as it stands in one sentence of a folder.

    word      as the model writes it;  count: how often it occurs in the folder
    query     one row: word, cosine (1), sense (""), text, start, end
    others    rank, word, cosine, sense, text, start, end, number: the word's own occurrences that are nearest
    spread    low, high, count: how many of all its other occurrences have a cosine in that range
    near      the same as `others` without the number, out of all words; empty until all are searched
    searched  how many occurrences were looked at;  rung: "word", "kept" or "files", what was searched
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
    query: Query,
    model: "EmbeddingModel",
    *,
    k: int = 10,
    same_word: bool = True,
    whole: bool = True,
    most_kept: int | None = None,
    engine: Engine | None = None,
    progress: Progress = silent,
) -> InFolder:
    """The k nearest occurrences to the word of the query, by cosine and exactly; never the one that is asked about.

    `whole=False` reads the occurrences of the word alone, at any size of the folder. An `engine` searches all of them
    file by file, on whatever machines it has. Without `same_word` the search of
    all leaves out the word itself. Raises ValueError for a folder of another model, k out of range, and a word that
    does not stand there.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    folder.check(model)
    word, row, vector, asked = _asked(folder, query, model)
    begin, end = folder.span(word)
    own = ((row, row + 1),) if row >= 0 else ()
    best, spread = _within(folder, word, vector, k, own, part(progress, 0.0, 0.2 if whole else 1.0))
    others = described(folder, best.occ, word, model, cosine=best.cosines.astype(np.float64))
    others["number"] = best.rows - begin + 1
    found = InFolder(word, end - begin, asked, others, spread, others.iloc[:0, :-1], end - begin - len(own), "word")
    if not whole:
        return found
    hidden = own if same_word else ((begin, end),)
    told = part(progress, 0.2, 0.8)
    if engine is None:
        all_of = folder.nearest(vector, k, without=hidden, most_kept=most_kept, progress=told)
    else:
        all_of = nearest_by(engine, folder, vector, k, without=hidden, progress=told)
    table = all_of.table
    near = described(folder, table["occ"].to_numpy(), table["word"], model, cosine=table["cosine"].astype(np.float64))
    searched = all_of.searched - sum(high - low for low, high in hidden)
    return replace(found, near=near, searched=searched, rung=all_of.rung)


def seconds(folder: CorpusFolder, most_kept: int | None = None) -> float:
    """About how long a search of all takes: raw, nothing worth telling where the vectors are kept on this machine."""
    files, rows = folder.rung(most_kept) == FILES, len(folder) * folder.dimensions / 384
    reading = 0.0 if not files and folder.is_kept() else rows / _PACE[files]
    if folder.space.kind == RAW:
        return reading
    if folder.space.kind in (CENTRED, TOP):
        return reading + rows / _PACE_IN_SPACE[0]
    return reading + rows * folder.dimensions / 384 / _PACE_IN_SPACE[1]


def frequent(folder: CorpusFolder, k: int = 6, letters: int = 4) -> list[str]:
    """Words of a folder that could be asked about: the most frequent of so many letters or more."""
    words = folder.words()
    words = words[words["word"].str.len().ge(letters) & words["word"].str.isalpha()]
    return [str(word) for word in words.nlargest(k, "count")["word"]]


def finding(found: InFolder) -> str:
    """What was found, in a sentence."""
    if found.rung == "word":
        if found.others.empty:
            return f"{found.word} occurs only here."
        nearest = found.others["cosine"].iloc[0]
        return f"{found.count:,} times {found.word}: the nearest to this one has a cosine of {nearest:.2f}."
    same = int((found.near["word"] == found.word).sum())
    if same == len(found.near):
        return f"The {same} nearest of {found.searched:,} occurrences are all {found.word} itself."
    if same:
        return f"Of the {len(found.near)} nearest of {found.searched:,} occurrences, {same} are {found.word} itself."
    return f"{found.near['word'].iloc[0]} is the nearest of {found.searched:,} occurrences."


def answered_by(found: InFolder) -> str:
    """Which rung of the search answered, in a sentence."""
    if found.rung == "word":
        other = "other " if found.searched < found.count else ""
        return f"Searched exactly: the {found.searched:,} {other}occurrences of {found.word}, in their files."
    how = "read from the files" if found.rung == FILES else "kept on this server as one array"
    return f"Searched exactly: {found.searched:,} occurrences, {how}. No index, so nothing near is missed."


@dataclass(frozen=True, eq=False)
class _Best:
    rows: NDArray[np.int64]
    occ: NDArray[np.int64]
    cosines: Array


def _asked(folder: CorpusFolder, query: Query, model: "EmbeddingModel") -> tuple[str, int, Array, pd.DataFrame]:
    """The word, its row in the folder (-1 for a typed sentence), its vector, and the query as a frame."""
    if query.sentence:
        if len(query.sentence) > MAX_SENTENCE:
            raise ValueError(f"The sentence has {len(query.sentence):,} characters; at most {MAX_SENTENCE:,} are read.")
        word, source, at = find(Corpus((query.sentence,)), query, folder.recipe, model)
        frame = source.described(np.array([at]), cosine=[1.0]).assign(rank=0)
        return word, -1, folder.fitted.apply(source.vectors[at]), frame
    word, shown = spelt(query.word, model), quoted(query.word)
    count = folder.count(word)
    if not count:
        raise ValueError(f"{shown} does not stand in this folder. Choose another word, in the form in which it stands.")
    if not 1 <= query.number <= count:
        raise ValueError(f"{shown} stands in this folder {count:,} times. Choose one of these.")
    one = folder.occurrences(word, query.number - 1, 1)
    row = folder.span(word)[0] + query.number - 1
    frame = described(folder, one.table["occ"].to_numpy(), word, model, cosine=1.0).assign(rank=0)
    return word, row, one.vectors[0], frame


def _within(
    folder: CorpusFolder, word: str, vector: Array, k: int, own: tuple[tuple[int, int], ...], progress: Progress
) -> tuple[_Best, pd.DataFrame]:
    """The word's occurrences nearest to a vector, and the spread of all their cosines; read a page at a time."""
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
