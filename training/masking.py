"""The choice of tokens that are masked in a batch, and of those that must be predicted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.shapes import PAD
from training.text import Text

FUNCTION_PIECES = 110
"""This many of the most frequent tokens of the text (the, of, comma, …) count as function words."""
FUNCTION_WEIGHT, SPLIT_WEIGHT, LAST_FACTOR = 0.12, 0.3, 3.0
"""Relative weights of a function word, a content word of several tokens, and the last content word; others have 1."""


@dataclass(frozen=True)
class Vocabulary:
    """Properties of each token id (v,): whether it `continues` a word (##…), and whether it is a `content` word.

    `cls`, `sep` and `mask` are the ids of the special tokens; padding is always 0.
    """

    continues: NDArray[np.bool_]
    content: NDArray[np.bool_]
    cls: int
    sep: int
    mask: int


def vocabulary(tokens: Sequence[str], texts: Sequence[Text]) -> Vocabulary:
    """Return which of the tokens, by id, continue a word and which are content words, from counts over the texts."""
    counts = np.zeros(len(tokens), dtype=np.int64)
    for text in texts:
        counts += np.bincount(text.pieces[:5_000_000], minlength=len(tokens))
    content = np.array([token.lstrip("#").isalpha() and token[0] != "[" for token in tokens])
    functions = min(FUNCTION_PIECES, len(tokens) // 4)
    content[np.argsort(-counts, kind="stable")[:functions]] = False
    continues = np.array([token.startswith("##") for token in tokens])
    cls, sep, mask = (list(tokens).index(name) for name in ("[CLS]", "[SEP]", "[MASK]"))
    return Vocabulary(continues, content, cls, sep, mask)


def choose_masks(
    ids: NDArray[np.int64], single: bool, vocab: Vocabulary, rate: float, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which positions are masked and which of them must be predicted, both (rows, width)."""
    words = (ids != PAD) & (ids != vocab.cls) & (ids != vocab.sep)
    if single:
        learn = _choose_words(ids, words, vocab, rate, rng)
        everywhere = np.ones((len(ids), 1), dtype=bool)
    else:
        learn = words & (rng.random(ids.shape) < rate)
        everywhere = rng.random((len(ids), 1)) < 0.5
    # A masked content word is masked wherever it occurs: otherwise the model would learn to copy words of the sentence
    # ("rome is the capital of rome").
    number = np.arange(len(ids))[:, None] * len(vocab.content) + ids  # identifies a token within one row
    chosen = number[learn & everywhere & vocab.content[ids]]
    return learn | (words & everywhere & np.isin(number, chosen)), learn


def _choose_words(
    ids: NDArray[np.int64], words: NDArray[np.bool_], vocab: Vocabulary, rate: float, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Return the whole words to predict in single sentences, (rows, width): half of the time one word."""
    rows, width = ids.shape
    begins = words & ~vocab.continues[ids]
    begins[:, 1] = words[:, 1]  # a word begins after [CLS], whatever the token looks like
    ends = np.ones_like(begins)
    ends[:, :-1] = begins[:, 1:] | ~words[:, 1:]
    content = vocab.content[ids]
    weight = np.where(content, np.where(ends, 1.0, SPLIT_WEIGHT), FUNCTION_WEIGHT)
    # People usually put the mask at the end and expect one word there.
    good = begins & content & ends
    last = width - 1 - good[:, ::-1].argmax(axis=1)
    weight[np.arange(rows), last] *= np.where(good.any(axis=1), LAST_FACTOR, 1.0)
    # The Gumbel trick: the largest keys are a random sample without replacement with these weights.
    keys = np.where(begins, np.log(weight) + rng.gumbel(size=ids.shape), -np.inf)
    wanted = np.where(rng.random(rows) < 0.5, 1, np.maximum(1, np.rint(rate * begins.sum(axis=1)))).astype(int)
    least = np.take_along_axis(np.sort(keys, axis=1), (width - wanted)[:, None], axis=1)
    begin = np.maximum.accumulate(np.where(begins, np.arange(width), 0), axis=1)  # where the word of each token begins
    return words & np.take_along_axis(begins & (keys >= least), begin, axis=1)
