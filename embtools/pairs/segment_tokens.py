"""Segment ids of a pair, and the next-sentence probability with other segment ids."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.models.sentence_order import next_sentences

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

NAMES = ("A, the first sentence", "B, the second sentence")


@dataclass(frozen=True)
class Segments:
    """Segment ids of a pair and of its first sentence.

    pair     frame of `tokens`
    single   frame of `single_sentence`
    other    frame of `other_segments`; None if the segment ids of this model cannot be changed
    reason   why they cannot be changed, or ""
    """

    pair: pd.DataFrame
    single: pd.DataFrame
    other: pd.DataFrame | None
    reason: str = ""


def segments(first: str, second: str, model: "EmbeddingModel") -> Segments:
    """The segment ids of a pair, those of its first sentence alone, and the probability with other segment ids.

    Parameters
    ----------
    first, second : str
        Two sentences.
    model : EmbeddingModel

    Returns
    -------
    Segments

    Raises
    ------
    ValueError
        As `EmbeddingModel.tokenize` does.
    """
    pair, single = tokens(first, second, model), single_sentence(first, model)
    try:
        return Segments(pair, single, other_segments(first, second, model))
    except ValueError as error:
        return Segments(pair, single, None, str(error))


def tokens(first: str, second: str, model: "EmbeddingModel") -> pd.DataFrame:
    """The tokens of a pair."""
    frame = model.tokenize(first, second)[["position", "token", "segment"]]
    return frame.assign(sentence=[NAMES[segment] for segment in frame["segment"]])


def single_sentence(sentence: str, model: "EmbeddingModel") -> pd.DataFrame:
    """The tokens of one sentence.

    The article "Understanding BERT — Word Embeddings" gives all tokens of a single sentence the id 1. In BERT's
    training (Devlin et al. 2018) a single sentence, and the first of two, has the id 0.
    """
    frame = model.tokenize(sentence)
    return frame[["position", "token"]].assign(segment=frame["segment"], segment_in_article=1)


def other_segments(first: str, second: str, model: "EmbeddingModel") -> pd.DataFrame:
    """The next-sentence probability of a pair with other segment ids."""
    if not model.has_segments:
        raise ValueError("This model has no segment embeddings, so its segment ids cannot be changed.")
    own = model.tokenize(first, second)["segment"].to_numpy()
    ids = {
        "0 and 1 (as trained)": own,
        "1 and 0 (swapped)": 1 - own,
        "0 for both": np.zeros_like(own),
        "1 for both": np.ones_like(own),
    }
    result = next_sentences([(first, second)] * len(ids), model, segments=list(ids.values()))
    return pd.DataFrame({"segments": list(ids), "probability": result})
