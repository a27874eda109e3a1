"""What BERT answers after the hidden states of one layer are changed, and what such a change costs elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from embtools import wordlists
from embtools.directions.find import check_layer
from embtools.limits import enough, within
from embtools.mask_filling.forward import mask_positions
from embtools.messages import quoted, shortened
from embtools.models.patching import with_rows
from embtools.progress import Progress, silent
from embtools.vectors import Array
from embtools.words.templates import check_pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

Where = Literal["all tokens", "the mask", "one word"]
EVERYWHERE, MASK, ONE_WORD = WHERE = get_args(Where)
"""Where states are changed; with `EVERYWHERE`, [CLS] and [SEP] stay as they are."""
MAX_WORDS = 30  # that can be searched in a text
Change = Callable[[Array], Array]
"""What is done to hidden states (m, d)."""
MAX_PIECES = 400_000  # tokens of all runs together


def masks_after(
    texts: Sequence[str],
    model: "EmbeddingModel",
    *,
    changes: Sequence[Change],
    layer: int,
    where: Where = EVERYWHERE,
    words: Sequence[str] = (),
    progress: Progress = silent,
) -> Iterator[Array]:
    """Yield the state at the first mask of each text after the output transform, (c, d): one row per change.

    The states of the text after the layer are changed, and the layers above continue from them. `model.logits` gives
    the scores of the answers. With `ONE_WORD`, the states of the tokens in `word_positions` are changed. Raises
    ValueError for a text without a mask, a layer that does not exist, an unknown `where`, too many tokens, and as
    `word_positions` does.
    """
    check_layer(layer, model)
    enough(texts, "sentences")
    enough(changes, "changes")
    if where not in WHERE:
        raise ValueError(f"States cannot be changed at {quoted(where)}. Choose one of: {', '.join(WHERE)}.")
    frames = [model.tokenize(text) for text in texts]
    masks = [mask_positions(frame, model)[0] for frame in frames]
    check_pieces(sum(map(len, frames)) * len(changes), MAX_PIECES)
    places = [
        [mask] if where == MASK
        else list(range(1, len(frame) - 1)) if where == EVERYWHERE
        else word_positions(text, model, words=words)
        for text, frame, mask in zip(texts, frames, masks, strict=True)
    ]  # fmt: skip
    for done, (text, mask, at) in enumerate(zip(texts, masks, places, strict=True), 1):
        states = model.hidden_states(text)[layer]
        rows = np.repeat(states[None], len(changes), axis=0)
        for row, change in zip(rows, changes, strict=True):
            row[at] = change(states[at])
        last = with_rows(rows, model, layer=layer, positions=[mask])[:, 0]
        yield model.transform(last)
        progress(done / len(texts))


def word_positions(text: str, model: "EmbeddingModel", *, words: Sequence[str]) -> list[int]:
    """Return the positions of the tokens of the word that comes first in a text, out of some words."""
    if not words:
        raise ValueError("The list of words is empty. Write a word of each sentence.")
    within(len(words), MAX_WORDS, "words")
    tokens = tuple(model.tokenize(text)["token"])
    known = [own for word in words if word.strip() and "[UNK]" not in (own := model.pieces(word))]
    for start in range(len(tokens)):
        for own in known:
            if tokens[start : start + len(own)] == own:
                return list(range(start, start + len(own)))
    named = ", ".join(shortened(word, 20) for word in words[:5]) + (" …" if len(words) > 5 else "")
    raise ValueError(f"{quoted(text, 60)} contains none of these words: {named}. Add one of its words.")


def other_sentences(model: "EmbeddingModel", *, most: int = 60) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return built-in sentences with one mask, each with the ids of its acceptable answers in this model.

    Sentences without an acceptable answer of one token are left out. Raises ValueError if none is left.
    """
    rows = wordlists.load("neutral_sentences")
    found = []
    for sentence, words in zip(rows["sentence"], rows["answer"], strict=True):
        ids = tuple(model.ids[word] for word in str(words).split("|") if word in model.ids)
        if ids:
            found.append((str(sentence), ids))
    if not found:
        raise ValueError("This model knows none of the answers to the built-in sentences, so costs cannot be measured.")
    return tuple(found[:most])


def costs(
    sentences: Sequence[tuple[str, tuple[int, ...]]],
    model: "EmbeddingModel",
    *,
    changes: Sequence[Change],
    layer: int,
    progress: Progress = silent,
) -> Array:
    """Return the change (n, c) of the log probability of the acceptable answers of n sentences, in nats.

    Every change is made at all tokens. Below 0: the answers become less probable. Raises ValueError as `masks_after`
    does.
    """
    texts = [sentence for sentence, _ in sentences]
    every = masks_after(texts, model, changes=[same, *changes], layer=layer, progress=progress)
    rows = []
    for (_, ids), states in zip(sentences, every, strict=True):
        logs = log_sums(model.logits(states), ids)
        rows.append(logs[1:] - logs[0])
    return np.array(rows)


def same(states: Array) -> Array:
    """Return hidden states (m, d) unchanged."""
    return states


def log_sums(logits: Array, ids: Sequence[int]) -> Array:
    """Return the log of the summed probability (c,) of some tokens, from the logits (c, v) of all tokens."""
    from scipy.special import logsumexp

    logits = logits.astype(np.float64)
    return np.asarray(logsumexp(logits[:, list(ids)], axis=1) - logsumexp(logits, axis=1))
