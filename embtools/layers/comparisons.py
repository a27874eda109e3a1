"""One word in several sentences, compared for every layer combination and pooling."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.layer_combinations import (
    POOLINGS,
    SENTENCE_POOLINGS,
    check_combination,
    combination_names,
    combine,
    pool,
    read_states,
)
from embtools.limits import enough
from embtools.messages import quoted
from embtools.progress import Progress, silent
from embtools.vectors import Array, cosine
from embtools.words.occurrences import occurrence_table, read, spans, split_line, token_table

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Comparison:
    """A word's occurrences compared for every layer combination ("combination") and pooling.

    tokens        frame: sentence, position, token, id, segment, occurrence (0: another word)
    occurrences   frame: occurrence, sentence, position, pieces, sense ("" if none was given), context
    shapes        frame: sentence, layers, batch, tokens, dimensions, values: the hidden states of each sentence
    combinations  the names of the r layer combinations
    cosines       (r, 5 poolings, n, n), float64; nan if a sentence pooling would compare a sentence with itself
    first_values  (r, 5 poolings, n, 5): the first five numbers of each vector
    sizes         (r,) number of dimensions of the vectors
    vectors       (l + 1, 5 poolings, n, d): the vector of each occurrence at each layer
    """

    tokens: pd.DataFrame
    occurrences: pd.DataFrame
    shapes: pd.DataFrame
    combinations: tuple[str, ...]
    cosines: Array
    first_values: Array
    sizes: tuple[int, ...]
    vectors: Array

    def at(self, combination: str, pooling: str) -> tuple[int, int]:
        """The indices of a layer combination and a pooling in `cosines`. Raises ValueError for an unknown name."""
        check_combination(combination, self.combinations)
        if pooling not in POOLINGS:
            raise ValueError(f"There is no pooling {quoted(pooling)}. Choose one of: {', '.join(POOLINGS)}.")
        return self.combinations.index(combination), POOLINGS.index(pooling)


def compare_word(
    lines: Sequence[str], model: "EmbeddingModel", *, word: str, segment: int | None = None, progress: Progress = silent
) -> Comparison:
    """Compare all occurrences of a word in some sentences for every layer combination and pooling."""
    senses, sentences = zip(*map(split_line, lines), strict=True) if lines else ((), ())
    frames, found = read(sentences, model, word=word)
    occurrences = occurrence_table(frames, found, senses)
    states = read_states(sentences, model, segment=segment, progress=progress)
    if segment is not None:
        frames = [frame.assign(segment=segment) for frame in frames]
    cosines, first_values, sizes, vectors = under_every_combination(states, occurrences)
    shapes = [(i + 1, len(s), 1, s.shape[1], s.shape[2], s.size) for i, s in sorted(states.items())]
    return Comparison(
        token_table(frames, occurrences),
        occurrences,
        pd.DataFrame(shapes, columns=["sentence", "layers", "batch", "tokens", "dimensions", "values"]),
        combination_names(model.layers),
        cosines,
        first_values,
        sizes,
        vectors,
    )


def under_every_combination(
    states: dict[int, Array], occurrences: pd.DataFrame
) -> tuple[Array, Array, tuple[int, ...], Array]:
    """Compare occurrences for every combination and pooling: cosines (r, 5, n, n), the first five values (r, 5, n, 5),
    the numbers of dimensions (r,), and the vectors (l + 1, 5, n, d) of the layers.
    """
    enough(states, "sentences")
    enough(occurrences, "occurrences")
    layers = len(states[0])
    sentence = occurrences["sentence"].to_numpy()
    same = sentence[:, None] == sentence[None]
    cosines, values, sizes = [], [], []
    of_layers: list[list[Array]] = []
    for combination in combination_names(layers - 1):
        combined = {i: combine(s, combination) for i, s in states.items()}
        vectors = [
            np.stack(
                [
                    pool(combined[number - 1], pooling, positions=range(first, last + 1))
                    for number, first, last in spans(occurrences)
                ]
            )
            for pooling in POOLINGS
        ]
        cosines.append(
            [
                np.where(same, np.nan, cosine(v, v)) if pooling in SENTENCE_POOLINGS else cosine(v, v)
                for pooling, v in zip(POOLINGS, vectors, strict=True)
            ]
        )
        values.append([v[:, :5] for v in vectors])
        sizes.append(vectors[0].shape[1])
        if len(of_layers) < layers:  # the layers come first
            of_layers.append(vectors)
    return np.array(cosines), np.array(values, np.float32), tuple(sizes), np.array(of_layers)
