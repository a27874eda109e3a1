"""The vectors of a list of words: static embeddings, or hidden states in a sentence around each word."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from embtools.messages import quoted, shortened
from embtools.progress import Progress, silent
from embtools.vectors import Array
from embtools.words import pasted, templates
from embtools.words.templates import readable

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_CHARACTERS = 50  # of a word
_NAMED = 12  # words that are listed in a sentence
Pieced = dict[str, tuple[str, ...]]
"""Words and their tokens."""
# How words of several tokens are read: refused with an error, left out with a note, or as one vector.
Pieces = Literal["refuse", "leave out", "mean", "first"]
READINGS: tuple[Pieces, ...] = ("refuse", "mean", "first")  # for lists whose words are all compared


def split(text: str) -> tuple[str, ...]:
    """The words of a typed or pasted list (`pasted.words`), repeated ones too, so that `check` can report them:
    separated by commas, semicolons or lines, else by spaces.

    >>> split("red, dark green;blue"), split("red green")
    (('red', 'dark green', 'blue'), ('red', 'green'))
    """
    parts = pasted.words(text)
    if len(parts) == 1 and text.strip().rstrip(",;") == parts[0]:
        parts = tuple(parts[0].split()) if not re.search(r"[,;\n\t]", text.strip()) else parts
    return tuple(" ".join(part.split()) for part in parts)


def check_reading(pieces: Pieces, *, allowed: Sequence[Pieces] = READINGS) -> None:
    """Raise ValueError for a way to read words of several tokens that is not allowed here."""
    if pieces not in allowed:
        choices = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
        raise ValueError(f"Words of several tokens cannot be read as {quoted(pieces)} here. Choose {choices}.")


def check(words: Sequence[str], model: "EmbeddingModel", *, least: int, most: int, pieces: Pieces = "refuse") -> None:
    """Raise ValueError for too few or too many words, a repeated word, and a word without a single vector, unless
    `pieces` says how to read several tokens.
    """
    check_reading(pieces)
    if len(words) > most:
        raise ValueError(
            f"There are {len(words):,} words; at most {most:,} can be compared. Remove {len(words) - most:,}."
        )
    for word in words:
        if len(word) > MAX_CHARACTERS:
            raise ValueError(
                f"{quoted(word)} has {len(word):,} characters; at most {MAX_CHARACTERS} are allowed. Shorten it."
            )
    several = several_pieces(words, model) if pieces == "refuse" else {}
    if len(several) > 1:  # all at once, because correcting a long list one error at a time is tedious
        shown = ", ".join(f"{shortened(w, 30)} ({' '.join(p[:8])})" for w, p in list(several.items())[:3])
        more = f" and {len(several) - 3} more" if len(several) > 3 else ""
        raise ValueError(
            f"{len(several)} words have several tokens: {shown}{more}."
            " Remove them, or choose how to read words of several tokens."
        )
    seen: dict[tuple[str, ...], str] = {}
    for word in words:
        found = model.pieces(word)
        if pieces == "refuse" or not found or "[UNK]" in found:
            model.token_id(word)  # raises an error that suggests a similar word
        key = found[:1] if pieces == "first" else found
        if key in seen:
            same = (
                "is in the list twice" if seen[key] == word else f"and {quoted(seen[key])} are the same for this model"
            )
            raise ValueError(f"{quoted(word)} {same}. Remove one of them.")
        seen[key] = word
    if len(words) < least:
        count = {0: "There are no words", 1: "There is one word"}.get(len(words), f"There are {len(words)} words")
        raise ValueError(f"{count}; at least {least} different words are needed. Add more.")


def several_pieces(words: Sequence[str], model: "EmbeddingModel") -> dict[str, tuple[str, ...]]:
    """The words of several tokens, with their tokens. Words that the model cannot read are left out."""
    found = {word: model.pieces(word) for word in words}
    return {word: pieces for word, pieces in found.items() if len(pieces) > 1 and "[UNK]" not in pieces}


def pieces(words: Sequence[str], model: "EmbeddingModel") -> dict[str, tuple[str, ...]]:
    """The tokens of each word."""
    return {word: model.pieces(word) for word in words}


def token_differences(first: Pieced, second: Pieced, names: tuple[str, str]) -> list[str]:
    """Sentences with the words that are one token in only one of two models, whatever their capitals.

    >>> token_differences({"rome": ("rome",)}, {"rome": ("r", "##ome")}, ("A", "B"))
    ['One token in A but not in B: rome (r ##ome).']
    """
    sentences = []
    for own, others, (name, other) in ((first, second, names), (second, first, names[::-1])):
        known = {word.lower() for word, found in own.items() if _known(found)}
        cut = [
            f"{word} ({'unknown' if '[UNK]' in found else ' '.join(found[:8])})"
            for word, found in others.items()
            if word.lower() in known and not _known(found)
        ]
        if cut:
            more = " …" if len(cut) > _NAMED else ""
            sentences.append(f"One token in {name} but not in {other}: {', '.join(cut[:_NAMED])}{more}.")
    return sentences


def _known(pieces: tuple[str, ...]) -> bool:
    return len(pieces) == 1 and pieces[0] != "[UNK]"


def vectors(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = templates.WORD,
    progress: Progress = silent,
) -> Array:
    """The vectors (n, d) of words, static or (layer 0 to l) the hidden states in `template`, which contains {word}; for
    a word of several tokens their mean or the first one, as `pieces` says.
    """
    first, single = pieces == "first", pieces in ("refuse", "leave out")
    ids = [[model.token_id(word)] if single else [model.ids[p] for p in readable(word, model)] for word in words]
    if layer is not None:
        return templates.word_states(template, model, words=words, layer=layer, first=first, progress=progress)
    rows = [model.matrix[row[:1] if first else row].mean(0) for row in ids]
    return np.array(rows, np.float32).reshape(-1, model.dimensions)
