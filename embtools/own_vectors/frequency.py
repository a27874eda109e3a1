"""Random pairs of a file's words that are about as common as two given words, if the file lists common words first."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from embtools.memory import remembered
from embtools.models.vectors_as_model import Vectors
from embtools.vectors import Array
from embtools.words import frequency
from embtools.words.frequency import Draw

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LEAST_WORDS = 2_000  # shorter files are rarely sorted by frequency
FIRST = 100  # words at the start of a file, most of which must be common
COMMON = 5_000  # words of a model that count as common


def why_unmatched(table: Vectors | None, model: "EmbeddingModel") -> str:
    """Why the random pairs are not matched for frequency, in a sentence; "" if they are.

    The lines of a file are ranks only if it is long and begins with common words. The example has the model's ranks.
    """
    if table is None:
        return ""
    begin = "The random pairs are drawn from all words, not from equally common ones, because"
    if len(table) < LEAST_WORDS:
        return f"{begin} the file has fewer than {LEAST_WORDS:,} words."
    common = set(np.flatnonzero(frequency.candidates(model))[:COMMON].tolist())
    found = sum(model.ids.get(w if model.cased else w.lower(), -1) in common for w in table.names[:FIRST])
    return "" if 2 * found > FIRST else f"{begin} the file does not begin with common words."


def random_pairs_of(
    words: Sequence[str], model: "EmbeddingModel", *, table: Vectors | None
) -> tuple[tuple[int, ...], Draw]:
    """The group of each word by its frequency, and a function that gives the random pairs of two groups."""
    if table is None:
        return frequency.groups_of(words, model), partial(frequency.random_pairs, model=model)
    matched = not why_unmatched(table, model)
    groups = tuple(frequency.group_of_rank(table.token_id(word), len(table)) if matched else 0 for word in words)
    return groups, lambda first, second: _of_table(first, second, table, matched)


@remembered
def _of_table(first: int, second: int, table: Vectors, matched: bool) -> Array:
    named = np.array([len(word) > 1 and word[:1].isalpha() for word in table.names])
    rows = [
        frequency.words_of_group(group, len(table)) if matched else np.arange(len(table))
        for group in sorted((first, second))
    ]
    own = [kept if len(kept := row[named[row]]) > 1 else row for row in rows]  # names of measurements may be numbers
    return frequency.random_values(table.matrix, own[0], own[1])
