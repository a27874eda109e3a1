"""A list of words and its vectors: the static embeddings, or one layer of a sentence around each word."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from embtools.progress import Progress, silent
from embtools.vectors import Array
from embtools.words import templates

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_CHARACTERS = 50  # of one word
Pieces = Literal["refuse", "mean", "first"]


def split(text: str) -> tuple[str, ...]:
    """The words of a typed list: separated by commas, semicolons or lines, or, where there is none, by spaces.

    Equal words stay, so that `check` can tell.

    >>> split("red, dark green;blue"), split("red green")
    (('red', 'dark green', 'blue'), ('red', 'green'))
    """
    parts = re.split(r"[,;\n\t]", text) if re.search(r"[,;\n\t]", text.strip()) else text.split()
    return tuple(" ".join(p.split()) for p in parts if p.strip())


def check(words: Sequence[str], model: "EmbeddingModel", *, low: int, high: int, pieces: Pieces = "refuse") -> None:
    """Raise ValueError for too few or too many words, one that stands twice, or one the model has no single vector for.

    A word of several pieces is refused unless `pieces` says how to read it: their mean, or the first alone.
    """
    if pieces not in ("refuse", "mean", "first"):
        raise ValueError(f"There is no reading {pieces!r} of words of several pieces. Choose refuse, mean or first.")
    if len(words) > high:
        raise ValueError(f"There are {len(words)} words; at most {high} are compared. Take {len(words) - high} away.")
    for word in words:
        if len(word) > MAX_CHARACTERS:
            raise ValueError(f"'{word[:20]}…' has {len(word)} characters; a word has at most {MAX_CHARACTERS} here.")
    several = several_pieces(words, model) if pieces == "refuse" else {}
    if len(several) > 1:  # all at once: correcting a long list one error at a time is tiresome
        shown = ", ".join(f"{w} ({' '.join(p[:8])})" for w, p in list(several.items())[:5])
        raise ValueError(
            f"{len(several)} words are not one piece: {shown}{' …' if len(several) > 5 else ''}."
            " Take them out, or choose how to read words of several pieces."
        )
    seen: dict[tuple[str, ...], str] = {}
    for word in words:
        found = model.pieces(word)
        if pieces == "refuse" or not found or "[UNK]" in found:
            model.token_id(word)  # says what is wrong, with a near word
        key = found[:1] if pieces == "first" else found
        if key in seen:
            same = "is in the list twice" if seen[key] == word else f"and '{seen[key]}' are the same to this model"
            raise ValueError(f"'{word}' {same}. Take one of them away.")
        seen[key] = word
    if len(words) < low:
        count = {0: "There are no words", 1: "There is one word"}.get(len(words), f"There are {len(words)} words")
        raise ValueError(f"{count}; at least {low} different ones are compared. Add another.")


def several_pieces(words: Sequence[str], model: "EmbeddingModel") -> dict[str, tuple[str, ...]]:
    """The words that are not one piece, with their pieces: what a badge has to tell.

    Words that the model cannot read at all are not among them.
    """
    found = {word: model.pieces(word) for word in words}
    return {word: pieces for word, pieces in found.items() if len(pieces) > 1 and "[UNK]" not in pieces}


def vectors(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = templates.WORD,
    progress: Progress = silent,
) -> Array:
    """The (n, d) vectors of words that passed `check`.

    layer None: the static embeddings. layer 0 … l: the hidden states of the word in `template`, where {word} stands
    for it. `progress` is told 0 … 1 and may raise to stop. Raises ValueError as `templates.sentences` does.
    """
    first = pieces == "first"
    if layer is not None:
        return templates.word_states(template, words, model, layer=layer, first=first, progress=progress)
    rows = (model.matrix[[model.ids[piece] for piece in model.pieces(word)]] for word in words)
    return np.stack([row[0] if first else row.mean(0) for row in rows])
