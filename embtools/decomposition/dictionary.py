"""What a vector is taken apart into: occurrences of a corpus or a folder, or the static embeddings of whole words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed
from embtools.decomposition.targets import Target, spelt
from embtools.limits import within
from embtools.messages import shortened
from embtools.occurrences.encoding import Occurrences
from embtools.occurrences.folder.described import places
from embtools.occurrences.folder.files import Rows
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import sample, sample_of_words
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MOST_DRAWN = 50_000
"""Occurrences of a folder that are a dictionary, at most."""
MOST_WORDS = 500
"""Words that can be chosen for one."""


@dataclass(frozen=True, eq=False)
class Dictionary:
    """The n atoms of a dictionary. Shared: not to be changed.

    words       (n,) the word of each atom
    vectors     (n, d) float32, as they are, not scaled to length one
    usable      (n,) False for what is no word: word pieces, numbers, signs
    sentences   the texts that atoms stand in; () for static embeddings, and for a folder, which is asked for them
    places      n rows: sentence (number), start, end; for static embeddings -1; of a folder: sentence and occ
    look_up     of a folder: occ (k,) → text, start, end
    """

    words: NDArray[np.object_]
    vectors: Array
    usable: NDArray[np.bool_]
    sentences: tuple[str, ...]
    places: pd.DataFrame
    look_up: Callable[[NDArray[np.int64]], pd.DataFrame] | None = None

    @cached_property
    def repeats(self) -> bool:
        """Whether a word has several atoms, as occurrences do."""
        return len(set(self.words)) < len(self.words)

    def stand(self, rows: NDArray[np.intp]) -> pd.DataFrame:
        """Where atoms (k,) stand: text ("" for static embeddings), start, end."""
        chosen = self.places.iloc[rows].reset_index(drop=True)
        if self.look_up is not None:
            return self.look_up(chosen["occ"].to_numpy())
        texts = [self.sentences[n] if n >= 0 else "" for n in chosen["sentence"]]
        return chosen.assign(text=texts)[["text", "start", "end"]]

    def allowed(self, target: Target, *, same_word: bool = False, same_sentence: bool = True) -> NDArray[np.bool_]:
        """Which atoms (n,) may be parts of a target: never itself; its words and its sentence's if that is wanted."""
        found = self.usable.copy()
        if 0 <= target.row < len(found) and np.array_equal(self.vectors[target.row], target.vector):
            found[target.row] = False  # not where the row is one of another dictionary
        if not same_word:
            found &= ~np.isin(self.words, target.words)
        if not same_sentence:
            own = [number for number, text in enumerate(self.sentences) if text == target.sentence]
            found &= ~np.isin(self.places["sentence"], own if self.look_up is None else [target.number])
        return found


def of_occurrences(occurrences: Occurrences) -> Dictionary:
    """Every occurrence of a corpus as an atom."""
    table = occurrences.table
    words = table["word"].to_numpy(object)
    letters = _letters(words)
    places = table[["sentence", "start", "end"]]
    return Dictionary(words, occurrences.vectors, letters, occurrences.sentences, places)


def of_vocabulary(model: "EmbeddingModel") -> Dictionary:
    """The static embedding of every whole word of the vocabulary as an atom (word pieces such as ##ing are none)."""
    n = len(model.vocabulary)
    places = pd.DataFrame(np.full((n, 3), -1), columns=["sentence", "start", "end"])
    return Dictionary(np.array(model.vocabulary, object), model.matrix, model.whole_words, (), places)


def of_folder(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    *,
    most: int = MOST_DRAWN,
    seed: int = 0,
    progress: Progress = silent,
) -> Dictionary:
    """Occurrences of a folder as atoms: at most so many, drawn at random (`occurrences.folder.sampling.sample`).

    Raises ValueError for a folder of another model.
    """
    checked_seed(seed)
    folder.check(model)
    return _stored(folder, sample(folder, most, seed=seed, progress=progress), model)


def of_words(
    folder: CorpusFolder,
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    most: int = MOST_DRAWN,
    seed: int = 0,
    progress: Progress = silent,
) -> Dictionary:
    """Every occurrence of chosen words of a folder as an atom; of more than `most` as many, drawn at random.

    Raises ValueError for a folder of another model, no word or more than MOST_WORDS, words that do not occur there, and
    words that occur too often to be read (`occurrences.folder.sampling.sample_of_words`).
    """
    checked_seed(seed)
    folder.check(model)
    within(len(words), MOST_WORDS, "words")
    names = [spelt(word, model) for word in words]
    if missing := [shortened(name) for name in dict.fromkeys(names) if not folder.count(name)]:
        shown = ", ".join(missing[:5]) + (" and others" if len(missing) > 5 else "")
        raise ValueError(f"These words do not stand in the folder: {shown}. Leave them out, or write them as they do.")
    return _stored(folder, sample_of_words(folder, names, most, seed=seed, progress=progress), model)


def drawn_from(folder: CorpusFolder, atoms: Dictionary, words: Sequence[str] = ()) -> str:
    """How much of a folder a dictionary is, or of the chosen `words` of it, in a sentence."""
    n, every, of = len(atoms.words), len(folder), "the folder"
    if words:
        names = dict.fromkeys(str(word) for word in atoms.words)
        every = sum(map(folder.count, names))
        of = next(iter(names)) if len(names) == 1 else f"the {len(names):,} words chosen from the folder"
    if n == every:
        return f"Taken apart into all {n:,} occurrences of {of}."
    return f"Taken apart into {n:,} of the {every:,} occurrences of {of}, drawn at random."


def _stored(folder: CorpusFolder, drawn: Rows, model: "EmbeddingModel") -> Dictionary:
    words = drawn.table["word"].to_numpy(object)
    where = drawn.table[["sentence", "occ"]].assign(start=-1, end=-1)
    return Dictionary(words, drawn.vectors, _letters(words), (), where, lambda occ: places(folder, occ, model))


def _letters(words: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Which words (n,) begin with a letter: numbers are no parts."""
    return np.array([word[:1].isalpha() for word in words], bool)
