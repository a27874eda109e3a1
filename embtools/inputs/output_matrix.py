"""What the rows of the embedding matrix score, compared with skip-gram, which learns a second matrix for the output."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import wordlists
from embtools.chance import generator
from embtools.limits import within
from embtools.memory import remembered
from embtools.messages import listed
from embtools.occurrences.corpus import built_in_corpus
from embtools.statistics.percentages import rounded
from embtools.statistics.ranks import ordinal
from embtools.vectors import top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST = 50
SAMPLE = 500
"""Number of whole words that are scored with their own rows."""
LISTS = "animals", "colours", "sports", "emotions", "numbers", "professions"
"""Lists of words that can replace each other in a sentence."""
_LETTERS = 4  # of the words of a pair; shorter ones are mostly function words
_PAIRS = 2_000
_EVERY = 2  # sentence of the built-in text is read


@dataclass(frozen=True)
class MatrixScores:
    """What the rows of one matrix score, over many words.

    own_first   the share of words whose own row has the highest product with their row
    sampled     the number of these words
    neighbours  how often two words that are next to each other in the built-in text have a higher product than two
                words of the same text that are paired at random; 0.5 is chance
    lists       how often two words of one list have a higher product than two words of different lists
    pairs       the number of pairs of both kinds
    """

    own_first: float
    sampled: int
    neighbours: float
    lists: float
    pairs: tuple[int, int]


@dataclass(frozen=True)
class SecondMatrix:
    """What a word's own row scores if the output matrix reads it, as skip-gram would read it with its second matrix.

    word    the word
    size    rows and columns of the matrix: (v, d)
    words   rank, token, product: the words whose rows have the highest product with the word's own row
    rank    of the word itself
    scores  the same over many words
    """

    word: str
    size: tuple[int, int]
    words: pd.DataFrame
    rank: int
    scores: MatrixScores

    @property
    def headline(self) -> str:
        """Which word the word's own row scores highest."""
        others = [f"“{token}”" for token in self.words["token"] if token != self.word][:3]
        rank = "rank" if len(others) > 1 else "ranks"
        more = f" Of the other words, {listed(others)} {rank} highest." if others else ""
        return (
            f"If all {self.size[0]:,} tokens are ranked by the product of their rows with the row of “{self.word}”,"
            f" “{self.word}” itself ranks {ordinal(self.rank)}.{more}"
        )

    @property
    def measured(self) -> str:
        """What the products of rows tell about many words."""
        scores = self.scores
        return (
            f"Of {scores.sampled:,} words, {rounded(scores.own_first)} have their highest product with their own row."
            " Two words next to each other in the built-in text have a higher product than a random pair in"
            f" {rounded(scores.neighbours)} of cases; two words from the same list, such as two animals, in"
            f" {rounded(scores.lists)} (chance: 50%)."
        )


def second_matrix(word: str, model: "EmbeddingModel", *, k: int = 8) -> SecondMatrix:
    """Return what a word's own row scores with the rows of the output matrix, which BERT shares with the input.

    Skip-gram predicts the words next to a word from its row, and needs a second matrix for this, because a word rarely
    occurs next to itself. BERT predicts the masked word itself, from a vector that the network makes of the context.
    The products of rows therefore say which words are similar, not which ones occur together.

    Parameters
    ----------
    word : str
        A word of one token.
    model : EmbeddingModel
    k : int, default 8
        Number of words.

    Returns
    -------
    SecondMatrix
        The words with the highest products, and measures over many words.

    Raises
    ------
    ValueError
        For a word that is not one token, and k out of range.

    References
    ----------
    Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality".
    Press & Wolf 2017, "Using the Output Embedding to Improve Language Models".
    """
    within(k, MOST, "words")
    number = model.token_id(word)
    products = model.matrix.astype(np.float64) @ model.matrix[number]
    ids = np.flatnonzero(model.whole_words)
    chosen = ids[top_k(products[ids], k)]
    words = pd.DataFrame(
        {
            "rank": [int((products > products[i]).sum()) + 1 for i in chosen],
            "token": [model.vocabulary[i] for i in chosen],
            "product": products[chosen],
        }
    )
    rank = int((products > products[number]).sum()) + 1
    v, d = model.matrix.shape
    return SecondMatrix(model.vocabulary[number], (v, d), words, rank, matrix_scores(model))


@remembered
def matrix_scores(model: "EmbeddingModel") -> MatrixScores:
    """Return what the rows of a model's matrix score, over many words and pairs; cached."""
    random = generator(0)
    ids = np.flatnonzero(model.whole_words)
    drawn = random.choice(ids, min(SAMPLE, len(ids)), replace=False)
    best = np.concatenate([(model.matrix[part] @ model.matrix.T).argmax(1) for part in np.array_split(drawn, 10)])
    near = _neighbours(model)
    lists = _same_list(model)
    if len(near) < 2 or len(lists) < 2:
        raise ValueError("This model knows too few words of the built-in text. Choose an English model.")
    far = np.stack([near[:, 0], random.permutation(near[:, 1])], axis=1)
    return MatrixScores(
        float((best == drawn).mean()),
        len(drawn),
        _higher(_products(near, model), _products(far, model)),
        _higher(_products(lists, model), _products(_other_lists(lists, model, random), model)),
        (len(near), len(lists)),
    )


def _neighbours(model: "EmbeddingModel") -> NDArray[np.int64]:
    """Return pairs (n, 2) of ids of words that are next to each other in the built-in text."""
    found = []
    for sentence in built_in_corpus().sentences[::_EVERY]:
        for one, other in pairwise(model.tokenize(sentence)["id"]):
            if one != other and all(
                model.whole_words[i] and len(model.vocabulary[i]) >= _LETTERS for i in (one, other)
            ):
                found.append((one, other))
    return np.array(found, np.int64).reshape(-1, 2)


def _of_lists(model: "EmbeddingModel") -> list[list[int]]:
    """Return the ids of the words of each list that the model knows."""
    words = (wordlists.load(name).iloc[:, 0].astype(str) for name in LISTS)
    return [list(dict.fromkeys(model.ids[word] for word in each if word in model.ids)) for each in words]


def _same_list(model: "EmbeddingModel") -> NDArray[np.int64]:
    """Return pairs (n, 2) of ids of words of one list, spread over all of them."""
    pairs = [pair for ids in _of_lists(model) for pair in combinations(ids, 2)]
    step = max(1, len(pairs) // _PAIRS)
    return np.array(pairs[::step], np.int64).reshape(-1, 2)


def _other_lists(pairs: NDArray[np.int64], model: "EmbeddingModel", random: np.random.Generator) -> NDArray[np.int64]:
    """Return pairs with the same first words, and second words of other lists."""
    groups = _of_lists(model)
    own = {i: number for number, ids in enumerate(groups) for i in ids}
    every = np.array([i for ids in groups for i in ids])
    numbers = np.array([own[i] for i in every])
    return np.array([(first, random.choice(every[numbers != own[first]])) for first in pairs[:, 0]], np.int64)


def _products(pairs: NDArray[np.int64], model: "EmbeddingModel") -> Sequence[float]:
    found: Sequence[float] = (model.matrix[pairs[:, 0]] * model.matrix[pairs[:, 1]]).sum(1, dtype=np.float64).tolist()
    return found


def _higher(first: Sequence[float], second: Sequence[float]) -> float:
    """Return how often a value of the first kind is higher than one of the second, ties counting half."""
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(first, second).statistic / (len(first) * len(second)))
