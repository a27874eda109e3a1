"""What every kind of file of word vectors contains, and how much of it can be used."""

from collections.abc import Sequence
from dataclasses import dataclass

from embtools.messages import counted
from embtools.vectors import Array

MAX_WORDS, LEAST_WORDS = 20_000, 3
MAX_DIMENSIONS, LEAST_DIMENSIONS = 2_048, 2
MAX_LABELS = 10  # label columns
Labels = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, eq=False)
class Rows:
    """What a file contains, not checked yet.

    words    n words; None if the file has only numbers
    vectors  (n, d); nan where a number is missing or cannot be read
    labels   label columns: name, and n labels
    lines    the line of each row in the file, from 1; for arrays the row
    line     what `lines` counts: "line", "item" or "row"
    notes    what is worth knowing about the file, and what was left out
    total    number of rows of the file, of which more than MAX_WORDS are not read; 0 if it is not known
    at       the number of each row among them, from 0; () if they are the first ones
    """

    words: Sequence[str] | None
    vectors: Array
    labels: Labels
    lines: Sequence[int]
    line: str = "line"
    notes: tuple[str, ...] = ()
    total: int = 0
    at: Sequence[int] = ()


def first_words(what: str = "words") -> str:
    """Return the note about a file with more rows than can be used."""
    return f"The file has more than {MAX_WORDS:,} {what}. Only the first {MAX_WORDS:,} are used."


def check_width(width: int) -> None:
    """Raise ValueError for too many or too few numbers per word."""
    if not LEAST_DIMENSIONS <= width <= MAX_DIMENSIONS:
        raise ValueError(
            f"Each word has {counted(width, 'number')}, but {LEAST_DIMENSIONS} to {MAX_DIMENSIONS:,} can be used."
            " Check that each line has a word and its numbers. If there are too many, reduce them, for example by PCA."
        )
