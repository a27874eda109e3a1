"""Sentences about young animals and people's work from a dictionary, without its definitions.

`glosses` writes both as well, among thousands of definitions. A separate text can get a larger share of the training
than these few hundred lines would have there.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences.glosses import meaning_of, parents, relations, work
from training.sentences.reading import of_each_line


def sentences(line: str, known: Collection[str]) -> list[str]:
    """Sentences about young animals or work from a dictionary line, none for others; `known` is in lower case.

    >>> sentences("lamb: young sheep.", {"lamb", "sheep"})
    ['The young of a sheep is a lamb.', 'A baby sheep is a lamb.', 'A lamb grows up to be a sheep.']
    >>> sentences("sparrow: any small bird.", {"sparrow", "bird"})
    []
    """
    words, meaning = meaning_of(line, known)
    if not (work(meaning) or any(animal in known for animal in parents(meaning))):
        return []
    return [s for word in words for s in relations(word, meaning, known)]


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """A document for each line about young animals or work in the training documents of dictionary files."""
    return of_each_line(files, known, sentences)
