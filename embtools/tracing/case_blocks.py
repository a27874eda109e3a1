"""What copying and blocking parts of the network moves in a few cases of an edit and its two controls."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.memory import remembered
from embtools.models.components import layer_parts, state_after
from embtools.models.patching import Blocked, Copied, with_blocks, with_copies, with_rows
from embtools.progress import Progress, part, silent
from embtools.tracing.cases import CONDITIONS, EDITED, ROLES, CaseRuns, states_of
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

BLOCK = 4
"""Cases that are computed and stored together; work that is stopped keeps the finished blocks."""


@dataclass(frozen=True)
class Moved:
    """By how much the answers of n cases move, in nats: log p(c) − log p(b).

    effects         (n, conditions) from the unedited to the edited run
    copied          (n, 2, conditions, l + 1, roles) by copying the states of a role after a layer: from the edited run
                    into the unedited one, and what is lost in the other direction
    heads           (n, conditions, l, h) by copying the output of one head at the mask into the unedited run
    parts           (n, conditions, l, 2) the same for the attention and the feed-forward output of a layer
    blocked         (n, conditions, l + 1) what is lost of the effect if the mask cannot attend to the edited word in a
                    layer; at the end, in all layers
    blocked_heads   (n, l, h) the same of the edit, for one head
    """

    effects: Array
    copied: Array
    heads: Array
    parts: Array
    blocked: Array
    blocked_heads: Array


@remembered
def moved_in(cases: CaseRuns, model: "EmbeddingModel", *, progress: Progress = silent) -> Moved:
    """Return what every change inside the network moves in these cases."""
    states = states_of(cases, model)
    runs = np.arange(states.shape[1])
    values = cases.measured(states[-1, :, cases.mask], model, runs=runs)
    unedited, *edited = values.reshape(len(CONDITIONS) + 1, -1)
    effects = np.stack([after - unedited for after in edited], axis=1)  # (n, conditions)
    copied = _copied(cases, states, values, model, part(progress, 0, 0.4))
    layers = []
    for layer in range(1, model.layers + 1):
        layers.append(_by_layer(cases, states, values, model, layer=layer))
        progress(0.4 + 0.55 * layer / model.layers)
    heads, parts, blocked, blocked_heads = (np.stack(each, axis=-2) for each in zip(*layers, strict=True))
    blocked = np.concatenate([blocked[..., 0], _blocked_everywhere(cases, states, effects, model)], axis=2)
    progress(1.0)
    return Moved(effects, copied, heads, parts, blocked, blocked_heads)


def joined(blocks: list[Moved]) -> Moved:
    """Return what is moved in the cases of all blocks, in their order."""
    names = ("effects", "copied", "heads", "parts", "blocked", "blocked_heads")
    return Moved(*(np.concatenate([getattr(each, name) for each in blocks]) for name in names))


def _copied(cases: CaseRuns, states: Array, values: Array, model: "EmbeddingModel", progress: Progress) -> Array:
    """Return by how much copying each role after each layer moves the answer: (n, 2, conditions, l + 1, roles)."""
    n = len(cases.table)
    copies, kept = [], []
    for number in range(1, len(CONDITIONS) + 1):
        for into_first in (True, False):
            for positions in cases.roles[number - 1]:
                for case in range(n):
                    pair = (case, number * n + case) if into_first else (number * n + case, case)
                    if positions:
                        copies.append(Copied(*pair, positions))
                    kept.append(bool(positions))
    runs = np.array([each.into for each in copies])
    layers = []
    for layer in range(model.layers + 1):
        found = np.zeros(len(kept))  # a role without words moves nothing
        last = with_copies(states, model, copies=copies, layer=layer)[:, cases.mask]
        found[kept] = cases.measured(last, model, runs=runs) - values[runs]
        layers.append(found.reshape(len(CONDITIONS), 2, len(ROLES), n))
        progress((layer + 1) / (model.layers + 1))
    moved = np.stack(layers)  # (l + 1, conditions, 2, roles, n)
    moved[:, :, 1] *= -1  # what the second run loses
    return moved.transpose(4, 2, 1, 0, 3)


def _by_layer(
    cases: CaseRuns, states: Array, values: Array, model: "EmbeddingModel", *, layer: int
) -> tuple[Array, Array, Array, Array]:
    """Return what is moved by copying a layer's outputs at the mask, heads (n, c, h) and both parts (n, c, 2), and what
    is lost without its attention to the edited word, (n, c, 1), and each head's for the edit, (n, h).
    """
    own = layer_parts(states, model, layer=layer, position=cases.mask)

    def moved(runs: Array, changes: Array, ahead: Array | None = None) -> Array:
        """Return by how much the answer of runs (m,) moves with changes (m, k, d) of the attention output, (m, k), also
        with a copied feed-forward output `ahead` (m, d).
        """
        each = np.repeat(runs, changes.shape[1])
        attention = (own.attention[runs, None] + changes).reshape(len(each), -1)
        rows = states[layer][each]
        rows[:, cases.mask] = state_after(own.inputs[each], model, attention=attention, layer=layer, feed_forward=ahead)
        last = with_rows(rows, model, layer=layer, positions=[cases.mask])[:, 0]
        return (cases.measured(last, model, runs=each) - values[each]).reshape(len(runs), -1)

    plain = np.arange(len(cases.table))
    copied, ahead, lost = [], [], []
    for number in range(len(CONDITIONS)):
        other, targets = plain + (number + 1) * len(plain), cases.roles[number][ROLES.index(EDITED)]
        copied.append(moved(plain, _and_together(own.heads[other] - own.heads[plain])))
        ahead.append(moved(plain, np.zeros_like(own.heads[plain, :1]), own.feed_forward[other]))
        pair = np.concatenate([plain, other])
        without = layer_parts(states[:, pair], model, layer=layer, position=cases.mask, without=targets)
        changes = _and_together(without.heads - own.heads[pair])
        first, second = np.split(moved(pair, changes if number == 0 else changes[:, -1:]), 2)
        lost.append(first - second)
    heads, together = np.split(np.stack(copied, axis=1), [model.heads], axis=2)
    parts = np.concatenate([together, np.stack(ahead, axis=1)], axis=2)
    return heads, parts, np.stack([each[:, -1:] for each in lost], axis=1), lost[0][:, :-1]


def _and_together(changes: Array) -> Array:
    """Return the changes of each head (n, h, d), and at the end that of all heads together: (n, h + 1, d)."""
    return np.concatenate([changes, changes.sum(axis=1, keepdims=True)], axis=1)


def _blocked_everywhere(cases: CaseRuns, states: Array, effects: Array, model: "EmbeddingModel") -> Array:
    """Return what is lost if the mask cannot attend to the edited word in any layer: (n, c, 1)."""
    heads = tuple((layer, head) for layer in range(1, model.layers + 1) for head in range(1, model.heads + 1))
    lost = []
    for number, effect in enumerate(effects.T):
        runs = [*range(len(effect)), *range((number + 1) * len(effect), (number + 2) * len(effect))]
        targets = cases.roles[number][ROLES.index(EDITED)]
        blocks = [Blocked(run, (cases.mask,), targets, heads) for run in runs]
        last = with_blocks(states, model, blocks=blocks)[:, cases.mask]
        first, second = np.split(cases.measured(last, model, runs=np.array(runs)), 2)
        lost.append(effect - (second - first))
    return np.stack(lost, axis=1)[..., None]
