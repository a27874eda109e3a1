"""Arithmetic with the occurrences of a corpus folder: one read per word, and exact ranks among all rows."""

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.corpus.analogy import FORMULA, MEAN, NEAREST, check_words, result_of, summed
from embtools.corpus.analogy_results import Analogy, Choices, FourWords
from embtools.corpus.search import MAX_NEIGHBOURS, model_spelling, out_of_range
from embtools.limits import same_count, within
from embtools.messages import quoted
from embtools.occurrences.folder import opened as searching
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.described import described
from embtools.occurrences.folder.files import Block
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import Progress, part, silent
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array, cosine

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

DRAWS = 100
"""The largest number of choices of occurrences that are tried."""
_RANKS = ["of", "with_inputs", "without_inputs"]
_PACE = 120_000  # rows of 384 numbers that are compared with a hundred choices per second
Spans = Sequence[tuple[int, int]]


def analogy_in_folder(
    corpus: CorpusFolder,
    model: "EmbeddingModel",
    *,
    words: tuple[str, str, str],
    expected: str,
    numbers: tuple[int, int, int] = (MEAN, MEAN, MEAN),
    k: int = 10,
    inputs: bool = False,
    whole: bool = True,
    space: Space = AS_IS,
    most_stored: int | None = None,
    progress: Progress = silent,
) -> Analogy:
    """The answers to a − b + c among the occurrences of a folder, as `analogy.analogy` gives them for a text.

    Parameters
    ----------
    corpus : CorpusFolder
    model : EmbeddingModel
    words : tuple of three str
        a, b and c of a − b + c.
    expected : str
        The word whose rank is returned.
    numbers : tuple of three int, optional
        One occurrence of each word (from 1), or the mean of all (0).
    k : int, default 10
        Number of occurrences.
    inputs : bool, default False
        Whether the three words are listed too.
    whole : bool, default True
        Whether to rank all occurrences. Otherwise only the four words are read.
    space : Space, optional
        Processed space, fitted to all occurrences of the folder.
    most_stored : int or None, optional
        Folders with more occurrences are searched file by file, not in one array on this machine.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Analogy
        The four words, and the answers if all occurrences were ranked.

    Raises
    ------
    ValueError
        For a folder of another model, and as `analogy` does.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    same_count(words=words, occurrences=numbers)
    folder = corpus if space == AS_IS else corpus.in_space(space)
    names, target = _model_spellings(folder, words, expected, model)
    reading = part(progress, 0.0, 0.2 if whole else 1.0)
    a, b, c = (
        _vector(folder, name, number, part(reading, n / 4, 1 / 4))
        for n, (name, number) in enumerate(zip(names, numbers, strict=True))
    )
    result = result_of(a, b, c)
    near = _nearness(folder, target, (result, a), part(reading, 0.75, 0.25))
    four_words = FourWords(
        pd.DataFrame({"word": [*names, target], "count": [folder.count(name) for name in (*names, target)]}),
        pd.DataFrame([(FORMULA, *near[0]), (NEAREST, *near[1])], columns=["of", "best", "mean"]),
        float(cosine(result, a)[0, 0]),
    )
    how = folder.rung(most_stored)
    if not whole:
        none = described(folder, model, occ=np.empty(0, np.int64), words=[], cosine=np.empty(0))
        return Analogy(none, pd.DataFrame(columns=_RANKS), 0, words, expected, four_words, how)
    spans = [folder.span(name) for name in names]
    itself = [] if numbers[0] == MEAN else [(spans[0][0] + numbers[0] - 1, spans[0][0] + numbers[0])]
    best, occ, above = scan.NONE, dict[int, int](), np.zeros((2, 2), np.int64)
    for block in folder.blocks(most_stored, part(progress, 0.2, 0.8)):
        hidden = () if inputs else spans
        best = scan.search(block.vectors, block.norms, result, k, first=block.first, hidden=hidden, best=best)
        occ |= block.numbers(best.rows)
        for line, (vector, left_out) in enumerate(((result, ()), (a, itself))):
            # Rounding must not put occurrences of the expected word above the best of them.
            better = scan.cosines(block.vectors, block.norms, vector) > near[line][0]
            _clear(better, block, [folder.span(target), *left_out])
            above[line, 0] += better.sum()
            _clear(better, block, spans)
            above[line, 1] += better.sum()
    ranks = pd.DataFrame(above + 1, columns=_RANKS[1:])
    ranks.insert(0, "of", [FORMULA, NEAREST])
    rows = np.array([occ[row] for row in best.rows.tolist()], np.int64)
    table = described(folder, model, occ=rows, words=folder.word_of(best.rows), cosine=best.cosines.astype(np.float64))
    return Analogy(table, ranks, len(folder), words, expected, four_words, how)


def choices_in_folder(
    corpus: CorpusFolder,
    model: "EmbeddingModel",
    *,
    words: tuple[str, str, str],
    expected: str,
    draws: int = DRAWS,
    seed: int = 0,
    space: Space = AS_IS,
    most_stored: int | None = None,
    progress: Progress = silent,
) -> Choices:
    """How often the expected word ranks 1st among all rows, over random choices of one occurrence each.

    The baseline is nearness to the chosen occurrences of the first word alone.

    Parameters
    ----------
    corpus : CorpusFolder
    model : EmbeddingModel
    words : tuple of three str
        a, b and c of a − b + c.
    expected : str
        The expected word.
    draws : int, optional
        Number of choices; all choices are tried if there are no more.
    seed : int, default 0
        Seed of the random draws.
    space : Space, optional
        Processed space, fitted to all occurrences of the folder.
    most_stored : int or None, optional
        Folders with more occurrences are searched file by file, not in one array on this machine.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Choices
        Shares of the choices (0 … 1), and the words that rank 1st.

    Raises
    ------
    ValueError
        As `analogy_in_folder` does.
    """
    checked_seed(seed)
    within(draws, DRAWS, "choices")
    folder = corpus if space == AS_IS else corpus.in_space(space)
    names, target = _model_spellings(folder, words, expected, model)
    counts = [folder.count(name) for name in names]
    every = prod(counts) <= draws
    if every:
        chosen = np.stack(np.unravel_index(np.arange(prod(counts)), counts))
    else:
        chosen = generator(seed).integers(0, np.array(counts)[:, None], (3, draws))
    a, b, c = (
        _chosen(folder, name, own, part(progress, n / 20, 1 / 20))
        for n, (name, own) in enumerate(zip(names, chosen, strict=True))
    )
    own, first = np.unique(chosen[0], return_index=True)
    spans = [folder.span(name) for name in names]
    queries = np.concatenate([a - b + c, a[first]])
    itself = [-1] * len(a) + (own + spans[0][0]).tolist()
    best = _best(folder, queries, itself, spans, most_stored, part(progress, 0.15, 0.85))
    winners = [folder.word_of(rows) for rows in best]  # with the inputs, and without
    total = chosen.shape[1]
    tried = {name: Counter(won[:total]) for name, won in zip(("with_inputs", "without_inputs"), winners, strict=True)}
    alone = [float((won[total:] == target).mean()) for won in winners]
    return summed(tried, target, total, (len(own), alone[0], alone[1]), every, words, expected)


def seconds(corpus: CorpusFolder, *, space: Space = AS_IS) -> float:
    """Estimated seconds of `choices_in_folder`."""
    return searching.seconds(corpus.in_space(space)) + len(corpus) * corpus.dimensions / 384 / _PACE


def _model_spellings(
    folder: CorpusFolder, words: tuple[str, str, str], expected: str, model: "EmbeddingModel"
) -> tuple[list[str], str]:
    """The three words and the expected word as the folder spells them."""
    folder.check(model)
    check_words(words)
    names, target = [model_spelling(word, model) for word in words], model_spelling(expected, model)
    if target in names:
        raise ValueError(f"{quoted(target)} is both part of the formula and the expected word. Expect another word.")
    for name in (*names, target):
        if not folder.count(name):
            raise ValueError(f"{quoted(name)} does not occur in this folder. Use a word that does.")
    return names, target


def _vector(folder: CorpusFolder, word: str, number: int, progress: Progress) -> Array:
    """One occurrence of a word, or the mean of all."""
    count = folder.count(word)
    if number == MEAN:
        return sum(block.vectors.sum(0, dtype=np.float64) for block in folder.blocks_of(word, progress)) / count
    if not 1 <= number <= count:
        raise ValueError(out_of_range(quoted(word), "this folder", count, mean=True))
    return folder.occurrences(word, number - 1, 1).vectors[0].astype(np.float64)


def _chosen(folder: CorpusFolder, word: str, numbers: NDArray[np.int64], progress: Progress) -> Array:
    """The vectors (m, d) of a word's occurrences of these numbers (m,), from 0."""
    found = np.empty((len(numbers), folder.dimensions), np.float32)
    for block in folder.blocks_of(word, progress):
        rows = numbers + folder.span(word)[0] - block.first
        inside = (rows >= 0) & (rows < len(block.occ))
        found[inside] = block.vectors[rows[inside]]
    return found


def _nearness(
    folder: CorpusFolder, word: str, vectors: Sequence[Array], progress: Progress
) -> list[tuple[float, float]]:
    """The highest and the mean cosine of a word's occurrences with each of the vectors."""
    values: list[list[Array]] = [[] for _ in vectors]
    for block in folder.blocks_of(word, progress):
        for found, vector in zip(values, vectors, strict=True):
            found.append(scan.cosines(block.vectors, block.norms, vector))
    every = [np.concatenate(found) for found in values]
    return [(float(one.max()), float(one.mean())) for one in every]


def _best(
    folder: CorpusFolder, queries: Array, itself: list[int], spans: Spans, most_stored: int | None, progress: Progress
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row nearest to each of m queries, except its own row: among all rows (m,), and without the spans (m,)."""
    m = len(queries)
    scores, rows = np.full((2, m), -np.inf, np.float32), np.zeros((2, m), np.int64)
    for block in folder.blocks(most_stored, progress):
        found = block.vectors @ queries.T / np.where(block.norms == 0, 1, block.norms)[:, None]
        for query, row in enumerate(itself):
            if block.first <= row < block.first + len(found):
                found[row - block.first, query] = -np.inf
        for line in range(2):
            if line:
                _clear(found, block, spans, -np.inf)
            top = found.argmax(0)
            values = found[top, np.arange(m)]
            better = values > scores[line]
            scores[line, better], rows[line, better] = values[better], top[better] + block.first
    return rows[0], rows[1]


def _clear(values: Array, block: Block, spans: Spans, value: float = 0) -> None:
    """Set the rows of a block that lie in these ranges to a value."""
    for low, high in spans:
        values[max(0, low - block.first) : max(0, high - block.first)] = value
