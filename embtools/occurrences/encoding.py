"""Vectors of all occurrences of a corpus for one layer combination, in a cache of limited size; and for each word of
the built-in corpus, the mean of its occurrences, in the place of a model.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import memory
from embtools.layer_combinations import CONCAT_FOUR, SUM_FOUR, check_combination, combination_names, combine
from embtools.limits import enough
from embtools.memory import remembered
from embtools.models.vectors_as_model import Vectors
from embtools.occurrences.corpus import Corpus, bare, built_in_corpus
from embtools.occurrences.rows import Row, read, spelling, word_vectors
from embtools.progress import Progress, part, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_OCCURRENCES = 50_000
MOST_BYTES = 180_000_000
"""Limit for the vectors of one corpus; larger ones would leave no room for anything else in the cache."""

_READING = 0.05  # share of the time that tokenising takes


@dataclass(frozen=True, eq=False)
class Occurrences:
    """The n occurrences of words in s sentences. Results are shared, so do not change them; the arrays are read-only.

    sentences    the s sentences as they were read; one that is too long for the model is cut into several
    table        frame with n rows: word (as the model writes it), sentence (its number, from 0), position (of its first
                 token), pieces (number of tokens), start and end (in the sentence), sense ("" if none is labelled)
    vectors      (n, d) float32, the mean of the word's tokens
    lengths      (n,) lengths of the vectors
    means        (s, d) float32, the mean of all tokens of a sentence, including [CLS] and [SEP]
    combination  the layer combination of the vectors
    cut          the number of sentences that were cut
    left_out     the number of symbols and unknown words, which are not occurrences
    """

    sentences: tuple[str, ...]
    table: pd.DataFrame
    vectors: Array
    lengths: Array
    means: Array
    combination: str
    cut: int
    left_out: int

    def of(self, word: str) -> NDArray[np.intp]:
        """The row numbers of a word's occurrences."""
        return np.flatnonzero(self.table["word"].to_numpy() == word)

    @cached_property
    def by_word(self) -> tuple[NDArray[np.object_], NDArray[np.int64], NDArray[np.intp]]:
        """The words in alphabetical order, where each begins in `order` (and the end), and the `order` of the rows, in
        which occurrences of the same word stay in the order of the text.
        """
        names, numbers, counts = np.unique(
            self.table["word"].to_numpy().astype(str), return_inverse=True, return_counts=True
        )
        return names.astype(object), np.r_[0, counts.cumsum()], np.argsort(numbers, kind="stable")

    def cosines(self, vector: Array) -> Array:
        """The cosine (n,) of every occurrence with a vector (d,)."""
        lengths = self.lengths * max(float(np.linalg.norm(vector)), 1e-12)
        return self.vectors @ np.asarray(vector, np.float32) / np.where(lengths == 0, 1, lengths)

    def only(self, part: Corpus) -> "Occurrences | None":
        """The occurrences in the sentences of a part of the corpus, with `left_out` of the whole corpus; None if a
        sentence is missing or was cut.
        """
        wanted = set(part.sentences)
        kept = [number for number, text in enumerate(self.sentences) if text in wanted]
        if self.cut or len(kept) != len(part.sentences):
            return None
        numbers = np.full(len(self.sentences), -1)
        numbers[kept] = np.arange(len(kept))
        rows = np.flatnonzero(numbers[self.table["sentence"].to_numpy()] >= 0)
        table = self.table.iloc[rows].reset_index(drop=True)
        table["sentence"] = numbers[table["sentence"].to_numpy()]
        vectors, lengths, means = self.vectors[rows], self.lengths[rows], self.means[kept]
        for array in (vectors, lengths, means):
            array.flags.writeable = False
        texts = tuple(self.sentences[number] for number in kept)
        return Occurrences(texts, table, vectors, lengths, means, self.combination, 0, self.left_out)

    def described(self, rows: NDArray[np.intp], **columns: Any) -> pd.DataFrame:
        """Occurrences as a frame: rank, word, the given columns, sense, text (the sentence), start, end."""
        found = self.table.iloc[rows]
        return pd.DataFrame(
            {
                "rank": np.arange(1, len(rows) + 1),
                "word": found["word"].to_numpy(),
                **columns,
                "sense": found["sense"].to_numpy(),
                "text": [self.sentences[n] for n in found["sentence"]],
                "start": found["start"].to_numpy(),
                "end": found["end"].to_numpy(),
            }
        )


@remembered
def encode_corpus(
    corpus: Corpus, model: "EmbeddingModel", *, combination: str, progress: Progress = silent
) -> Occurrences:
    """The vector of every word of a corpus in its sentence, for one layer combination.

    A word is the mean of its tokens. Sentences of similar length are read in one batch. The result is cached. A model
    with edited words reads only the sentences that contain one; the others are those of its original.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    combination : str
        The layer combination, such as "layer 6" or "sum of last four".
    progress : callable, optional

    Returns
    -------
    Occurrences
        (n, d) vectors with their words and sentences.

    Raises
    ------
    ValueError
        For an unknown layer combination, and for a corpus without a word, with more than MAX_OCCURRENCES, or whose
        vectors would take more than MOST_BYTES.
    """
    if model.edited:
        return _read_again(corpus, model, combination, progress)
    return encode_layers(corpus, model, combinations=(combination,), progress=progress)[0]


def _read_again(corpus: Corpus, model: "EmbeddingModel", combination: str, progress: Progress) -> Occurrences:
    """The occurrences of the original model, with those in sentences that contain an edited word read again."""
    before = encode_corpus(corpus, model.original, combination=combination, progress=part(progress, 0.0, 0.8))
    rows, *_ = _read_rows(corpus, model, part(progress, 0.8, 0.1))
    changed = [number for number, row in enumerate(rows) if not model.edited.keys().isdisjoint(row.ids)]
    if not changed:
        return before
    vectors, means = before.vectors.copy(), before.means.copy()
    _encode(rows, changed, model, [(combination, vectors, means)], part(progress, 0.9, 0.1))
    lengths = np.linalg.norm(vectors, axis=1)
    for array in (vectors, lengths, means):
        array.flags.writeable = False
    return replace(before, vectors=vectors, lengths=lengths, means=means)


def encode_part(
    part: Corpus, model: "EmbeddingModel", *, whole: Corpus, combination: str, progress: Progress = silent
) -> Occurrences:
    """The occurrences of some sentences of a corpus: from the encoded whole corpus if that is cached, else encoded."""
    if part != whole and encoded(whole, model, combination=combination):
        found = encode_corpus(whole, model, combination=combination).only(part)
        if found is not None:
            return found
    return encode_corpus(part, model, combination=combination, progress=progress)


def encoded(corpus: Corpus, model: "EmbeddingModel", *, combination: str) -> bool:
    """Whether the result of `encode_corpus` is cached."""
    return memory.known(encode_corpus, {"corpus": corpus, "combination": combination}, checksum=model.checksum)


def encode_layers(
    corpus: Corpus, model: "EmbeddingModel", *, combinations: Sequence[str], progress: Progress = silent
) -> tuple[Occurrences, ...]:
    """The vectors of a corpus for several layer combinations, with a single run of the model; not cached."""
    enough(combinations, "layer combinations")
    for combination in combinations:
        check_combination(combination, combination_names(model.layers))
    rows, cut, left_out = _read_rows(corpus, model, part(progress, 0.0, _READING))
    n = sum(len(row.places) for row in rows)
    if not n:
        what = "sentence" if len(corpus.sentences) == 1 else "text"
        raise ValueError(f"There is no word in the {what} that this model knows. Use another {what}.")
    if n > MAX_OCCURRENCES:
        raise ValueError(f"The text has {n:,} words; at most {MAX_OCCURRENCES:,} are allowed. Use a part of it.")
    sizes = [
        model.dimensions * (min(4, model.layers) if combination == CONCAT_FOUR else 1) for combination in combinations
    ]
    if (n + len(rows)) * sum(sizes) * 4 > MOST_BYTES:
        raise ValueError(
            f"{n:,} words take too much memory with these layers. Choose a single layer or a shorter text."
        )
    vectors = [np.empty((n, d), np.float32) for d in sizes]
    means = [np.empty((len(rows), d), np.float32) for d in sizes]
    into = list(zip(combinations, vectors, means, strict=True))
    _encode(rows, range(len(rows)), model, into, part(progress, _READING, 1 - _READING))
    lengths = [np.linalg.norm(rows, axis=1) for rows in vectors]
    for array in (*vectors, *lengths, *means):
        array.flags.writeable = False
    texts, table = tuple(row.text for row in rows), _table(rows, model)
    return tuple(
        Occurrences(texts, table, each, length, mean, combination, cut, left_out)
        for each, length, mean, combination in zip(vectors, lengths, means, combinations, strict=True)
    )


def word_means(model: "EmbeddingModel", *, combination: str = SUM_FOUR, progress: Progress = silent) -> Vectors:
    """The mean of the occurrences of each word that begins with a letter; the most frequent word first."""
    read = encode_corpus(built_in_corpus(), model, combination=combination, progress=progress)
    names, begins, order = read.by_word
    counts = np.diff(begins)
    means = np.add.reduceat(read.vectors[order], begins[:-1], axis=0) / counts[:, None].astype(read.vectors.dtype)
    words = [number for number in np.argsort(-counts, kind="stable") if names[number][:1].isalpha()]
    return Vectors([str(names[number]) for number in words], means[words], title="words in texts")


def _encode(
    rows: Sequence[Row],
    numbers: Sequence[int],
    model: "EmbeddingModel",
    into: Sequence[tuple[str, Array, Array]],
    progress: Progress,
) -> None:
    """Write the vectors of the rows with these numbers into arrays: layer combination, (n, d) words, (s, d) means."""
    begins = np.cumsum([0, *(len(row.places) for row in rows)])
    done, whole = 0, sum(len(rows[number].ids) for number in numbers)
    for lines, states in model.encode_many([rows[number].ids for number in numbers]):
        for line, which in enumerate(lines):
            number = numbers[which]
            row, words = rows[number], slice(begins[number], begins[number + 1])
            firsts, pieces = np.array(row.places).T[:2]
            for combination, vectors, means in into:
                tokens = combine(states[:, line, : len(row.ids)], combination)  # (t, d), float64
                means[number] = tokens.mean(0)
                vectors[words] = word_vectors(tokens, firsts, pieces)
            done += len(row.ids)
        progress(done / whole)


def _read_rows(corpus: Corpus, model: "EmbeddingModel", progress: Progress) -> tuple[list[Row], int, int]:
    """The tokenised sentences with their occurrences, and the numbers of cut sentences and of words left out."""
    rows: list[Row] = []
    cut = left_out = 0
    for number, (sentence, label) in enumerate(zip(corpus.sentences, corpus.senses, strict=True)):
        if number % 100 == 0:
            progress(number / len(corpus.sentences))
        parts = list(read(sentence, model, label=label))
        cut += len(parts) > 1
        left_out += sum(without for _, without in parts)
        rows += [row for row, _ in parts if row.places]
    return rows, cut, left_out


def _table(rows: list[Row], model: "EmbeddingModel") -> pd.DataFrame:
    found = []
    for number, row in enumerate(rows):
        for position, pieces, start, end in row.places:
            word = spelling(row.ids[position : position + pieces], model)
            sense = row.label[1] if bare(row.label[0]) == bare(word) else ""
            found.append((word, number, position, pieces, start, end, sense))
    return pd.DataFrame(found, columns=["word", "sentence", "position", "pieces", "start", "end", "sense"])
