"""A question for a class about a mask: BERT's top answer among words that it finds less probable."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from embtools import wordlists
from embtools.chance import generator
from embtools.mask_filling.answers import best_answer
from embtools.mask_filling.edits import NO_CHANGE, NOTHING, Change, resolve
from embtools.mask_filling.forward import mask_probabilities
from embtools.messages import shortened
from embtools.rooms.question import MOST_CHOICE, MOST_CONTEXT, Question
from embtools.statistics.percentages import percent
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_CHOICES = 4
_CONSIDERED = 60  # the most probable words, from which the other choices are taken
_RANKS = (1, 4, 9)  # of the other choices among the whole words below the top answer: plausible, but not close ties
_WHOLE_WORD = re.compile(r"[^\W\d_]{2,}")


def mask_question(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change = NO_CHANGE,
    mask: int = 1,
    choices: Sequence[str] = (),
) -> Question:
    """What is BERT's answer at a mask? A question for a class, with BERT's probabilities."""
    patches = [NOTHING, resolve(change, model)] if change.edits else [NOTHING]
    found = [row[0] for row in mask_probabilities(text, model, patches=patches, mask=mask)]
    before, after = found[0], found[-1]
    top = int(best_answer(after, model))
    words = tuple(choices) or _proposed(before, after, model, seed=crc32(f"{text} {change!r}".encode()))
    return Question(
        "What does BERT answer?",
        words,
        tuple(_share(word, after, model) for word in words),
        f"{model.vocabulary[top]} ({percent(float(after[top]))})",
        next((at for at, word in enumerate(words) if _id(word, model) == top), None),
        _context(text, change, mask),
        by_bert=True,
    )


def _proposed(before: Array, after: Array, model: "EmbeddingModel", *, seed: int) -> tuple[str, ...]:
    """The top answer and three other whole words, shuffled."""
    top = model.vocabulary[int(best_answer(after, model))]
    hidden = {top, "[UNK]", *wordlists.load("offensive")["word"]}
    others = [word for word in (model.vocabulary[i] for i in top_k(after, _CONSIDERED)) if word not in hidden]
    others = [word for word in others if _WHOLE_WORD.fullmatch(word) and len(word) <= MOST_CHOICE]
    ranked = [others[rank - 1] for rank in _RANKS if rank <= len(others)]
    old = model.vocabulary[int(best_answer(before, model))]
    wanted = dict.fromkeys([top, *([old] if old not in hidden else []), *ranked, *others])
    chosen = np.array(list(wanted)[:_CHOICES])
    return tuple(map(str, generator(seed).permutation(chosen)))


def _share(word: str, probabilities: Array, model: "EmbeddingModel") -> float | None:
    """The probability of a word; None if it is not one token."""
    token = _id(word, model)
    return None if token is None else float(probabilities[token])


def _id(word: str, model: "EmbeddingModel") -> int | None:
    """The id of a word; None if it is not one token."""
    if word in model.ids:
        return model.ids[word]
    try:
        return model.token_id(word)
    except ValueError:
        return None


def _context(text: str, change: Change, mask: int) -> str:
    """The sentence with the mask as a gap, other masks as they are, and the edits."""
    parts = text.split("[MASK]")
    sentence = f"{'[MASK]'.join(parts[:mask])}____{'[MASK]'.join(parts[mask:])}"
    strength = "" if change.strength == 1 else f" (strength {change.strength:g})"
    edits = f"Edit: {shortened('; '.join(map(str, change.edits)), MOST_CONTEXT // 3)}{strength}" if change.edits else ""
    return f"{shortened(sentence, MOST_CONTEXT // 2)}\n{edits}"
