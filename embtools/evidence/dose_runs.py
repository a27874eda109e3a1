"""The runs of a dose curve: an edit and a random difference at several strengths, at the input or after a layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.chance import checked_seed, generator
from embtools.formula import expression
from embtools.mask_filling.answers import best_answer
from embtools.mask_filling.cases import A, B, C, Pair, case_tokens, read_edit
from embtools.memory import remembered
from embtools.models.last_states import last_states
from embtools.models.patching import with_rows
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

INPUT, TIED = "input", "input and output"
"""Places: what BERT reads; what it reads and the word's output score. The others are "layer 1" and so on."""
EDIT, RANDOM = CONDITIONS = ("edit", "random difference")


@dataclass(frozen=True)
class DoseBlock:
    """The cases of a few pairs.

    words    (a, c) of each of the n cases
    tops     (n, templates, places, 2 conditions, strengths) the id of the top answer
    before   (n, templates) the id of the top answer without an edit
    c_ids    (n,) the ids of c
    correct  (n,) whether the unedited answer to the first sentence is b
    """

    words: tuple[tuple[str, str], ...]
    tops: Array
    before: Array
    c_ids: Array
    correct: Array


@dataclass(frozen=True)
class _Case:
    """The vectors of one case: the word's own, and the differences of the edit and of a random draw (2, d)."""

    pair: Pair
    c: str
    c_id: int
    original: Array
    shifts: Array


def layer_of(place: str) -> int:
    """Return the layer of a place such as "layer 3"; 0 for the others.

    >>> layer_of("layer 3"), layer_of("input")
    (3, 0)
    """
    return int(place.removeprefix("layer ")) if place.startswith("layer ") else 0


@remembered
def dose_block(
    pairs: tuple[Pair, ...],
    model: "EmbeddingModel",
    *,
    edit: str,
    templates: tuple[str, ...],
    strengths: tuple[float, ...],
    places: tuple[str, ...],
    seed: int,
    progress: Progress = silent,
) -> DoseBlock:
    """Return the top answers of all cases of a few pairs; after a layer, the difference is scaled as the word's hidden
    state is to its input vector."""
    checked_seed(seed)
    cases = [case for pair in pairs for case in _cases(pair, model, edit, seed)]
    tops = np.zeros((len(cases), len(templates), len(places), len(CONDITIONS), len(strengths)), np.int32)
    before = np.zeros((len(cases), len(templates)), np.int32)
    work, done = len(cases) * len(templates), 0
    for t, template in enumerate(templates):
        for numbers, ids, masks in _equal_lengths(cases, model, template):
            before[numbers, t], tops[numbers, t] = _tops(
                [cases[i] for i in numbers], ids, masks, model, strengths, places
            )
            done += len(numbers)
            progress(done / work)
    return DoseBlock(
        tuple((case.pair.a, case.c) for case in cases),
        tops,
        before,
        np.array([case.c_id for case in cases], np.int32),
        before[:, 0] == np.array([case.pair.b_id for case in cases], np.int32),
    )


def _cases(pair: Pair, model: "EmbeddingModel", edit: str, seed: int) -> list[_Case]:
    formula, found = read_edit(edit), []
    words = np.flatnonzero(model.whole_words)
    original = model.matrix[pair.a_id].astype(np.float64)
    for c, c_id in pair.others:
        places = {A: pair.a_id, B: pair.b_id, C: c_id}
        ids = {word: places[word] if word in places else model.token_id(word) for word in expression.words(formula)}
        shift = expression.value(formula, lambda word: model.matrix[ids[word]].astype(np.float64)) - original  # noqa: B023
        one, other = generator(seed, pair.a_id + 1, pair.b_id + 1, c_id + 1).choice(words, size=2, replace=False)
        drawn = (model.matrix[one] - model.matrix[other]).astype(np.float64)
        drawn *= np.linalg.norm(shift) / max(float(np.linalg.norm(drawn)), 1e-12)
        found.append(_Case(pair, c, c_id, original, np.stack([shift, drawn])))
    return found


def _equal_lengths(
    cases: Sequence[_Case], model: "EmbeddingModel", template: str
) -> list[tuple[list[int], Array, list[int]]]:
    """Return the cases whose filled sentences have the same length: their numbers, ids (n, t) and masks (n,)."""
    groups: dict[int, list[tuple[int, Array, int]]] = {}
    for number, case in enumerate(cases):
        ids, (mask,) = case_tokens(case.pair, model, template=template)
        groups.setdefault(len(ids), []).append((number, ids, mask))
    return [
        ([number for number, _, _ in group], np.stack([ids for _, ids, _ in group]), [mask for _, _, mask in group])
        for group in groups.values()
    ]


def _tops(
    cases: Sequence[_Case],
    ids: Array,
    masks: Sequence[int],
    model: "EmbeddingModel",
    strengths: Sequence[float],
    places: Sequence[str],
) -> tuple[Array, Array]:
    """Return the top answers before (n,) and with each place, condition and strength (n, places, 2, strengths)."""
    n, t = ids.shape
    inputs = model.matrix[ids]  # (n, t, d)
    states = model.encode(inputs, np.zeros(t, np.int64))  # (l + 1, n, t, d)
    own = ids == np.array([[case.pair.a_id] for case in cases])  # (n, t)
    added = np.stack([case.shifts for case in cases])[:, :, None] * np.asarray(strengths)[:, None]  # (n, 2, s, d)
    _, k, s, d = added.shape
    at = np.repeat(masks, k * s)[:, None]
    found = np.zeros((n, len(places), k, s), np.int32)
    for number, place in enumerate(places):
        if place == TIED:
            continue
        layer = layer_of(place)
        base = states[layer] if layer else inputs
        # Hidden states are longer than input vectors; the same share of their length is added.
        scale = np.array([_scale(base[i][own[i]], cases[i].original) if layer else 1.0 for i in range(n)])
        rows = np.repeat(base, k * s, axis=0).reshape(n, k, s, t, d).astype(np.float32)
        rows += (own[:, None, None, :, None] * (scale[:, None, None, None] * added)[:, :, :, None]).astype(np.float32)
        rows = rows.reshape(-1, t, d)
        last = with_rows(rows, model, layer=layer, positions=at) if layer else _encoded(rows, model, at)
        transformed = model.transform(last[:, 0])
        logits = model.logits(transformed)
        found[:, number] = best_answer(logits, model).reshape(n, k, s)
        if place == INPUT and TIED in places:
            words = np.repeat([case.pair.a_id for case in cases], k * s)
            vectors = (np.stack([case.original for case in cases])[:, None, None] + added).reshape(-1, d)
            scores = np.einsum("rd,rd->r", transformed, vectors.astype(np.float32)) + model.output_bias[words]
            logits[np.arange(len(rows)), words] = scores
            found[:, list(places).index(TIED)] = best_answer(logits, model).reshape(n, k, s)
    unedited = model.logits(model.transform(states[-1][np.arange(n), masks]))
    return best_answer(unedited, model), found


def _encoded(rows: Array, model: "EmbeddingModel", at: Array) -> Array:
    """Return the last hidden states (b, 1, d) at one position (b, 1) of rows of word embeddings, in batches."""
    size = max(1, model.BATCH_PIECES // rows.shape[1])
    parts = [slice(start, start + size) for start in range(0, len(rows), size)]
    return np.concatenate([last_states(rows[part], model, at=at[part]) for part in parts])


def _scale(states: Array, original: Array) -> float:
    return float(np.linalg.norm(states, axis=-1).mean() / max(float(np.linalg.norm(original)), 1e-12))
