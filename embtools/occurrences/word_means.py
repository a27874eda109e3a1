"""One vector for each word of the built-in corpus: the mean of its occurrences, in the place of a model."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.layer_combinations import SUM_FOUR
from embtools.models.vectors_as_model import Vectors
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

TITLE = "words in texts"


def word_means(model: "EmbeddingModel", *, combination: str = SUM_FOUR, progress: Progress = silent) -> Vectors:
    """The mean of the occurrences of each word that begins with a letter; the most frequent word first."""
    read = encode_corpus(built_in_corpus(), model, combination=combination, progress=progress)
    names, owner, counts = np.unique(read.table["word"].to_numpy().astype(str), return_inverse=True, return_counts=True)
    order = np.argsort(owner, kind="stable")
    sums = np.add.reduceat(read.vectors[order], np.r_[0, counts[:-1].cumsum()], axis=0)
    means = sums / counts[:, None].astype(read.vectors.dtype)
    words = [number for number in np.argsort(-counts, kind="stable") if names[number][:1].isalpha()]
    return Vectors([str(names[number]) for number in words], means[words], title=TITLE)
