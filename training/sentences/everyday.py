"""Short general sentences with common words, taken unchanged from texts.

Most short sentences of an encyclopaedia are about the birth of a person or the name of a place. Only sentences without
names, numbers, quotations and pronouns that refer to other sentences are kept, if every word is a single token ("Bees
collect nectar.").
"""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences.reading import of_each_document, plain_words

SHORTEST, LONGEST = 3, 14
"""Number of words of a sentence."""

_POINTS = re.compile(
    r"it|they|that|those|such|here|there|who|what|which|when|where|while|because|however|although|since|after|"
    r"before|then|so|but|and|or|if|as|some|one|another|other|both|each|also|thus|hence|today"
)
"""First words that refer to the previous sentence."""
_ONCE = re.compile(
    r"he|she|we|you|i|his|her|our|your|my|him|me|us|this|these|was|were|had|did|became|said|died|born|film|album|"
    r"song|season|episode|team"
)
"""Words that refer to a person or to a single event."""


def is_everyday(sentence: str, known: Collection[str]) -> bool:
    """Whether a sentence is about things in general; `known` contains the words of a single token, in lower case.

    >>> known = {"bees", "make", "honey", "from", "rome", "is", "old", "it"}
    >>> [is_everyday(s, known) for s in ("Bees make honey.", "Honey is from Rome.", "It is old honey.")]
    [True, False, False]
    """
    words = plain_words(sentence, SHORTEST, LONGEST)
    plain = [word.lower() for word in words[:1]] + words[1:]
    if not plain or _POINTS.fullmatch(plain[0]):
        return False
    return all(w.isalpha() and w in known and not _ONCE.fullmatch(w) for w in plain)


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """The everyday sentences of each training document, as one paragraph; documents without any are left out."""
    return of_each_document(files, known, is_everyday)
