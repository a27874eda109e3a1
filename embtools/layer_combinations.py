"""Vectors of words and sentences from hidden states: layer combinations and poolings of tokens.

Devlin et al. 2019, table 7; "Understanding BERT — Word Embeddings".
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from embtools.limits import enough
from embtools.messages import quoted
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_TEXTS = 5  # texts per batch: a base model takes about a second for twenty long sentences
WORD_POOLINGS = ("first token", "mean of tokens")
SENTENCE_POOLINGS = ("sentence: cls", "sentence: mean", "sentence: max")
POOLINGS = WORD_POOLINGS + SENTENCE_POOLINGS
SECOND_TO_LAST = "second-to-last layer"
SUM_FOUR = "sum of last four"
CONCAT_FOUR = "concatenation of last four"
SUM_ALL = "sum of all layers"
COMBINED = (SECOND_TO_LAST, SUM_FOUR, CONCAT_FOUR, SUM_ALL)


def combination_names(layers: int) -> tuple[str, ...]:
    """Names of all layers (0: the embedding output) and layer combinations, for a model with this many layers.

    >>> combination_names(2)[:4]
    ('layer 0', 'layer 1', 'layer 2', 'second-to-last layer')
    """
    return (*(f"layer {i}" for i in range(layers + 1)), *COMBINED)


def check_combination(combination: str, names: Sequence[str]) -> None:
    """Raise ValueError that lists the choices unless the layer combination is one of `names`."""
    if combination in names:
        return
    layers, combined = ([name for name in names if (name in COMBINED) == kind] for kind in (False, True))
    shown = layers if len(layers) < 5 else [*layers[:2], "…", layers[-1]]
    raise ValueError(
        f"There is no layer combination {quoted(combination)}. Choose one of: {', '.join([*shown, *combined])}."
    )


def check_sentence_pooling(pooling: str) -> None:
    """Raise ValueError that lists the choices unless the pooling is one of SENTENCE_POOLINGS."""
    if pooling not in SENTENCE_POOLINGS:
        raise ValueError(
            f"There is no sentence pooling {quoted(pooling)}. Choose one of: {', '.join(SENTENCE_POOLINGS)}."
        )


def combine(states: Array, combination: str) -> Array:
    """Combine hidden states (l + 1, t, d) into token vectors (t, d), or (t, 4 d) for the concatenation, in float64,
    because the cosines of some layers differ by less than the precision of float32.
    """
    encoder = states[1:]
    if combination == SECOND_TO_LAST:
        return states[-2].astype(np.float64)
    if combination == SUM_FOUR:
        return encoder[-4:].sum(axis=0, dtype=np.float64)
    if combination == CONCAT_FOUR:  # as in "Understanding BERT — Word Embeddings"
        return np.concatenate(encoder[-4:][::-1], axis=-1, dtype=np.float64)
    if combination == SUM_ALL:
        return encoder.sum(axis=0, dtype=np.float64)
    names = combination_names(len(encoder))
    check_combination(combination, names)
    return states[names.index(combination)].astype(np.float64)


def pool(tokens: Array, pooling: str, *, positions: Sequence[int] = ()) -> Array:
    """Pool token vectors (t, d) into one vector (d,) for a word (at its `positions`) or for the sentence, over all
    tokens, including [CLS] and [SEP], as in the article and in sentence-transformers.
    """
    enough(tokens, "tokens")
    if pooling in WORD_POOLINGS:
        enough(positions, "positions of the word")
    if pooling == "first token":
        return tokens[positions[0]]
    if pooling == "mean of tokens":
        return tokens[list(positions)].mean(axis=0)
    if pooling == "sentence: cls":
        return tokens[0]
    if pooling == "sentence: mean":
        return tokens.mean(axis=0)
    if pooling == "sentence: max":
        return tokens.max(axis=0)
    raise ValueError(f"There is no pooling {quoted(pooling)}. Choose one of: {', '.join(POOLINGS)}.")


def read_states(
    texts: Sequence[str],
    model: "EmbeddingModel",
    *,
    segment: int | None = None,
    progress: Progress = silent,
) -> dict[int, Array]:
    """Hidden states (l + 1, t, d) of each text, by index."""
    states = {}
    for number, found in _each(texts, model, segment):
        states[number] = found
        progress(len(states) / len(texts))
    return states


def sentence_vectors(
    texts: Sequence[str], model: "EmbeddingModel", *, combination: str, pooling: str, progress: Progress = silent
) -> Array:
    """Vectors (n, d) of n texts for one layer combination and one sentence pooling, in float64; only one batch of
    hidden states is in memory at a time.
    """
    check_sentence_pooling(pooling)
    enough(texts, "texts")
    found: dict[int, Array] = {}
    for number, states in model.hidden_states_many(texts):
        found[number] = pool(combine(states, combination), pooling)
        progress(len(found) / len(texts))
    return np.stack([found[number] for number in range(len(texts))])


def _each(texts: Sequence[str], model: "EmbeddingModel", segment: int | None) -> Iterator[tuple[int, Array]]:
    if segment is not None:
        yield from ((i, model.hidden_states(text, segment=segment)) for i, text in enumerate(texts))
        return
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))  # texts of similar length need little padding
    for start in range(0, len(texts), _TEXTS):
        numbers = order[start : start + _TEXTS]
        yield from ((numbers[i], found) for i, found in model.hidden_states_many([texts[i] for i in numbers]))
