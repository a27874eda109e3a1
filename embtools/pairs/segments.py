"""Segment ids: how BERT is told which sentence a piece belongs to, and what it answers when told otherwise."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.models.next_sentence import next_sentences

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

NAMES = ("A, the first sentence", "B, the second sentence")


def pieces(first: str, second: str, model: "EmbeddingModel") -> pd.DataFrame:
    """The pieces of a pair: position, token, segment (0 or 1), sentence (the segment by name).

    Raises ValueError as `EmbeddingModel.tokenize` does.
    """
    frame = model.tokenize(first, second)[["position", "token", "segment"]]
    return frame.assign(sentence=[NAMES[segment] for segment in frame["segment"]])


def alone(sentence: str, model: "EmbeddingModel") -> pd.DataFrame:
    """The pieces of one sentence: position, token, bert (its segment id in BERT's training), text (in the text).

    "Understanding BERT — Word Embeddings" gives a single sentence the id 1 throughout; in BERT's training (Devlin et
    al. 2018) a single sentence, and the first of two, has 0. Raises ValueError as `EmbeddingModel.tokenize` does.
    """
    frame = model.tokenize(sentence)
    return frame[["position", "token"]].assign(bert=frame["segment"], text=1)


def told_otherwise(first: str, second: str, model: "EmbeddingModel") -> pd.DataFrame:
    """The next-sentence probability of a pair under other segment ids: segments, probability.

    Raises ValueError for a model without segments, and as `next_sentence` does.
    """
    if not model.has_segments:
        raise ValueError("This model has no segment embeddings, so there is nothing to exchange.")
    own = model.tokenize(first, second)["segment"].to_numpy()
    ids = {
        "0 and 1 (as trained)": own,
        "exchanged: 1 and 0": 1 - own,
        "0 throughout": np.zeros_like(own),
        "1 throughout": np.ones_like(own),
    }
    found = next_sentences([(first, second)] * len(ids), model, segments=list(ids.values()))
    return pd.DataFrame({"segments": list(ids), "probability": found})
