"""A text that was read for attention: its tokens, its words, and the hidden states that give all weights."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.edits import NO_CHANGE, Change, resolve
from embtools.messages import quoted
from embtools.models.attention import attention, by_layer
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Reading:
    """One text (or pair of texts) that was read: t tokens in u words, l layers.

    tokens   position, token, id, segment, word (the number of its word here: 0 … u - 1), special ([CLS] or [SEP])
    words    the u names; repeated words are numbered: "the", "the (2)"
    states   hidden states (l + 1, t, d)
    """

    tokens: pd.DataFrame
    words: tuple[str, ...]
    states: Array

    @cached_property
    def special(self) -> Array:
        """(u,) True for the special tokens around a text: [CLS] and [SEP]."""
        return np.asarray(self.tokens.groupby("word")["special"].first().to_numpy(bool))

    def positions(self, names: Sequence[str]) -> list[int]:
        """Return the positions of the tokens of some words; ValueError for a word that is not in the text."""
        if not names:
            raise ValueError("No word is chosen. Choose a word of the sentence.")
        missing = next((name for name in names if name not in self.words), None)
        if missing is not None:
            raise ValueError(f"{quoted(missing)} is not in the sentence. Choose a word of the sentence.")
        numbers = {self.words.index(name) for name in names}
        return [int(p) for p in self.tokens.loc[self.tokens["word"].isin(numbers), "position"]]

    def to_words(self, weights: Array) -> Array:
        """Return weights (…, t) on tokens as weights (…, u) on words: those of a word's tokens are added."""
        starts = np.flatnonzero(np.diff(self.tokens["word"].to_numpy(), prepend=-1))
        return np.add.reduceat(weights, starts, axis=-1)


def read(text: str, model: "EmbeddingModel", *, second: str | None = None, change: Change = NO_CHANGE) -> Reading:
    """Read a text, or a pair of texts, with some words' embeddings changed.

    Raises ValueError as `EmbeddingModel.tokenize` and `edits.resolve` do, and for an edit of a word that is not in it.
    """
    tokens = model.tokenize(text, second)
    inputs = resolve(change, model).embed(tokens["id"].to_numpy(), model)
    states = model.encode(inputs[None], tokens["segment"].to_numpy())[:, 0]
    tokens = tokens.assign(special=tokens["word"] < 0)
    tokens["word"] = ((tokens["word"] != tokens["word"].shift()) | tokens["special"]).cumsum() - 1
    return Reading(tokens, _names(tokens), states)


def shares(reading: Reading, model: "EmbeddingModel", *, source: Sequence[str]) -> Array:
    """Return how each head divides the attention of some words among all words: (l, h, u), rows that sum to 1.

    The weights of a word's tokens are added if the word receives attention, and averaged if it attends (Clark et al.
    2019, section 4.1). Several attending words are averaged, too. Raises ValueError for a word that is not in the text.
    """
    rows = attention(reading.states, model, rows=reading.positions(source))
    return reading.to_words(rows.mean(2))


def rollout(states: Array, model: "EmbeddingModel") -> Array:
    """Return attention rolled out over all layers (t, t): how much of each token has flowed into each last state.

    Abnar & Zuidema 2020, section 3: the heads of a layer are averaged, half of each state is assumed to come through
    the residual connection, and the layers are multiplied. This is an estimate, not a measurement.
    """
    total = np.eye(states.shape[1])
    for weights in by_layer(states, model):
        total = (0.5 * weights.mean(0) + 0.5 * np.eye(len(total))) @ total
    return np.asarray(total)


def _names(tokens: pd.DataFrame) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    names = []
    for _, pieces in tokens.groupby("word")["token"]:
        name = pieces.iloc[0] + "".join(piece.removeprefix("##") for piece in pieces.iloc[1:])
        counts[name] += 1
        names.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return tuple(names)
