"""Scores of attention heads that show which of two nouns *it* refers to."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import wordlists
from embtools.models.attention import attention
from training.scoring.measures import COLUMNS, row

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

FIRST_VIEW = "The animal didn't cross the street because it was too {}."
"""The sentence with which the Attention page opens."""


def pronouns(model: "EmbeddingModel") -> pd.DataFrame:
    """Return score rows: how often the best head gives the right noun more attention from *it* than the other noun; 0.5
    is expected by chance, and a head that was chosen on one half is scored on the other.
    """
    table = []
    # The pairs differ only in their last word, which changes the noun that "it" refers to: a head that prefers a noun
    # by its position is right in exactly one sentence of each pair.
    for name, title, size in (("referents", "sentences", 1), ("it_pairs", "sentences in pairs", 2)):
        frame = wordlists.load(name)
        gains, groups = _gains(frame, np.arange(len(frame)) // size, model)
        if len(set(groups)) > 1:
            right = held_out(gains, groups)
            table.append(
                row(f"attention: “it” to its noun, best head, {len(right)} {title}", right.tolist(), groups.tolist())
            )
    # The first view of the Attention page, with the head that gives the most attention with "tired".
    tired, wide = (_share(FIRST_VIEW.format(end), "animal", model) for end in ("tired", "wide"))
    if tired is not None and wide is not None:
        best = int(tired.argmax())
        for end, shares in (("tired", tired), ("wide", wide)):
            line = row(f"attention: “it” to “animal” with “{end}”, one head", [float(shares[best])])
            table.append(line | {"low": np.nan, "high": np.nan})
    return pd.DataFrame(table, columns=COLUMNS)


def held_out(gains: NDArray[np.floating], groups: NDArray[np.int64]) -> NDArray[np.floating]:
    """Whether each of s sentences is right with the head that is best on the other half of the sentences, (s,)."""
    right = (np.sign(gains) + 1) / 2
    result = np.zeros(len(gains))
    for half in (0, 1):
        mine = groups % 2 == half
        best = np.lexsort((gains[~mine].mean(axis=0), right[~mine].mean(axis=0)))[-1]
        result[mine] = right[mine, best]
    return result


def _gains(
    frame: pd.DataFrame, groups: NDArray[np.int64], model: "EmbeddingModel"
) -> tuple[NDArray[np.floating], NDArray[np.int64]]:
    """Return gains (s, n) and groups (s,) for `held_out`, without sentences whose nouns are not single tokens."""
    gains, used = [], []
    for sentence, noun, other, group in zip(frame["sentence"], frame["referent"], frame["other"], groups, strict=True):
        shares = [_share(sentence, word, model) for word in (noun, other)]
        if shares[0] is not None and shares[1] is not None:
            gains.append(shares[0] - shares[1])
            used.append(group)
    return np.array(gains), np.array(used, dtype=np.int64)


def _share(sentence: str, noun: str, model: "EmbeddingModel") -> NDArray[np.floating] | None:
    """Return the attention (n,) from *it* to a noun in each of n = layers · heads heads; None if it is no token."""
    tokens = list(model.tokenize(sentence)["token"])
    if tokens.count("it") != 1 or tokens.count(noun) != 1:
        return None
    weights = attention(model.hidden_states(sentence), model, rows=[tokens.index("it")])
    return np.asarray(weights[:, :, 0, tokens.index(noun)]).ravel()
