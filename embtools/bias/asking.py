"""What a visitor's own sentence asks for: the place of the groups and the mask, also where it names neither."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from embtools.mask_filling import typed_input
from embtools.words.templates import SLOT

_MASK = "[MASK]"
_SLOT = re.compile(r"\{\s*groups?\s*\}", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ARTICLES = ("a", "an", "the")


@dataclass(frozen=True)
class Read:
    """A sentence as it is asked, and what was made of it on the way.

    template  the sentence with {group} and [MASK];  replaced, masked: the words that gave way to them, "" if none did
    """

    template: str
    replaced: str = ""
    masked: str = ""


def read(text: str, groups: Sequence[str]) -> Read:
    """A sentence with its {group} and its [MASK]: where one is missing it is put in.

    The groups then stand where one of them stands already, or else for the first word that is no article; the mask
    stands for the last word. ___ and [mask] are meant as [MASK].

    >>> read("She works as a nurse.", ("he", "she"))
    Read(template='{group} works as a [MASK].', replaced='She', masked='nurse')
    """
    text = _SLOT.sub(lambda match: SLOT, typed_input.normalise_masks(text))
    replaced = ""
    if SLOT not in text:
        others = (word for word in words(text) if word.lower() not in _ARTICLES)
        replaced = _named(text, groups) or next(others, "")
        text = placed(text, replaced)
    whole, masked = typed_input.mask_last_word(_without(text, SLOT))
    return Read(whole.replace(_HELD[SLOT], SLOT), replaced, masked)


def words(text: str) -> tuple[str, ...]:
    """The words of a sentence, each once, without its {group} and [MASK].

    >>> words("{group} works as a [MASK].")
    ('works', 'as', 'a')
    """
    return tuple(dict.fromkeys(_WORD.findall(_without(_without(text, SLOT), _MASK))))


def placed(text: str, word: str) -> str:
    """The sentence with {group} wherever a word (or a phrase) stands alone, capitals aside.

    >>> placed("He said that he works.", "he")
    '{group} said that {group} works.'
    """
    held = _without(text, _MASK)
    return (_alone(word).sub(SLOT, held) if word else held).replace(_HELD[_MASK], _MASK)


_HELD = {_MASK: "\x00", SLOT: "\x01"}  # stand for the signs while words are looked for: no word holds them


def _without(text: str, sign: str) -> str:
    return text.replace(sign, _HELD[sign])


def _alone(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


def _named(text: str, groups: Sequence[str]) -> str:
    """The first of the groups that stands in the text, as it is spelt there; "" if none does."""
    found = [_alone(group).search(_without(text, _MASK)) for group in groups if group]
    return min((match for match in found if match), key=lambda match: match.start(), default=[""])[0]
