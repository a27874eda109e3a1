"""Similarity of two texts for every layer combination and pooling, compared with random pairs of the same length.

Longer texts are more similar, whatever they say, so a pair can only be compared with pairs of the same length.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.layer_combinations import (
    SECOND_TO_LAST,
    SENTENCE_POOLINGS,
    check_combination,
    check_sentence_pooling,
    combination_names,
    combine,
    pool,
)
from embtools.limits import enough
from embtools.memory import remembered
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.ranks import compared
from embtools.vectors import Array, cosine
from embtools.words.overlap import shared_words

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SPREAD = 0.05
"""A pair is unusual if less than this share of random pairs is more similar (or less similar)."""
PER_TOPIC = 4  # reference texts of each length from one topic; fewer if the topic has too few sentences
STEP = 1.2  # lengths are rounded to powers of this, so that few reference texts serve many visitors
_STOPS = ".,;:!?"


@dataclass(frozen=True)
class RandomPairs:
    """Similarity of random pairs of texts from the built-in corpus, for every layer combination and pooling.

    combinations  names of the r layer combinations
    lengths       approximate number of tokens of the first and of the second text of each pair
    others        cosines (r, 3 sentence poolings, m) of pairs on different topics
    same          cosines (r, 3, s) of pairs on the same topic that share no sentence; s is 0 for very long texts
    """

    combinations: tuple[str, ...]
    lengths: tuple[int, int]
    others: Array
    same: Array


@dataclass(frozen=True)
class Similarity(Displayed):
    """The similarity of two texts.

    pairs    random pairs of the same lengths
    frame    frame of `compare`: cosine and share of random pairs for every layer combination and pooling
    shared   cosine by shared words: the control without a model
    same     whether both texts have the same tokens
    """

    pairs: RandomPairs
    frame: pd.DataFrame
    shared: float
    same: bool = False

    def cosine(self, combination: str, pooling: str) -> float:
        """The cosine of the two texts for one layer combination and pooling."""
        return float(self.frame.set_index(["combination", "pooling"]).loc[(combination, pooling), "cosine"])

    def random(self, combination: str, pooling: str) -> pd.DataFrame:
        """The cosines of the random pairs: frame of `random_cosines`."""
        return random_cosines(self.pairs, combination=combination, pooling=pooling)

    def headline(self, combination: str = SECOND_TO_LAST, pooling: str = SENTENCE_POOLINGS[1]) -> str:
        """The similarity of the two texts compared with random pairs, unless the model reads both in the same way."""
        if self.same:
            value = self.cosine(combination, pooling)
            return f"Both texts have the same tokens, so they are the same for this model (cosine {value:.2f})."
        return finding(self.frame, combination=combination, pooling=pooling)


def similarity(first: str, second: str, model: "EmbeddingModel", *, progress: Progress = silent) -> Similarity:
    """The similarity of two texts compared with random pairs of the same lengths.

    Parameters
    ----------
    first, second : str
        Two texts.
    model : EmbeddingModel
    progress : callable, optional

    Returns
    -------
    Similarity

    Raises
    ------
    ValueError
        As `EmbeddingModel.tokenize` does.
    """
    pairs = random_pairs(model, lengths=lengths(first, second, model), progress=progress)
    same = model.tokenize(first)["id"].tolist() == model.tokenize(second)["id"].tolist()
    return Similarity(
        pairs, compare(first, second, model, pairs=pairs), float(shared_words([first, second])[0, 1]), same
    )


def compare(first: str, second: str, model: "EmbeddingModel", *, pairs: RandomPairs) -> pd.DataFrame:
    """Similarities of two texts for every layer combination and pooling, with random pairs of their `lengths`."""
    cosines = text_cosines([first, second], model)[..., 0, 1]
    above = (1 + compared(cosines[..., None], pairs.others)).mean(axis=-1) / 2
    same = pairs.same.mean(axis=-1) if pairs.same.size else np.full(cosines.shape, np.nan)
    names = [(combination, pooling) for combination in pairs.combinations for pooling in SENTENCE_POOLINGS]
    return pd.DataFrame(names, columns=["combination", "pooling"]).assign(
        cosine=cosines.ravel(),
        random=pairs.others.mean(axis=-1).ravel(),
        same_topic=same.ravel(),
        above=above.ravel(),
    )


def finding(frame: pd.DataFrame, combination: str, pooling: str) -> str:
    """Headline for the frame of `compare`: the similarity of two texts compared with random pairs."""
    row = frame.set_index(["combination", "pooling"]).loc[(combination, pooling)]
    measured = f"cosine {decimal(row['cosine'])}; mean of random pairs {decimal(row['random'])}"
    pairs = "random pairs of about the same length"
    if row["above"] > 1 - SPREAD:
        return f"Your two texts are more similar than {_share(row['above'])} of {pairs} ({measured})."
    if row["above"] < SPREAD:
        return f"Your two texts are less similar than {_share(1 - row['above'])} of {pairs} ({measured})."
    share = _share(1 - row["above"])
    return f"The similarity of your two texts is not unusual: {share} of {pairs} are at least as similar ({measured})."


def _share(share: float) -> str:
    return rounded(share) if share <= 0.995 or share == 1 else "over 99%"


@dataclass(frozen=True)
class Reference:
    """A text made of sentences of the built-in corpus: its topic, and the row indices of its sentences."""

    text: str
    topic: str
    sentences: frozenset[int]


def lengths(first: str, second: str, model: "EmbeddingModel") -> tuple[int, int]:
    """The number of tokens of two texts, rounded to steps of 20%."""
    counts = sorted(len(model.tokenize(text)) - 2 for text in (first, second))
    short, long = (round(STEP ** round(np.log(max(1, count)) / np.log(STEP))) for count in counts)
    return short, long


def references(lengths: tuple[int, int], model: "EmbeddingModel", *, seed: int = 0) -> tuple[list[Reference], ...]:
    """Lists of first and second texts of given numbers of tokens, from built-in sentences on one topic each, taken from
    its two ends so that they share a sentence only if the lengths leave no choice."""
    if len(lengths) != 2:
        raise ValueError("Give two lengths: one for the first texts and one for the second.")
    corpus = wordlists.load("corpus")
    readable = [min(length, model.max_tokens - 2) for length in lengths]
    both: tuple[list[Reference], list[Reference]] = ([], [])
    for topic, rows in corpus.groupby("topic", sort=False):
        order = generator(seed).permutation(rows.index.to_numpy())
        tokens = {int(row): len(model.pieces(text)) for row, text in rows["sentence"].items()}
        # Shorter texts are less similar.
        if sum(tokens.values()) < max(readable) / STEP**0.5:
            continue
        longest = max(readable) + max(tokens.values())  # before the last sentence is cut
        count = max(1, min(PER_TOPIC, sum(tokens.values()) // (2 * longest)))
        for texts, length, numbers in zip(both, readable, (order, order[::-1]), strict=True):
            left = [int(number) for number in numbers]
            for _ in range(count):
                taken: list[int] = []
                while left and sum(tokens[number] for number in taken) < length:
                    taken.append(left.pop(0))
                if taken:
                    text = _cut(" ".join(corpus.loc[taken, "sentence"]), length, model)
                    texts.append(Reference(text, str(topic), frozenset(taken)))
    if len({text.topic for text in both[0]}) < 2:
        raise ValueError(
            f"The built-in corpus has no random texts of {max(readable):,} tokens to compare your texts with. Use"
            " shorter texts."
        )
    return both


@remembered
def random_pairs(
    model: "EmbeddingModel", *, lengths: tuple[int, int] = (15, 15), seed: int = 0, progress: Progress = silent
) -> RandomPairs:
    """Cosines of all random pairs of texts with two lengths, because longer texts are more similar, whatever they
    say."""
    firsts, seconds = references(lengths, model, seed=seed)
    n = len(firsts)
    cosines = text_cosines([one.text for one in (*firsts, *seconds)], model, progress=progress)[..., :n, n:]
    pairs = list(product(firsts, seconds))
    same = np.array([a.topic == b.topic and not a.sentences & b.sentences for a, b in pairs]).reshape(n, -1)
    other = np.array([a.topic != b.topic for a, b in pairs]).reshape(n, -1)
    return RandomPairs(combination_names(model.layers), lengths, cosines[..., other], cosines[..., same])


def random_cosines(pairs: RandomPairs, combination: str, pooling: str) -> pd.DataFrame:
    """Random pairs for one layer combination and pooling."""
    check_combination(combination, pairs.combinations)
    check_sentence_pooling(pooling)
    cell = pairs.combinations.index(combination), SENTENCE_POOLINGS.index(pooling)
    kinds = {"different topics": pairs.others[cell], "same topic": pairs.same[cell]}
    return pd.concat([pd.DataFrame({"pair": kind, "cosine": values}) for kind, values in kinds.items()])


def text_cosines(texts: Sequence[str], model: "EmbeddingModel", *, progress: Progress = silent) -> Array:
    """Cosines of n texts for every layer combination and sentence pooling."""
    enough(texts, "texts")
    combinations = combination_names(model.layers)
    vectors: list[list[list[Array]]] = [[[] for _ in SENTENCE_POOLINGS] for _ in combinations]
    numbers: list[int] = []
    for number, states in model.hidden_states_many(texts):
        numbers.append(number)
        for combination, pooled in zip(combinations, vectors, strict=True):
            tokens = combine(states, combination)  # the hidden states of many long texts would fill the memory
            for rows, pooling in zip(pooled, SENTENCE_POOLINGS, strict=True):
                rows.append(pool(tokens, pooling))
        progress(len(numbers) / len(texts))
    order = np.argsort(numbers)
    cosines = np.empty((len(combinations), len(SENTENCE_POOLINGS), len(texts), len(texts)))
    for r, p in product(range(len(combinations)), range(len(SENTENCE_POOLINGS))):
        stacked = np.stack(vectors[r][p])[order]
        cosines[r, p] = cosine(stacked, stacked)
    return cosines


def _cut(text: str, length: int, model: "EmbeddingModel") -> str:
    """The first words of a text, at least one, with at most `length` tokens including the full stop at the end."""
    words: list[str] = []
    count = 0
    for word in text.split():
        count += len(model.pieces(word))
        if words and count + (word[-1] not in _STOPS) > length:  # a full stop replaces another punctuation mark
            return " ".join(words).rstrip(_STOPS) + "."
        words.append(word)
    return text
