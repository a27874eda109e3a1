"""Words that a model does not know whole, and those of its vocabulary that may have been meant."""

from collections.abc import Iterable, Sequence
from itertools import islice


class UnknownWord(ValueError):
    """A word that is not one piece: `word` as it was written; `near`, known words that are one slip of the hand away."""

    def __init__(self, message: str, word: str, near: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.word, self.near = word, tuple(near)


def similar(word: str, vocabulary: Iterable[str], k: int = 3) -> list[str]:
    """The first k words of a vocabulary that are one slip away from `word`; none for words of one or two letters."""
    word = word.strip().lower()
    if not 2 < len(word) <= 30:
        return []
    return list(islice((other for other in vocabulary if one_slip(word, other.lower())), k))


def one_slip(a: str, b: str) -> bool:
    """Whether a letter too many, missing or wrong, or two neighbours swapped, turn one word into another (Damerau 1964).

    >>> one_slip("lodnon", "london"), one_slip("itly", "italy"), one_slip("niklas", "nikola")
    (True, True, False)
    """
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    a, b = a[start:], b[start:]
    if len(a) == len(b):
        return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
    return a[1:] == b if len(a) > len(b) else a == b[1:]
