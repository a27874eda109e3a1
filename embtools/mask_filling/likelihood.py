"""Log probabilities of masked tokens, and the pseudo-log-likelihood of sentences, token by token."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.models.last_states import last_states_of_rows
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


_ROWS = 256  # states whose probabilities over the whole vocabulary are computed at once


@dataclass(frozen=True)
class Masked:
    """A masked sentence: its ids (t,), the positions to read (m,), the ids of the original tokens there (m,)."""

    ids: NDArray[np.int64]
    positions: list[int]
    targets: list[int]


def log_probabilities(rows: Sequence[Masked], model: "EmbeddingModel", *, progress: Progress = silent) -> list[Array]:
    """Log probabilities of the original tokens of each masked sentence, (m,) each, in nats."""
    by_row: dict[int, Array] = {}
    # A position with several targets is read once: its logits are as long as the vocabulary.
    positions = [sorted(set(row.positions)) for row in rows]
    for numbers, states in last_states_of_rows([row.ids for row in rows], model, at=positions):
        last = np.concatenate(states)
        read = ((line, position) for line, number in enumerate(numbers) for position in positions[number])
        where = {position: n for n, position in enumerate(read)}
        at = [where[line, p] for line, number in enumerate(numbers) for p in rows[number].positions]
        logs = target_logs(last, model, targets=[t for number in numbers for t in rows[number].targets], at=at)
        ends = np.cumsum([len(rows[number].positions) for number in numbers])
        by_row |= dict(zip(numbers, np.split(logs, ends[:-1]), strict=True))
        progress(len(by_row) / len(rows))
    return [by_row[number] for number in range(len(rows))]


def target_logs(
    states: Array, model: "EmbeddingModel", *, targets: Sequence[int], at: Sequence[int] | None = None
) -> Array:
    """Return the log probability (n,) of each of n tokens, in nats, in blocks of states to save memory."""
    ids, rows = np.asarray(targets, int), np.arange(len(states)) if at is None else np.asarray(at, int)
    if len(ids) != len(rows):
        raise ValueError(f"There are {len(ids)} tokens and {len(rows)} states. Give one state for each token.")
    found = np.zeros(len(ids))
    for start in range(0, len(states), _ROWS):
        logits = model.logits(model.transform(states[start : start + _ROWS]))
        own = np.flatnonzero((rows >= start) & (rows < start + _ROWS))
        places = rows[own] - start
        wanted, top = logits[places, ids[own]], logits.max(axis=1)
        # Summed in float64, which is as exact as the logits are; exponentials in float64 would take six times as long.
        logits -= top[:, None]
        totals = top + np.log(np.exp(logits, out=logits).sum(axis=1, dtype=np.float64))
        found[own] = wanted - totals[places]
    return found


@dataclass(frozen=True)
class Sentence:
    """A tokenised sentence: ids (t,), and for each token the number of its word (t,); −1 for [CLS] and [SEP]."""

    ids: NDArray[np.int64]
    words: NDArray[np.int64]


def sentence(text: str, model: "EmbeddingModel") -> Sentence:
    """Return the tokens of a text; much faster than `model.tokenize`, for thousands of texts."""
    ids, spans = model.words(text)
    words = np.full(len(ids), -1)
    for number, (position, count, _, _) in enumerate(spans):
        words[position : position + count] = number
    return Sentence(np.array(ids), words)


def token_masks(
    read: Sentence, model: "EmbeddingModel", *, positions: Sequence[int], rest_of_word: bool = False
) -> list[Masked]:
    """Return a copy of a sentence for each position, with the token there masked."""
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
