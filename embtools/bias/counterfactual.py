"""Counterfactual sentences: replace the words of one group with those of another, such as he and she."""

import re
from collections.abc import Sequence

MAX_CHARACTERS = 5_000  # the longest text that a model reads
_WORD = re.compile(r"[^\W_]+")
_NEXT = re.compile(r"\s+(\[|[^\W_]+(?:[-'’][^\W_]+)*)")
# "her" and "his" have two readings each, and the next word decides: these words do not begin a noun phrase.
_FUNCTION_WORDS = """
about after again against all along also although always an and any are around as at a away because before both but by
can could did do does during each for from had has have he here him his her how i if in instead into is it later not
nothing now of off often on once onto or our out over she should since so something sometimes soon than that the their
then there these they this those though through to today together tomorrow tonight too toward towards twice under unless
until up was we were what when where whether which while who whom whose why will with without would yesterday yet you
your
"""
_NO_NOUN = frozenset(_FUNCTION_WORDS.split())
_ALWAYS = (("him", "her"), ("hers", "his"), ("himself", "herself"))


def swap(text: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Replace every word of a pair with the other word of the pair; capitals are kept.

    If he and she are a pair, their other forms are replaced too. "her" becomes "his" before a noun and "him" elsewhere,
    "his" becomes "her" or "hers". This is a rule of thumb that uses the next word ("gave her books" is read as
    possessive). Raises ValueError for a text that is empty or too long, or contains no word of the pairs.

    >>> swap("She lost her keys.", [("he", "she")])
    'He lost his keys.'
    """
    if not text.strip():
        raise ValueError("The sentence is empty. Write one that contains a word of the pairs.")
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"The text has {len(text):,} characters, but at most {MAX_CHARACTERS:,} can be read. Shorten it."
        )
    table: dict[str, str] = {}
    for a, b in pairs:
        table.setdefault(a.lower(), b.lower())
        table.setdefault(b.lower(), a.lower())
    pronouns = table.get("she") == "he"
    if pronouns:
        for a, b in _ALWAYS:
            table.setdefault(a, b)
            table.setdefault(b, a)

    def other(match: re.Match[str]) -> str:
        if text.startswith("[", match.start() - 1) and match.start():  # [MASK] is not a word
            return match[0]
        word = match[0].lower()
        if pronouns and word in ("her", "his"):
            behind = _NEXT.match(text, match.end())
            noun = behind is not None and behind[1].lower() not in _NO_NOUN
            new = {"her": ("him", "his"), "his": ("hers", "her")}[word][noun]
        else:
            new = table.get(word, "")
        if not new:
            return match[0]
        if match[0].isupper() and len(match[0]) > 1:
            return new.upper()
        return new.capitalize() if match[0][0].isupper() else new

    swapped = _WORD.sub(other, text)
    if swapped == text:
        raise ValueError(
            "The sentence contains no word of the pairs. Use one of them, or add your own pair, such as nun=monk."
        )
    return swapped
