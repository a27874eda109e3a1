"""Reading the entries of a dictionary or the sentences of a text, which most modules of this package share."""

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from embtools.pretrain.text import is_held_out, read_documents, split_sentences

Sentences = Callable[[str, Collection[str]], list[str]]
"""What a line says, in sentences with words of a collection alone; none when it says nothing of the kind."""

Rule = Callable[[str, Collection[str]], bool]
"""Whether a sentence is of the kind, its words in a collection."""


def training_documents(files: Sequence[Path]) -> Iterator[list[str]]:
    """The documents of files that are not held out, each a list of paragraphs.

    Raises ValueError when a file is missing, damaged or not UTF-8.
    """
    for path in files:
        yield from (document for document in read_documents(path) if not is_held_out(document))


def of_each_line(files: Sequence[Path], known: Collection[str], sentences: Sentences) -> Iterator[list[str]]:
    """A document for each line of which a rule says anything; errors as for `training_documents`."""
    for document in training_documents(files):
        for line in document:
            if found := sentences(line, known):
                yield [" ".join(found)]


def of_each_document(files: Sequence[Path], known: Collection[str], rule: Rule) -> Iterator[list[str]]:
    """The sentences that a rule keeps of each document, as one paragraph; errors as for `training_documents`."""
    for document in training_documents(files):
        if found := [s for paragraph in document for s in split_sentences(paragraph) if rule(s, known)]:
            yield [" ".join(found)]


def plain_words(sentence: str, shortest: int, longest: int) -> list[str]:
    """The words of a whole sentence of so many words, without its stop and commas; none when it is no such sentence.

    >>> plain_words("Bees, too, make honey.", 2, 9), plain_words("and honey.", 2, 9), plain_words("No stop", 2, 9)
    (['Bees', 'too', 'make', 'honey'], [], [])
    """
    words = sentence.removesuffix(".").replace(",", "").split()
    whole = sentence.endswith(".") and shortest <= len(words) <= longest and words[0][0].isupper()
    return words if whole else []
