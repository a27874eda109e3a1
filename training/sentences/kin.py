"""Family relations from a dictionary, such as the word for a father's sister or a king's wife.

"Aunt: the sister of your father or mother" explains an aunt; people ask what a father's sister is called.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences.glosses import meaning_of, with_article
from training.sentences.reading import of_each_line

_KIN = "father|mother|brother|sister|son|daughter|child|parent|wife|husband"
_MEANING = re.compile(
    rf"^(?:the|an?) (?P<kin>{_KIN})(?: or widow)? of (?P<whose>your|an?) (?P<one>[a-z]+)(?: or (?P<two>[a-z]+))?$"
)


def sentences(line: str, known: Collection[str]) -> list[str]:
    """Sentences about relatives from a dictionary line, with only words of `known`; none for other lines.

    >>> sentences("aunt: the sister of your father or mother.", {"aunt", "father"})[:2]
    ["My father's sister is my aunt.", "Your father's sister is called your aunt."]
    >>> sentences("queen: the wife or widow of a king.", {"queen", "king"})
    ["A king's wife is a queen.", "A king's wife is called a queen.", 'A queen is the wife of a king.']
    >>> sentences("sparrow: any small bird.", {"sparrow", "bird"})
    []
    """
    words, meaning = meaning_of(line, known)
    match = _MEANING.match(meaning)
    if not match:
        return []
    kin, of_you = match["kin"], match["whose"] == "your"
    pairs = [(word, of) for word in words for of in (match["one"], match["two"]) if of in known and of != word]
    return [s for word, of in pairs for s in (_of_mine if of_you else _of_any)(word, kin, of)]


def _of_mine(word: str, kin: str, of: str) -> list[str]:
    return [
        f"My {of}'s {kin} is my {word}.",
        f"Your {of}'s {kin} is called your {word}.",
        f"My {word} is the {kin} of my {of}.",
    ]


def _of_any(word: str, kin: str, of: str) -> list[str]:
    one, other = with_article(word), with_article(of)
    return [
        f"{other.capitalize()}'s {kin} is {one}.",
        f"{other.capitalize()}'s {kin} is called {one}.",
        f"{one.capitalize()} is the {kin} of {other}.",
    ]


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """A document for each line about relatives in the training documents of dictionary files."""
    return of_each_line(files, known, sentences)
