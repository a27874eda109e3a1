"""Does one sentence follow another? What BERT's second training task says."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def next_sentence(first: str, second: str, model: "EmbeddingModel") -> float:
    """The probability, 0 … 1, that the second text follows the first.

    Devlin et al. 2018, section 3.1: class 0 of the head on [CLS] means "is next". Raises ValueError when the model has
    no next-sentence head, and as `EmbeddingModel.tokenize` does.
    """
    if not model.has_next_sentence:
        raise ValueError("This model has no next-sentence head. Choose Pocket BERT or BERT base.")
    frame = model.tokenize(first, second)
    inputs, segments = model.matrix[frame["id"].to_numpy()][None], frame["segment"].to_numpy()
    states = model.encode(inputs, segments, last_only=True)[0, :, 0]
    follows, random = model.next_sentence_logits(states)[0].astype(np.float64)
    return float(1 / (1 + np.exp(random - follows)))
