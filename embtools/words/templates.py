"""Sentence templates such as "{group} works as a [MASK]." or "This is {word}.", and vectors of words in them."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from embtools.messages import quoted, shortened
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

WORD, SLOT = "{word}", "{group}"  # replaced by a word of a list, or by a word of a group
MAX_PIECES = 40_000  # tokens of all sentences of a run: a base model takes half a minute
# A base model (12 layers of 768) reads about 1,000 tokens per second; the work grows with layers × width².
_WORK_A_SECOND = 1_000 * 12 * 768**2


def fill(template: str, word: str, slot: str, *, spelling: str = "") -> str:
    """The template with the word in each slot, and "a" or "an" before it as the spelling of the word requires, or
    `spelling` if the word is a mask.

    >>> fill("She is a {word}.", "actor", "{word}")
    'She is an actor.'
    """
    if slot not in template:
        raise ValueError(f"The sentence has no {shortened(slot)}. Put {shortened(slot)} where the word belongs.")
    article = "an" if (spelling or word)[:1].lower() in "aeiou" else "a"
    text = re.sub(rf"\b([Aa])n?(?=\s+{re.escape(slot)})", lambda m: m[1] + article[1:], template)
    return text.replace(slot, word)


def readable(word: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """The tokens of a word. Raises ValueError for a word without tokens or with one that the model does not know."""
    pieces = model.pieces(word) if word.strip() else ()
    if not pieces or "[UNK]" in pieces:
        raise ValueError(f"{quoted(word)} cannot be read by this model. Remove it, or write it differently.")
    return pieces


def check_distinct(words: Sequence[str], model: "EmbeddingModel", *, what: str = "word") -> None:
    """Raise ValueError for words (`what` names one) that the model cannot read or that have the same tokens."""
    spellings: dict[tuple[str, ...], str] = {}
    for word in words:
        same = spellings.setdefault(readable(word, model), word)
        if same != word:
            raise ValueError(
                f"{quoted(same)} and {quoted(word)} are the same {what} for this model. Remove one of them."
            )


def check_alone(template: str, slot: str) -> None:
    """Raise ValueError if a slot touches a letter or digit, because the word would become part of another word."""
    for left, right in pairwise(template.split(slot)):
        if re.search(r"\w$", left) or re.search(r"^\w", right):
            raise ValueError(f"{shortened(slot)} touches a letter or digit. Put spaces around it.")


def check_pieces(total: int, most: int) -> None:
    """Raise ValueError if the sentences of one run have more than `most` tokens."""
    if total > most:
        raise ValueError(
            f"The sentences have {total:,} tokens in total; at most {most:,} can be read at once."
            " Use fewer or shorter sentences, or fewer words."
        )


def count_pieces(templates: Sequence[str], model: "EmbeddingModel", *, words: Sequence[str], slot: str) -> int:
    """The number of tokens, including [CLS] and [SEP], of all words in all templates, without running the model."""
    around = [len(model.tokenize(fill(template, "[MASK]", slot))) - 1 for template in templates]
    return len(words) * sum(around) + len(templates) * sum(len(model.pieces(word)) for word in words)


def seconds(pieces: int, model: "EmbeddingModel") -> float:
    """Estimated seconds that one core takes to read this number of tokens."""
    return pieces * model.layers * model.dimensions**2 / _WORK_A_SECOND


def slot_positions(template: str, model: "EmbeddingModel", *, word: str, slot: str) -> list[list[int]]:
    """The positions of the word's tokens in the filled template, one list per slot."""
    check_alone(template, slot)
    size = len(model.pieces(word))
    found, position = [], 1  # after [CLS]
    for left in template.split(slot)[:-1]:
        # No token spans a space or a symbol, so the counts of the parts add up.
        before = fill(left + slot, word, slot)[: -len(word)]
        position += len(model.tokenize(before)) - 2 if before.strip() else 0
        found.append(list(range(position, position + size)))
        position += size
    return found


def slot_position(template: str, model: "EmbeddingModel") -> int:
    """The position of the first token of {word}. Raises ValueError unless it is there once, as a separate word."""
    if template.count(WORD) != 1:
        raise ValueError(f"The sentence must contain {WORD} exactly once, as in: {WORD} is a city.")
    return slot_positions(template, model, word="[MASK]", slot=WORD)[0][0]


def sentences(
    template: str, model: "EmbeddingModel", *, words: Sequence[str], layer: int
) -> tuple[list[str], list[slice]]:
    """The sentence for each word, and the positions of the word's tokens in it."""
    if not 0 <= layer <= model.layers:
        raise ValueError(f"This model has layers 0 to {model.layers}; there is no layer {layer}. Choose one of them.")
    slot_position(template, model)
    texts, spans, total = [], [], 0
    for word in words:
        readable(word, model)
        (positions,) = slot_positions(template, model, word=word, slot=WORD)
        text = fill(template, word, WORD)
        tokens = model.tokenize(text)["token"]
        span = slice(positions[0], positions[-1] + 1)
        if tuple(tokens.iloc[span]) != model.pieces(word):
            raise ValueError(
                f"{quoted(word)} is joined to its neighbours in {quoted(text, 80)}. Put spaces around {WORD}, or remove"
                " the word."
            )
        total += len(tokens)
        texts.append(text)
        spans.append(span)
    check_pieces(total, MAX_PIECES)
    return texts, spans


def word_states(
    template: str,
    model: "EmbeddingModel",
    *,
    words: Sequence[str],
    layer: int,
    first: bool = False,
    progress: Progress = silent,
) -> Array:
    """The hidden states (n, d) of words in the template: the mean over a word's tokens, or its `first` token; layer 0
    is the input embedding, with position and segment.
    """
    texts, spans = sentences(template, model, words=words, layer=layer)
    found = np.empty((len(texts), model.dimensions), np.float32)
    for done, (i, states) in enumerate(model.hidden_states_many(texts), start=1):
        rows = states[layer, spans[i]]
        found[i] = rows[0] if first else rows.mean(axis=0)
        progress(done / len(texts))
    return found
