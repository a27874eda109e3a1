"""Built-in relations between words, with sentences that ask for the second word and others that should not change."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.doors import import_line
from embtools.mask_filling.pairs import Pairs, checked_pairs
from embtools.messages import quoted

EDIT = "{a} = {a} - {b} + {c}"
TITLES = {
    "capital": "capital → country",
    "language": "country → language",
    "continent": "country → continent",
    "young": "animal → young animal",
    "opposite": "word → opposite",
    "colour": "thing → colour",
    "past": "verb → past tense",
    "pronoun": "pronoun → possessive",
}
_NAMES = ("capital", "language", "continent")  # their words are names, which are written with a capital
_FIRST, _OTHER, _STAYS = "first", "other", "stays"
AMBIGUOUS, WITH_THE = "the name also has another meaning", "the country needs “the” in a sentence"
"""Why a pair of a word list is no part of a relation."""
_AMBIGUOUS = {"male", "victoria", "georgetown"}
_WITH_THE = {"netherlands", "philippines", "bahamas", "maldives", "seychelles"}


class RelationPairs(tuple[tuple[str, str], ...]):
    """The pairs of a built-in relation; copied code names the relation instead of listing its pairs."""

    key = ""

    @classmethod
    def of(cls, key: str, pairs: Pairs) -> "RelationPairs":
        """Return the pairs of a relation with its key."""
        found = cls(pairs)
        found.key = key
        return found

    @property
    def code(self) -> str:
        """The pairs as Python."""
        return f"relation({self.key!r}).pairs"

    @property
    def imports(self) -> set[str]:
        """The lines that the code needs."""
        return {import_line(relation)}


@dataclass(frozen=True)
class Relation:
    """A relation: its pairs (a, b) and its sentences.

    pairs      in random order, always the same, so that the first ones are a fair sample
    sentences  sentences with {a} and one [MASK] for b; of those tried, the bundled model answers the first one best
    must_stay  sentences with {a} whose answer does not depend on b
    left_out   pairs of the word list that are not used: a, b, reason
    """

    key: str
    title: str
    pairs: Pairs
    sentences: tuple[str, ...]
    must_stay: tuple[str, ...]
    left_out: tuple[tuple[str, str, str], ...]


@cache
def relation(key: str) -> Relation:
    """Return a built-in relation: its pairs and its sentences.

    Parameters
    ----------
    key : str
        A key of `TITLES`, such as "capital".

    Returns
    -------
    Relation

    Raises
    ------
    ValueError
        For an unknown key.

    >>> "Rome" in dict(relation("capital").pairs), relation("capital").sentences[0]
    (True, '{a} is the capital of [MASK].')
    """
    if key not in TITLES:
        raise ValueError(f"There is no relation {quoted(key)}. Choose one of: {', '.join(TITLES)}.")
    frame = wordlists.load("relation_sentences").query("relation == @key")
    pairs, left_out = _pairs(key)
    return Relation(
        key,
        TITLES[key],
        RelationPairs.of(key, pairs),
        tuple(frame[frame["use"].isin([_FIRST, _OTHER])]["sentence"]),
        tuple(frame[frame["use"] == _STAYS]["sentence"]),
        left_out,
    )


def pairs_of(pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str") -> Pairs:
    """Return pairs as `checked_pairs` does, or those of the built-in relation with this key.

    >>> pairs_of("pronoun")[0] in relation("pronoun").pairs
    True
    """
    if isinstance(pairs, RelationPairs):
        return pairs
    return relation(pairs).pairs if isinstance(pairs, str) else checked_pairs(pairs)


def as_value(pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str") -> Pairs | str:
    """Return pairs as a part of a frozen value, not checked except for a frame: a tuple, or the key of a relation.

    >>> as_value(relation("pronoun").pairs), as_value([["Rome", "Italy"]])
    ('pronoun', (('Rome', 'Italy'),))
    """
    if isinstance(pairs, RelationPairs):
        return pairs.key
    if isinstance(pairs, pd.DataFrame):
        return checked_pairs(pairs)
    return pairs if isinstance(pairs, (str, tuple)) else tuple((*pair,) for pair in pairs)


def _pairs(key: str) -> tuple[Pairs, tuple[tuple[str, str, str], ...]]:
    """Return the pairs of a relation in random order, and those of its word list that are left out."""
    if key == "capital":
        frame = wordlists.load("capitals")[["capital", "country"]].drop_duplicates("country")
    elif key == "continent":
        frame = wordlists.load("countries")[["country", "continent"]]
    else:
        frame = wordlists.load("relations").query("relation == @key")[["a", "b"]]
    known, left_out = [], []
    for a, b in frame.itertuples(index=False, name=None):
        words = (a.title(), b.title()) if key in _NAMES else (a, b)
        if key in _NAMES and (a in _AMBIGUOUS or _WITH_THE & {a, b}):
            left_out.append((*words, AMBIGUOUS if a in _AMBIGUOUS else WITH_THE))
        else:
            known.append(words)
    return tuple(known[i] for i in generator(0).permutation(len(known))), tuple(left_out)
