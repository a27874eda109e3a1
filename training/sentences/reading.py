"""Read the entries of a dictionary or the sentences of a text; used by most modules of this package."""

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from embtools.documents import is_held_out, read_documents
from training.text import split_sentences

Sentences = Callable[[str, Collection[str]], list[str]]
"""A function of a line and known words that returns sentences with only these words; none if nothing matches."""

Rule = Callable[[str, Collection[str]], bool]
"""A function of a sentence and known words that says whether the sentence is kept."""


def training_documents(files: Sequence[Path]) -> Iterator[list[str]]:
    """The documents of files that are not held out, as lists of paragraphs; ValueError if one cannot be read."""
    for path in files:
        yield from (document for document in read_documents(path) if not is_held_out(document))


def of_each_line(files: Sequence[Path], known: Collection[str], sentences: Sentences) -> Iterator[list[str]]:
    """A document for each line for which a rule returns sentences; errors as for `training_documents`."""
    for document in training_documents(files):
        for line in document:
            if found := sentences(line, known):
                yield [" ".join(found)]


def of_each_document(files: Sequence[Path], known: Collection[str], rule: Rule) -> Iterator[list[str]]:
    """The sentences of each document that a rule keeps, as one paragraph; errors as for `training_documents`."""
    for document in training_documents(files):
        if found := [s for paragraph in document for s in split_sentences(paragraph) if rule(s, known)]:
            yield [" ".join(found)]


def plain_words(sentence: str, shortest: int, longest: int) -> list[str]:
    """The words of a complete sentence of this length, without full stop and commas; none for anything else.

    >>> plain_words("Bees, too, make honey.", 2, 9), plain_words("and honey.", 2, 9), plain_words("No stop", 2, 9)
    (['Bees', 'too', 'make', 'honey'], [], [])
    """
    words = sentence.removesuffix(".").replace(",", "").split()
    whole = sentence.endswith(".") and shortest <= len(words) <= longest and words[0][0].isupper()
    return words if whole else []
