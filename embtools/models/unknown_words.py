"""Words that are not in a vocabulary, and the words of the vocabulary that the visitor may have meant."""

from collections.abc import Iterable, Sequence

from embtools.messages import quoted


class UnknownWord(ValueError):
    """A word that is not a single token: `word` as it was written; `near`, known words that may be meant."""

    def __init__(self, message: str, word: str, near: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.word, self.near = word, tuple(near)

    @classmethod
    def of(cls, word: str, tokens: Sequence[str], near: Sequence[str], reads: str = "") -> "UnknownWord":
        """Return the error for a word with its tokens; `reads` says what the model reads, such as "English"."""
        shown = quoted(word)
        if near:
            advice = f"Did you mean {near[0]}?"
        elif reads:
            advice = f"This model reads {reads}. Use a word that is a single token."
        else:
            advice = "Use a word that is a single token."
        if len(tokens) < 2:
            return cls(f"{shown} is not in the vocabulary. {advice}", word, near)
        parts = f"{' '.join(tokens[:8])}{' …' if len(tokens) > 8 else ''}"
        return cls(f"{shown} is not a single token ({parts}). {advice}", word, near)


def similar(word: str, vocabulary: Iterable[str], *, k: int = 3) -> list[str]:
    """Return up to k words of a vocabulary that differ from `word` only in capitals or by one typing error: those with
    the same letters first, then those with the same first letter.

    >>> similar("rome", ["home", "a", "Rome", "rose"])
    ['Rome', 'rose', 'home']
    """
    word = word.strip()
    if not 2 < len(word) <= 30:  # almost every short word would be similar
        return []
    low = word.lower()
    near = [other for other in vocabulary if other != word and (other.lower() == low or one_slip(low, other.lower()))]
    return sorted(near, key=lambda other: (other.lower() != low, other[0].lower() != low[0]))[:k]


def one_slip(a: str, b: str) -> bool:
    """Return whether two words differ by one typing error: an added, missing, wrong or swapped letter (Damerau 1964).

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
