"""How often a − b + c gives the expected word, over many choices of one occurrence for each of the three words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.corpus.analogy_results import Choices
from embtools.corpus.occurrence_analogies import FORMULA, NEAREST, SIDES, Span, Words, check_words, occurring
from embtools.limits import within
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder import opened as searching
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.files import Block
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.opened import AllRows, Rows, opened
from embtools.progress import Progress, part, silent
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_SCORES = 2_000_000_000
"""The largest number of choices × occurrences in a text: about four seconds."""
DRAWS = 100
"""The largest number of choices that are tried in a folder."""
_AT_ONCE = 8_192  # rows that are compared at a time with many choices; their scores fit into the processor's cache
_PACE = 120_000  # rows of 384 numbers of a folder that are compared with a hundred choices per second


def all_choices(
    corpus: Corpus | CorpusFolder,
    model: "EmbeddingModel",
    *,
    words: Words,
    expected: str,
    combination: str = "",
    draws: int = DRAWS,
    seed: int = 0,
    space: Space = AS_IS,
    most_stored: int | None = None,
    progress: Progress = silent,
) -> Choices:
    """How often the expected word ranks 1st over all choices of one occurrence each, and by nearness to a alone.

    All choices are tried if there are few: up to MAX_SCORES choices × occurrences in a text, and up to `draws` choices
    in a folder. Otherwise a random sample of this size is tried.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
    words : tuple of three str
        a, b and c of a − b + c.
    expected : str
        The expected word.
    combination : str, optional
        The layer combination, such as "layer 6" or "sum of last four"; by default that of the corpus.
    draws : int, optional
        The largest number of choices that are tried in a folder.
    seed : int, default 0
    space : Space, optional
        Processed space, fitted to all occurrences of the corpus.
    most_stored : int or None, optional
        Folders with more occurrences are searched file by file, not in one array on this machine.
    progress : callable, optional

    Returns
    -------
    Choices
        Shares of the choices (0 … 1), and the words that rank 1st.

    Raises
    ------
    ValueError
        For draws out of range, and as `analogy` does.
    """
    checked_seed(seed)
    within(draws, DRAWS, "choices")
    names, target = check_words(corpus, model, words=words, expected=expected)
    all_read, three_read = (0.0, 0.15) if corpus.is_encoded else (0.5, 0.55)  # the share of the work after each step
    first = part(progress, 0, all_read)
    read = opened(corpus, model, combination=combination, space=space, most_stored=most_stored, progress=first)
    every = read.all(first)
    occurring(read.of(target), expected, corpus)
    own = [occurring(read.of(name), word, corpus) for name, word in zip(names, words, strict=True)]
    most = draws if corpus.is_encoded else max(1, MAX_SCORES // len(every))
    chosen, is_every = _chosen([len(rows) for rows in own], most, seed)
    reading = part(progress, all_read, three_read - all_read)
    picked = [
        _picked(rows, numbers, part(reading, n / 3, 1 / 3))
        for n, (rows, numbers) in enumerate(zip(own, chosen, strict=True))
    ]
    best, alone = _best(every, picked, names, part(progress, three_read, 1 - three_read))
    right, right_alone = (np.asarray([every.word_of(line) for line in rows]) == target for rows in (best, alone))
    shares = [(FORMULA, best.shape[1], *right.mean(1)), (NEAREST, alone.shape[1], *right_alone.mean(1))]
    by_first = pd.DataFrame(dict(zip(SIDES, right, strict=True))).groupby(picked[0].which).mean()
    return Choices(
        pd.DataFrame(shares, columns=["of", "choices", *SIDES]),
        _winners(every, best),
        is_every,
        words,
        expected,
        by_first.reset_index(drop=True).assign(alone=right_alone[1]),
    )


def seconds(corpus: CorpusFolder, *, space: Space = AS_IS) -> float:
    """Estimated seconds of `all_choices` in a folder."""
    return searching.seconds(corpus.in_space(space)) + len(corpus) * corpus.dimensions / 384 / _PACE


@dataclass(frozen=True, eq=False)
class _Picked:
    """The occurrences of a word that are part of a choice.

    numbers    (p,) their numbers among the occurrences of the word, from 0, each once
    vectors    (p, d) float32
    which      (m,) for each of m choices, which of the p it takes
    """

    numbers: NDArray[np.int64]
    vectors: Array
    which: NDArray[np.int64]


def _chosen(counts: Sequence[int], most: int, seed: int) -> tuple[NDArray[np.int64], bool]:
    """The choices (3, m) by the numbers of the occurrences, from 0: all, or a random `most`, sorted by the first two
    words; and whether these are all.
    """
    if prod(counts) <= most:
        return np.stack(np.unravel_index(np.arange(prod(counts)), counts)), True
    drawn = generator(seed).integers(0, np.array(counts)[:, None], (3, most))
    return drawn[:, np.lexsort(drawn[::-1])], False


def _picked(rows: Rows, numbers: NDArray[np.int64], progress: Progress) -> _Picked:
    """Read the occurrences of a word with these numbers (m,), each once."""
    own, which = np.unique(numbers, return_inverse=True)
    _, _, vectors = scan.selected(rows.blocks(progress), own)
    return _Picked(own, vectors, which)


def _best(
    every: AllRows, picked: Sequence[_Picked], names: Sequence[str], progress: Progress
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row nearest to each of m choices (2, m), and to each occurrence of the first word, without itself (2, p):
    among all rows, and among those without the three words.
    """
    spans = [every.span(name) for name in names]
    itself = picked[0].numbers + spans[0][0]
    first, second, third = (words.which for words in picked)
    groups = np.flatnonzero(np.diff(first, prepend=-1) | np.diff(second, prepend=-1))  # where a or b changes
    ends = np.append(groups[1:], len(first))
    best, alone = _Nearest(len(first)), _Nearest(len(itself))
    results: Array | None = None  # of a few choices; many choices share the cosines of their three words
    if len(first) <= sum(len(words.numbers) for words in picked):
        results = picked[0].vectors[first] - picked[1].vectors[second] + picked[2].vectors[third]
    for block in every.blocks(progress):
        at_once = _AT_ONCE if results is None else len(block.occ)
        for begin in range(0, len(block.occ), at_once):
            some = slice(begin, begin + at_once)
            part_of = Block(block.first + begin, block.occ[some], block.norms[some], block.vectors[some])
            norms = np.where(part_of.norms == 0, 1, part_of.norms)
            a = picked[0].vectors @ part_of.vectors.T / norms  # (p, n)
            if results is not None:
                best.update(results @ part_of.vectors.T / norms, part_of, spans, slice(None))
            else:
                b, c = (words.vectors @ part_of.vectors.T / norms for words in picked[1:])
                for low, high in zip(groups.tolist(), ends.tolist(), strict=True):
                    best.update(c[third[low:high]] + (a[first[low]] - b[second[low]]), part_of, spans, slice(low, high))
            inside = np.flatnonzero((itself >= part_of.first) & (itself < part_of.first + len(part_of.occ)))
            a[inside, itself[inside] - part_of.first] = -np.inf
            alone.update(a, part_of, spans, slice(None))
    return best.rows, alone.rows


class _Nearest:
    """The row with the highest score so far for each of m queries: among all rows, and without some of them."""

    def __init__(self, m: int) -> None:
        self.scores, self.rows = np.full((2, m), -np.inf, np.float32), np.zeros((2, m), np.int64)

    def update(self, scores: Array, block: Block, hidden: Sequence[Span], those: slice) -> None:
        """Compare the scores (q, n) of a block's rows for some of the queries; `scores` is changed."""
        for line in range(2):
            if line:
                block.cleared(scores, hidden, -np.inf)
            top = scores.argmax(1)
            values = scores[np.arange(len(top)), top]
            better = values > self.scores[line, those]
            self.scores[line, those] = np.where(better, values, self.scores[line, those])
            self.rows[line, those] = np.where(better, top + block.first, self.rows[line, those])


def _winners(every: AllRows, best: NDArray[np.int64]) -> pd.DataFrame:
    """How often each word ranks 1st: word, with_inputs, without_inputs, the most frequent one first."""
    counts = {side: pd.Series(every.word_of(rows)).value_counts() for side, rows in zip(SIDES, best, strict=True)}
    winners = pd.DataFrame(counts).fillna(0).astype(int).rename_axis("word").reset_index()
    return winners.sort_values(
        ["without_inputs", "with_inputs", "word"], ascending=[False, False, True], ignore_index=True
    )
