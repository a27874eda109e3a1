"""What a change of hidden states does: answers of sentences, and the probability of masked words in other sentences."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from embtools import wordlists
from embtools.chance import generator
from embtools.limits import check_layer, enough, within
from embtools.mask_filling.forward import mask_positions
from embtools.mask_filling.likelihood import Masked, sentence, target_logs
from embtools.mask_filling.typed_input import normalise_masks
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
    """Yield the state at the first mask of each text after the output transform, (c, d): one row per change of the
    states after the layer.
    """
    check_layer(layer, model.layers)
    enough(texts, "sentences")
    enough(changes, "changes")
    if where not in WHERE:
        raise ValueError(f"States cannot be changed at {quoted(where)}. Choose one of: {', '.join(WHERE)}.")
    texts = [normalise_masks(text) for text in texts]
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
    """Return built-in sentences with one mask, each with the ids of its acceptable answers of one token; those without
    one are left out.
    """
    rows = wordlists.load("neutral_sentences")
    found = []
    for text, words in zip(rows["sentence"], rows["answer"], strict=True):
        ids = tuple(model.ids[word] for word in str(words).split("|") if word in model.ids)
        if ids:
            found.append((str(text), ids))
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
    """Return the change (n, c) of the log probability of the acceptable answers of n sentences, in nats, after each of
    c changes of a layer's states, at all tokens except [CLS] and [SEP].
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


SENTENCES, MAX_SENTENCES = 60, 400
SHARE = 0.15
"""Share of a sentence's tokens that are masked together, as in BERT's training."""
_PIECES = 20_000  # tokens of states that are held at once


@dataclass(frozen=True, eq=False)
class HeldOutText:
    """Sentences of the built-in text with masked words.

    sentences  the n sentences
    masked     the n masked sentences
    of         (m,) the number of the sentence of each masked word
    known      (n,) whether a sentence contains an item of the groups, because too few others exist
    """

    sentences: tuple[str, ...]
    masked: tuple[Masked, ...]
    of: NDArray[np.int64]
    known: NDArray[np.bool_]

    @property
    def seen(self) -> int:
        """How many of the sentences contain an item of the groups."""
        return int(self.known.sum())

    def half(self, number: int) -> "HeldOutText":
        """Return every second sentence, from the first (0) or the second one (1) on."""
        rows = self.masked[number::2]
        of = np.repeat(np.arange(len(rows)), [len(row.positions) for row in rows])
        return HeldOutText(self.sentences[number::2], rows, of, self.known[number::2])


def held_out_text(
    items: Sequence[str], model: "EmbeddingModel", *, count: int = SENTENCES, seed: int = 0
) -> HeldOutText:
    """Return random sentences of the built-in text that contain none of these items (others only if there are too few),
    with 15% of their tokens masked.
    """
    within(count, MAX_SENTENCES, "sentences")
    every = [text for name in ("corpus", "senses") for text in wordlists.load(name)["sentence"]]
    known = tuple(_normalised(item) for item in items)
    random = generator(seed)
    new: list[str] = []
    seen: list[str] = []
    for number in random.permutation(len(every)):
        text = _normalised(every[number])
        (seen if any(item in text for item in known) else new).append(str(every[number]))
        if len(new) == count:
            break
    texts = tuple((*new, *seen)[:count])
    masked = tuple(_masked(text, model, random) for text in texts)
    of = np.repeat(np.arange(len(texts)), [len(row.positions) for row in masked])
    return HeldOutText(texts, masked, of, np.arange(len(texts)) >= len(new))


def text_costs(
    text: HeldOutText,
    model: "EmbeddingModel",
    *,
    changes: Sequence[Change],
    layer: int,
    progress: Progress = silent,
) -> Array:
    """Return the change (m, c) of the log probability of m masked words, in nats, after each of c changes of a layer's
    states, at all tokens except [CLS] and [SEP].
    """
    enough(changes, "changes")
    check_layer(layer, model.layers)
    read: dict[int, Array] = {}  # (1 + c, masks, d) of each sentence, without a change first
    for numbers in _alike(text, model, len(changes)):
        rows = [text.masked[number] for number in numbers]
        (_, states), *_ = model.encode_many([row.ids for row in rows])
        shape = (len(changes), *states[layer].shape)
        changed = np.broadcast_to(states[layer], shape).copy()
        for part, change in zip(changed, changes, strict=True):
            part[:, 1:-1] = change(part[:, 1:-1])
        last = with_rows(changed.reshape(-1, *shape[2:]), model, layer=layer).reshape(shape)
        every = np.concatenate([states[-1][None], last])
        read |= {number: every[:, line, text.masked[number].positions] for line, number in enumerate(numbers)}
        progress(len(read) / len(text.masked))
    states = np.concatenate([read[number] for number in range(len(text.masked))], axis=1)
    targets = [target for row in text.masked for target in row.targets] * len(states)
    found = target_logs(states.reshape(-1, states.shape[-1]), model, targets=targets)
    before, *after = found.reshape(len(states), -1)
    return np.array(after).T - before[:, None]


def _masked(text: str, model: "EmbeddingModel", random: np.random.Generator) -> Masked:
    """Return a sentence with 15% of its tokens masked, at least one."""
    read = sentence(text, model)
    inside = np.flatnonzero(read.words >= 0)
    at = np.sort(random.choice(inside, max(1, round(SHARE * len(inside))), replace=False))
    ids = read.ids.copy()
    ids[at] = model.mask_id
    return Masked(ids, at.tolist(), read.ids[at].tolist())


def _alike(text: HeldOutText, model: "EmbeddingModel", changes: int) -> list[list[int]]:
    """Return the numbers of sentences with the same number of tokens, few enough to be continued together."""
    by_length: dict[int, list[int]] = {}
    for number, row in enumerate(text.masked):
        by_length.setdefault(len(row.ids), []).append(number)
    groups = []
    for length, numbers in by_length.items():
        most = max(1, min(_PIECES // (length * changes), model.BATCH_PIECES // length))
        groups += [numbers[start : start + most] for start in range(0, len(numbers), most)]
    return groups


def _normalised(text: str) -> str:
    """Return the words of a text in small letters, each between spaces.

    >>> _normalised("The King's dog.")
    ' the king s dog '
    """
    words = " ".join(re.findall(r"\w+", text.casefold()))
    return f" {words} "
