"""Two groups of words or sentences, from built-in lists too: their hidden states, and scores along a direction."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from embtools import wordlists
from embtools.chance import checked_seed
from embtools.limits import enough, same_count
from embtools.memory import remembered
from embtools.messages import counted, quoted, shortened
from embtools.progress import Progress, silent
from embtools.spaces.two_groups import DIFFERENCE, PAIRS, Groups, Method, check_groups, check_pairs, direction
from embtools.statistics.probe import FOLDS, MET, Splits, split
from embtools.vectors import Array
from embtools.words.templates import WORD, check_distinct, sentences

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_LONG = 30  # characters of a sentence that names its group
LEAST, MOST = 2 * FOLDS, 150  # items per group; the parts of `two_parts` need an item for every fold too
TEMPLATE = "This is {word}."
WHOLE = WORD  # the template of items that are sentences of their own
WORDS, SENTENCES = "words", "sentences"


@dataclass(frozen=True, eq=False)
class GroupStates:
    """The hidden states of the items of two groups: words, each in the same sentence, or whole sentences.

    items    the n items, the first group first
    second   (n,) whether an item is in the second group
    states   (l + 1, n, d) the mean over an item's tokens, after every layer; 0 is the embedding output
    kind     what the items are: "words" or "sentences"
    """

    items: tuple[str, ...]
    second: Groups
    states: Array
    kind: str = WORDS

    @property
    def names(self) -> tuple[str, str]:
        """Both groups by their first items, for a sentence."""
        size = int((~self.second).sum())
        return group_name(self.items[:size]), group_name(self.items[size:])


def group_name(items: Sequence[str]) -> str:
    """Return the first two words of a group, or the beginning of its first sentence.

    >>> group_name(["good", "great", "nice"]), group_name(["good"]), group_name(["We live near the river.", "I read."])
    ('“good, great …”', '“good”', '“We live near the river …”')
    """
    both = ", ".join(items[:2])
    if any(" " in item for item in items[:2]) and len(both) > _LONG:
        return f"“{shortened(items[0], _LONG).rstrip(' .…')} …”"
    return f"“{both}{' …' if len(items) > 2 else ''}”"


def kind_of(items: Sequence[str], template: str) -> str:
    """Return whether items that stand alone, with a template of only {word}, are "sentences" or "words".

    >>> kind_of(["It rains."], "{word}"), kind_of(["rain"], "{word}"), kind_of(["New York"], "{word} is big.")
    ('sentences', 'words', 'words')
    """
    return SENTENCES if template.strip() == WHOLE and any(" " in item.strip() for item in items) else WORDS


def tokens_of(items: Sequence[str], model: "EmbeddingModel") -> int:
    """Return about how many tokens are read for items: their own, and those of a short sentence around each."""
    return sum(len(model.pieces(item)) + 7 for item in items)


@remembered
def group_states(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    template: str = TEMPLATE,
    progress: Progress = silent,
) -> GroupStates:
    """Read every word of two groups in a sentence, or every sentence of two groups."""
    items = (*first, *second)
    kind = kind_of(items, template)
    for group, which in ((first, "first"), (second, "second")):
        if not LEAST <= len(group) <= MOST:
            raise ValueError(
                f"The {which} group has {counted(len(group), kind[:-1])}; use {LEAST} to {MOST}: some are held out."
            )
    check_distinct(items, model, what=kind[:-1])
    for item in items:
        if items.count(item) > 1:
            raise ValueError(f"{quoted(item)} is listed twice. Use each {kind[:-1]} in one group only, and once.")
    texts, spans = sentences(template, model, words=items, layer=0)
    states = np.empty((model.layers + 1, len(items), model.dimensions), np.float32)
    for done, (number, found) in enumerate(model.hidden_states_many(texts), 1):
        states[:, number] = found[:, spans[number]].mean(axis=1)
        progress(done / len(texts))
    return GroupStates(items, np.arange(len(items)) >= len(first), states, kind)


def scores(vectors: Array, axis: Array, *, of: Array, second: Groups) -> Array:
    """Return where vectors (m, d) lie along an axis (d,): −1 is the mean of the first group of the vectors `of` (n, d),
    +1 that of the second; all are 0 if these are equal.
    """
    check_groups(of, second)
    along = np.asarray(of, np.float64) @ axis
    low, high = along[~second].mean(), along[second].mean()
    if abs(high - low) < 1e-9:
        return np.zeros(len(vectors))
    return np.asarray((np.asarray(vectors, np.float64) @ axis - (low + high) / 2) / ((high - low) / 2))


def folds(second: Groups, *, method: Method = DIFFERENCE, seed: int = 0) -> Splits:
    """Return five folds with equal shares of both groups: (training rows, test rows) of each; with `PAIRS`, both words
    of a pair are in the same fold.
    """
    enough(second, "words", least=FOLDS)
    from sklearn.model_selection import KFold

    if method == PAIRS:
        check_pairs(second)
        half = len(second) // 2
        pairs = KFold(FOLDS, shuffle=True, random_state=checked_seed(seed)).split(np.zeros((half, 1)))
        return tuple((np.r_[learn, learn + half], np.r_[rest, rest + half]) for learn, rest in pairs)
    names = np.where(second, "second", "first").tolist()
    return split(names, names, folding=MET, seed=seed)


def held_out_scores(vectors: Array, second: Groups, splits: Splits, *, method: Method = DIFFERENCE) -> Array:
    """Return the score (n,) of each word along the direction of the words in the other folds."""
    check_groups(vectors, second)
    result = np.zeros(len(vectors))
    for learn, rest in splits:
        axis = direction(vectors[learn], second[learn], method=method)
        result[rest] = scores(vectors[rest], axis, of=vectors[learn], second=second[learn])
    return result


def shuffled(second: Groups, random: np.random.Generator, *, method: Method = DIFFERENCE) -> Groups:
    """Return the groups (n,) shuffled at random; with the first component of pairs, within each pair."""
    if method != PAIRS:
        return np.asarray(random.permutation(second))
    check_pairs(second)
    swapped = np.tile(random.random(len(second) // 2) < 0.5, 2)
    return np.asarray(second ^ swapped)


SHARE = 0.7
"""Two sentences are nearly the same if they share at least this much of all words that are in either of them."""


def near_copies(texts: Sequence[str], groups: Sequence[str]) -> int:
    """Return how many texts are nearly the same as another text of their own group.

    >>> near_copies(["We saw a big red dog.", "We saw a big red cat.", "It rained."], ["a", "a", "a"])
    2
    >>> near_copies(["We saw a big red dog.", "We saw a big red cat.", "It rained."], ["a", "b", "a"])
    0
    """
    same_count(texts=texts, groups=groups)
    words = [frozenset(word.strip(".,;:!?\"'()").casefold() for word in text.split()) for text in texts]
    vocabulary = {word: number for number, word in enumerate(sorted(frozenset().union(*words)))}
    counts = np.zeros((len(words), len(vocabulary)))
    for row, each in zip(counts, words, strict=True):
        row[[vocabulary[word] for word in each]] = 1
    common, sizes = counts @ counts.T, counts.sum(axis=1)
    same_group = np.equal.outer(np.asarray(groups, dtype=object), np.asarray(groups, dtype=object))
    near = (common >= SHARE * (sizes[:, None] + sizes - common)) & same_group & ~np.eye(len(words), dtype=bool)
    return int(near.any(axis=1).sum())


Words = tuple[str, ...]


@cache
def lists() -> dict[str, tuple[Words, Words]]:
    """Return both groups of each list by its name; each word is in one group only, and once.

    >>> sizes = {name: (len(first), len(second)) for name, (first, second) in lists().items()}
    >>> sizes["flowers and insects"], sizes["past and present verbs"]
    ((25, 25), (55, 79))
    """
    ten = wordlists.load("gender_pairs")
    weat, groups, probing = wordlists.load("weat"), wordlists.load("groups"), wordlists.load("probing")

    def published(test: int, one: str, other: str) -> tuple[list[str], list[str]]:
        rows = weat[weat["test"].astype(str) == str(test)]
        return list(rows.query("group == @one")["word"]), list(rows.query("group == @other")["word"])

    def labelled(task: str, one: str, other: str) -> tuple[list[str], list[str]]:
        rows = probing.query("task == @task")
        return list(rows.query("label == @one")["word"]), list(rows.query("label == @other")["word"])

    names = groups.query("set == 'first names'")
    found = {
        "ten pairs of male and female words": (list(ten["male"]), list(ten["female"])),
        "male and female first names": tuple(list(names.query("group == @sex")["word"]) for sex in ("male", "female")),
        "pleasant and unpleasant": published(1, "pleasant", "unpleasant"),
        "flowers and insects": published(1, "flowers", "insects"),
        "instruments and weapons": published(2, "instruments", "weapons"),
        "names of European and African Americans": published(3, "European American names", "African American names"),
        "past and present verbs": labelled("tense", "past", "present"),
        "singular and plural nouns": labelled("number", "singular", "plural"),
        "nouns and verbs": labelled("part of speech", "noun", "verb"),
        "adjectives and adverbs": labelled("part of speech", "adjective", "adverb"),
    }
    return {name: _apart(*both) for name, both in found.items()}


def list_of(first: Words, second: Words) -> str | None:
    """Return the name of the list with these two groups, in any spelling; None for other words."""
    folded = tuple(tuple(word.casefold() for word in words) for words in (first, second))
    return next((name for name, both in lists().items() if both == folded), None)


def _apart(first: list[str], second: list[str]) -> tuple[Words, Words]:
    """Return both groups without words that are in both, each word once and in small letters."""
    one, other = ([word.casefold() for word in words] for words in (first, second))
    both = set(one) & set(other)
    apart = tuple(tuple(word for word in dict.fromkeys(words) if word not in both)[:MOST] for words in (one, other))
    assert min(map(len, apart)) >= LEAST
    return apart[0], apart[1]
