"""What copying and blocking parts of the network moves in a few cases of an edit and its two controls."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.memory import remembered
from embtools.models.components import layer_parts, state_after
from embtools.models.patching import Blocked, Copied, with_blocks, with_copies, with_rows
from embtools.progress import Progress, part, silent
from embtools.tracing.cases import CONDITIONS, EDITED, ROLES, CaseRuns, states_of
from embtools.tracing.components import PARTS
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
    heads, parts = _parts(cases, states, unedited, model, part(progress, 0.4, 0.4))
    blocked = _blocked(cases, states, effects, model)
    progress(0.9)
    blocked_heads = _blocked_heads(cases, states, effects[:, 0], model)
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


def _parts(
    cases: CaseRuns, states: Array, unedited: Array, model: "EmbeddingModel", progress: Progress
) -> tuple[Array, Array]:
    """Return by how much the outputs at the mask move the unedited run: of heads (n, c, l, h), of parts (n, c, l, 2).

    c are the conditions whose outputs are copied.
    """
    n, heads, conditions = len(cases.table), model.heads, len(CONDITIONS)
    found = np.zeros((n, conditions, model.layers, heads + len(PARTS)))
    for layer in range(1, model.layers + 1):
        own = layer_parts(states, model, layer=layer, position=cases.mask)
        changes = own.heads[n:].reshape(conditions, n, heads, -1) - own.heads[:n]
        attention = own.attention[:n, None] + changes  # (conditions, n, h, d)
        together = own.attention[n:].reshape(conditions, n, 1, -1)
        mixed = np.concatenate([attention, together], axis=2)  # (conditions, n, h + 1, d)
        rows = np.repeat(own.inputs[:n][None, :, None], conditions, axis=0)
        inputs = np.broadcast_to(rows, mixed.shape)
        ahead = own.feed_forward[n:].reshape(conditions * n, -1)
        size = mixed.shape[-1]
        after = state_after(inputs.reshape(-1, size), model, attention=mixed.reshape(-1, size), layer=layer)
        alone = state_after(
            np.tile(own.inputs[:n], (conditions, 1)), model, attention=np.tile(own.attention[:n], (conditions, 1)),
            layer=layer, feed_forward=ahead,
        )  # fmt: skip
        new = np.concatenate(
            [after.reshape(conditions, n, heads + 1, size), alone.reshape(conditions, n, 1, size)], axis=2
        ).reshape(-1, size)
        runs = np.tile(np.repeat(np.arange(n), heads + len(PARTS)), conditions)
        changed = states[layer][runs]
        changed[:, cases.mask] = new
        last = with_rows(changed, model, layer=layer, positions=[cases.mask])[:, 0]
        values = cases.measured(last, model, runs=runs) - unedited[runs]
        found[:, :, layer - 1] = values.reshape(conditions, n, -1).transpose(1, 0, 2)
        progress(layer / model.layers)
    return found[..., :heads], found[..., heads:]


def _blocked(cases: CaseRuns, states: Array, effects: Array, model: "EmbeddingModel") -> Array:
    """Return what is lost without attention from the mask to the edited word, by layer and in all: (n, c, l + 1)."""
    n = len(cases.table)
    layers = [[(layer, head) for head in range(1, model.heads + 1)] for layer in range(1, model.layers + 1)]
    found = np.zeros((*effects.shape, model.layers + 1))
    # One call for each layer: a call runs all its rows from the first layer in which one of them is blocked.
    for number, blocked in enumerate([*layers, [each for layer in layers for each in layer]]):
        for condition in range(len(CONDITIONS)):
            targets = cases.roles[condition][ROLES.index(EDITED)]
            runs = [*range(n), *range((condition + 1) * n, (condition + 2) * n)]
            found[:, condition, number] = _lost(
                [Blocked(run, (cases.mask,), targets, tuple(blocked)) for run in runs],
                cases, states, effects[:, condition], model,
            )[:, 0]  # fmt: skip
    return found


def _blocked_heads(cases: CaseRuns, states: Array, effects: Array, model: "EmbeddingModel") -> Array:
    """Return what is lost of the edit without the attention of one head from the mask to the edited word: (n, l, h)."""
    n, targets = len(cases.table), cases.roles[0][ROLES.index(EDITED)]
    found = []
    for layer in range(1, model.layers + 1):
        heads = [((layer, head),) for head in range(1, model.heads + 1)]
        blocks = [Blocked(run, (cases.mask,), targets, each) for run in range(2 * n) for each in heads]
        found.append(_lost(blocks, cases, states, effects, model))
    return np.stack(found, axis=1)


def _lost(blocks: list[Blocked], cases: CaseRuns, states: Array, effects: Array, model: "EmbeddingModel") -> Array:
    """Return how much of the effects (n,) is missing: blocks of the n unedited runs, then of the n edited ones."""
    last = with_blocks(states, model, blocks=blocks)[:, cases.mask]
    values = cases.measured(last, model, runs=np.array([each.run for each in blocks]))
    first, second = values.reshape(2, len(effects), -1)
    return np.asarray(effects[:, None] - (second - first))
