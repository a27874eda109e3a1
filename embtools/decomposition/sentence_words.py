"""The words of a sentence as vectors after a layer, and BERT's answers at a mask with other vectors in their place."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.mask_filling.answers import best_answer
from embtools.models.patching import with_rows
from embtools.occurrences.rows import word_vectors
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_BATCH = 64  # runs per batch: each has a probability for every token of the vocabulary


@dataclass(frozen=True, eq=False)
class SentenceWords:
    """The w words of a sentence of t tokens; special tokens, such as a mask, and punctuation marks are not words.

    text     the sentence
    layer    the layer
    ids      (t,) its tokens
    states   (t, d) the hidden states after the layer
    firsts   (w,) the position of the first token of each word
    pieces   (w,) its number of tokens
    places   (w,) where it begins and ends in the text
    vectors  (w, d) the means of its tokens
    """

    text: str
    layer: int
    ids: NDArray[np.int64]
    states: Array
    firsts: NDArray[np.int64]
    pieces: NDArray[np.int64]
    places: tuple[tuple[int, int], ...]
    vectors: Array

    @property
    def words(self) -> tuple[str, ...]:
        """The words as they are written in the sentence."""
        return tuple(self.text[start:end] for start, end in self.places)

    def moved(self, differences: Array) -> Array:
        """Return the states (t, d) with every token of each word moved by the word's difference (w, d)."""
        states = self.states.copy()
        for first, pieces, difference in zip(self.firsts, self.pieces, differences, strict=True):
            states[first : first + pieces] += difference
        return states


def sentence_words(text: str, model: "EmbeddingModel", *, layer: int) -> SentenceWords:
    """Return the words of a sentence and their vectors after a layer."""
    if not 1 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer}. Choose 1 to {model.layers}.")
    ids = model.tokenize(text)["id"].to_numpy()
    special = {model.ids[token] for token in model.special}
    spans = [
        span
        for span in model.words(text)[1]
        if any(map(str.isalnum, text[span[2] : span[3]])) and special.isdisjoint(ids[span[0] : span[0] + span[1]])
    ]
    if not spans:
        raise ValueError("There is no word in the sentence that this model knows. Write a sentence.")
    states = model.hidden_states(text)[layer]
    firsts, pieces = (np.array([span[n] for span in spans], np.int64) for n in (0, 1))
    places = tuple((span[2], span[3]) for span in spans)
    return SentenceWords(text, layer, ids, states, firsts, pieces, places, word_vectors(states, firsts, pieces))


def compared_answers(
    states: Array, model: "EmbeddingModel", *, layer: int, position: int, most: int = 1
) -> tuple[pd.DataFrame, list[pd.DataFrame]]:
    """Compare the answers at a position of each of b runs with those of the first run."""
    if states.ndim != 3 or not len(states) or not 0 <= position < states.shape[1]:
        raise ValueError(f"There is no position {position} in these states. Choose one of the sentence.")
    rows, answers = [], []
    before: Array | None = None
    for begin in range(0, len(states), _BATCH):
        last = with_rows(states[begin : begin + _BATCH], model, layer=layer, positions=[position])[:, 0]
        for scores in model.logits(model.transform(last)).astype(np.float64):
            logs = scores - scores.max()
            logs -= np.log(np.exp(logs).sum())
            before = logs if before is None else before
            nats = float(np.exp(before) @ (before - logs))
            top, first = int(best_answer(logs, model)), int(best_answer(before, model))
            rows.append((model.vocabulary[top], float(np.exp(logs[first])), top == first, max(0.0, nats / np.log(2))))
            order = top_k(logs, most)
            answers.append(
                pd.DataFrame({"answer": [model.vocabulary[i] for i in order], "probability": np.exp(logs[order])})
            )
    return pd.DataFrame(rows, columns=["answer", "probability", "same_answer", "kl_bits"]), answers
