"""Masked words of sentences that a direction was not made from, and their probability after a change of states."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools import wordlists
from embtools.chance import generator
from embtools.directions.effects import Change
from embtools.directions.find import check_layer
from embtools.limits import enough, within
from embtools.mask_filling.likelihood import Masked, sentence, target_logs
from embtools.models.patching import with_rows
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

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
    """Return random sentences of the built-in text that contain none of these items, with 15% of their tokens masked.

    If there are too few, others fill the number up; `seen` counts them.
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
    """Return the change (m, c) of the log probability of m masked words, in nats, after each of c changes of states.

    Every change is made after a layer, at all tokens except [CLS] and [SEP]; the layers above continue from there.
    """
    enough(changes, "changes")
    check_layer(layer, model)
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
