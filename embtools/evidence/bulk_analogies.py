"""Analogies in bulk: relations × methods × inputs × layers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from embtools.chance import checked_seed
from embtools.evidence.analogy_result import Analogies
from embtools.evidence.analogy_runs import COMMON, STATIC, Items, candidates, items_of, layer_vectors, relation_ranks
from embtools.evidence.analogy_tables import relation_tables, tables
from embtools.limits import enough, within
from embtools.mask_filling.relations import relation
from embtools.memory import known
from embtools.progress import Progress, part, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_OTHERS = 50
_SECONDS = 1e-11  # per parameter that a token or a score needs, on one core


def analogies(
    relations: Sequence[str],
    model: "EmbeddingModel",
    *,
    others: int = 5,
    layers: Sequence[int] | None = None,
    first: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Analogies:
    """Solve all analogies of several relations by five methods, with the inputs excluded or allowed, in several layers.

    "a is to b as c is to d" is made of two pairs of a relation. The candidates for d are the most frequent whole words
    and all words of the relations. In a layer, the vector of a word is its hidden state alone between [CLS] and [SEP].

    Parameters
    ----------
    relations : sequence of str
        Keys of built-in relations, such as "capital".
    model : EmbeddingModel
    others : int, default 5
        Number of pairs (c, d) for each pair (a, b), drawn at random.
    layers : sequence of int or None, optional
        Layers from 0 (the embedding output) on, next to the static embeddings; None takes a third, two thirds and all
        of the network.
    first : int or None, optional
        Solve only the first relations, among the same candidates; None solves all.
    seed : int, default 0
        Seed of the draws and of the intervals.
    progress : callable, optional
        Receives 0 … 1; may raise to stop. Finished relations are then cached.

    Returns
    -------
    Analogies
        With `table`, the accuracies and mean reciprocal ranks, and `tests`, the comparisons with nearness to c.

    Raises
    ------
    ValueError
        For an unknown relation, no relation, a layer that the model does not have, and `others` or `first` out of
        range.

    References
    ----------
    Mikolov et al. 2013, "Linguistic Regularities in Continuous Space Word Representations"; Levy and Goldberg 2014,
    "Linguistic Regularities in Sparse and Explicit Word Representations"; Linzen 2016, "Issues in evaluating semantic
    spaces using word analogies"; Rogers et al. 2017, "The (too many) problems of analogical reasoning with word
    vectors".
    """
    keys, numbers, items, words = _asked(relations, model, others, layers, seed)
    count = len(keys) if first is None else first
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or not 1 <= count <= len(keys):
        raise ValueError(f"The first {count} relations cannot be solved. Choose 1 to {len(keys)}.")
    layer_vectors(words, model, layers=numbers, progress=part(progress, 0, 0.4))
    ranks, cells = [], []
    for done, each in enumerate(items[:count]):
        begun = 0.4 + 0.5 * done / count
        ranks.append(relation_ranks(each, model, words=words, layers=numbers, seed=int(seed)))
        progress(begun + 0.1 / count)
        report = part(progress, begun + 0.1 / count, 0.4 / count)
        cells.append(relation_tables(each, ranks[-1], seed=int(seed), progress=report))
    keys, names = keys[:count], (STATIC, *map(str, numbers))
    by_layer = tuple(zip(*ranks, strict=True))
    result = tables(
        keys, names, items[:count], by_layer, seed=int(seed), cells=cells, progress=part(progress, 0.9, 0.1)
    )
    return Analogies(keys, names, items[:count], by_layer, tuple(model.vocabulary), len(words), *result)


def finished_relations(
    relations: Sequence[str],
    model: "EmbeddingModel",
    *,
    others: int = 5,
    layers: Sequence[int] | None = None,
    first: int | None = None,
    seed: int = 0,
) -> int:
    """Return how many of the first relations are in the cache, after `analogies` was stopped.

    `analogies` with this number as `first` solves no analogy again. The parameters and errors are those of `analogies`.
    """
    _, numbers, items, words = _asked(relations, model, others, layers, seed)
    count = 0
    for each in items[:first]:
        query: dict[str, Any] = {"items": each, "words": words, "layers": numbers, "seed": int(seed)}
        if not known(relation_ranks, query, checksum=model.checksum):
            break
        ranks = relation_ranks(model=model, **query)
        if not known(relation_tables, {"items": each, "ranks": ranks, "seed": int(seed)}):
            break
        count += 1
    return count


def _asked(
    relations: Sequence[str], model: "EmbeddingModel", others: int, layers: Sequence[int] | None, seed: int
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[Items, ...], tuple[int, ...]]:
    """Check the arguments of `analogies`; return the relations, the layers, the analogies, and all candidates."""
    checked_seed(seed)
    enough(relations, "relations")
    within(others, MAX_OTHERS, "other pairs")
    keys = tuple(dict.fromkeys(relations))
    numbers = layers_of(model, layers=layers)
    items = tuple(items_of(relation(key).pairs, model, others=others, seed=seed) for key in keys)
    return keys, numbers, items, tuple(candidates(items, model).tolist())


def layers_of(model: "EmbeddingModel", *, layers: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the layers that are compared with the static embeddings, each once."""
    chosen = [round(model.layers * k / 3) for k in (1, 2, 3)] if layers is None else list(layers)
    for layer in chosen:
        if isinstance(layer, bool) or not isinstance(layer, int | np.integer) or not 0 <= layer <= model.layers:
            raise ValueError(f"There is no layer {layer}. Choose 0 to {model.layers}.")
    return tuple(dict.fromkeys(int(layer) for layer in chosen))


def effort(relations: Sequence[str], model: "EmbeddingModel", *, others: int = 5) -> float:
    """Return about how many seconds the analogies of relations take on one core."""
    within(others, MAX_OTHERS, "other pairs")
    sizes = [len(relation(key).pairs) for key in relations]
    count, words = sum(n * min(others, n) for n in sizes), COMMON + 2 * sum(sizes)
    states = 3 * words * model.parameters * _SECONDS
    scores = 4 * count * words * model.dimensions * _SECONDS
    return states + 6 * scores + 0.6 * len(sizes)
