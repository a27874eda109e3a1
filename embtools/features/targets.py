"""Vectors to decompose: an occurrence in a corpus, a folder or a typed sentence, or the result of a formula."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.formula.evaluation import as_tree, evaluate
from embtools.formula.expression import Word, words
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus
from embtools.occurrences.folder.opened import sentence_positions
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.vectors import Array, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class Target:
    """A vector (d,) to decompose, with its name and origin.

    words                   words that cannot be its parts unless the same word is allowed
    sentence, start, end    the text that contains the word, and its position there; "" for a formula
    row                     index of the vector in its dictionary (corpus or vocabulary); -1 if it is in none
    number                  number of its sentence in a folder; -1 if it is in none
    """

    name: str
    vector: Array
    words: tuple[str, ...]
    sentence: str = ""
    start: int = 0
    end: int = 0
    row: int = -1
    number: int = -1


def normalised(word: str, model: "EmbeddingModel") -> str:
    """The word, of one or several tokens, as the model writes it, in lower case for an uncased model."""
    pieces = model.pieces(word) if word.strip() else ()
    if not pieces:
        raise ValueError("The word is missing. Enter one, such as cold.")
    if "[UNK]" in pieces:
        raise ValueError(f"{quoted(word)} contains a character that this model does not know. Use another word.")
    return "".join(piece.removeprefix("##") for piece in pieces)


def occurrence(occurrences: Occurrences, model: "EmbeddingModel", *, word: str, number: int = 1) -> Target:
    """The occurrence of a word with this number in a corpus, or the last one if the number is too large."""
    rows = occurrences.of(normalised(word, model))
    if not len(rows):
        raise ValueError(
            f"{quoted(word)} does not occur in the built-in sentences. Write your own sentence with it, or use another"
            " word."
        )
    return _at(occurrences, int(rows[min(max(number, 1), len(rows)) - 1]), inside=True)


def from_folder(
    folder: CorpusFolder, model: "EmbeddingModel", *, word: str, number: int = 1, atoms: pd.DataFrame | None = None
) -> Target:
    """The occurrence of a word with this number in a folder, or the last one if the number is too large; `atoms` are
    the positions of a dictionary.
    """
    folder.check(model)
    name = normalised(word, model)
    count = folder.count(name)
    if not count:
        raise ValueError(
            f"{quoted(word)} does not occur in this folder. Use another word, or another form of this word."
        )
    rows = folder.occurrences(name, min(max(number, 1), count) - 1, 1)
    occ = rows.table["occ"].to_numpy()
    position = sentence_positions(folder, model, occ=occ).iloc[0]
    row = np.flatnonzero(atoms["occ"] == occ[0]) if atoms is not None else np.empty(0, np.intp)
    text, start, end = str(position["text"]), int(position["start"]), int(position["end"])
    own = int(row[0]) if len(row) else -1
    return Target(name, rows.vectors[0], (name,), text, start, end, own, int(rows.table["sentence"].iat[0]))


def from_sentence(sentence: str, model: "EmbeddingModel", *, word: str, combination: str) -> Target:
    """The first occurrence of a word in a typed sentence."""
    name = normalised(word, model)
    occurrences = encode_corpus(Corpus((" ".join(sentence.split()),)), model, combination=combination)
    rows = occurrences.of(name)
    if not len(rows):
        raise ValueError(
            f"{quoted(word)} is not a separate word in your sentence. Add it to the sentence, or choose another word."
        )
    return _at(occurrences, int(rows[0]), inside=False)


def formula(text: str, model: "EmbeddingModel") -> Target:
    """The result of a formula over static embeddings, whose words do not count as parts; it can be a single word."""
    tree = as_tree(text)
    vector = evaluate(tree, model)
    if vanishes(vector):
        raise ValueError("The result is zero because the words cancel out. Change the formula.")
    own = tuple(dict.fromkeys(model.pieces(word)[0] for word in words(tree)))
    return Target(text.strip(), vector, own, row=model.ids[own[0]] if isinstance(tree, Word) else -1)


def _at(occurrences: Occurrences, row: int, *, inside: bool) -> Target:
    position = occurrences.table.iloc[row]
    word = str(position["word"])
    return Target(
        word,
        occurrences.vectors[row].astype(np.float32),
        (word,),
        occurrences.sentences[position["sentence"]],
        int(position["start"]),
        int(position["end"]),
        row if inside else -1,
    )
