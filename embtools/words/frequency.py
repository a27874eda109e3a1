"""Random pairs of words that are about as common as two given words.

The vectors of rare words are more similar to each other than those of common words, so a cosine says something only
beside the cosines of words that are about as common. The words of a vocabulary are divided by their rank, the most
common first, into groups of about `GROUP` words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.memory import remembered
from embtools.messages import counted
from embtools.models.vectors_as_model import LEAST_RANKED, Vectors
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.ranks import share_below
from embtools.vectors import Array, unit
from embtools.words.templates import WORD, readable, word_states
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

GROUP = 1_000  # words that count as about equally common
RANDOM_PAIRS = 2_000  # for two words
READ = 30  # words of each group that are read in a sentence; all their pairs are compared

Metric = Literal["cosine", "euclidean"]
Draw = Callable[[int, int], Array]
"""The values of random pairs of a word of one group and one of another, in ascending order."""


@dataclass(frozen=True)
class Level:
    """How similar random pairs are that are as common as the pairs of a list.

    mean       mean cosine (or distance) over the pairs of the list
    low, high  the smallest and the largest mean of a pair
    pairs      the smallest number of random pairs for a pair
    """

    mean: float
    low: float
    high: float
    pairs: int


def candidates(model: "EmbeddingModel") -> NDArray[np.bool_]:
    """A mask (v,) of the words that count as neighbours, and that random pairs are drawn from."""
    if isinstance(model, Vectors):
        return model.rankable
    return model.whole_words & np.array([len(p) > 1 for p in model.vocabulary])


def why_unmatched(model: "EmbeddingModel") -> str:
    """Why random pairs are not of equally common words, in a sentence; "" if they are."""
    if not isinstance(model, Vectors) or model.by_frequency:
        return ""
    if model.kind != "word":
        return f"The random pairs are drawn from these {counted(len(model), model.kind)}."
    few = len(model) < LEAST_RANKED
    reason = f"there are fewer than {LEAST_RANKED:,} words" if few else "they do not begin with common words"
    return f"The random pairs are drawn from all words, not from equally common ones, because {reason}."


def kind_of(model: "EmbeddingModel") -> str:
    """What is compared: "word", or what the names of other vectors stand for."""
    return model.kind if isinstance(model, Vectors) else "word"


def called(name: object, kind: str) -> str:
    """A name within a sentence: that of a sentence in quotation marks, because it consists of words itself."""
    return f"“{name}”" if kind == "sentence" else str(name)


def groups_of(words: Sequence[str], model: "EmbeddingModel", *, pieces: Pieces = "refuse") -> tuple[int, ...]:
    """The group of each word by its rank among `candidates`, which BERT's vocabulary has in the order of frequency;
    several tokens have the mean of their ranks, or with pieces="first" that of the first one.
    """
    if why_unmatched(model):
        return tuple(0 for word in words if readable(word, model))
    ids, found = np.flatnonzero(candidates(model)), []
    for word in words:
        tokens = readable(word, model)
        own = [model.ids[token] for token in (tokens[:1] if pieces == "first" else tokens)]
        found.append(group_of_rank(float(np.searchsorted(ids, own).mean()), len(ids)))
    return tuple(found)


def group_of_rank(rank: float, n: int) -> int:
    """The group of a rank, 0 … n − 1, among n words.

    >>> group_of_rank(0, 3000), group_of_rank(1999.5, 3000), group_of_rank(5, 20)
    (0, 1, 0)
    """
    return min(int(rank * _groups(n) // n), _groups(n) - 1)


def words_of_group(group: int, n: int) -> NDArray[np.intp]:
    """The ranks of the words of a group among n words."""
    return np.flatnonzero(np.arange(n) * _groups(n) // n == group)


def random_values(
    vectors: Array, first: NDArray[np.intp], second: NDArray[np.intp], *, metric: Metric = "cosine", seed: int = 0
) -> Array:
    """The cosines or Euclidean distances of random pairs, in ascending order."""
    checked_seed(seed)
    same = np.array_equal(first, second)
    possible = len(first) * (len(first) - 1) // 2 if same else len(first) * len(second)
    if possible <= RANDOM_PAIRS:
        i, j = np.triu_indices(len(first), 1) if same else np.indices((len(first), len(second))).reshape(2, -1)
    else:
        random = generator(seed, int(first[0]) + 1, int(second[0]) + 1)
        i = random.integers(0, len(first), RANDOM_PAIRS)
        j = random.integers(int(same), len(second), RANDOM_PAIRS)
        j = (i + j) % len(first) if same else j  # never the same word
    a, b = (vectors[rows].astype(np.float64) for rows in (first[i], second[j]))  # as the pairs that are compared
    if metric == "euclidean":
        return np.asarray(np.sort(np.linalg.norm(a - b, axis=1)))
    return np.asarray(np.sort(np.einsum("nd,nd->n", unit(a), unit(b))))


@remembered
def random_pairs(
    first: int,
    second: int,
    model: "EmbeddingModel",
    *,
    metric: Metric = "cosine",
    layer: int | None = None,
    template: str = WORD,
    seed: int = 0,
) -> Array:
    """The cosines or distances of random pairs of words of two groups of the vocabulary."""
    ids = np.flatnonzero(candidates(model))
    first, second = sorted((first, second))
    if layer is None:
        rows = [ids[words_of_group(group, len(ids))] for group in (first, second)]
        rows = [ids, ids] if why_unmatched(model) else rows
        return random_values(model.matrix, rows[0], rows[1], metric=metric, seed=seed)
    states = [random_states(group, model, layer=layer, template=template, seed=seed) for group in (first, second)]
    starts = [0, 0 if first == second else len(states[0])]
    rows = [start + np.arange(len(own)) for start, own in zip(starts, states, strict=True)]
    return random_values(np.concatenate(states), rows[0], rows[1], metric=metric, seed=seed)


@remembered
def random_states(
    group: int, model: "EmbeddingModel", *, layer: int, template: str, seed: int = 0, progress: Progress = silent
) -> Array:
    """The hidden states (n, d) of up to `READ` random words of a group of the vocabulary, each read in the template."""
    ids = np.flatnonzero(candidates(model))
    own = ids[words_of_group(group, len(ids))]
    drawn = (model.vocabulary[i] for i in generator(seed, group + 1).permutation(own))
    words = [word for word in drawn if model.pieces(word) == (word,)][:READ]  # a tokenizer may alter others
    return word_states(template, model, words=words, layer=layer, progress=progress)


def compared_pairs(
    values: Array, words: Sequence[str], groups: Sequence[int], draw: Draw, *, metric: Metric = "cosine"
) -> pd.DataFrame:
    """All pairs of words, each compared with random pairs that are about as common; the most similar first, by the
    share of these in whole per cent that is less similar, then by standard deviations above their mean.
    """
    i, j = np.triu_indices(len(words), 1)
    own, group = np.asarray(values)[i, j], np.sort(np.asarray(groups)[np.stack([i, j])], axis=0)
    sign = 1 if metric == "cosine" else -1
    above, means, scores, counts = np.zeros((4, len(own)))
    for first, second in np.unique(group, axis=1).T.tolist():
        here = (group[0] == first) & (group[1] == second)
        random = draw(first, second)
        share = share_below(own[here], random)
        above[here] = share if sign > 0 else 1 - share
        means[here], counts[here] = random.mean(), len(random)
        scores[here] = sign * (own[here] - random.mean()) / (random.std() or 1)
    order = np.lexsort((-scores, -np.floor(100 * above + 0.5)))
    frame = pd.DataFrame(
        {
            "first": [words[int(k)] for k in i],
            "second": [words[int(k)] for k in j],
            "cosine" if metric == "cosine" else "distance": own,
            "above": above,
            "random": means,
            "random_pairs": counts.astype(int),
        }
    )
    return frame.iloc[order].reset_index(drop=True)


def level_of(pairs: pd.DataFrame) -> Level:
    """How similar the random pairs of a frame of `compared_pairs` are."""
    random = pairs["random"]
    return Level(float(random.mean()), float(random.min()), float(random.max()), int(pairs["random_pairs"].min()))


def than_random(above: float, *, matched: bool = True) -> str:
    """How similar a pair is, compared with random pairs of equally common words, or of any words.

    >>> than_random(0.795), than_random(0.0, matched=False)
    ('more similar than 80% of random pairs of equally common words', 'less similar than all random pairs')
    """
    side, share = _side(above)
    pairs = "random pairs of equally common words" if matched else "random pairs"
    return f"{side} similar than {share if share == 'all' else f'{share} of'} {pairs}"


def finding(
    pairs: pd.DataFrame, words: int, *, finder: str = "BERT finds", matched: bool = True, kind: str = "word"
) -> str:
    """Headline for a frame of `compared_pairs`: the most and the least similar of the `words`."""
    best, worst = pairs.iloc[0], pairs.iloc[-1]
    measure = pairs.columns[2]
    size = f"{measure} {decimal(best[measure])}"
    near, far = (f"{called(pair['first'], kind)} and {called(pair['second'], kind)}" for pair in (best, worst))
    if len(pairs) == 1:
        return f"{near}: {measure} {decimal(best[measure])}, {than_random(best['above'], matched=matched)}."
    near, far = (f"{text}{_equal(pairs[measure], pair[measure])}" for text, pair in ((near, best), (far, worst)))
    side, share = _side(worst["above"])
    return (
        f"Of {words} {kind}s, {finder} {near} most similar: {than_random(best['above'], matched=matched)} ({size})."
        f" Least similar are {far}: {side} similar than {share} of them ({decimal(worst[measure])})."
    )


def _equal(values: pd.Series, own: float) -> str:
    """How many other pairs have the same value, in parentheses, if there are any."""
    others = int(np.isclose(values, own, rtol=0, atol=1e-9).sum()) - 1
    return f" (and {counted(others, 'equal pair')})" if others else ""


def _groups(n: int) -> int:
    return max(1, round(n / GROUP))


def _side(above: float) -> tuple[str, str]:
    """Whether a pair is more or less similar than most random pairs, and than which share of them."""
    side, share = ("more", above) if above >= 0.5 else ("less", 1 - above)
    if share == 1:
        return side, "all"
    text = rounded(share, 0 if share < 0.99 else 1)
    return side, "over 99.9%" if text == "100.0%" else text
