"""Sentences with a place for a word: "{group} works as a [MASK].", "This is {word}."; and the word's vector there."""

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

WORD, SLOT = "{word}", "{group}"  # where a word of a list, or one of several groups, is put
MAX_PIECES = 40_000  # of all sentences of a run: half a minute of a base model's time
# A base model (12 layers of 768) reads about a thousand pieces a second; the work grows with layers × width².
_WORK_A_SECOND = 1_000 * 12 * 768**2


def fill(template: str, word: str, slot: str, *, spelt: str = "") -> str:
    """The template with the word in each slot; "a" before it becomes "an" where the spelling asks for it, and back.

    `spelt` decides the article in the word's stead, for a mask that stands for it. Raises ValueError without the slot.

    >>> fill("She is a {word}.", "actor", "{word}")
    'She is an actor.'
    """
    if slot not in template:
        raise ValueError(f"The sentence has no {shortened(slot)}. Put {shortened(slot)} where the word belongs.")
    article = "an" if (spelt or word)[:1].lower() in "aeiou" else "a"
    text = re.sub(rf"\b([Aa])n?(?=\s+{re.escape(slot)})", lambda m: m[1] + article[1:], template)
    return text.replace(slot, word)


def readable(word: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """The pieces of a word; ValueError for a word that has none, or one that the model does not know ([UNK])."""
    pieces = model.pieces(word) if word.strip() else ()
    if not pieces or "[UNK]" in pieces:
        raise ValueError(f"{quoted(word)} cannot be read by this model. Take it out, or write it otherwise.")
    return pieces


def check_distinct(words: Sequence[str], model: "EmbeddingModel") -> None:
    """Raise ValueError for a word that the model cannot read, and for two spellings of the same pieces."""
    seen: dict[tuple[str, ...], str] = {}
    for word in words:
        same = seen.setdefault(readable(word, model), word)
        if same != word:
            raise ValueError(f"{quoted(same)} and {quoted(word)} are the same to this model. Take one of them away.")


def check_alone(template: str, slot: str) -> None:
    """Raise ValueError when a slot touches a letter, which would make another word of what stands there."""
    for left, right in pairwise(template.split(slot)):
        if re.search(r"\w$", left) or re.search(r"^\w", right):
            raise ValueError(f"{shortened(slot)} is glued to a letter. Put a space around it.")


def check_pieces(total: int, most: int) -> None:
    """Raise ValueError when the sentences of one run have more pieces than it may read."""
    if total > most:
        raise ValueError(
            f"The sentences have {total:,} pieces together; at most {most:,} are read at once."
            " Use fewer or shorter sentences, or fewer words."
        )


def count_pieces(templates: Sequence[str], words: Sequence[str], slot: str, model: "EmbeddingModel") -> int:
    """How many pieces, [CLS] and [SEP] included, every word makes in every template: told before any is read."""
    around = [len(model.tokenize(fill(template, "[MASK]", slot))) - 1 for template in templates]
    return len(words) * sum(around) + len(templates) * sum(len(model.pieces(word)) for word in words)


def seconds(pieces: int, model: "EmbeddingModel") -> float:
    """About how many seconds one core takes to read so many pieces."""
    return pieces * model.layers * model.dimensions**2 / _WORK_A_SECOND


def slot_positions(template: str, word: str, slot: str, model: "EmbeddingModel") -> list[list[int]]:
    """The token positions of the word's pieces in the filled template, one list per slot.

    Raises ValueError as `check_alone` does.
    """
    check_alone(template, slot)
    size = len(model.pieces(word))
    found, position = [], 1  # after [CLS]
    for left in template.split(slot)[:-1]:
        # Word pieces never reach over a space or a sign, so the counts of the parts add up.
        before = fill(left + slot, word, slot)[: -len(word)]
        position += len(model.tokenize(before)) - 2 if before.strip() else 0
        found.append(list(range(position, position + size)))
        position += size
    return found


def slot_position(template: str, model: "EmbeddingModel") -> int:
    """The position of the first piece of {word}; ValueError when it is not there exactly once, on its own."""
    if template.count(WORD) != 1:
        raise ValueError(f"The sentence must hold {WORD} exactly once, such as: {WORD} is a city.")
    before, _, after = template.partition(WORD)
    if before[-1:].isalnum() or after[:1].isalnum():
        raise ValueError(f"{WORD} must stand alone, not inside another word. Put spaces around it.")
    return slot_positions(template, "[MASK]", WORD, model)[0][0]


def sentences(
    template: str, words: Sequence[str], model: "EmbeddingModel", *, layer: int
) -> tuple[list[str], list[slice]]:
    """The sentence around each word, and where the word's pieces stand in it.

    Raises ValueError for a layer the model has not, a template without exactly one free-standing {word}, a word that
    cannot stand there, and for a sentence, or all of them together, with too many pieces.
    """
    if not 0 <= layer <= model.layers:
        raise ValueError(f"This model has layers 0 to {model.layers}; there is no layer {layer}. Choose one of them.")
    slot_position(template, model)
    texts, spans, total = [], [], 0
    for word in words:
        readable(word, model)
        (positions,) = slot_positions(template, word, WORD, model)
        text = fill(template, word, WORD)
        tokens = model.tokenize(text)["token"]
        span = slice(positions[0], positions[-1] + 1)
        if tuple(tokens.iloc[span]) != model.pieces(word):
            raise ValueError(
                f"{quoted(word)} grows together with its neighbours in {quoted(text, 80)}. Put spaces around"
                f" {WORD}, or take the word out."
            )
        total += len(tokens)
        texts.append(text)
        spans.append(span)
    check_pieces(total, MAX_PIECES)
    return texts, spans


def word_states(
    template: str,
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    layer: int,
    first: bool = False,
    progress: Progress = silent,
) -> Array:
    """The (n, d) hidden states of words in the template: the mean over a word's pieces, or its `first` piece.

    Layer 0 is the embedding output, with position and segment added. `progress` is told 0 … 1 and may raise to stop.
    Raises ValueError as `sentences` does.
    """
    texts, spans = sentences(template, words, model, layer=layer)
    found = np.empty((len(texts), model.dimensions), np.float32)
    for done, (i, states) in enumerate(model.hidden_states_many(texts), start=1):
        rows = states[layer, spans[i]]
        found[i] = rows[0] if first else rows.mean(axis=0)
        progress(done / len(texts))
    return found
