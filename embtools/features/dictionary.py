"""Dictionaries of atoms for a decomposition: occurrences in a corpus or a folder, or static embeddings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed
from embtools.features.targets import Target, normalised
from embtools.limits import within
from embtools.messages import shortened
from embtools.occurrences.encoding import Occurrences
from embtools.occurrences.folder.files import Rows
from embtools.occurrences.folder.opened import sentence_positions
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import sample, sample_of_words
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MOST_DRAWN = 50_000
"""Largest number of occurrences of a folder in a dictionary."""
MOST_WORDS = 500
"""Largest number of words that can be chosen for a dictionary."""


@dataclass(frozen=True, eq=False)
class Dictionary:
    """The n atoms of a dictionary, shared between callers and not to be modified.

    words       (n,) the word of each atom
    vectors     (n, d) float32, not scaled to length one
    usable      (n,) False for word pieces, numbers and punctuation
    sentences   the texts that contain the atoms; () for static embeddings, and for a folder, which has `look_up`
    positions   n rows: sentence (number), start, end; all -1 for static embeddings; for a folder also occ
    look_up     for a folder: function of occ (k,) that returns text, start, end
    inverse     (n,) 1 / the length of each atom, if it is known; see `inverse_lengths`
    """

    words: NDArray[np.object_]
    vectors: Array
    usable: NDArray[np.bool_]
    sentences: tuple[str, ...]
    positions: pd.DataFrame
    look_up: Callable[[NDArray[np.int64]], pd.DataFrame] | None = None
    inverse: Array | None = None

    @cached_property
    def inverse_lengths(self) -> Array:
        """1 / the length of each atom (n,); any finite number for an atom of zeros."""
        if self.inverse is not None:
            return self.inverse
        return 1 / np.maximum(np.linalg.norm(self.vectors, axis=1), 1e-12)

    @cached_property
    def repeats(self) -> bool:
        """Whether some word has several atoms, as with occurrences."""
        return len(set(self.words)) < len(self.words)

    def locate(self, rows: NDArray[np.intp]) -> pd.DataFrame:
        """Text and position of atoms (k,): text ("" for static embeddings), start, end."""
        chosen = self.positions.iloc[rows].reset_index(drop=True)
        if self.look_up is not None:
            return self.look_up(chosen["occ"].to_numpy())
        texts = [self.sentences[n] if n >= 0 else "" for n in chosen["sentence"]]
        return chosen.assign(text=texts)[["text", "start", "end"]]

    def allowed(self, target: Target, *, same_word: bool = False, same_sentence: bool = True) -> NDArray[np.bool_]:
        """Mask (n,) of the atoms that may be parts of a target, which is never a part of itself."""
        mask = self.usable.copy()
        if 0 <= target.row < len(mask) and np.array_equal(self.vectors[target.row], target.vector):
            mask[target.row] = False  # the row may belong to another dictionary
        if not same_word:
            mask &= ~np.isin(self.words, target.words)
        if not same_sentence:
            own = [number for number, text in enumerate(self.sentences) if text == target.sentence]
            mask &= ~np.isin(self.positions["sentence"], own if self.look_up is None else [target.number])
        return mask


def of_occurrences(occurrences: Occurrences) -> Dictionary:
    """Dictionary with every occurrence of a corpus."""
    table = occurrences.table
    words = table["word"].to_numpy(object)
    usable = _starts_with_letter(words)
    positions = table[["sentence", "start", "end"]]
    return Dictionary(words, occurrences.vectors, usable, occurrences.sentences, positions)


def of_vocabulary(model: "EmbeddingModel") -> Dictionary:
    """Dictionary of static embeddings, in which only whole words are usable (not word pieces such as ##ing)."""
    n = len(model.vocabulary)
    positions = pd.DataFrame(np.full((n, 3), -1), columns=["sentence", "start", "end"])
    words = np.array(model.vocabulary, object)
    return Dictionary(words, model.matrix, model.whole_words, (), positions, inverse=model.inverse_norms)


def of_folder(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    *,
    most: int = MOST_DRAWN,
    seed: int = 0,
    progress: Progress = silent,
) -> Dictionary:
    """Dictionary of a random sample of the occurrences of a folder."""
    checked_seed(seed)
    folder.check(model)
    return _from_rows(folder, sample(folder, most, seed=seed, progress=progress), model)


def of_words(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    *,
    words: Sequence[str],
    most: int = MOST_DRAWN,
    seed: int = 0,
    progress: Progress = silent,
) -> Dictionary:
    """Dictionary of every occurrence of chosen words in a folder, or a random sample if there are more than `most`."""
    checked_seed(seed)
    folder.check(model)
    within(len(words), MOST_WORDS, "words")
    names = [normalised(word, model) for word in words]
    if missing := [shortened(name) for name in dict.fromkeys(names) if not folder.count(name)]:
        shown = ", ".join(missing[:5]) + (" and others" if len(missing) > 5 else "")
        raise ValueError(
            f"These words do not occur in the folder: {shown}. Remove them, or use forms that occur there."
        )
    return _from_rows(folder, sample_of_words(folder, names, most, seed=seed, progress=progress), model)


def coverage(folder: CorpusFolder, atoms: Dictionary, *, words: Sequence[str] = ()) -> str:
    """Sentence that says how many occurrences of a folder, or of the chosen `words`, a dictionary contains."""
    n, every, of = len(atoms.words), len(folder), "in the folder"
    if words:
        names = dict.fromkeys(str(word) for word in atoms.words)
        every = sum(map(folder.count, names))
        chosen = next(iter(names)) if len(names) == 1 else f"the {len(names):,} chosen words"
        of = f"of {chosen} in the folder"
    if n == every:
        return f"The dictionary contains all {n:,} occurrences {of}."
    return f"The dictionary contains a random sample of {n:,} of the {every:,} occurrences {of}."


def _from_rows(folder: CorpusFolder, drawn: Rows, model: "EmbeddingModel") -> Dictionary:
    words = drawn.table["word"].to_numpy(object)
    positions = drawn.table[["sentence", "occ"]].assign(start=-1, end=-1)
    return Dictionary(
        words,
        drawn.vectors,
        _starts_with_letter(words),
        (),
        positions,
        lambda occ: sentence_positions(folder, model, occ=occ),
    )


def _starts_with_letter(words: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Mask (n,) of the words that begin with a letter: numbers cannot be parts."""
    return np.array([word[:1].isalpha() for word in words], bool)
