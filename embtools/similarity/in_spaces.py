"""Words in groups, and the odd one out of a few words, in a processed space next to the raw vectors and controls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.messages import column_name
from embtools.models.unknown_words import UnknownWord
from embtools.similarity.matrix import MAX_WORDS
from embtools.similarity.odd_words import odd_one_out
from embtools.spaces.controls import AFTER, BEFORE, group_finding, separation, with_controls
from embtools.spaces.of_model import in_space
from embtools.spaces.space import AS_IS, Space
from embtools.statistics.decimals import decimal
from embtools.words import vectors as wordlist
from embtools.words.groups import read_groups
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True, eq=False)
class GroupMeans:
    """Cosines of words in groups, by space.

    left_out  words without a single vector
    table     space, auc (pairs from one group against pairs from two), within, between (mean cosines)
    """

    left_out: tuple[str, ...]
    table: pd.DataFrame

    @property
    def headline(self) -> str:
        """How often two words of one group are more similar than two of different groups, before and after."""
        return group_finding(self.table)


@dataclass(frozen=True, eq=False)
class OddBySpace:
    """The mean cosine of each word with the others: a column of `table` for each space."""

    table: pd.DataFrame

    @property
    def headline(self) -> str:
        """The odd one out before and after processing."""
        before, low = _lowest(self.table, BEFORE)
        if AFTER not in self.table:
            return f"The odd one out is {before} (mean cosine {low})."
        after, low_after = _lowest(self.table, AFTER)
        if before == after:
            return (
                f"The odd one out is {before}, both with raw vectors (mean cosine {low}) and with processed ones"
                f" ({low_after})."
            )
        return (
            f"The odd one out is {before} with raw vectors (mean cosine {low}) and {after} with processed ones"
            f" ({low_after})."
        )


def group_means(text: str, model: "EmbeddingModel", *, space: Space = AS_IS) -> GroupMeans:
    """Compare cosines within and between groups of words, in a space and its controls.

    Parameters
    ----------
    text : str
        One group per line, written as name: word, word.
    model : EmbeddingModel
        Static embeddings, or named vectors of any source in its place.
    space : Space, optional
        A processed space, which is compared with the raw vectors and with controls.

    Returns
    -------
    GroupMeans

    Raises
    ------
    ValueError
        For groups that cannot be read, more than 150 words, fewer than three that the model has, and a space that does
        not fit the vectors.
    """
    listed = [(name, word) for name, words in read_groups(text) for word in words]
    if len(listed) > MAX_WORDS:
        raise ValueError(
            f"There are {len(listed):,} words; at most {MAX_WORDS} can be compared. Remove {len(listed) - MAX_WORDS:,}."
        )
    rows = {word: row for _, word in listed if (row := _row(word, model)) is not None}
    left_out = tuple(word for _, word in listed if word not in rows)
    if len(rows) < 3:
        raise ValueError(f"Only {len(rows)} of these words have a vector of their own; three are needed. Add others.")
    labels = np.unique([name for name, word in listed if word in rows], return_inverse=True)[1]
    table = []
    for name, one in with_controls(space).items():
        vectors = in_space(model, space=one).matrix[list(rows.values())]
        auc, within, between = separation(vectors, labels)
        table.append({"space": name, "auc": auc, "within": within, "between": between})
    return GroupMeans(left_out, pd.DataFrame(table))


def odd_by_space(
    words: Sequence[str], model: "EmbeddingModel", *, space: Space = AS_IS, pieces: Pieces = "refuse"
) -> OddBySpace:
    """Find the odd one out of several words in a space and its controls.

    Parameters
    ----------
    words : sequence of str
        3 to 150 words.
    model : EmbeddingModel
        Static embeddings, or named vectors of any source in its place.
    space : Space, optional
        A processed space, which is compared with the raw vectors and with controls.
    pieces : {"refuse", "mean", "first"}, default "refuse"
        Words of several tokens: "refuse" raises an error, "mean" uses the mean of their tokens, "first" the first one.

    Returns
    -------
    OddBySpace
        With `table`: the mean cosine of each word with the others in each space.

    Raises
    ------
    ValueError
        As `odd_one_out` does, and for a space that does not fit the vectors.
    """
    wordlist.check(words, model, least=3, most=MAX_WORDS, pieces=pieces)
    frame = pd.DataFrame({"word": list(words)})
    for name, one in with_controls(space).items():
        found = odd_one_out(words, in_space(model, space=one), pieces=pieces).table.set_index("word")["cosine"]
        frame[column_name(name)] = found.reindex(list(words)).to_numpy()
    return OddBySpace(frame)


def _row(word: str, model: "EmbeddingModel") -> int | None:
    try:
        return model.token_id(word)
    except UnknownWord:
        return None


def _lowest(table: pd.DataFrame, space: str) -> tuple[str, str]:
    """The word with the lowest mean cosine in a space, and this cosine."""
    row = table.loc[table[space].idxmin()]
    return str(row["word"]), decimal(row[space])
