"""Which word of a few fits least, and how often BERT's embeddings would win at that game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.progress import Progress, silent
from embtools.similarity.matrix import MAX_WORDS, PRESETS, preset, similarity_matrix, table_of
from embtools.statistics.intervals import wilson
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Quiz:
    """How often the odd one was found among four words, three of one list and one of another.

    right of rounds; low, high: Wilson's 95 % interval of the share; guessing is right in one of four.
    """

    right: int
    rounds: int
    low: float
    high: float


def odd_one_out(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
) -> pd.DataFrame:
    """Which of 3 to 150 words fits least: word, cosine (mean cosine with the others), kept; least fitting first.

    The same ranking as the cosine with the mean of the unit vectors (gensim's `doesnt_match`). `kept` is how many of
    the n lists with one word left out find this word to be the odd one: n - 1 for a firm answer, as it is missing from
    one of them; not given for 3 words. Raises ValueError as `similarity_matrix` does.
    """
    wordlist.check(words, model, least=3, most=MAX_WORDS, pieces=pieces)
    values = similarity_matrix(words, model, pieces=pieces, layer=layer, template=template)
    n = len(words)
    sums = values.sum(1) - 1
    without = sums[None] - values  # [a, b]: sum over the others of b when a is left out
    np.fill_diagonal(without, np.inf)
    kept = np.bincount(without.argmin(1), minlength=n)
    frame = pd.DataFrame({"word": list(words), "cosine": sums / (n - 1), "kept": kept if n > 3 else pd.NA})
    return frame.sort_values("cosine", kind="stable", ignore_index=True)


def quiz(
    model: "EmbeddingModel",
    *,
    rounds: int = 400,
    seed: int = 0,
    progress: Progress = silent,
) -> Quiz:
    """Play with words drawn from the built-in lists: is a word found once a habit or luck?

    Words that this model reads as several pieces, or that stand in two lists, are left out. `progress` is told 0 … 1
    and may raise to stop. Raises ValueError for fewer than 1 or more than 10,000 rounds, and for a model that reads
    too few of the words.
    """
    if not 1 <= rounds <= 10_000:
        raise ValueError(f"{rounds} rounds were asked for; choose 1 to 10,000.")
    lists = [preset(name) for name in PRESETS]
    every = [word for words in lists for word in words]
    ids = {}
    for done, word in enumerate(every):  # asking the tokenizer takes most of the time
        if every.count(word) == 1 and len(pieces := model.pieces(word)) == 1 and pieces[0] != "[UNK]":
            ids[word] = model.ids[pieces[0]]
        progress(0.8 * done / len(every))
    playable = [tuple(w for w in words if w in ids) for words in lists]
    lists = [words for words in playable if len(words) >= 3]
    if len(lists) < 2:
        raise ValueError("This model reads too few words of the built-in lists as one piece. Choose another model.")
    values = table_of(model.matrix[[ids[word] for words in lists for word in words]])
    ends = np.cumsum([len(words) for words in lists])
    places = [np.arange(end - len(words), end) for end, words in zip(ends, lists, strict=True)]
    random = np.random.default_rng(seed)
    right = 0
    for done in range(rounds):
        if done % 20 == 0:
            progress(0.8 + 0.2 * done / rounds)
        own, other = random.choice(len(lists), 2, replace=False)
        four = [*random.choice(places[own], 3, replace=False), random.choice(places[other])]
        right += int(values[np.ix_(four, four)].sum(1).argmin() == 3)
    return Quiz(right, rounds, *wilson(right, rounds))
