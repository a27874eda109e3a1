"""The first sentences of encyclopaedia articles about common words.

Most articles of an encyclopaedia are about a footballer, a village or an album. Only articles whose first sentence
defines a word of a single token ("A kitten is a young cat.") are kept, and only their first sentences, which contain
the general facts.
"""

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences.reading import training_documents
from training.text import split_sentences

OPENING = 20
"""Maximum number of sentences of an article."""

_DEFINES = re.compile(
    r"^(?:(?:the|an?|to) )?(?P<word>[a-z]{2,})(?: ?\([^)]*\))?(?:,? or [a-z -]{2,40},?)? (?:is|are|was|were|means) ",
    re.IGNORECASE,
)
_NO_SUBJECT = {"he", "she", "it", "they", "we", "you", "one", "who", "what", "which", "here", "there"}
_NO_SUBJECT |= {"this", "that", "these", "those"}
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")


def subject(sentence: str) -> str | None:
    """The word that a sentence defines, in lower case; None without one, and for a work or an event of a year.

    >>> subject("A kitten (plural: kittens) is a young cat."), subject("To dig means to make a hole.")
    ('kitten', 'dig')
    >>> subject("Joy is a 2018 Austrian drama movie."), subject("Many people like cats.")
    (None, None)
    """
    match = _DEFINES.match(sentence)
    word = match["word"].lower() if match else None
    return None if word in _NO_SUBJECT or _YEAR.search(sentence) else word


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """The first sentences of the training documents that define a word of `known`, in paragraphs."""
    for document in training_documents(files):
        first = split_sentences(document[0])
        if first and subject(first[0]) in known:
            split = ((number, s) for number, paragraph in enumerate(document) for s in split_sentences(paragraph))
            kept = itertools.groupby(itertools.islice(split, OPENING), key=lambda pair: pair[0])
            yield [" ".join(sentence for _, sentence in group) for _, group in kept]
