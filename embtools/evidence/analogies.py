"""Analogies in bulk: relations × methods × inputs × layers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embtools.chance import checked_seed
from embtools.evidence.analogy_result import Analogies, tables
from embtools.evidence.analogy_runs import COMMON, STATIC, candidates, items_of, layer_vectors, ranks_of
from embtools.limits import enough, within
from embtools.mask_filling.relations import relation
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
    seed : int, default 0
        Seed of the draws and of the intervals.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Analogies
        With `table`, the accuracies and mean reciprocal ranks, and `tests`, the comparisons with nearness to c.

    Raises
    ------
    ValueError
        For an unknown relation, no relation, a layer that the model does not have, and `others` out of range.

    References
    ----------
    Mikolov et al. 2013, "Linguistic Regularities in Continuous Space Word Representations"; Levy and Goldberg 2014,
    "Linguistic Regularities in Sparse and Explicit Word Representations"; Linzen 2016, "Issues in evaluating semantic
    spaces using word analogies"; Rogers et al. 2017, "The (too many) problems of analogical reasoning with word
    vectors".
    """
    checked_seed(seed)
    enough(relations, "relations")
    within(others, MAX_OTHERS, "other pairs")
    keys = tuple(dict.fromkeys(relations))
    numbers = layers_of(model, layers=layers)
    items = tuple(items_of(relation(key).pairs, model, others=others, seed=seed) for key in keys)
    words = candidates(items, model)
    states = layer_vectors(tuple(words.tolist()), model, layers=numbers, progress=part(progress, 0, 0.4))
    ranks = []
    for done, vectors in enumerate([model.matrix[words], *states], 1):
        ranks.append(tuple(ranks_of(each, words, vectors=vectors, seed=seed) for each in items))
        progress(0.4 + 0.2 * done / (len(numbers) + 1))
    names = (STATIC, *map(str, numbers))
    found = tables(keys, names, items, ranks, seed=int(seed), progress=part(progress, 0.6, 0.4))
    return Analogies(keys, names, items, tuple(ranks), tuple(model.vocabulary), len(words), *found)


def layers_of(model: "EmbeddingModel", *, layers: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the layers that are compared with the static embeddings, each once.

    Parameters
    ----------
    model : EmbeddingModel
    layers : sequence of int or None, optional
        Layers from 0 on; None takes a third, two thirds and all of the network.

    Returns
    -------
    tuple of int

    Raises
    ------
    ValueError
        For a layer that the model does not have.
    """
    chosen = [round(model.layers * k / 3) for k in (1, 2, 3)] if layers is None else list(layers)
    for layer in chosen:
        if isinstance(layer, bool) or not isinstance(layer, int | np.integer) or not 0 <= layer <= model.layers:
            raise ValueError(f"There is no layer {layer}. Choose 0 to {model.layers}.")
    return tuple(dict.fromkeys(int(layer) for layer in chosen))


def effort(relations: Sequence[str], model: "EmbeddingModel", *, others: int = 5) -> float:
    """Return about how many seconds the analogies of relations take on one core.

    Parameters
    ----------
    relations : sequence of str
        Keys of built-in relations.
    model : EmbeddingModel
    others : int, default 5
        Number of pairs (c, d) for each pair (a, b).

    Returns
    -------
    float
        Seconds.

    Raises
    ------
    ValueError
        For an unknown relation, and for `others` out of range.
    """
    within(others, MAX_OTHERS, "other pairs")
    sizes = [len(relation(key).pairs) for key in relations]
    count, words = sum(n * min(others, n) for n in sizes), COMMON + 2 * sum(sizes)
    states = 3 * words * model.parameters * _SECONDS
    scores = 4 * count * words * model.dimensions * _SECONDS
    return states + 6 * scores + 0.6 * len(sizes)
