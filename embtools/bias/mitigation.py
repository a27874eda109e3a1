"""What mitigation methods gain and what they cost."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.bias.mitigated import METHODS, Method, mitigate, pair_ids
from embtools.mask_filling.answers import divergence
from embtools.mask_filling.edits import Scope
from embtools.mask_filling.forward import mask_positions, probabilities
from embtools.messages import quoted
from embtools.models.last_states import last_states_of_rows
from embtools.progress import Progress, silent
from embtools.statistics.intervals import mean_interval
from embtools.vectors import Array
from embtools.words.templates import SLOT, check_pieces, fill, seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_SENTENCES = 200
MAX_WORDS = 200
MAX_PIECES = 40_000  # tokens of all sentences with all methods: a base model reads about a thousand per second


def cost(
    sentences: Sequence[str],
    model: "EmbeddingModel",
    *,
    answers: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    scope: Scope = "tied",
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """The effect of each mitigation method on sentences about no group."""
    if not 1 <= len(sentences) <= MAX_SENTENCES or len(sentences) != len(answers):
        raise ValueError(f"Use 1 to {MAX_SENTENCES} sentences, each with its acceptable answers.")
    accepted = [_accepted(words, model) for words in answers]
    rows = []
    original: Array | None = None
    for method, answered in _every_method(sentences, first, second, model, scope, seed, progress):
        original = answered if original is None else original
        for sentence, ids, before, after in zip(sentences, accepted, original, answered, strict=True):
            p, p_before = float(after[ids].sum()), float(before[ids].sum())
            change = float(np.log(max(p, 1e-300) / max(p_before, 1e-300)))
            rows.append((method, sentence, p, change, int(after.argmax()) in ids, divergence(before, after)))
    return pd.DataFrame(rows, columns=["method", "sentence", "probability", "log_change", "top_acceptable", "distance"])


def cost_summary(costs: pd.DataFrame, *, seed: int = 0) -> pd.DataFrame:
    """Means of the costs per mitigation method."""
    rows = []
    for method, group in costs.groupby("method", sort=False):
        change = mean_interval(group["log_change"].to_numpy(), seed=seed, rounds=2_000)
        means = group[["probability", "top_acceptable", "distance"]].mean()
        ends = change.mean, change.low, change.high
        rows.append((method, means["probability"], means["top_acceptable"], *ends, means["distance"]))
    columns = ["method", "probability", "top_acceptable", "log_change", "low", "high", "distance"]
    return pd.DataFrame(rows, columns=columns)


def gain(
    templates: Sequence[str],
    model: "EmbeddingModel",
    *,
    occupations: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    scope: Scope = "tied",
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Difference between the answers for the two words of the first pair, for each mitigation method."""
    if not 1 <= len(templates) <= MAX_SENTENCES:
        raise ValueError(f"Use 1 to {MAX_SENTENCES} sentences with {SLOT} and [MASK].")
    if not 1 <= len(occupations) <= MAX_WORDS:
        raise ValueError(f"There are {len(occupations)} occupations; use 1 to {MAX_WORDS}.")
    pair_ids(first, second, model)
    targets = [model.token_id(word) for word in occupations]
    texts = [fill(t, w, SLOT) for t in templates for w in (first[0], second[0])]
    rows = []
    for method, answered in _every_method(texts, first, second, model, scope, seed, progress):
        a, b = answered[::2], answered[1::2]
        gaps = np.abs(np.log(a[:, targets]) - np.log(b[:, targets])).mean()
        rows.append((method, float(gaps), float(np.mean([divergence(p, q) for p, q in zip(a, b, strict=True)]))))
    return pd.DataFrame(rows, columns=["method", "gap", "distance"])


def effort(templates: Sequence[str], model: "EmbeddingModel", *, sentences: Sequence[str]) -> float:
    """About how many seconds one core takes for `gain` on templates and `cost` on sentences."""
    texts = [*templates, *templates, *sentences]  # each template once for each group
    return seconds(sum(len(model.tokenize(text)) for text in texts) * len(METHODS), model)


def _every_method(
    texts: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    scope: Scope,
    seed: int,
    progress: Progress,
) -> Iterator[tuple[Method, Array]]:
    """Probabilities (n texts, v) at the mask of each text, by method; equal inputs are run only once."""
    changes = [(method, mitigate(first, second, model, method=method, scope=scope, seed=seed)) for method in METHODS]
    frames = [model.tokenize(text) for text in texts]
    check_pieces(sum(map(len, frames)) * len(METHODS), MAX_PIECES)
    masks = [mask_positions(frame, model) for frame in frames]
    if any(len(m) != 1 for m in masks):
        raise ValueError("Each sentence needs exactly one [MASK] for the word that BERT should predict.")
    ids = [frame["id"].to_numpy() for frame in frames]
    inputs: dict[bytes, tuple[Array, int]] = {}
    keys = [
        [_store(inputs, change.embed(row, model), mask[0]) for row, mask in zip(ids, masks, strict=True)]
        for _, change in changes
    ]
    transformed = _transformed(inputs, model, progress)
    for (method, change), row_keys in zip(changes, keys, strict=True):
        states = np.stack([transformed[key] for key in row_keys])
        yield method, probabilities(change.rescore(model.logits(states), states, model))


def _store(inputs: dict[bytes, tuple[Array, int]], rows: Array, mask: int) -> bytes:
    key = hashlib.blake2b(mask.to_bytes(2) + rows.tobytes(), digest_size=16).digest()
    inputs[key] = (rows, mask)
    return key


def _transformed(
    inputs: dict[bytes, tuple[Array, int]], model: "EmbeddingModel", progress: Progress
) -> dict[bytes, Array]:
    """State (d,) at the mask after the transform of the output head, by input."""
    keys = list(inputs)
    transformed: dict[bytes, Array] = {}
    rows, masks = zip(*inputs.values(), strict=True)
    for numbers, states in last_states_of_rows(rows, model, at=[[mask] for mask in masks]):
        batch = [keys[number] for number in numbers]
        transformed |= dict(zip(batch, model.transform(np.concatenate(states)), strict=True))
        progress(len(transformed) / len(inputs))
    return transformed


def _accepted(words: str, model: "EmbeddingModel") -> list[int]:
    ids = [model.ids[w.strip()] for w in words.split("|") if w.strip() in model.ids]
    if not ids:
        raise ValueError(
            f"None of the answers {quoted(words, 80)} is a single token of this model. Use a more common word."
        )
    return ids
