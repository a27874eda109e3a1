"""How evenly the vectors of a file fill their space, compared with random vectors and with a model's own."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.models.vectors_as_model import Vectors
from embtools.progress import Progress, silent
from embtools.spaces.measures import Measures, measure, random_cosines
from embtools.statistics.decimals import decimal
from embtools.vectors import Array, check_finite, vanishes

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

GIVEN, CENTRED, RANDOM, IN_MODEL = "as they are", "centred", "random vectors", "same words in the model"
RANDOM_IN_MODEL = "random vectors with the model's dimensions"
BINS = 40
LEAST_COMPARED = 20  # words in a model


@dataclass(frozen=True, eq=False)
class Isotropy(Displayed):
    """Measures of vectors, of the same after centring, and of random vectors of the same number and dimensions.

    measures  by space: GIVEN, CENTRED, RANDOM, and IN_MODEL if compared, with its own control RANDOM_IN_MODEL
    cosines   of random pairs, by space, without RANDOM_IN_MODEL
    """

    measures: dict[str, Measures]
    cosines: dict[str, NDArray[np.float32]]

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per space: space, vectors, mean_cosine, partition, isoscore, participation, top_share (of the
        variance)."""
        return pd.DataFrame(
            [
                {
                    "space": name,
                    "vectors": each.count,
                    "mean_cosine": each.mean_cosine,
                    "partition": each.partition,
                    "isoscore": each.isoscore,
                    "participation": participation(each.variances),
                    "top_share": float(each.variances[0] / each.variances.sum()),
                }
                for name, each in self.measures.items()
            ]
        )

    @cached_property
    def histogram(self) -> pd.DataFrame:
        """Cosines of random pairs: space, bin_start, bin_end, count."""
        lowest = min(float(values.min()) for values in self.cosines.values())
        highest = max(float(values.max()) for values in self.cosines.values())
        edges = np.linspace(max(-1.0, lowest), max(min(1.0, highest), lowest + 1e-6), BINS + 1)
        return pd.concat(
            [
                pd.DataFrame(
                    {
                        "space": name,
                        "bin_start": edges[:-1],
                        "bin_end": edges[1:],
                        "count": np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0],
                    }
                )
                for name, values in self.cosines.items()
            ],
            ignore_index=True,
        )

    @property
    def headline(self) -> str:
        """The mean cosine and the IsoScore, compared with random vectors."""
        given, random = self.measures[GIVEN], self.measures[RANDOM]
        return (
            f"The mean cosine of random pairs is {decimal(given.mean_cosine)} (random vectors:"
            f" {decimal(random.mean_cosine)}), and the IsoScore is {decimal(given.isoscore)} (random vectors:"
            f" {decimal(random.isoscore)})."
        )


def measure_isotropy(
    model: "EmbeddingModel", *, file: Vectors | None = None, seed: int = 0, progress: Progress = silent
) -> Isotropy:
    """Measures of isotropy of word vectors.

    Parameters
    ----------
    model : EmbeddingModel
        The vectors that are measured, or with a file, the model whose static embeddings of the same words are compared,
        if it has at least LEAST_COMPARED of them.
    file : Vectors, optional
        The vectors that are measured.
    seed : int, default 0
        Seed of the random vectors and of the random pairs.
    progress : callable, optional

    Returns
    -------
    Isotropy

    Raises
    ------
    ValueError
        If all vectors are the same.
    """
    vectors = (model.matrix[model.rankable] if file is None else file.matrix).astype(np.float64)
    vectors /= np.median(np.linalg.norm(vectors, axis=1))  # no measure depends on the unit
    spaces = {GIVEN: vectors, CENTRED: _nonzero(vectors - vectors.mean(0))}
    spaces[RANDOM] = generator(seed, 1).normal(size=vectors.shape)
    if file is not None:
        own = _in_model(file, model)
        if len(own) >= LEAST_COMPARED:
            spaces[IN_MODEL] = own.astype(np.float64)
    measured = dict(spaces)
    if IN_MODEL in spaces:  # few words in many dimensions cannot be as even as the file's random vectors
        measured[RANDOM_IN_MODEL] = generator(seed, 2).normal(size=spaces[IN_MODEL].shape)
    measures = {}
    for done, (name, rows) in enumerate(measured.items()):
        progress(done / len(measured))
        measures[name] = measure(rows)
    progress(1.0)
    return Isotropy(
        measures,
        {name: random_cosines(rows, seed=seed) for name, rows in spaces.items()},
    )


def effort(model: "EmbeddingModel", *, file: Vectors | None = None) -> float:
    """About how many seconds one core takes for `measure_isotropy`."""
    dimensions = (model if file is None else file).matrix.shape[1]
    return 0.5 + 1.3e-9 * dimensions**3  # measured with 2,048 dimensions: 11 seconds


def participation(variances: Array) -> float:
    """Participation ratio (Σ λ)² / Σ λ² of variances λ (d,): 1 for one direction, d for equal variances.

    >>> participation(np.array([2.0, 2.0, 0.0]))
    2.0
    """
    check_finite(variances)
    squares = float(np.square(variances).sum())
    if not squares:
        raise ValueError("All vectors are the same, so they spread over no direction. Use different vectors.")
    return float(variances.sum() ** 2 / squares)


def _nonzero(vectors: Array) -> Array:
    """The vectors without those that centring makes zero: they have no cosine."""
    kept = vectors[~vanishes(vectors)]
    if len(kept) < 2:
        raise ValueError("All vectors are the same, so they spread over no direction. Use different vectors.")
    return kept


def _in_model(file: Vectors, model: "EmbeddingModel") -> Array:
    """The static embeddings (k, d) of those words of a file that are single tokens of a model."""
    ids = {model.vocabulary[i]: int(i) for i in np.flatnonzero(model.whole_words)}
    known = [ids.get(word if model.cased else word.lower(), -1) for word in file.names]
    return model.matrix[list(dict.fromkeys(token for token in known if token >= 0))]  # Rome and rome are one word
