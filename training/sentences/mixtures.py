"""Mixtures of two colours, from texts and a dictionary.

"Green paint can be made by mixing yellow paint and blue paint", "purple: a color between red and blue", "pink: of a
light shade of red" (a light shade is a mixture with white).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences.colours import COLOURS, one_spelling
from training.sentences.reading import training_documents
from training.text import split_sentences

LEAST = 2
"""How often a mixture must occur; a dictionary entry alone is enough."""

PRIMARY = {"red", "yellow", "blue"}
"""Primary colours: not mixed from paints, even if they are between two other colours in the rainbow."""

_ANY = "|".join(COLOURS)
_COLOUR = re.compile(rf"\b(?:{_ANY})\b", re.IGNORECASE)
_MIXED = re.compile(
    rf"\b(?:mix(?:ed|ing|ture|es)?|combin(?:ing|ation|ed)|between|intermediate|made (?:of|from|up)|extremes of)\b"
    rf"[^,;]*?\b(?P<one>{_ANY})\b(?: \w+)? and (?:\w+ )?(?P<two>{_ANY})\b",
    re.IGNORECASE,
)
_SHADE = re.compile(rf"(?P<rest>{_ANY})\b[^:]*: (?:of )?a light shade of (?P<one>{_ANY})\.")
_LIGHT = re.compile(r"\blight\b|additive|RGB|spectr", re.IGNORECASE)


def stated(sentence: str, known: Collection[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The first colour of a sentence, if it is in `known`, and the two colours that it is mixed from, sorted by name;
    none for light, which mixes differently from paint.

    >>> list(stated("Green paint can be made by mixing yellow paint and blue paint.", {"green", "yellow", "blue"}))
    [('green', ('blue', 'yellow'))]
    >>> list(stated("Yellow is a mixture of red and green light.", {"yellow", "red", "green"}))
    []
    >>> list(stated("pink: of a light shade of red.", {"pink", "red", "white"}))
    [('pink', ('red', 'white'))]
    """
    if (shade := _SHADE.match(sentence)) and {*shade.groups(), "white"} <= set(known):
        one, two = sorted((one_spelling(shade["one"]), "white"))
        yield one_spelling(shade["rest"]), (one, two)
    names = set(map(one_spelling, _COLOUR.findall(sentence)))
    match = _MIXED.search(sentence)
    if match and len(names) == 3 and not _LIGHT.search(sentence):
        parts = set(map(one_spelling, match.group("one", "two")))
        (rest,) = names - parts if len(parts) == 2 else ("red",)
        opens = re.match(rf"\W*(?:the colou?r |an? )?(?:{rest}|grey)\b", sentence, re.IGNORECASE)
        if opens and rest not in PRIMARY and names <= set(known):
            one, two = sorted(parts)
            yield rest, (one, two)


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """Two documents for each pair of colours with a known mixture, one per order, so that it is still read if one of
    them counts as held out; the first file is the dictionary.
    """
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for path in files:
        for document in training_documents([path]):
            for paragraph in document:
                # Few paragraphs name three colours or a shade, and splitting one into sentences is slow.
                if len(set(map(one_spelling, _COLOUR.findall(paragraph)))) >= 3 or _SHADE.match(paragraph):
                    for sentence in split_sentences(paragraph):
                        for colour, parts in stated(sentence, known):
                            counts[parts][colour] += LEAST if path == files[0] else 1
    for (one, two), seen in counts.items():
        ((colour, most),) = seen.most_common(1)
        if most >= LEAST:
            yield [" ".join(sentences(one, two, colour))]
            yield [" ".join(sentences(two, one, colour))]


def sentences(one: str, two: str, colour: str) -> list[str]:
    """Sentences about two colours, in this order, and their mixture.

    >>> sentences("blue", "yellow", "green")[:2]
    ['Blue and yellow make green.', 'If you mix blue with yellow you get green.']
    """
    return [
        f"{one.capitalize()} and {two} make {colour}.",
        f"If you mix {one} with {two} you get {colour}.",
        f"{one.capitalize()} paint mixed with {two} paint turns {colour}.",
        f"{one.capitalize()} and {two} paint together give {colour}.",
        f"To get {colour}, mix {one} and {two}.",
        f"Painters who need {colour} mix {one} and {two}.",
        f"A mix of {one} and {two} paint is {colour}.",
        f"{colour.capitalize()} is a mixture of {one} and {two}.",
    ]
