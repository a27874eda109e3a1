"""Sentences as rows of word pieces that a model can read at once, and the words in them as vectors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Row:
    """A sentence, or a part of one, as the model reads it.

    ids         of its pieces, [CLS] and [SEP] included
    places      of each word: position (of its first piece), pieces, start and end (where it stands in the text)
    numbers     of the words, from 0, among all words and signs of the whole sentence
    label       a word and its sense there
    """

    text: str
    ids: NDArray[np.int64]
    places: tuple[tuple[int, int, int, int], ...]
    numbers: tuple[int, ...]
    label: tuple[str, str] = ("", "")


def read(sentence: str, model: "EmbeddingModel", label: tuple[str, str] = ("", "")) -> Iterator[tuple[Row, int]]:
    """A sentence in one row, or in several that end between words; with each how many words and signs it leaves out.

    Signs are left out, and words that the model does not know. Raises ValueError as `EmbeddingModel.words` does.
    """
    ids, places = model.words(sentence)
    room, unknown = model.max_tokens - 2, model.ids["[UNK]"]
    begin = 0
    while begin < len(places):
        first = places[begin][0]
        end = begin
        while end < len(places) and sum(places[end][:2]) - first <= room:
            end += 1
        if end == begin:  # a word that is longer than all that the model reads
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
    """The mean (n, d) of the pieces of n words, each `pieces` long from `firsts` on, out of token vectors (t, d).

    >>> word_vectors(np.array([[1.0], [3.0], [8.0]]), np.array([0, 2]), np.array([2, 1])).ravel()
    array([2., 8.])
    """
    sums = np.concatenate([np.zeros_like(tokens[:1]), tokens.cumsum(0)])
    return (sums[firsts + pieces] - sums[firsts]) / pieces[:, None]


def spelling(ids: NDArray[np.int64], model: "EmbeddingModel") -> str:
    """A word as its pieces spell it."""
    return "".join(model.vocabulary[i].removeprefix("##") for i in ids)
