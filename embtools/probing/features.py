"""The frozen vectors that a probe learns from: every item under every layer and recipe, read in one pass."""

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.limits import enough
from embtools.messages import quoted, shortened
from embtools.probing.items import Items
from embtools.progress import Progress, silent
from embtools.recipes import SENTENCE_POOLINGS, WORD_POOLINGS, check_recipe, combine, pool, recipe_names
from embtools.vectors import Array
from embtools.words.occurrences import pieces_of, positions

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_PIECES = 30_000  # of all sentences together


@dataclass(frozen=True)
class Features:
    """The vectors of n items under r recipes: recipes (r names), vectors (r arrays of (n, d) or (n, 4 d), float32)."""

    recipes: tuple[str, ...]
    vectors: tuple[Array, ...]

    def of(self, recipe: str) -> Array:
        """The (n, d) vectors under a recipe; ValueError for one that is not there."""
        check_recipe(recipe, self.recipes)
        return self.vectors[self.recipes.index(recipe)]


def poolings(items: Items) -> tuple[str, ...]:
    """The poolings that fit the items: of words or of sentences; the usual one first."""
    enough(items, "items")
    return WORD_POOLINGS[::-1] if items[0].word else (SENTENCE_POOLINGS[1], SENTENCE_POOLINGS[0], SENTENCE_POOLINGS[2])


def read_features(items: Items, pooling: str, model: "EmbeddingModel", *, progress: Progress = silent) -> Features:
    """The vectors of items under every layer and recipe of a model, and one pooling.

    Each sentence is read once, whatever the number of its items. `progress` is told 0 … 1 and may raise to stop.
    Raises ValueError for a pooling that does not fit, for a sentence that cannot be read or lacks its word, and for
    more than 30,000 pieces.
    """
    if pooling not in poolings(items):
        raise ValueError(f"The pooling {quoted(pooling)} does not fit. Choose one of: {', '.join(poolings(items))}.")
    sentences = list(dict.fromkeys(item.sentence for item in items))
    tokens = {}
    for sentence in sentences:
        try:
            tokens[sentence] = model.tokenize(sentence)["token"].tolist()
        except ValueError as error:
            raise ValueError(f"“{shortened(sentence)}”: {error}") from error
    total = sum(map(len, tokens.values()))
    if total > MAX_PIECES:
        raise ValueError(
            f"The sentences have {total:,} pieces together; at most {MAX_PIECES:,} are read. Take some away."
        )
    places = [_place(item.word, item.occurrence, item.sentence, tokens[item.sentence], model) for item in items]
    of: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        of.setdefault(item.sentence, []).append(number)
    recipes = recipe_names(model.layers)
    rows: list[list[Array]] = [[np.empty(0)] * len(items) for _ in recipes]
    for done, (number, states) in enumerate(model.hidden_states_many(sentences), 1):
        for row, recipe in zip(rows, recipes, strict=True):
            combined = combine(states, recipe)
            for place in of[sentences[number]]:
                row[place] = pool(combined, pooling, places[place]).astype(np.float32)
        progress(done / len(sentences))
    return Features(recipes, tuple(np.stack(row) for row in rows))


def _place(word: str, occurrence: int, sentence: str, tokens: list[str], model: "EmbeddingModel") -> tuple[int, ...]:
    """The positions of a word's occurrence in a sentence; nothing for an item without a word."""
    if not word:
        return ()
    found = positions(tokens, pieces_of(word, model))
    if model.cased:  # it may begin the sentence
        for other in {word.lower(), word.capitalize()} - {word}:
            with suppress(ValueError):  # this spelling has a sign that the model does not know
                found = sorted({*found, *positions(tokens, pieces_of(other, model))})
    if not 1 <= occurrence <= len(found):
        often = f"only {len(found)} times" if found else "nowhere"
        raise ValueError(
            f"{quoted(word)} stands {often} in “{shortened(sentence, 80)}”. Write it as it stands there, as a whole"
            " word."
        )
    return found[occurrence - 1]
