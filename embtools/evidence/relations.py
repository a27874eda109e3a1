"""Built-in relations between words, with sentences that ask for the second word and others that should not change."""

from dataclasses import dataclass
from functools import cache

from embtools import wordlists
from embtools.evidence.cases import Pairs
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
# Names that are also other words, and countries that need "the" in a sentence.
_AMBIGUOUS = {"male", "victoria", "georgetown"}
_WITH_THE = {"netherlands", "philippines", "bahamas", "maldives", "seychelles"}


@dataclass(frozen=True)
class Relation:
    """A relation: its pairs (a, b) and its sentences.

    sentences  sentences with {a} and one [MASK] for b
    must_stay  sentences with {a} whose answer does not depend on b
    similar    those of the sentences that resemble sentences in the training text of the bundled model
    """

    key: str
    title: str
    pairs: Pairs
    sentences: tuple[str, ...]
    must_stay: tuple[str, ...]
    similar: tuple[str, ...]


@cache
def relation(key: str) -> Relation:
    """Return a built-in relation by its key; raises ValueError for an unknown one.

    >>> relation("capital").pairs[0], relation("capital").sentences[0]
    (('Algiers', 'Algeria'), '{a} is the capital of [MASK].')
    """
    if key not in TITLES:
        raise ValueError(f"There is no relation {quoted(key)}. Choose one of: {', '.join(TITLES)}.")
    frame = wordlists.load("relation_sentences").query("relation == @key")
    sentences = tuple(frame[frame["use"].isin([_FIRST, _OTHER])]["sentence"])
    return Relation(
        key,
        TITLES[key],
        _pairs(key),
        sentences,
        tuple(frame[frame["use"] == _STAYS]["sentence"]),
        tuple(frame[frame["similar"] == "yes"]["sentence"]),
    )


def _pairs(key: str) -> Pairs:
    if key == "capital":
        frame = wordlists.load("capitals").drop_duplicates("country")
        found = list(zip(frame["capital"], frame["country"], strict=True))
    elif key == "continent":
        frame = wordlists.load("countries")
        found = list(zip(frame["country"], frame["continent"], strict=True))
    else:
        frame = wordlists.load("relations").query("relation == @key")
        found = list(zip(frame["a"], frame["b"], strict=True))
    found = [(a, b) for a, b in found if a not in _AMBIGUOUS and not _WITH_THE & {a, b}]
    return tuple((a.title(), b.title()) if key in _NAMES else (a, b) for a, b in found)


def similar_sentences(sentences: tuple[str, ...]) -> tuple[str, ...]:
    """Return those sentences that resemble sentences in the training text of the bundled model, as far as is known.

    >>> similar_sentences(("{a} is the capital of [MASK].", "I have seen {a} in [MASK]."))
    ('{a} is the capital of [MASK].',)
    """
    known = {sentence for key in TITLES for sentence in relation(key).similar}
    return tuple(sentence for sentence in sentences if sentence in known)
