"""Tokenised sentences, split into rows that a model can read, and the vectors of the words in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.messages import quoted
from embtools.vectors import Array
from embtools.words.occurrences import pieces_of

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Row:
    """A sentence, or a part of one, as the model reads it.

    text        the sentence or part
    ids         ids of its tokens, including [CLS] and [SEP]
    places      for each word: position (of its first token), pieces (number of tokens), start and end (in the text)
    numbers     the number of each word, from 0, among all words and symbols of the whole sentence
    label       a word and its sense in this sentence
    """

    text: str
    ids: NDArray[np.int64]
    places: tuple[tuple[int, int, int, int], ...]
    numbers: tuple[int, ...]
    label: tuple[str, str] = ("", "")


def read(sentence: str, model: "EmbeddingModel", *, label: tuple[str, str] = ("", "")) -> Iterator[tuple[Row, int]]:
    """The rows of a sentence, which is split between words if it is too long for the model, each with the number of
    symbols and unknown words that it leaves out.
    """
    ids, places = model.words(sentence)
    room, unknown = model.max_tokens - 2, model.ids["[UNK]"]
    begin = 0
    while begin < len(places):
        first = places[begin][0]
        end = begin
        while end < len(places) and sum(places[end][:2]) - first <= room:
            end += 1
        if end == begin:  # a word that is longer than the model can read
            begin += 1
            continue
        last, offset = sum(places[end - 1][:2]), places[begin][2] if begin else 0
        text = sentence[offset : places[end - 1][3] if end < len(places) else len(sentence)]
        words = {
            number: (position - first + 1, pieces, start - offset, stop - offset)
            for number, (position, pieces, start, stop) in enumerate(places[begin:end], begin)
            if unknown not in ids[position : position + pieces] and any(map(str.isalnum, sentence[start:stop]))
        }
        inside = np.array([ids[0], *ids[first:last], ids[-1]])
        yield Row(text, inside, tuple(words.values()), tuple(words), label), end - begin - len(words)
        begin = end


def word_vectors(tokens: Array, firsts: NDArray[np.int64], pieces: NDArray[np.int64]) -> Array:
    """The vectors (n, d) of n words: the means of their tokens, given the vectors (t, d) of all tokens, and the first
    token and number of tokens of each word.

    >>> word_vectors(np.array([[1.0], [3.0], [8.0]]), np.array([0, 2]), np.array([2, 1])).ravel()
    array([2., 8.])
    """
    sums = np.concatenate([np.zeros_like(tokens[:1]), tokens.cumsum(0)])
    return (sums[firsts + pieces] - sums[firsts]) / pieces[:, None]


def spelling(ids: NDArray[np.int64], model: "EmbeddingModel") -> str:
    """A word as spelled by its tokens."""
    return "".join(model.vocabulary[i].removeprefix("##") for i in ids)


def out_of_range(word: str, where: str, count: int, *, mean: bool = False) -> str:
    """The error message for an occurrence number that a word does not have; mean: 0 is allowed for the mean of all.

    >>> print(out_of_range("'bank'", "the text", 3))
    'bank' occurs 3 times in the text. Choose occurrence 1 to 3.
    """
    times, numbers = ("once", "1") if count == 1 else (f"{count:,} times", f"1 to {count:,}")
    return f"{word} occurs {times} in {where}. Choose occurrence {numbers}{', or 0 for the mean' if mean else ''}."


def model_spelling(word: str, model: "EmbeddingModel") -> str:
    """A word as spelled by the model's tokens. Raises ValueError for an empty text and for more than one word."""
    name = "".join(token.removeprefix("##") for token in pieces_of(word, model))
    if len(model.words(word)[1]) > 1:
        raise ValueError(f"{quoted(word)} is more than one word. Write a single word.")
    return name
