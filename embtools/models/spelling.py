"""Words that a model does not know whole, those of its vocabulary that may have been meant, and capitals."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_LETTERS = re.compile(r"\[[A-Z]+\]|\{\w+\}|(?<![\w#])[^\W\d_]+(?!\w)")  # a word; [MASK] and {word} are none


class UnknownWord(ValueError):
    """A word that is not one piece: `word` as it was written; `near`, known words that may have been meant."""

    def __init__(self, message: str, word: str, near: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.word, self.near = word, tuple(near)


def similar(word: str, vocabulary: Iterable[str], k: int = 3) -> list[str]:
    """Up to k words of a vocabulary that are `word` with other capitals or one slip away.

    Those of the same letters come first, then those that begin alike; otherwise they stay in order. None for words of
    one or two letters: all are near.

    >>> similar("rome", ["home", "a", "Rome", "rose"])
    ['Rome', 'rose', 'home']
    """
    word = word.strip()
    if not 2 < len(word) <= 30:
        return []
    low = word.lower()
    near = [other for other in vocabulary if other != word and (other.lower() == low or one_slip(low, other.lower()))]
    return sorted(near, key=lambda other: (other.lower() != low, other[0].lower() != low[0]))[:k]


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


def capitalised(text: str, model: "EmbeddingModel", beside: str = "") -> str:
    """A text of ours, written in small letters, as a model that tells Rome from rome knows its words.

    A word that is one piece with a capital alone gets it, and one takes the spelling in which it stands in the sentence
    `beside`. Where more words need their capital than are known in small letters alone, they are names: then March and
    Turkey get theirs too, which are other words without. A model that reads small letters leaves a text as it is. For a
    visitor's own words this is not meant: they may mean what they wrote.
    """
    if not model.cased:
        return text
    if "|" in text:  # a sentence and its edits in a line: the sentence is written as one writes
        parts = (line.partition("|") for line in text.split("\n"))
        return "\n".join(before + bar + capitalised(after, model, before) for before, bar, after in parts)
    words = {word for word in _LETTERS.findall(text) if word[0] not in "[{"}
    given = {word.lower(): word for word in _LETTERS.findall(beside) if word in model.ids} if beside else {}
    names = {word: name for word in words if (name := _with_capital(word, model)) is not None}
    needed = {word for word in names if word not in model.ids}
    small = {word for word in words if word == word.lower() and word in model.ids and word not in names}
    stands = set(_LETTERS.findall(beside))
    forced = {word for word in words if word not in stands and given.get(word.lower(), word) != word}
    every = len(needed) > len(small) or (bool(forced) and not needed and not small)
    spelt = {word: name for word, name in names.items() if every or word in needed}
    spelt |= {word: given[word.lower()] for word in forced}
    return _LETTERS.sub(lambda found: spelt.get(found[0], found[0]), text)


def capitalised_words(words: Sequence[str], model: "EmbeddingModel") -> tuple[str, ...]:
    """A built-in list of words as `capitalised` spells it."""
    return tuple(capitalised("\n".join(words), model).split("\n")) if words and model.cased else tuple(words)


def _with_capital(word: str, model: "EmbeddingModel") -> str | None:
    """The word with a capital where that is one piece: Rome, else YouTube; None for one that has its capitals."""
    if word != word.lower():
        return None
    return word.capitalize() if word.capitalize() in model.ids else model.capitals.get(word)
