"""A dictionary's lines as sentences people say, for training.

    python -m embtools.pretrain.glosses wordnet_glosses.txt.xz --vocabulary embtools/bundled --out glosses.txt

A line "word, synonym: definition. Example." names the word before what it means; a visitor asks the
other way round. Only words of one piece are kept, since a single [MASK] can be answered by them alone.
Documents that `embtools.pretrain` holds out are left out.
"""

import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from embtools.pretrain.rewrite import command
from embtools.pretrain.text import is_held_out, read_documents, split_sentences

LONGEST = 12
"""Definitions of more words than this make no sentence that anybody says."""

_LINE = re.compile(r"^(?P<words>[^:]{1,120}): (?P<rest>.+)$")
_ASIDE = re.compile(r"\s*\([^)]*\)\s*")
_NOUN = re.compile(r"^(?:a|an|the|any|one|someone|something|somebody)\b")


def sentences(line: str, known: Collection[str]) -> list[str]:
    """One dictionary line as sentences; none when no word of it is known or the definition is long.

    `known` holds the words of one piece, in lower case.

    >>> sentences("puppy: a young dog. They bought a puppy.", {"puppy"})
    ['A puppy is a young dog.', 'The word for a young dog is puppy.', 'They bought a puppy.']
    >>> sentences("large, big: of great size.", {"large", "big"})
    ['Large means of great size.', 'A word that means of great size is large.', 'Another word for large is big.']
    """
    match = _LINE.match(line)
    words = [w for w in match["words"].lower().split(", ") if w in known] if match else []
    if not match or not words:
        return []
    definition, *examples = split_sentences(match["rest"])
    meaning = _ASIDE.sub(" ", definition).split(";")[0].strip(" .,:")
    if not meaning or len(meaning.split()) > LONGEST:
        return []
    word = words[0]
    if _NOUN.match(meaning):
        article = "An" if word[0] in "aeiou" else "A"
        written = [f"{article} {word} is {meaning}.", f"The word for {meaning} is {word}."]
    else:
        written = [f"{word.capitalize()} means {meaning}.", f"A word that means {meaning} is {word}."]
    written += [f"Another word for {word} is {other}." for other in words[1:]]
    return written + examples


def rewrite(path: Path, known: Collection[str]) -> Iterator[list[str]]:
    """The training documents of a dictionary file, each a list of paragraphs.

    Raises ValueError when the file is missing, damaged or not UTF-8.
    """
    for document in read_documents(path):
        if not is_held_out(document):
            written = [" ".join(found) for line in document if (found := sentences(line, known))]
            if written:
                yield written


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    return command("pretrain_glosses", __doc__, rewrite, arguments)


if __name__ == "__main__":
    sys.exit(main())
