"""The colours of things, from comparisons and statements in texts and definitions in a dictionary, as sentences.

"Snow-white", "as black as coal", "swans are white" and "lemon: yellow oval fruit" tell the colour that a thing is known
for; "a white house" does not.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from training.sentences.reading import training_documents

COLOURS = (
    "black",
    "blue",
    "brown",
    "gray",
    "green",
    "grey",
    "orange",
    "pink",
    "purple",
    "red",
    "violet",
    "white",
    "yellow",
)
"""The basic colour terms of English (Berlin and Kay 1969) with a second spelling and a second word."""

LEAST, MOST_OTHERS = 3, 0.35
"""Times that a thing must be seen with its colour, and the share that other colours may have."""
DEFINED = 3
"""How often a definition counts."""

_ANY = "|".join(COLOURS)
_COLOUR = re.compile(rf"(?<![a-z-])(?:{_ANY})\b(?!-)")
_HOW = "(?:(?:usually|often|always|mostly|generally|normally|typically|all) )?"
_SAID = (
    re.compile(rf"\bas (?P<colour>{_ANY}) as (?:an? |the |any )?(?P<thing>[a-z]+)\b"),
    re.compile(rf"\b(?P<thing>[a-z]+)-(?P<colour>{_ANY})\b"),
    re.compile(rf"\b(?P<thing>[A-Z]?[a-z]+) (?:is|are) {_HOW}(?P<colour>{_ANY})(?: in colou?r)?[.,;]"),
)
_NAME = re.compile(r"[a-z]{3,}(?: [a-z]{3,})?")
_LINE = re.compile(r"^(?P<words>[a-z][^:]*): (?P<meaning>[^.;]+)")
_REST = re.compile(r"\b(?:of|with|having|that|which|in|on|at|for|used|made|from|bearing|producing|like)\b.*")
"""What follows the first phrase of a definition: "pink flowers" in it are no colour of a plant."""
_NO_THING = re.compile(
    r"and|or|off|non|all|pan|half|anti|on|left|to|one|it|they|he|she|we|you|i|who|which|that|this|there|these|"
    r"those|what|some|many|most|others|both|them|name|people|population|color|colour|colors|colours|flag|dark|"
    r"light|deep|pale|bright|dull|golden|reddish|yellowish|greenish|brownish|bluish|blackish|whitish|greyish|"
    r"pinkish|purplish|orangish|silvery|creamy|rusty|sub|ultra|mid|near|ever|his|her|my|your|possible|the|not|used|"
    r"pure|true|dead|medium|majority|surface|sides|underside"
)


def one_spelling(colour: str) -> str:
    """A colour in lower case and with the spelling that is counted.

    >>> one_spelling("Grey")
    'gray'
    """
    return "gray" if colour.lower() == "grey" else colour.lower()


def stated(text: str, known: Set[str]) -> Iterator[tuple[str, str]]:
    """The things and the colours that a text says they have: in running text only words of `known`, in an entry of a
    dictionary one or two words of any kind, if it names one colour.

    >>> known = {"snow", "coal", "swans", "lemon"}
    >>> list(stated("Snow-white, as black as the coal. Swans are usually white. A white house.", known))
    [('coal', 'black'), ('swans', 'white')]
    >>> sorted(set(stated("ice bear, polar bear, Ursus maritimus: white bear of the north.", known)))
    [('ice bear', 'white'), ('polar bear', 'white')]
    >>> list(stated("bush: a shrub with white flowers.", known))
    []
    """
    for pattern in _SAID:
        for match in pattern.finditer(text):
            thing = match["thing"].lower()
            if thing in known and thing not in COLOURS and not _NO_THING.fullmatch(thing):
                yield thing, match["colour"]
    if line := _LINE.match(text):
        meaning = line["meaning"]
        phrase, whole = (set(_COLOUR.findall(part)) for part in (_REST.sub("", meaning), meaning))
        things = [w for w in line["words"].split(", ") if _NAME.fullmatch(w) and not set(w.split()) & set(COLOURS)]
        if len(phrase) == 1 and phrase == whole:
            yield from [(thing, *phrase) for thing in things] * DEFINED


def rewrite(files: Sequence[Path], known: Set[str]) -> Iterator[list[str]]:
    """A document for each thing of one colour."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for document in training_documents(files):
        for paragraph in document:
            for thing, colour in stated(paragraph, known):
                counts[thing][one_spelling(colour)] += 1
    for thing, seen in counts.items():
        ((colour, most),) = seen.most_common(1)
        if most >= LEAST and seen.total() - most <= MOST_OTHERS * seen.total():
            yield [" ".join(sentences(thing, colour))]


def sentences(thing: str, colour: str) -> list[str]:
    """A thing and its colour in sentences.

    >>> sentences("snow", "white")[:3]
    ['White is the color of snow.', 'It is as white as snow.', 'Think of the color of snow: white.']
    """
    return [
        f"{colour.capitalize()} is the color of {thing}.",
        f"It is as {colour} as {thing}.",
        f"Think of the color of {thing}: {colour}.",
        f"In color, {thing} is {colour}.",
        f"To paint {thing}, you need {colour} paint.",
        f"{thing.capitalize()} looks {colour}.",
        f"Everyone knows that {thing} is {colour} in color.",
        f"Draw {thing} with a {colour} pencil.",
    ]
