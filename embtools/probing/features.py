"""The frozen vectors that probes are trained on: every item in every layer and layer combination, read in one pass."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.layer_combinations import (
    SENTENCE_POOLINGS,
    WORD_POOLINGS,
    check_combination,
    combination_names,
    combine,
    pool,
)
from embtools.limits import enough
from embtools.messages import quoted, shortened
from embtools.probing.items import Items
from embtools.progress import Progress, silent
from embtools.vectors import Array
from embtools.words.occurrences import occurrence_of

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_PIECES = 30_000  # of all sentences together


@dataclass(frozen=True)
class Features:
    """The vectors of n items in r layer combinations: combinations (r names), vectors (r arrays (n, d) or (n, 4 d))."""

    combinations: tuple[str, ...]
    vectors: tuple[Array, ...]

    def of(self, combination: str) -> Array:
        """Return the vectors (n, d) of a layer combination; ValueError for an unknown one."""
        check_combination(combination, self.combinations)
        return self.vectors[self.combinations.index(combination)]


def poolings(items: Items) -> tuple[str, ...]:
    """Return the poolings that fit the items, those of words or those of sentences; the usual one first."""
    enough(items, "items")
    return WORD_POOLINGS[::-1] if items[0].word else (SENTENCE_POOLINGS[1], SENTENCE_POOLINGS[0], SENTENCE_POOLINGS[2])


def read_features(items: Items, model: "EmbeddingModel", *, pooling: str, progress: Progress = silent) -> Features:
    """Return the vectors of items in every layer and layer combination of a model, with one pooling.

    Each sentence is read once, even if it has several items.
    """
    if pooling not in poolings(items):
        fitting = ", ".join(poolings(items))
        raise ValueError(f"The pooling {quoted(pooling)} does not fit these items. Choose one of: {fitting}.")
    sentences = list(dict.fromkeys(item.sentence for item in items))
    tokens = {}
    for sentence in sentences:
        try:
            tokens[sentence] = model.tokenize(sentence)["token"].tolist()
        except ValueError as error:
            raise ValueError(f"“{shortened(sentence)}”: {error}") from error
    total = sum(map(len, tokens.values()))
    if total > MAX_PIECES:
        raise ValueError(
            f"The sentences have {total:,} tokens together, but at most {MAX_PIECES:,} are allowed. Remove some."
        )
    where = [
        occurrence_of(
            *(item.word, model), occurrence=item.occurrence, sentence=item.sentence, tokens=tokens[item.sentence]
        )
        if item.word
        else ()
        for item in items
    ]
    of: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        of.setdefault(item.sentence, []).append(number)
    combinations = combination_names(model.layers)
    rows: list[list[Array]] = [[np.empty(0)] * len(items) for _ in combinations]
    for done, (number, states) in enumerate(model.hidden_states_many(sentences), 1):
        for row, combination in zip(rows, combinations, strict=True):
            combined = combine(states, combination)
            for index in of[sentences[number]]:
                row[index] = pool(combined, pooling, positions=where[index]).astype(np.float32)
        progress(done / len(sentences))
    return Features(combinations, tuple(np.stack(row) for row in rows))
