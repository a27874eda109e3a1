"""Which sentences of a battery resemble sentences that the bundled model was trained on.

Besides running text, its training text has sentences that were made by rules, such as "{b} has its capital in {a}." for
many pairs. Their wordings are in the word list `training_wordings`.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from embtools import wordlists
from embtools.formula.expression import words
from embtools.mask_filling.edits import Change

SIMILAR, SAME = 0.4, 0.9
"""Two sentences are similar if this share of their content words is common, or this share of all words in order."""
_FUNCTION = frozenset(
    (
        "{a}", "{b}", "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "for", "from", "has", "have",
        "he", "her", "his", "i", "in", "is", "it", "its", "may", "my", "not", "of", "on", "or", "our", "she", "that",
        "the", "their", "there", "they", "this", "to", "was", "we", "were", "what", "where", "which", "who", "whose",
        "with", "you",
    )
)  # fmt: skip


def trained_relations() -> tuple[str, ...]:
    """Return the keys of the relations about which the training text has sentences made by rules.

    >>> trained_relations()[:2]
    ('capital', 'language')
    """
    return tuple(dict.fromkeys(wordlists.load("training_wordings")["relation"]))


def edits_capital(change: Change) -> bool:
    """Return whether an edit changes a capital city with the name of a country.

    >>> edits_capital(Change.of(["Rome = Rome - Italy + France"])), edits_capital(Change.of(["king = queen"]))
    (True, False)
    """
    capitals = wordlists.load("capitals")
    cities, countries = set(capitals["capital"]), set(capitals["country"])
    return any(
        edit.target.lower() in cities and any(word.lower() in countries for word in words(edit.expression))
        for edit in change.edits
    )


def similar_wordings(sentences: Sequence[str]) -> dict[str, str]:
    """Return the sentences that are similar to a training sentence, each with the most similar wording.

    >>> similar_wordings(["{a} is the capital city of [MASK].", "Then {a} put on [MASK] coat."])
    {'{a} is the capital city of [MASK].': 'The capital city of {b} is {a}, and {a} is in {b}.'}
    """
    found, wordings = {}, wordlists.load("training_wordings")["wording"]
    for sentence in sentences:
        score, wording = max((_similarity(sentence, text), text) for text in wordings)
        if score >= 1:
            found[sentence] = wording
    return found


def _similarity(one: str, other: str) -> float:
    """Return the similarity of two sentences; from 1 on they count as similar."""
    first, second = _words(one), _words(other)
    content, others = (
        {word for word in words if word not in _FUNCTION and word[0] != "{"} for words in (first, second)
    )
    # The Jaccard index of the content words, and difflib's ratio of all words in their order.
    common = len(content & others) / max(len(content | others), 1)
    return max(common / SIMILAR, SequenceMatcher(None, first, second).ratio() / SAME)


def _words(sentence: str) -> list[str]:
    """Return the words of a sentence in small letters; {b} stands for the mask."""
    text = sentence.lower().replace("[mask]", "{b}").replace("___", "{b}")
    return re.findall(r"\{[ab]\}|\w+", text)
