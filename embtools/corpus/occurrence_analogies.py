"""Arithmetic with occurrences: king − man + woman, each word in one sentence or as the mean of all its sentences.

"Operations on contextual word embeddings". The three words themselves are usually excluded from the answers; results
are given with and without them. The baseline is nearness to king alone, without arithmetic (Linzen 2016; Rogers et al.
2017).
"""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.corpus.analogy_results import Analogy, Formula, FourWords
from embtools.corpus.search import MAX_NEIGHBOURS
from embtools.limits import same_count, within
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.opened import AllRows, Rows, opened
from embtools.occurrences.rows import model_spelling, out_of_range
from embtools.progress import Progress, part, silent
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array, cosine, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MEAN = 0  # the number that selects the mean of all occurrences
FORMULA, NEAREST = "formula", "baseline"
SIDES = ("with_inputs", "without_inputs")
Words = tuple[str, str, str]
Span = tuple[int, int]
_TERMS = re.compile(r"\s*(\S+)\s+[-−–]\s+(\S+)\s+\+\s+(\S+)\s*")


def analogy(
    corpus: Corpus | CorpusFolder,
    model: "EmbeddingModel",
    *,
    words: Words,
    expected: str,
    combination: str = "",
    numbers: tuple[int, int, int] = (MEAN, MEAN, MEAN),
    k: int = 10,
    inputs: bool = False,
    whole: bool = True,
    space: Space = AS_IS,
    most_stored: int | None = None,
    progress: Progress = silent,
) -> Analogy:
    """The k occurrences nearest to a − b + c in a text or a folder, and the rank of the expected word.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
    words : tuple of three str
        a, b and c of a − b + c.
    expected : str
        The word whose rank is returned.
    combination : str, optional
        The layer combination, such as "layer 6" or "sum of last four"; by default that of the corpus.
    numbers : tuple of three int, optional
        One occurrence of each word (from 1), or the mean of all (0).
    k : int, default 10
        Number of occurrences.
    inputs : bool, default False
        Whether the three words are listed too.
    whole : bool, default True
        Whether to rank all occurrences. Otherwise only those of the four words are read.
    space : Space, optional
        Processed space, fitted to all occurrences of the corpus.
    most_stored : int or None, optional
        Folders with more occurrences are searched file by file, not in one array on this machine.
    progress : callable, optional

    Returns
    -------
    Analogy
        The four words, and the answers if all occurrences were ranked.

    Raises
    ------
    ValueError
        For k out of range, a word or an occurrence that is not in the corpus, an expected word that is one of the
        three, words that cancel out, an unknown layer combination, a space that cannot be fitted, and a folder of
        another model or layer combination.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    same_count(words=words, occurrences=numbers)
    names, target = check_words(corpus, model, words=words, expected=expected)
    all_read, four_read = (0.0, 0.2) if corpus.is_encoded else (0.8, 0.9)  # the share of the work after each step
    first = part(progress, 0, all_read) if whole else progress
    read = opened(corpus, model, combination=combination, space=space, most_stored=most_stored, progress=first)
    every = read.all(first) if whole else None  # a text is read once, not again for each word
    own = [occurring(read.of(name), name, corpus) for name in (*names, target)]
    reading = part(progress, all_read, four_read - all_read) if whole else progress
    a, b, c = (
        _vector(rows, number, name, corpus, part(reading, n / 4, 1 / 4))
        for n, (rows, number, name) in enumerate(zip(own[:3], numbers, names, strict=True))
    )
    result = result_of(a, b, c)
    near = _nearness(own[3], (result, a), part(reading, 0.75, 0.25))
    four_words = FourWords(
        pd.DataFrame({"word": [*names, target], "count": [len(rows) for rows in own]}),
        pd.DataFrame([(FORMULA, *near[0]), (NEAREST, *near[1])], columns=["of", "best", "mean"]),
        float(cosine(result, a)[0, 0]),
    )
    if every is None:
        none = own[3].described(np.empty(0, np.int64), [], cosine=np.empty(0))
        return Analogy(none, pd.DataFrame(columns=["of", *SIDES]), 0, words, expected, four_words, read.how)
    spans = [every.span(name) for name in names]
    alone = spans[0][0] + numbers[0] - 1, spans[0][0] + numbers[0]
    itself = () if numbers[0] == MEAN else (alone,)
    table, above = _ranked(
        every,
        (result, a),
        k,
        least=[best for best, _ in near],
        excluded=((every.span(target),), (every.span(target), *itself)),
        spans=spans,
        inputs=inputs,
        progress=part(progress, four_read, 1 - four_read),
    )
    ranks = pd.DataFrame(above + 1, columns=list(SIDES))
    ranks.insert(0, "of", [FORMULA, NEAREST])
    return Analogy(table, ranks, len(every), words, expected, four_words, read.how)


def result_of(a: Array, b: Array, c: Array) -> Array:
    """The vector a − b + c (d,); ValueError if it is zero.

    >>> result_of(np.array([2.0, 1.0]), np.array([1.0, 0.0]), np.array([0.0, 3.0]))
    array([1., 4.])
    """
    result: Array = a - b + c
    if vanishes(result):
        raise ValueError(
            "The three words cancel out, so there is no vector to search for. Choose other words or occurrences."
        )
    return result


def check_words(
    corpus: Corpus | CorpusFolder, model: "EmbeddingModel", *, words: Words, expected: str
) -> tuple[list[str], str]:
    """The three words and the expected one, which is none of them, as the model spells them, if all occur in the
    corpus.
    """
    if isinstance(corpus, CorpusFolder):
        corpus.check(model)
    if len(words) != 3:
        raise ValueError(f"The formula a − b + c needs three words, but there are {len(words)}. Give three.")
    if not expected.strip():
        raise ValueError("Write the word that you expect, for example queen.")
    names, target = [model_spelling(word, model) for word in words], model_spelling(expected, model)
    if target in names:
        raise ValueError(f"{quoted(target)} is both part of the formula and the expected word. Expect another word.")
    for word, name in zip((*words, expected), (*names, target), strict=True):
        if not (corpus.contains(word) or corpus.contains(name)):
            raise _missing(word, corpus)
    return names, target


def occurring(rows: Rows, word: str, corpus: Corpus | CorpusFolder) -> Rows:
    """The rows of a word. Raises ValueError if there are none."""
    if not len(rows):
        raise _missing(word, corpus)
    return rows


def terms(formula: str) -> Formula:
    """The three words of "a - b + c"; ValueError for any other form.

    >>> terms("king − man + woman")
    ('king', 'man', 'woman')
    """
    match = _TERMS.fullmatch(formula)
    if not match:
        raise ValueError("Write three words as in king - man + woman, with spaces around − and +.")
    return Formula((match[1], match[2], match[3]))


def _missing(word: str, corpus: Corpus | CorpusFolder) -> ValueError:
    return ValueError(f"{quoted(word)} does not occur in {corpus.where}. Use a word that does.")


def _vector(rows: Rows, number: int, word: str, corpus: Corpus | CorpusFolder, progress: Progress) -> Array:
    """One occurrence of a word, or the mean of all (d,)."""
    if number == MEAN:
        total: Array = sum(block.vectors.sum(0, dtype=np.float64) for block in rows.blocks(progress))
        return total / len(rows)
    if not 1 <= number <= len(rows):
        raise ValueError(out_of_range(quoted(word), corpus.where, len(rows), mean=True))
    return rows.one(number - 1)[1].astype(np.float64)


def _nearness(rows: Rows, vectors: Sequence[Array], progress: Progress) -> list[tuple[float, float]]:
    """The highest and the mean cosine of a word's occurrences with each of the vectors."""
    cosines = [
        [scan.cosines(block.vectors, block.norms, vector) for vector in vectors] for block in rows.blocks(progress)
    ]
    joined = [np.concatenate(some) for some in zip(*cosines, strict=True)]
    return [(float(some.max()), float(some.mean())) for some in joined]


def _ranked(
    every: AllRows,
    vectors: tuple[Array, Array],
    k: int,
    *,
    least: Sequence[float],
    excluded: tuple[Iterable[Span], Iterable[Span]],
    spans: Sequence[Span],
    inputs: bool,
    progress: Progress,
) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """The k rows nearest to the first of two vectors, and how many rows are above `least` for each vector (2, 2), with
    and without the rows of `spans`.
    """
    best, occ, above = scan.NONE, dict[int, int](), np.zeros((2, 2), np.int64)
    for block in every.blocks(progress):
        hidden = () if inputs else spans
        best = scan.search(block.vectors, block.norms, vectors[0], k, first=block.first, hidden=hidden, best=best)
        occ |= block.numbers(best.rows)
        for line, vector in enumerate(vectors):
            # Rounding must not put occurrences of the expected word above the best of them: they are in `excluded`.
            better = scan.cosines(block.vectors, block.norms, vector) > least[line]
            above[line, 0] += block.cleared(better, excluded[line]).sum()
            above[line, 1] += block.cleared(better, spans).sum()
    rows = np.array([occ[row] for row in best.rows.tolist()], np.int64)
    return every.described(rows, every.word_of(best.rows), cosine=best.cosines.astype(np.float64)), above
