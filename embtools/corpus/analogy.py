"""Arithmetic with occurrences: king − man + woman, each word in one sentence or as the mean of all its sentences.

"Operations on contextual word embeddings". The three words themselves are usually excluded from the answers; results
are given with and without them. The baseline is nearness to king alone, without arithmetic (Linzen 2016; Rogers et al.
2017).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.corpus.analogy_results import Analogy, Choices, Formula
from embtools.corpus.search import MAX_NEIGHBOURS, model_spelling, out_of_range
from embtools.limits import enough, same_count, within
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import Occurrences
from embtools.occurrences.in_space import processed
from embtools.progress import Progress, part, silent, through
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array, top_k, unit, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MEAN = 0  # the number that selects the mean of all occurrences
MAX_SCORES = 2_000_000_000  # choices × occurrences: about four seconds
FORMULA, NEAREST = "formula", "baseline"
_SIDES = ("with_inputs", "without_inputs")
_TERMS = re.compile(r"\s*(\S+)\s+[-−–]\s+(\S+)\s+\+\s+(\S+)\s*")


def analogy(
    corpus: Corpus,
    model: "EmbeddingModel",
    *,
    words: tuple[str, str, str],
    expected: str,
    combination: str,
    numbers: tuple[int, int, int] = (MEAN, MEAN, MEAN),
    k: int = 10,
    inputs: bool = False,
    space: Space = AS_IS,
    progress: Progress = silent,
) -> Analogy:
    """The k occurrences nearest to a − b + c, and the rank of the expected word.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    words : tuple of three str
        a, b and c of a − b + c.
    expected : str
        The word whose rank is returned.
    combination : str
        The layer combination, such as "layer 6" (see `layer_combinations.combination_names`).
    numbers : tuple of three int, optional
        One occurrence of each word (from 1), or the mean of all (0).
    k : int, default 10
        Number of occurrences.
    inputs : bool, default False
        Whether the three words are listed too.
    space : Space, optional
        Processed space, fitted to all occurrences of the text.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Analogy
        The nearest occurrences, and the ranks of the expected word.

    Raises
    ------
    ValueError
        For a word or occurrence that is not in the text, an expected word that is one of the three, and words that
        cancel out.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    same_count(words=words, occurrences=numbers)
    found, rows, targets, own = _read(corpus, words, expected, combination, model, space, progress)
    a, b, c = (_vector(found, some, n, word) for some, n, word in zip(rows, numbers, words, strict=True))
    result = result_of(a, b, c)
    scores = found.cosines(result)
    near = top_k(scores if inputs else np.where(own, -np.inf, scores), min(k, int((inputs | ~own).sum())))
    alone = found.cosines(a).copy()
    if numbers[0] != MEAN:
        alone[rows[0][numbers[0] - 1]] = -np.inf  # not itself
    ranks = [
        (name, _rank(values, targets), _rank(np.where(own, -np.inf, values), targets))
        for name, values in ((FORMULA, scores), (NEAREST, alone))
    ]
    return Analogy(
        found.described(near, cosine=scores[near]),
        pd.DataFrame(ranks, columns=["of", "with_inputs", "without_inputs"]),
        len(scores),
        words,
        expected,
    )


def all_choices(
    corpus: Corpus,
    model: "EmbeddingModel",
    *,
    words: tuple[str, str, str],
    expected: str,
    combination: str,
    space: Space = AS_IS,
    seed: int = 0,
    progress: Progress = silent,
) -> Choices:
    """How often the expected word ranks 1st over all choices of one occurrence each, and by nearness to a alone.

    All choices are counted if choices × occurrences is at most MAX_SCORES; otherwise a random sample of this size.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    words : tuple of three str
        a, b and c of a − b + c.
    expected : str
        The expected word.
    combination : str
        The layer combination, such as "layer 6" (see `layer_combinations.combination_names`).
    space : Space, optional
        Processed space, fitted to all occurrences.
    seed : int, default 0
        Seed of the random draws.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Choices
        Shares of the choices (0 … 1), and the words that rank 1st.

    Raises
    ------
    ValueError
        As `analogy` does.
    """
    checked_seed(seed)
    found, rows, _, own = _read(corpus, words, expected, combination, model, space, part(progress, 0, 0.5))
    directions = unit(found.vectors)
    a, b, c = (found.vectors[some] @ directions.T for some in rows)  # (occurrences of the word, n)
    names = found.table["word"].to_numpy()
    pairs = [(i, j) for i in range(len(a)) for j in range(len(b))]
    every = prod(map(len, rows)) * len(names) <= MAX_SCORES
    if not every:
        most = max(1, MAX_SCORES // (len(c) * len(names)))
        chosen = np.sort(generator(seed).choice(len(pairs), min(most, len(pairs)), replace=False))
        pairs = [pairs[n] for n in chosen]
    first: dict[str, Counter[str]] = {name: Counter() for name in _SIDES}
    hidden = np.where(own, -np.inf, 0).astype(np.float32)
    target = model_spelling(expected, model)
    hits, tried = np.zeros((len(a), len(_SIDES))), np.zeros(len(a))  # of each occurrence of a
    for i, j in through(pairs, part(progress, 0.5, 0.5)):
        scores = c + (a[i] - b[j])
        tried[i] += len(c)
        for side, name in enumerate(_SIDES):
            if name == "without_inputs":
                scores += hidden
            best = names[scores.argmax(1)]
            first[name].update(best)
            hits[i, side] += (best == target).sum()
    alone = a.copy()
    alone[np.arange(len(a)), rows[0]] = -np.inf  # not itself
    found_alone = [names[s.argmax(1)] == target for s in (alone, alone + hidden)]
    by_first = pd.DataFrame(hits / np.maximum(tried, 1)[:, None], columns=list(_SIDES)).assign(alone=found_alone[1])
    shares = [float(found.mean()) for found in found_alone]
    whole = summed(first, target, len(pairs) * len(c), (len(a), shares[0], shares[1]), every, words, expected)
    return replace(whole, by_first=by_first)


def result_of(a: Array, b: Array, c: Array) -> Array:
    """The vector a − b + c (d,). Raises ValueError if it is zero.

    >>> result_of(np.array([2.0, 1.0]), np.array([1.0, 0.0]), np.array([0.0, 3.0]))
    array([1., 4.])
    """
    result: Array = a - b + c
    if vanishes(result):
        raise ValueError(
            "The three words cancel out, so there is no vector to search for. Choose other words or occurrences."
        )
    return result


def check_words(words: Sequence[str]) -> None:
    """Raise ValueError unless there are three words, a, b and c."""
    if len(words) != 3:
        raise ValueError(f"The formula a − b + c needs three words, but there are {len(words)}. Give three.")


def summed(
    tried: dict[str, Counter[str]],
    target: str,
    total: int,
    alone: tuple[int, float, float],
    every: bool,
    words: tuple[str, str, str],
    expected: str,
) -> Choices:
    """`Choices` from counts of the words that rank 1st. Raises ValueError if `total` is 0.

    tried     counts of the words for "with_inputs" and "without_inputs"
    target    the expected word as the model spells it
    total     the number of choices
    alone     for the first word alone: the number of choices, and the shares with and without inputs
    every     whether these are all choices
    words, expected    the formula and the expected word, as they were given
    """
    enough(range(total), "choices")
    shares = [(FORMULA, total, *(tried[name][target] / total for name in _SIDES)), (NEAREST, *alone)]
    winners = pd.DataFrame({name: tried[name] for name in _SIDES}).fillna(0).astype(int)
    return Choices(
        pd.DataFrame(shares, columns=["of", "choices", *_SIDES]),
        winners.rename_axis("word")
        .reset_index()
        .sort_values(["without_inputs", "with_inputs", "word"], ascending=[False, False, True], ignore_index=True),
        every,
        words,
        expected,
    )


def terms(formula: str) -> Formula:
    """The three words of "a - b + c". Raises ValueError for any other form.

    >>> terms("king − man + woman")
    ('king', 'man', 'woman')
    """
    match = _TERMS.fullmatch(formula)
    if not match:
        raise ValueError("Write three words as in king - man + woman, with spaces around − and +.")
    return Formula((match[1], match[2], match[3]))


def _read(
    corpus: Corpus,
    words: tuple[str, str, str],
    expected: str,
    combination: str,
    model: "EmbeddingModel",
    space: Space,
    progress: Progress,
) -> tuple[Occurrences, list[NDArray[np.intp]], NDArray[np.intp], Array]:
    """The text's occurrences, the rows of the three words, those of the expected word, and which are inputs (n,)."""
    check_words(words)
    names = [model_spelling(word, model) for word in words]
    target = model_spelling(expected, model)
    if target in names:
        raise ValueError(f"{quoted(target)} is both part of the formula and the expected word. Expect another word.")
    for word in (*words, expected):
        if not corpus.having(word).sentences:
            raise _missing(word)
    found = processed(corpus, model, combination=combination, space=space, progress=progress)
    rows = [found.of(name) for name in (*names, target)]
    for some, word in zip(rows, (*words, expected), strict=True):
        if not len(some):
            raise _missing(word)
    return found, rows[:3], rows[3], np.isin(found.table["word"].to_numpy(), names)


def _missing(word: str) -> ValueError:
    return ValueError(f"{quoted(word)} does not occur in the text. Use a word that does.")


def _vector(found: Occurrences, rows: NDArray[np.intp], number: int, word: str) -> Array:
    if number == MEAN:
        return found.vectors[rows].mean(0, dtype=np.float64)
    if not 1 <= number <= len(rows):
        raise ValueError(out_of_range(quoted(word), "the text", len(rows), mean=True))
    return found.vectors[rows[number - 1]].astype(np.float64)


def _rank(scores: Array, targets: NDArray[np.intp]) -> int:
    """The rank of the best of the target rows, from 1."""
    return int((scores > scores[targets].max()).sum()) + 1
