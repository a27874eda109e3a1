"""How good a dictionary is on text that it was not trained on, and how interpretable its features look."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.features.learned import LearnedDictionary
from embtools.features.sentences import compared_answers, sentence_words
from embtools.limits import enough, same_count
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

TOP = 10
"""Number of strongest occurrences whose words are compared."""


@dataclass(frozen=True)
class Occurrences:
    """Occurrences of words: vectors (n, d), and the word (n,) of each."""

    vectors: Array
    words: NDArray[np.object_]


def fit(dictionary: LearnedDictionary, vectors: Array) -> dict[str, float]:
    """Return the explained variance, the share of dead features and the mean number of active ones for vectors (m,
    d).
    """
    enough(vectors, "vectors", least=2)
    codes = dictionary.codes(vectors)
    errors = float(((dictionary.reconstruct(codes) - vectors) ** 2).sum(dtype=np.float64))
    whole = float(((vectors - vectors.mean(0)) ** 2).sum(dtype=np.float64))
    active = codes.activations != 0
    used = np.unique(codes.features[active])
    return {
        "explained": 1 - errors / whole if whole else 0.0,
        "dead": 1 - len(used) / len(dictionary),
        "active": float(active.sum(1).mean()),
    }


def interpretability(
    dictionary: LearnedDictionary, occurrences: Occurrences, meanings: dict[str, Array]
) -> dict[str, float]:
    """Return how much the strongest occurrences of a feature have in common, averaged over features."""
    same_count(occurrences=occurrences.vectors, words=occurrences.words)
    codes = replace(dictionary, refit=False).codes(occurrences.vectors)  # scores rank; weights can be below zero
    features, values = codes.features.ravel(), codes.activations.ravel()
    rows = np.repeat(np.arange(len(codes.features)), codes.features.shape[1])[values > 0]
    features, values = features[values > 0], values[values > 0]
    order = np.lexsort((-values, features))
    ordered = rows[order]
    _, starts, counts = np.unique(features[order], return_index=True, return_counts=True)
    tops = [ordered[start : start + TOP] for start in starts[counts >= TOP]]
    return _common([occurrences.words[top] for top in tops], meanings)


def by_chance(occurrences: Occurrences, meanings: dict[str, Array], *, draws: int = 1_000, seed: int = 0) -> Any:
    """Return the values of `interpretability` for sets of ten random occurrences."""
    enough(occurrences.words, "occurrences", least=TOP)
    rng = generator(seed)
    words = occurrences.words
    return _common([words[rng.choice(len(words), TOP, replace=False)] for _ in range(draws)], meanings)


def answers(
    sentences: Sequence[str],
    model: "EmbeddingModel",
    *,
    dictionary: LearnedDictionary,
    seed: int = 0,
    progress: Progress = silent,
) -> dict[str, float]:
    """Return how far the answers at a random mask of each sentence change if all words are replaced by their sums."""
    rng = generator(seed)
    found = []
    for number, text in enumerate(sentences):
        progress(number / len(sentences))
        spans = [span for span in model.words(text)[1] if span[1] == 1 and text[span[2] : span[3]].isalpha()]
        if len(spans) < 4 or len(model.words(text)[0]) > model.max_tokens:
            continue
        _, _, start, end = spans[rng.integers(len(spans))]
        words = sentence_words(f"{text[:start]}[MASK]{text[end:]}", model, layer=dictionary.layer)
        sums = dictionary.reconstruct(dictionary.codes(words.vectors))
        states = [words.states, *(words.moved(new - words.vectors) for new in (sums, dictionary.centre))]
        position = int(np.flatnonzero(words.ids == model.mask_id)[0])
        frame, _ = compared_answers(np.array(states), model, layer=dictionary.layer, position=position)
        found.append((frame["kl_bits"][1], frame["same_answer"][1], frame["kl_bits"][2]))
    enough(found, "sentences in which a word can be masked")
    kl, same, mean = np.array(found, float).mean(0)
    return {"kl_bits": float(kl), "same_answer": float(same), "kl_mean": float(mean), "asked": float(len(found))}


def meanings(words: Sequence[str], model: "EmbeddingModel") -> dict[str, Array]:
    """Return the mean static embedding of each word's tokens, minus the mean over the vocabulary."""
    centre = model.matrix[model.whole_words].mean(0)
    found = {}
    for word in dict.fromkeys(words):
        ids = [model.ids[piece] for piece in model.pieces(word)]
        found[word] = np.asarray(model.matrix[ids].mean(0) - centre if ids else np.zeros_like(centre))
    return found


def _common(tops: Sequence[NDArray[np.object_]], meanings: dict[str, Array]) -> dict[str, float]:
    """Return what sets of words have in common, see `interpretability`."""
    different = [list(dict.fromkeys(top)) for top in tops]
    cosines = []
    for words in different:
        if len(words) < 2:
            continue
        rows = np.array([meanings[word] for word in words], np.float64)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        total, w = rows.sum(0), len(rows)
        cosines.append((float(total @ total) - float((rows**2).sum())) / (w * (w - 1)))
    nothing = float("nan")
    return {
        "judged": float(len(different)),
        "one_word": float(np.mean([len(words) == 1 for words in different])) if different else nothing,
        "different_words": float(np.mean([len(words) for words in different])) if different else nothing,
        "similarity": float(np.mean(cosines)) if cosines else nothing,
    }
