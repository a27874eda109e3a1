"""A text as attention sees it: its tokens, its words, and the hidden states that all weights follow from."""

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
    """One text (or pair of texts), read once: t tokens that make u words, l layers.

    tokens   position, token, id, segment, word (the number of its word here: 0 … u - 1), frame ([CLS] or [SEP])
    words    the u names; what stands there more than once is numbered: "the", "the (2)"
    states   hidden states (l + 1, t, d)
    """

    tokens: pd.DataFrame
    words: tuple[str, ...]
    states: Array

    @cached_property
    def frame(self) -> Array:
        """(u,) True for the signs that stand around a text: [CLS] and [SEP]."""
        return np.asarray(self.tokens.groupby("word")["frame"].first().to_numpy(bool))

    def places(self, names: Sequence[str]) -> list[int]:
        """The positions of the tokens of some words; ValueError for a word that is not there."""
        missing = next((name for name in names if name not in self.words), None)
        if missing is not None or not names:
            raise ValueError(f"{quoted(missing or '')} is not in the sentence. Choose a word that stands there.")
        numbers = {self.words.index(name) for name in names}
        return [int(p) for p in self.tokens.loc[self.tokens["word"].isin(numbers), "position"]]

    def to_words(self, weights: Array) -> Array:
        """Weights (…, t) on tokens as weights (…, u) on words: those of a word's pieces are added up."""
        starts = np.flatnonzero(np.diff(self.tokens["word"].to_numpy(), prepend=-1))
        return np.add.reduceat(weights, starts, axis=-1)


def read(text: str, model: "EmbeddingModel", *, second: str | None = None, change: Change = NO_CHANGE) -> Reading:
    """Read a text, or a pair of texts, with some words' embeddings changed.

    Raises ValueError as `EmbeddingModel.tokenize` and `edits.resolve` do, and for a change whose word is not there.
    """
    tokens = model.tokenize(text, second)
    inputs = resolve(change, model).embed(tokens["id"].to_numpy(), model)
    states = model.encode(inputs[None], tokens["segment"].to_numpy())[:, 0]
    tokens = tokens.assign(frame=tokens["word"] < 0)
    tokens["word"] = ((tokens["word"] != tokens["word"].shift()) | tokens["frame"]).cumsum() - 1
    return Reading(tokens, _names(tokens), states)


def shares(reading: Reading, source: Sequence[str], model: "EmbeddingModel") -> Array:
    """How each head parts the attention of some words among all words: (l, h, u), each row a share that sums to 1.

    The weights of a word's pieces are added up where it is looked at, and averaged where it looks (Clark et al. 2019,
    section 4.1); several words that look are averaged likewise. Raises ValueError for a word that is not there.
    """
    rows = attention(reading.states, model, reading.places(source))
    return reading.to_words(rows.mean(2))


def rollout(states: Array, model: "EmbeddingModel") -> Array:
    """Attention rolled out over all layers (t, t): how much of each token has flowed into each one's last state.

    Abnar & Zuidema 2020, section 3: the heads of a layer are averaged, half of each state is taken to come through the
    residual connection, and the layers are multiplied. An assumption, not a measurement.
    """
    total = np.eye(states.shape[1])
    for weights in by_layer(states, model):
        total = (0.5 * weights.mean(0) + 0.5 * np.eye(len(total))) @ total
    return np.asarray(total)


def _names(tokens: pd.DataFrame) -> tuple[str, ...]:
    seen: Counter[str] = Counter()
    names = []
    for _, pieces in tokens.groupby("word")["token"]:
        name = pieces.iloc[0] + "".join(piece.removeprefix("##") for piece in pieces.iloc[1:])
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)
