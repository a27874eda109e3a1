"""The word-embedding association test (WEAT) on the vectors of a file."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.messages import quoted
from embtools.own_vectors.word_vectors import WordVectors, table_or_example
from embtools.statistics.association import Association, association
from embtools.words.word_sets import names_of

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_WORDS = 60


def associate(
    x: Sequence[str],
    y: Sequence[str],
    a: Sequence[str],
    b: Sequence[str],
    model: "EmbeddingModel",
    *,
    table: WordVectors | None = None,
    permutations: int = 10_000,
    seed: int = 0,
) -> Association:
    """Word-embedding association test: are the targets x closer to the attributes a (than to b), compared with y?

    Caliskan, Bryson & Narayanan 2017 (doi:10.1126/science.aal4230). Words that the table does not have are left out.

    Parameters
    ----------
    x, y : sequence of str
        Target words.
    a, b : sequence of str
        Attribute words.
    model : EmbeddingModel
        Only used for the example.
    table : WordVectors, optional
        By default the example: static embeddings of the model.
    permutations : int, default 10,000
        Number of random permutations if there are too many to count all.
    seed : int, default 0
        Seed of the permutations and of the bootstrap interval.

    Returns
    -------
    Association
        Effect size, interval, p-values and the association of every target word.

    Raises
    ------
    ValueError
        If the table has fewer than two words of a set, for a word that is in both sets of a pair, and for more than
        MAX_WORDS words in a set.
    """
    used = table_or_example(table, model)
    known: list[tuple[str, ...]] = []
    left_out: list[str] = []
    for name, words in zip("XYAB", (x, y, a, b), strict=True):
        if len(words) > MAX_WORDS:
            raise ValueError(
                f"Set {name} has {len(words)} words, but at most {MAX_WORDS} can be compared. Remove some."
            )
        found, missing = used.known(words)
        if len(found) < 2:
            there = f"only {found[0]}" if found else "none of them"
            raise ValueError(
                f"Set {name} needs at least two words that are among the vectors, but these have {there}. Add words,"
                " or choose another test."
            )
        known.append(found)
        left_out += missing
    for (name, first), (other, second) in ((("X", known[0]), ("Y", known[1])), (("A", known[2]), ("B", known[3]))):
        if common := set(first) & set(second):
            raise ValueError(f"{quoted(min(common))} is in both {name} and {other}. Remove it from one of them.")
    return association(
        [used.of(words)[:, None] for words in known],
        known[0],
        known[1],
        permutations=permutations,
        seed=seed,
        left_out=tuple(dict.fromkeys(left_out)),
        names=names_of(x, y, a, b, compared=known),
    )
