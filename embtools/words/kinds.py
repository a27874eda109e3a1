"""Words of the same kind as a word: other countries for a country, other colours for a colour."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.memory import remembered
from embtools.vectors import top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LEAST = 6
"""A kind with fewer other words is filled up with similar words, so that a control can have several runs."""
_SOURCES: dict[str, tuple[tuple[str, str, str], ...]] = {
    # kind: word list, column of the words, and the rows of the list: "column=value|value", or "" for all
    "country": (("countries", "country", ""), ("capitals", "country", ""), ("cities", "country", "")),
    "capital": (("capitals", "capital", ""),),
    "city": (("cities", "city", ""),),
    "continent": (("countries", "continent", ""), ("capitals", "continent", "")),
    "animal": (("animals", "animal", ""),),
    "insect": (("weat", "word", "group=insects"),),
    "flower": (("weat", "word", "group=flowers"),),
    "instrument": (("weat", "word", "group=instruments"),),
    "weapon": (("weat", "word", "group=weapons"),),
    "profession": (("professions", "profession", ""), ("occupations", "occupation", "")),
    "sport": (("sports", "sport", ""),),
    "number": (("numbers", "number", ""),),
    "month": (("months", "month", ""),),
    "day": (("days", "day", ""),),
    "emotion": (("emotions", "emotion", ""),),
    "colour": (("colours", "colour", ""),),
    "relative": (("family", "member", ""),),
    "pronoun": (("groups", "word", "set=pronouns"),),
    "nationality": (("groups", "word", "set=nationalities"),),
    "language": (("relations", "b", "relation=language"),),
    "present": (("verbs", "verb", "form=base"),),
    "gerund": (("verbs", "verb", "form=gerund"),),
    "past": (("verbs", "verb", "form=past"),),
    "name": (
        ("groups", "word", "set=first names"),
        ("weat", "word", "group=male names|female names|European American names|African American names"),
    ),
}
_MORE = {
    "country": (
        "america", "bohemia", "britain", "burma", "ceylon", "czechoslovakia", "holland", "kosovo", "palestine",
        "persia", "prussia", "rhodesia", "siam", "taiwan", "tibet", "uk", "usa", "ussr", "yugoslavia", "zaire",
    ),
    "continent": ("americas", "antarctica", "australia", "oceania"),
}  # fmt: skip
_NEAR, _VOTES = 10, 4  # a word in no list has the kind of at least 4 of the 10 words nearest to it
_RANKS = 4  # a similar word is at most this many times as rare or as frequent


@remembered
def same_kind(word: int, model: "EmbeddingModel") -> tuple[int, ...]:
    """Return the ids of words of the same kind as a word, the nearest first: those of its built-in word list, else of
    the most frequent kind among its neighbours, else similar words of a similar frequency.
    """
    kinds = _kinds(model)
    vector = model.matrix[word]
    length = max(float(np.linalg.norm(vector)), 1e-12)
    nearness = model.matrix @ vector * (model.inverse_norms / length)
    candidates = _similar(word, nearness, model)
    kind = _kind_of(word, kinds, nearness, candidates)
    similar = [i for i in candidates if kind == "name" or i not in kinds["name"]]
    if not kind:
        return tuple(similar)
    named = sorted((i for i in kinds[kind] if i != word), key=lambda i: -float(nearness[i]))
    if len(named) >= LEAST:
        return tuple(named[:100])
    return tuple(dict.fromkeys((*named, *similar[:LEAST])))


def _kind_of(word: int, kinds: dict[str, frozenset[int]], nearness: np.ndarray, candidates: list[int]) -> str:
    """Return the kind of a word, or ""."""
    own = [kind for kind, ids in kinds.items() if word in ids and len(ids) > 1]
    if own:
        return max(own, key=lambda kind: np.sort(nearness[[i for i in kinds[kind] if i != word]])[-_NEAR:].mean())
    near = candidates[:_NEAR]
    votes = {kind: sum(i in ids for i in near) for kind, ids in kinds.items()}
    best = max(votes, key=lambda kind: votes[kind])
    return best if votes[best] >= _VOTES else ""


def _similar(word: int, nearness: np.ndarray, model: "EmbeddingModel") -> list[int]:
    """Return the ids of the words nearest to a word, those of a similar frequency first."""
    own = model.vocabulary[word]
    ranks = np.cumsum(model.rankable)
    near = top_k(np.where(model.whole_words, nearness, -np.inf), 200)
    words = [int(i) for i in near if _comparable(own, model.vocabulary[int(i)])]
    factor = {i: max(ranks[i], ranks[word]) / max(1, min(ranks[i], ranks[word])) for i in words}
    return sorted(words, key=lambda i: bool(factor[i] > _RANKS))[:100]


def _comparable(word: str, other: str) -> bool:
    """Return whether a word is in the same script and the same capitals as another, and is no other form of it.

    >>> _comparable("book", "novel"), _comparable("book", "books"), _comparable("Italy", "italian")
    (True, False, False)
    """
    first, second = sorted((word.lower(), other.lower()), key=len)
    form = second.startswith(first) and len(second) - len(first) <= 3
    return not form and len(second) > 1 and word.isascii() == other.isascii() and word.istitle() == other.istitle()


@remembered
def _kinds(model: "EmbeddingModel") -> dict[str, frozenset[int]]:
    """Return the token ids of the words of each kind that the model knows."""
    capital = {word for word in model.vocabulary if word.istitle()}
    found = {}
    for kind, sources in _SOURCES.items():
        words = set(_MORE.get(kind, ()))
        for name, column, rows in sources:
            words |= {str(word).lower() for word in _rows(name, rows)[column]}
        titled = {word.title() for word in words}
        # A cased model has names with a capital; a list then holds the spelling that most of its words have.
        chosen = titled if len(titled & capital) > len(words & set(model.ids)) else words
        found[kind] = frozenset(model.ids[w] for w in chosen if w in model.ids and model.whole_words[model.ids[w]])
    return found


def _rows(name: str, rows: str) -> pd.DataFrame:
    """Return the rows of a word list that have one of the values of a column."""
    frame = wordlists.load(name)
    column, _, values = rows.partition("=")
    return frame[frame[column].isin(values.split("|"))] if column else frame
