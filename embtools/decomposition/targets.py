"""The vector that is taken apart: a word's occurrence in a corpus or in a typed sentence, or a formula's result."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.formula.evaluation import as_tree, evaluate
from embtools.formula.expression import Word, words
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus
from embtools.occurrences.folder.described import places
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.vectors import Array, vanishes

if TYPE_CHECKING:
    from embtools.decomposition.dictionary import Dictionary
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class Target:
    """A vector (d,) with a name, the words that do not count as its parts, and where it comes from.

    sentence, start, end    the text that the word stands in, and where; "" for a formula
    row                     its own number in the dictionary it comes from (corpus or vocabulary); -1: it is in none
    number                  of its sentence in a folder; -1: it is in none
    """

    name: str
    vector: Array
    words: tuple[str, ...]
    sentence: str = ""
    start: int = 0
    end: int = 0
    row: int = -1
    number: int = -1


def spelt(word: str, model: "EmbeddingModel") -> str:
    """A word as the model writes it, in small letters where it knows no capitals; ValueError for one it cannot read.

    Whatever the number of its pieces: an occurrence is the mean of them.
    """
    pieces = model.pieces(word) if word.strip() else ()
    if not pieces:
        raise ValueError("There is no word. Write one, such as cold.")
    if "[UNK]" in pieces:
        raise ValueError(f"{quoted(word)} has a sign that this model does not know. Use another word.")
    return "".join(piece.removeprefix("##") for piece in pieces)


def occurrence(occurrences: Occurrences, word: str, model: "EmbeddingModel", number: int = 1) -> Target:
    """The number-th occurrence (from 1) of a word in a corpus; a number above the last means the last.

    Raises ValueError for a word that cannot be read or does not occur.
    """
    word = spelt(word, model)
    rows = occurrences.of(word)
    if not len(rows):
        raise ValueError(
            f"{quoted(word)} does not stand in the built-in sentences. Write a sentence of your own with it, or use"
            " another word."
        )
    return _at(occurrences, int(rows[min(max(number, 1), len(rows)) - 1]), inside=True)


def stored(
    folder: CorpusFolder, word: str, model: "EmbeddingModel", number: int = 1, atoms: "Dictionary | None" = None
) -> Target:
    """The number-th occurrence (from 1) of a word in a folder; a number above the last means the last.

    `atoms` are those that it is taken apart into: where it is one of them itself, it is told by its row. Raises
    ValueError for a folder of another model, and for a word that cannot be read or does not occur.
    """
    folder.check(model)
    word = spelt(word, model)
    count = folder.count(word)
    if not count:
        raise ValueError(
            f"{quoted(word)} does not stand in this folder. Use another word, in the form in which it stands."
        )
    rows = folder.occurrences(word, min(max(number, 1), count) - 1, 1)
    occ = rows.table["occ"].to_numpy()
    place = places(folder, occ, model).iloc[0]
    row = np.flatnonzero(atoms.places["occ"] == occ[0]) if atoms is not None else np.empty(0, np.intp)
    text, start, end = str(place["text"]), int(place["start"]), int(place["end"])
    own = int(row[0]) if len(row) else -1
    return Target(word, rows.vectors[0], (word,), text, start, end, own, int(rows.table["sentence"].iat[0]))


def typed(sentence: str, word: str, recipe: str, model: "EmbeddingModel") -> Target:
    """A word in a sentence that was typed; its first occurrence counts. Raises ValueError where it does not stand."""
    word = spelt(word, model)
    found = encode_corpus(Corpus((" ".join(sentence.split()),)), recipe, model)
    rows = found.of(word)
    if not len(rows):
        raise ValueError(f"{quoted(word)} does not stand in your sentence as a word of its own. Write it there.")
    return _at(found, int(rows[0]), inside=False)


def formula(text: str, model: "EmbeddingModel") -> Target:
    """The result of a formula over static embeddings; a single word is one too.

    Its own words do not count as parts. Raises ValueError as `evaluate` does, and for a result of no length.
    """
    tree = as_tree(text)
    vector = evaluate(tree, model)
    if vanishes(vector):
        raise ValueError("The result is zero: the words cancel out, and nothing is left to take apart.")
    own = tuple(dict.fromkeys(model.pieces(word)[0] for word in words(tree)))
    return Target(text.strip(), vector, own, row=model.ids[own[0]] if isinstance(tree, Word) else -1)


def _at(occurrences: Occurrences, row: int, *, inside: bool) -> Target:
    place = occurrences.table.iloc[row]
    word = str(place["word"])
    return Target(
        word,
        occurrences.vectors[row].astype(np.float32),
        (word,),
        occurrences.sentences[place["sentence"]],
        int(place["start"]),
        int(place["end"]),
        row if inside else -1,
    )
