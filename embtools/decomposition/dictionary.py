"""What a vector is taken apart into: occurrences of a corpus at one layer, or the static embeddings of whole words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.decomposition.targets import Target
from embtools.occurrences.encoding import Occurrences
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class Dictionary:
    """The n atoms of a dictionary. Shared: not to be changed.

    words       (n,) the word of each atom
    vectors     (n, d) float32, as they are, not scaled to length one
    usable      (n,) False for what is no word: word pieces, numbers, signs
    sentences   the texts that atoms stand in; () for static embeddings
    places      n rows: sentence (number), start, end; for static embeddings -1
    """

    words: NDArray[np.object_]
    vectors: Array
    usable: NDArray[np.bool_]
    sentences: tuple[str, ...]
    places: pd.DataFrame

    def allowed(self, target: Target, *, same_word: bool = False, same_sentence: bool = True) -> NDArray[np.bool_]:
        """Which atoms (n,) may be parts of a target: never itself; its words and its sentence's if that is wanted."""
        found = self.usable.copy()
        if 0 <= target.row < len(found) and np.array_equal(self.vectors[target.row], target.vector):
            found[target.row] = False  # not where the row is one of another dictionary
        if not same_word:
            found &= ~np.isin(self.words, target.words)
        if not same_sentence and self.sentences:
            texts = self.places["sentence"].to_numpy()
            own = [number for number, text in enumerate(self.sentences) if text == target.sentence]
            found &= ~np.isin(texts, own)
        return found


def of_occurrences(occurrences: Occurrences) -> Dictionary:
    """Every occurrence of a corpus as an atom."""
    table = occurrences.table
    words = table["word"].to_numpy(object)
    letters = np.array([word[:1].isalpha() for word in words], bool)
    places = table[["sentence", "start", "end"]]
    return Dictionary(words, occurrences.vectors, letters, occurrences.sentences, places)


def of_vocabulary(model: "EmbeddingModel") -> Dictionary:
    """The static embedding of every whole word of the vocabulary as an atom (word pieces such as ##ing are none)."""
    n = len(model.vocabulary)
    places = pd.DataFrame(np.full((n, 3), -1), columns=["sentence", "start", "end"])
    return Dictionary(np.array(model.vocabulary, object), model.matrix, model.whole_words, (), places)
