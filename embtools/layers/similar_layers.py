"""How similar layers are in how they arrange the words of a text: within a model, and between two models."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import checked_seed, generator
from embtools.drawing import Displayed
from embtools.limits import several
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.geometry import cka, linear_cka
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LEAST_WORDS, MOST_WORDS = 20, 400
MOST_SENTENCES, MOST_TOKENS = 200, 6_000
BUILT_IN = 60
"""Number of built-in sentences that are used if no sentences are given."""
SHUFFLES = 20
_PACE = 1.5e9  # measured: tokens × layers × dimensions² per second on one processor, with the comparison


@dataclass(frozen=True)
class LayerSimilarity(Displayed):
    """The similarity of the layers of a model on the words of some sentences.

    similarity   (l + 1, l + 1) linear CKA of the layers, unbiased
    shuffled     mean |CKA| of two layers, one of which has its words shuffled: what chance gives
    keys         (n,) the sentence (from 1), the number and the word of each occurrence that was used
    vectors      (l + 1, n, d) their vectors, means over tokens
    sentences    the number of sentences
    """

    similarity: Array
    shuffled: float
    keys: tuple[str, ...]
    vectors: Array = field(repr=False)
    sentences: int

    @property
    def headline(self) -> str:
        """How similar the first and the last layer are, and the neighbouring layers that differ most."""
        steps = np.diag(self.similarity, 1)
        at, least = int(steps.argmin()), decimal(steps.min())
        both = f"The first and the last layer have a CKA of {decimal(self.similarity[0, -1])}"
        if least == decimal(1.0):
            return f"{both}; neighbouring layers hardly differ: the CKA of any two of them rounds to {least}."
        return f"{both}; of all pairs of neighbouring layers, layers {at} and {at + 1} differ most ({least})."

    @property
    def table(self) -> pd.DataFrame:
        """The similarity as a frame: one row and one column per layer."""
        frame = pd.DataFrame(self.similarity)
        frame.insert(0, "layer", range(len(frame)))
        return frame.rename(columns=str)


@dataclass(frozen=True)
class Between:
    """The similarity of the layers of two models on the words that both read.

    similarity   (l + 1, m + 1) linear CKA: rows are layers of the first model, columns those of the second
    shuffled     mean |CKA| with the words of one model shuffled
    words        the number of occurrences of words that both models have
    """

    similarity: Array
    shuffled: float
    words: int

    @property
    def most_similar(self) -> tuple[int, int]:
        """The most similar layers of both models, from 1: layer 0 has no context yet."""
        inner = self.similarity[1:, 1:]
        row, column = np.unravel_index(int(inner.argmax()), inner.shape)
        return int(row) + 1, int(column) + 1


def layer_similarity(
    sentences: Sequence[str], model: "EmbeddingModel", *, seed: int = 0, progress: Progress = silent
) -> LayerSimilarity:
    """Compare the layers of a model by how they arrange the words of sentences.

    Parameters
    ----------
    sentences : sequence of str
        At most 200; none for 60 built-in sentences. Of more than 400 occurrences of words, 400 are drawn.
    model : EmbeddingModel
    seed : int, default 0
        Draws the occurrences and the shuffles. Two models get the same occurrences.
    progress : callable, optional

    Returns
    -------
    LayerSimilarity
        Linear CKA (Kornblith et al. 2019) with the unbiased HSIC of Song et al. 2012, and what shuffled words give.

    Raises
    ------
    ValueError
        For too many sentences or tokens, fewer than 20 occurrences of words, a sentence that is empty or too long, a
        seed below 0, and if all words have the same vector in a layer.
    """
    checked_seed(seed)
    texts = _texts(sentences)
    frames = [_tokens(text, number, model) for number, text in enumerate(texts, 1)]
    if (total := sum(map(len, frames))) > MOST_TOKENS:
        raise ValueError(f"The sentences have {total:,} tokens; at most {MOST_TOKENS:,} can be read. Remove some.")
    words = {
        f"{number}.{nth} {name.lower()}": (number - 1, at)
        for number, frame in enumerate(frames, 1)
        for nth, name, at in words_of(frame)
    }
    keys = sorted(words, key=lambda key: (zlib.crc32(f"{seed} {key}".encode()), key))[:MOST_WORDS]
    if len(keys) < LEAST_WORDS:
        result = "is 1 word" if len(keys) == 1 else f"are {len(keys)} words"
        raise ValueError(f"There {result}, but at least {LEAST_WORDS} are needed. Write longer sentences.")
    row_of = {key: row for row, key in enumerate(keys)}
    vectors = np.empty((model.layers + 1, len(keys), model.dimensions), np.float32)
    wanted: dict[int, list[tuple[int, list[int]]]] = {}
    for key in keys:
        number, at = words[key]
        wanted.setdefault(number, []).append((row_of[key], at))
    for done, (number, states) in enumerate(model.hidden_states_many(texts), 1):
        for row, at in wanted.get(number, ()):
            vectors[:, row] = states[:, at].mean(axis=1)
        progress(done / len(texts))
    chance = _shuffled(vectors, vectors, seed)
    return LayerSimilarity(linear_cka(vectors), chance, tuple(keys), vectors, len(texts))


def effort(sentences: Sequence[str], model: "EmbeddingModel") -> float:
    """Return about how many seconds `layer_similarity` takes."""
    tokens = sum(len(_tokens(text, number, model)) for number, text in enumerate(_texts(sentences), 1))
    return tokens * model.layers * model.dimensions**2 / _PACE


def between(first: LayerSimilarity, second: LayerSimilarity) -> Between:
    """Compare every layer of a model with every layer of another one, on the words that both have."""
    common = [key for key in first.keys if key in set(second.keys)]
    if len(common) < LEAST_WORDS:
        raise ValueError(
            f"Both models have {len(common)} words of these sentences in common, but at least {LEAST_WORDS} are needed."
        )
    one, other = (result.vectors[:, [result.keys.index(key) for key in common]] for result in (first, second))
    return Between(cka(one, other), _shuffled(one, other, 0), len(common))


def two_similarities(first: LayerSimilarity, second: LayerSimilarity, names: tuple[str, str]) -> str:
    """Return how similar the last layers of two models are, and the two most similar layers above layer 0."""
    result = between(first, second)
    row, column = result.most_similar
    return (
        f"The last layers of both models have a CKA of {decimal(result.similarity[-1, -1])}. Of the layers above layer"
        f" 0, layer {row} of {names[0]} and layer {column} of {names[1]} are the most similar"
        f" ({decimal(result.similarity[row, column])}; shuffled words give {decimal(result.shuffled)})."
    )


def built_in() -> tuple[str, ...]:
    """Return the built-in sentences: every so many of the built-in corpus."""
    result = wordlists.load("corpus")["sentence"]
    return tuple(result.iloc[:: len(result) // BUILT_IN].head(BUILT_IN))


def _texts(sentences: Sequence[str]) -> tuple[str, ...]:
    texts = several(sentences, "sentences") or built_in()
    if len(texts) > MOST_SENTENCES:
        raise ValueError(f"There are {len(texts):,} sentences; at most {MOST_SENTENCES} can be compared. Remove some.")
    return texts


def _shuffled(one: Array, other: Array, seed: int) -> float:
    """The mean |CKA| of the last layers of both if the words of one are shuffled."""
    random = generator(seed)
    last = other[-1:]
    values = [cka(one[-1:], last[:, random.permutation(last.shape[1])])[0, 0] for _ in range(SHUFFLES)]
    return float(np.abs(values).mean())


def _tokens(text: str, number: int, model: "EmbeddingModel") -> pd.DataFrame:
    try:
        return model.tokenize(text)
    except ValueError as error:
        raise ValueError(f"Sentence {number}: {error}") from error


def words_of(frame: pd.DataFrame) -> list[tuple[int, str, list[int]]]:
    """The words of a tokenised sentence, without punctuation: number (the same for every model, because unknown words
    count too), word, positions of the tokens.
    """
    positions: dict[int, list[int]] = {}
    for position, word in zip(frame["position"], frame["word"], strict=True):
        if word >= 0:
            positions.setdefault(word, []).append(position)
    tokens = frame["token"].tolist()
    named = [(word + 1, "".join(tokens[p].removeprefix("##") for p in at), at) for word, at in positions.items()]
    return [(word, name, at) for word, name, at in named if name[0].isalnum()]
