"""The words of a corpus nearest to a word by static embedding, to compare with the nearest occurrences."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.vectors import Array, cosine, top_k
from embtools.words.templates import readable

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def static_neighbours(
    word: str, model: "EmbeddingModel", *, words: pd.Series, k: int, same_word: bool = True
) -> pd.DataFrame:
    """The words (of one token) of a corpus nearest to a word by static embedding, as a frame: rank, word, cosine; with
    `same_word` the word itself is first, because all of its occurrences have the same embedding.
    """
    readable(word, model)
    names = [str(name) for name in words[words.isin(model.ids)] if name != word]
    vector = _static(word, model)
    scores = cosine(vector, model.matrix[[model.ids[name] for name in names]])[0] if names else np.empty(0)
    best = top_k(scores, k - same_word)
    listed = [(word, 1.0)] * same_word + [(names[i], float(scores[i])) for i in best]
    frame = pd.DataFrame(listed, columns=["word", "cosine"])
    frame.insert(0, "rank", np.arange(1, len(frame) + 1))
    return frame


def _static(word: str, model: "EmbeddingModel") -> Array:
    ids: NDArray[np.intp] = np.array([model.ids[token] for token in model.pieces(word)])
    return model.matrix[ids].mean(0)
