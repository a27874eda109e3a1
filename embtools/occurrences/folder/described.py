"""Occurrences of a folder with their sentences and the position of the word in the sentence."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.shards import WORDS

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def sentence_positions(folder: CorpusFolder, model: "EmbeddingModel", *, occ: NDArray[np.int64]) -> pd.DataFrame:
    """The sentences of occurrences, and the position of the word in each, as a frame: text, start, end."""
    numbers = np.asarray(occ, np.int64)
    texts = folder.sentences((numbers // WORDS).tolist())
    found = [model.words(text)[1][number % WORDS] for text, number in zip(texts, numbers.tolist(), strict=True)]
    starts, ends = ([word[n] for word in found] for n in (2, 3))
    return pd.DataFrame({"text": texts, "start": np.array(starts, np.int64), "end": np.array(ends, np.int64)})


def described(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    *,
    occ: NDArray[np.int64],
    words: Any,
    sense: Any = "",
    **columns: Any,
) -> pd.DataFrame:
    """Occurrences as a frame, like `Occurrences.described`: rank, word, the given columns, sense, text, start, end."""
    ranks = pd.DataFrame({"rank": np.arange(1, len(occ) + 1), "word": np.asarray(words, object)})
    return ranks.assign(**columns, sense=sense).join(sentence_positions(folder, model, occ=occ))
