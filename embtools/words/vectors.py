"""A list of words and its vectors: the static embeddings, or one layer of a sentence around each word."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from embtools.messages import quoted, shortened
from embtools.progress import Progress, silent
from embtools.vectors import Array
from embtools.words import templates
from embtools.words.templates import readable

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_CHARACTERS = 50  # of one word
_NAMED = 12  # words that a sentence names
Pieced = dict[str, tuple[str, ...]]
"""Words, and the pieces of each."""
# How words of several pieces are read: not at all, as an error or in silence with a note; or as one vector.
Pieces = Literal["refuse", "leave out", "mean", "first"]
READINGS: tuple[Pieces, ...] = ("refuse", "mean", "first")  # of a list whose words are all compared


def split(text: str) -> tuple[str, ...]:
    """The words of a typed list: separated by commas, semicolons or lines, or, where there is none, by spaces.

    Equal words stay, so that `check` can tell.

    >>> split("red, dark green;blue"), split("red green")
    (('red', 'dark green', 'blue'), ('red', 'green'))
    """
    parts = re.split(r"[,;\n\t]", text) if re.search(r"[,;\n\t]", text.strip()) else text.split()
    return tuple(" ".join(p.split()) for p in parts if p.strip())


def check_reading(pieces: Pieces, allowed: Sequence[Pieces] = READINGS) -> None:
    """Raise ValueError for a reading of words of several pieces that is not one of those allowed here."""
    if pieces not in allowed:
        choices = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
        raise ValueError(f"There is no reading {quoted(pieces)} of words of several pieces here. Choose {choices}.")


def check(words: Sequence[str], model: "EmbeddingModel", *, least: int, most: int, pieces: Pieces = "refuse") -> None:
    """Raise ValueError for too few or too many words, one that stands twice, or one the model has no single vector for.

    A word of several pieces is refused unless `pieces` says how to read it: their mean, or the first alone.
    """
    check_reading(pieces)
    if len(words) > most:
        raise ValueError(f"There are {len(words)} words; at most {most} are compared. Take {len(words) - most} away.")
    for word in words:
        if len(word) > MAX_CHARACTERS:
            raise ValueError(f"{quoted(word)} has {len(word)} characters; a word has at most {MAX_CHARACTERS} here.")
    several = several_pieces(words, model) if pieces == "refuse" else {}
    if len(several) > 1:  # all at once: correcting a long list one error at a time is tiresome
        shown = ", ".join(f"{shortened(w, 30)} ({' '.join(p[:8])})" for w, p in list(several.items())[:3])
        raise ValueError(
            f"{len(several)} words are not one piece: {shown}{' …' if len(several) > 3 else ''}."
            " Take them out, or choose how to read words of several pieces."
        )
    seen: dict[tuple[str, ...], str] = {}
    for word in words:
        found = model.pieces(word)
        if pieces == "refuse" or not found or "[UNK]" in found:
            model.token_id(word)  # says what is wrong, with a near word
        key = found[:1] if pieces == "first" else found
        if key in seen:
            same = (
                "is in the list twice" if seen[key] == word else f"and {quoted(seen[key])} are the same to this model"
            )
            raise ValueError(f"{quoted(word)} {same}. Take one of them away.")
        seen[key] = word
    if len(words) < least:
        count = {0: "There are no words", 1: "There is one word"}.get(len(words), f"There are {len(words)} words")
        raise ValueError(f"{count}; at least {least} different ones are compared. Add another.")


def several_pieces(words: Sequence[str], model: "EmbeddingModel") -> dict[str, tuple[str, ...]]:
    """The words that are not one piece, with their pieces: what a badge has to tell.

    Words that the model cannot read at all are not among them.
    """
    found = {word: model.pieces(word) for word in words}
    return {word: pieces for word, pieces in found.items() if len(pieces) > 1 and "[UNK]" not in pieces}


def pieces(words: Sequence[str], model: "EmbeddingModel") -> dict[str, tuple[str, ...]]:
    """The word pieces of each word."""
    return {word: model.pieces(word) for word in words}


def told_apart(first: Pieced, second: Pieced, names: tuple[str, str]) -> list[str]:
    """Sentences that name the words which are one piece in one of two models alone; none where there are none.

    A word may be spelt with other capitals in the other model.

    >>> told_apart({"rome": ("rome",)}, {"rome": ("r", "##ome")}, ("A", "B"))
    ['A single token in A, but not in B: rome (r ##ome).']
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
            sentences.append(f"A single token in {name}, but not in {other}: {', '.join(cut[:_NAMED])}{more}.")
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
    """The (n, d) vectors of words: of several pieces the mean, or the first, as `pieces` says.

    layer None: the static embeddings. layer 0 … l: the hidden states of the word in `template`, where {word} stands
    for it. `progress` is told 0 … 1 and may raise to stop. Raises ValueError for a word that cannot be read, for one of
    several pieces where they are refused or left out, and as `templates.sentences` does.
    """
    first, single = pieces == "first", pieces in ("refuse", "leave out")
    ids = [[model.token_id(word)] if single else [model.ids[p] for p in readable(word, model)] for word in words]
    if layer is not None:
        return templates.word_states(template, words, model, layer=layer, first=first, progress=progress)
    rows = [model.matrix[row[:1] if first else row].mean(0) for row in ids]
    return np.array(rows, np.float32).reshape(-1, model.dimensions)
