"""Words that a model does not know whole, and those of its vocabulary that may have been meant."""

from collections.abc import Iterable, Sequence


class UnknownWord(ValueError):
    """A word that is not one piece: `word` as it was written; `near`, known words that may have been meant."""

    def __init__(self, message: str, word: str, near: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.word, self.near = word, tuple(near)


def similar(word: str, vocabulary: Iterable[str], k: int = 3) -> list[str]:
    """Up to k words of a vocabulary that are `word` with other capitals or one slip away.

    Those that begin alike come first, otherwise they stay in order. None for words of one or two letters: all are near.

    >>> similar("rome", ["home", "a", "Rome", "rose"])
    ['Rome', 'rose', 'home']
    """
    word = word.strip()
    if not 2 < len(word) <= 30:
        return []
    low = word.lower()
    near = [other for other in vocabulary if other != word and (other.lower() == low or one_slip(low, other.lower()))]
    return sorted(near, key=lambda other: other[0].lower() != low[0])[:k]


def one_slip(a: str, b: str) -> bool:
    """Whether a letter too many, missing or wrong, or two swapped, make one word of another (Damerau 1964).

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
