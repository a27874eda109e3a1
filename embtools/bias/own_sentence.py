"""Complete a visitor's sentence: put {group} and [MASK] into it if they are missing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from embtools.mask_filling import typed_input
from embtools.words.templates import SLOT

_MASK = "[MASK]"
_SLOT = re.compile(r"\{\s*groups?\s*\}", re.IGNORECASE)
_ARTICLES = ("a", "an", "the")


@dataclass(frozen=True)
class Completed:
    """A completed sentence, and the words that were replaced.

    template  the sentence with {group} and [MASK]
    replaced  the word replaced by {group}, or ""
    masked    the word replaced by [MASK], or ""
    """

    template: str
    replaced: str = ""
    masked: str = ""


def complete(text: str, groups: Sequence[str]) -> Completed:
    """Put in what is missing: {group} for a group or the first word but articles, [MASK] for the last word.

    >>> complete("She works as a nurse.", ("he", "she"))
    Completed(template='{group} works as a [MASK].', replaced='She', masked='nurse')
    """
    text = _SLOT.sub(lambda match: SLOT, typed_input.normalise_masks(text))
    replaced = ""
    if SLOT not in text:
        others = (word for word in words(text) if word.lower() not in _ARTICLES)
        replaced = _first_group(text, groups) or next(others, "")
        text = with_slot(text, replaced)
    whole, masked = typed_input.mask_last_word(_without(text, SLOT))
    return Completed(whole.replace(_STAND_INS[SLOT], SLOT), replaced, masked)


def words(text: str) -> tuple[str, ...]:
    """The distinct words of a sentence, without {group} and [MASK].

    >>> words("{group} works as a [MASK].")
    ('works', 'as', 'a')
    """
    return tuple(dict.fromkeys(typed_input.WITH_HYPHENS.findall(_without(_without(text, SLOT), _MASK))))


def with_slot(text: str, word: str) -> str:
    """The sentence with {group} instead of a word or phrase wherever it is a whole word; case is ignored.

    >>> with_slot("He said that he works.", "he")
    '{group} said that {group} works.'
    """
    if not word:
        return text
    return _whole_word(word).sub(SLOT, _without(text, _MASK)).replace(_STAND_INS[_MASK], _MASK)


_STAND_INS = {_MASK: "\x00", SLOT: "\x01"}  # for the time in which words are searched for: no word contains them


def _without(text: str, marker: str) -> str:
    return text.replace(marker, _STAND_INS[marker])


def _whole_word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


def _first_group(text: str, groups: Sequence[str]) -> str:
    """The first of the groups that occurs in the text, as it is written there; "" if none does."""
    matches = [_whole_word(group).search(_without(text, _MASK)) for group in groups if group]
    return min((match for match in matches if match), key=lambda match: match.start(), default=[""])[0]
