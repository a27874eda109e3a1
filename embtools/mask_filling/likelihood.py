"""Log probabilities of masked tokens, and the pseudo-log-likelihood of sentences, token by token."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Masked:
    """A masked sentence: its ids (t,), the positions to read (m,), the ids of the original tokens there (m,)."""

    ids: NDArray[np.int64]
    positions: list[int]
    targets: list[int]


def log_probabilities(rows: Sequence[Masked], model: "EmbeddingModel", *, progress: Progress = silent) -> list[Array]:
    """Log probabilities of the original tokens of each masked sentence, (m,) each, in nats.

    `progress` receives 0 … 1 and may raise to stop.
    """
    by_row: dict[int, Array] = {}
    for numbers, states in model.encode_many([row.ids for row in rows], last_only=True):
        # A position with several targets is read once: its logits are as long as the vocabulary.
        read = [(line, p) for line, number in enumerate(numbers) for p in sorted(set(rows[number].positions))]
        logits = model.logits(model.transform(states[0][tuple(zip(*read, strict=True))]))
        top = logits.max(axis=-1, keepdims=True)
        # Summed in float64, which is as exact as the logits are; exponentials in float64 would take six times as long.
        totals = top[:, 0] + np.log(np.exp(logits - top).sum(axis=-1, dtype=np.float64))
        where = {position: n for n, position in enumerate(read)}
        for line, number in enumerate(numbers):
            row = rows[number]
            at = [where[line, p] for p in row.positions]
            by_row[number] = logits[at, row.targets] - totals[at]
        progress(len(by_row) / len(rows))
    return [by_row[number] for number in range(len(rows))]


@dataclass(frozen=True)
class Sentence:
    """A tokenised sentence: ids (t,), and for each token the number of its word (t,); −1 for [CLS] and [SEP]."""

    ids: NDArray[np.int64]
    words: NDArray[np.int64]


def sentence(text: str, model: "EmbeddingModel") -> Sentence:
    """Return the tokens of a text; much faster than `model.tokenize`, for thousands of texts.

    Raises ValueError for an empty text and for too many characters.
    """
    ids, spans = model.words(text)
    words = np.full(len(ids), -1)
    for number, (position, count, _, _) in enumerate(spans):
        words[position : position + count] = number
    return Sentence(np.array(ids), words)


def token_masks(
    read: Sentence, model: "EmbeddingModel", *, positions: Sequence[int], rest_of_word: bool = False
) -> list[Masked]:
    """Return a copy of a sentence for each position, with the token there masked.

    Parameters
    ----------
    read : Sentence
    model : EmbeddingModel
    positions : sequence of int
    rest_of_word : bool, default False
        Whether the later tokens of the same word are masked, too. They would otherwise give away the token (Kauf &
        Ivanova 2023).

    Returns
    -------
    list of Masked

    Raises
    ------
    ValueError
        For a position that is not in the sentence.
    """
    rows = []
    for position in positions:
        if not 0 <= position < len(read.ids):
            raise ValueError(f"There is no position {position}. Choose 0 to {len(read.ids) - 1}.")
        ids = read.ids.copy()
        ids[position] = model.mask_id
        if rest_of_word:
            ids[position:][read.words[position:] == read.words[position]] = model.mask_id
        rows.append(Masked(ids, [position], [int(read.ids[position])]))
    return rows
