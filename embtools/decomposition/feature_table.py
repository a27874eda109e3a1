"""The active features of every occurrence of a text, computed once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools import memory
from embtools.decomposition.learned import Codes
from embtools.decomposition.offered_dictionaries import open_dictionary
from embtools.memory import remembered
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus, encoded
from embtools.progress import Progress, part, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_PACE, _TOKEN_SECONDS = 2.5e9, 1e-4  # measured: tokens × layers × dimensions² per second, and seconds to tokenise one


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """The active features (m, k) of all m occurrences of a text."""

    occurrences: Occurrences
    codes: Codes

    def of(self, feature: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the rows at which a feature (from 0) is active, the strongest first, and its activations."""
        rows, columns = np.nonzero((self.codes.features == feature) & (self.codes.activations > 0))
        values = self.codes.activations[rows, columns].astype(np.float64)
        order = np.argsort(-values, kind="stable")
        return rows[order], values[order]


@remembered
def read_features(
    corpus: Corpus, model: "EmbeddingModel", *, dictionary: str, progress: Progress = silent
) -> FeatureTable:
    """Return the active features of every occurrence of a text; cached."""
    opened = open_dictionary(dictionary, model)
    combination = f"layer {opened.layer}"
    occurrences = encode_corpus(corpus, model, combination=combination, progress=part(progress, 0.0, 0.8))
    codes = opened.codes(occurrences.vectors)
    codes.features.flags.writeable = codes.activations.flags.writeable = False
    return FeatureTable(occurrences, codes)


def effort(corpus: Corpus, model: "EmbeddingModel", *, dictionary: str) -> float:
    """Return about how many seconds `read_features` takes; 0 if its result is cached."""
    opened = open_dictionary(dictionary, model)
    if memory.known(read_features, {"corpus": corpus, "dictionary": dictionary}, checksum=model.checksum):
        return 0.0
    tokens = 1.3 * sum(len(sentence.split()) + 2 for sentence in corpus.sentences)
    read = encoded(corpus, model, combination=f"layer {opened.layer}")
    reading = 0.0 if read else tokens * (model.layers * model.dimensions**2 / _PACE + _TOKEN_SECONDS)
    return reading + tokens * len(opened) * model.dimensions / 1e10
