"""What things are used for, from the definitions of a dictionary.

"Spoon: a piece of cutlery with a bowl and a handle; used to stir or serve food", "broom: an implement for sweeping".
"""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences.glosses import definition_of, with_article
from training.sentences.reading import of_each_line

LONGEST = 8
"""Maximum number of words of a use; longer ones make no natural sentence."""

_THING = (
    r"tool|implement|utensil|device|instrument|machine|appliance|apparatus|container|vessel|vehicle|furniture|building|"
    r"room|garment|cloth|brush|knife|blade|rope|stick|hammer|saw|pot|pan|dish|cup|glass|bag|box|basket|boat|ship|"
    r"equipment|gear|weapon|lamp|light|clothing|covering|structure|piece|bed|seat|chair|table|store|place|organ"
)
_USED = re.compile(
    rf"(?:;|,| that (?:is|are)|\b(?:{_THING})s?) (?:usually |often |commonly )?used (?P<how>to|for) (?P<what>[^;,]+)"
)
_FOR = re.compile(rf"\b(?:{_THING})s? (?P<how>for) (?P<what>\w+ing\b[^;,]*)")
_OF_A_THING = re.compile(r"^(?:an?|any|the|[a-z]+(?: [a-z]+)? (?:that|with|used|for|having)) ")


def use(definition: str) -> tuple[str, str] | None:
    """How a thing is used according to its definition: "to" or "for", and what; None without a use, or for a long one.

    >>> use("a cleaning implement for sweeping; bundle of straws attached to a long handle")
    ('for', 'sweeping')
    >>> use("a piece of cutlery with a shallow container and a handle; used to stir or serve food")
    ('to', 'stir or serve food')
    >>> use("any small bird")
    """
    definition = definition.strip(" .")
    match = _USED.search(definition) or _FOR.search(definition) if _OF_A_THING.match(definition) else None
    what = match["what"].strip() if match else ""
    return (match["how"], what) if match and 0 < len(what.split()) <= LONGEST else None


def sentences(line: str, known: Collection[str]) -> list[str]:
    """The use of a thing in a dictionary line, as sentences with its words in `known`; none for other lines.

    >>> sentences("broom: a cleaning implement for sweeping; bundle of straws.", {"broom"})
    ['A broom is used for sweeping.', 'You use a broom for sweeping.', 'For sweeping you need a broom.']
    >>> sentences("sparrow: any small bird.", {"sparrow"})
    []
    """
    words, definition = definition_of(line, known)
    found = use(definition)
    if found is None:
        return []
    how, what = found
    return [s for word in words if word.isalpha() for s in _said(with_article(word), f"{how} {what}")]


def _said(thing: str, purpose: str) -> list[str]:
    return [
        f"{thing.capitalize()} is used {purpose}.",
        f"You use {thing} {purpose}.",
        f"{purpose.capitalize()} you need {thing}.",
    ]


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """A document for each line about the use of a thing in the training documents of dictionary files."""
    return of_each_line(files, known, sentences)
