"""What every kind of file of word vectors contains, and how much of it can be used."""

from collections.abc import Sequence
from dataclasses import dataclass

from embtools.messages import counted
from embtools.vectors import Array

MAX_WORDS, LEAST_WORDS = 20_000, 3
MAX_DIMENSIONS, LEAST_DIMENSIONS = 2_048, 2
MAX_LABELS = 10  # label columns


@dataclass(frozen=True, eq=False)
class Rows:
    """What a file contains, not checked yet.

    words    n words
    vectors  (n, d)
    labels   label columns: name, and n labels
    lines    the line of each row in the file, from 1; for arrays the row
    line     what `lines` counts: "line" or "row"
    """

    words: Sequence[str]
    vectors: Array
    labels: tuple[tuple[str, tuple[str, ...]], ...]
    lines: Sequence[int]
    line: str = "line"


def check_count(count: int, *, what: str = "words") -> None:
    """Raise ValueError for more than MAX_WORDS rows."""
    if count > MAX_WORDS:
        raise ValueError(
            f"The file has more than {MAX_WORDS:,} {what}. Keep the most frequent ones, for example the first"
            f" {MAX_WORDS:,} lines."
        )


def check_width(width: int) -> None:
    """Raise ValueError for too many or too few numbers per word."""
    if not LEAST_DIMENSIONS <= width <= MAX_DIMENSIONS:
        raise ValueError(
            f"Each word has {counted(width, 'number')}, but {LEAST_DIMENSIONS} to {MAX_DIMENSIONS:,} can be used."
            " Check that each line has a word and its numbers. If there are too many, reduce them, for example by PCA."
        )
