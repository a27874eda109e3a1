"""The probability that one sentence follows another, from BERT's next-sentence head."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.models.last_states import last_states_of_rows
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def next_sentence(first: str, second: str, model: "EmbeddingModel") -> float:
    """Return the probability that the second text follows the first.

    Devlin et al. 2018, section 3.1: class 0 of the head on [CLS] means "is next".

    Parameters
    ----------
    first, second : str
        Two texts.
    model : EmbeddingModel

    Returns
    -------
    float
        0 … 1.

    Raises
    ------
    ValueError
        If the model has no next-sentence head, and as `EmbeddingModel.tokenize` does.
    """
    return float(next_sentences([(first, second)], model)[0])


def next_sentences(
    pairs: Sequence[tuple[str, str]],
    model: "EmbeddingModel",
    *,
    segments: Sequence[Array] | None = None,
    progress: Progress = silent,
) -> Array:
    """Return for each of n pairs (first, second) the probability that its second text follows its first: (n,), float64;
    `segments` (t,) of each pair replace its segment ids.
    """
    if not model.has_next_sentence:
        have = [each.title for each in CATALOGUE.values() if each.name in (BUNDLED, "google-bert/bert-base-uncased")]
        raise ValueError(f"This model has no next-sentence head. Choose {' or '.join(have)}.")
    frames = [model.tokenize(*pair) for pair in pairs]
    given = [frame["segment"].to_numpy() for frame in frames] if segments is None else segments
    logits, done = np.empty((len(frames), 2)), 0
    rows = [frame["id"].to_numpy() for frame in frames]
    for numbers, states in last_states_of_rows(rows, model, at=[[0]] * len(rows), segments=given):
        logits[numbers] = model.next_sentence_logits(np.concatenate(states))
        done += len(numbers)
        progress(done / len(frames))
    return 1 / (1 + np.exp(logits[:, 1] - logits[:, 0]))
