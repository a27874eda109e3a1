"""Activation patching with a mix: BERT's answer at a mask when a word's vector is replaced by the sum of its parts.

A mix that explains most of a vector may still lack the information that the network uses. So the vector of one word in
a sentence is replaced by its mix: a static embedding at the input, or a hidden state after its layer, from where the
rest of the network continues. BERT's answer at a mask of the same sentence is compared with its original answer and
with its answers for mixes of the same number of random words. Replacing states inside a network to read off the answer
is known as activation patching (Vig et al. 2020; Meng et al. 2022). Judging a reconstruction by what the network does
with it is customary for sparse autoencoders (Bricken et al. 2023, "loss recovered").
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.features.dictionary import Dictionary
from embtools.features.parts import Parts, refitted_weights
from embtools.features.targets import Target, normalised
from embtools.limits import within
from embtools.mask_filling.answers import best_answer
from embtools.mask_filling.forward import mask_position, probabilities
from embtools.messages import quoted, shortened
from embtools.models.last_states import last_states
from embtools.models.patching import with_rows
from embtools.occurrences.rows import spelling
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ORIGINAL, NOTHING, PARTS, RANDOM = "original vector", "zeros", "strongest parts", "random words"
DRAWS = 19  # if no draw keeps the answer, p = 1/20
MAX_DRAWS = 50
_EVERY, _STEPS = 8, 16  # every number of parts up to the first value; about as many numbers in all as the second
_BATCH = 64  # runs per batch: each has a probability for every token of the vocabulary


@dataclass(frozen=True, eq=False)
class PatchSite:
    """The word and the layer to patch in a sentence of t tokens.

    word        the word
    target      its vector (d,) to decompose; the mean over the tokens of the word
    layer       the layer after which the vector is replaced (0: the embedding output); None: at the input
    states      (t, d) the hidden states of the sentence after that layer, or its static embeddings
    segments    (t,) segment ids
    positions   positions of the word's tokens; for a static embedding, every position of the word
    mask        position of the mask that is read
    """

    word: str
    target: Target
    layer: int | None
    states: Array
    segments: NDArray[np.int64]
    positions: tuple[int, ...]
    mask: int


def patch_site(text: str, model: "EmbeddingModel", *, word: str, layer: int | None, mask: int = 1) -> PatchSite:
    """The first occurrence of a word in a sentence with a mask, after a layer or at the input."""
    if layer is not None and not 0 <= layer < model.layers:
        raise ValueError(
            f"Layer {layer} cannot be patched. Choose 0 to {model.layers - 1}: after the last layer, a mask no longer"
            " attends to other words."
        )
    word = normalised(word, model)
    if word in model.special:
        raise ValueError(f"{shortened(word)} is a special token, not a word. Choose a word of the sentence.")
    frame = model.tokenize(text)
    ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
    position = mask_position(frame, model, mask=mask)
    row = model.token_id(word) if layer is None else -1
    found = spans(text, model, word)
    if not found:
        raise ValueError(
            f"{quoted(word)} is not a separate word in the sentence. Add it to the sentence, or choose another word."
        )
    first, pieces, start, end = found[0]
    if layer is None:
        states, positions = model.matrix[ids], tuple(span[0] for span in found)
    else:
        states, positions = model.hidden_states(text)[layer], tuple(range(first, first + pieces))
    vector = states[list(positions)].mean(axis=0, dtype=np.float64).astype(np.float32)
    target = Target(word, vector, (word,), text, start, end, row)
    return PatchSite(word, target, layer, states, segments, positions, position)


def spans(text: str, model: "EmbeddingModel", word: str) -> list[tuple[int, int, int, int]]:
    """Where a word is in a text: first token, number of tokens, start and end in the text."""
    ids = model.tokenize(text)["id"].to_numpy()
    return [span for span in model.words(text)[1] if spelling(ids[span[0] : sum(span[:2])], model) == word]


def logits(site: PatchSite, model: "EmbeddingModel", *, vectors: Array) -> Array:
    """Logits (b, v) at the mask with the word's vector replaced by each of b vectors (b, d); all tokens of the word are
    shifted alike, so that their mean becomes the vector and their differences are unchanged.
    """
    batch = np.repeat(site.states[None], len(vectors), axis=0)
    batch[:, list(site.positions)] += (vectors.astype(np.float32) - site.target.vector)[:, None]
    if site.layer is None:
        states = last_states(batch, model, at=[site.mask], segments=site.segments)[:, 0]
    else:
        states = with_rows(batch, model, layer=site.layer, positions=[site.mask])[:, 0]
    return model.logits(model.transform(states))


def patch(
    site: PatchSite,
    model: "EmbeddingModel",
    *,
    dictionary: Dictionary,
    parts: Parts,
    draws: int = DRAWS,
    keep_length: bool = False,
    same_word: bool = False,
    same_sentence: bool = True,
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """BERT's answers with a word replaced by its k strongest parts, with weights refitted for every k, or by k random
    allowed words (a draw keeps its first words as k grows), one row per run.
    """
    if not len(parts.rows):
        raise ValueError("The mix is empty because the penalty is too large. Lower it.")
    within(draws, MAX_DRAWS, "draws")
    rng = generator(seed)
    pool = np.flatnonzero(dictionary.allowed(site.target, same_word=same_word, same_sentence=same_sentence))
    n = len(parts.rows)
    orders = [rng.choice(pool, min(n, len(pool)), replace=False) for _ in range(draws)]
    chosen = [(PARTS, k, 0, parts.rows[:k]) for k in steps(n)]
    chosen += [(RANDOM, k, draw, order[:k]) for draw, order in enumerate(orders, 1) for k in steps(n)]
    vector = site.target.vector.astype(np.float64)
    mixes = [_mix(dictionary.vectors[rows], vector, keep_length) for _, _, _, rows in chosen]
    vectors = np.array([vector, np.zeros_like(vector), *mixes])
    named = [(ORIGINAL, 0, 0, ""), (NOTHING, 0, 0, "")]
    named += [(run, k, draw, ", ".join(dictionary.words[rows])) for run, k, draw, rows in chosen]
    frame = pd.DataFrame(named, columns=["run", "k", "draw", "words"])
    return pd.concat([frame, _compared(site, vectors, model, progress)], axis=1)


def steps(n: int) -> tuple[int, ...]:
    """Numbers of parts to try, up to n: every one at first, then in growing steps.

    >>> steps(3), steps(60)
    ((1, 2, 3), (1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 17, 22, 28, 36, 47, 60))
    """
    if n <= _STEPS:
        return tuple(range(1, n + 1))
    rest = np.geomspace(_EVERY, n, _STEPS - _EVERY + 1).round().astype(int)
    return tuple(dict.fromkeys([*range(1, _EVERY), *map(int, rest)]))


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """Results of `patch` by kind of run and k: mean, minimum (_lowest) and maximum (_highest) over draws, and the share
    of draws that keep the top answer (same_answer).
    """
    grouped = runs.groupby(["run", "k"], sort=False)
    frame = grouped.agg(
        draws=("same_answer", "size"),
        same_answer=("same_answer", "mean"),
        probability=("probability", "mean"),
        probability_lowest=("probability", "min"),
        probability_highest=("probability", "max"),
        kl_bits=("kl_bits", "mean"),
        kl_bits_lowest=("kl_bits", "min"),
        kl_bits_highest=("kl_bits", "max"),
    )
    return frame.reset_index()


def by_number_of_words(runs: pd.DataFrame) -> pd.DataFrame:
    """Results of `patch` for the strongest parts, one row per k, without the columns run and draw."""
    return runs[runs["run"] == PARTS].drop(columns=["run", "draw"]).reset_index(drop=True)


def _mix(atoms: Array, vector: Array, keep_length: bool) -> Array:
    """The refitted mix (d,) of atoms (k, d), scaled to the length of the vector if `keep_length`."""
    mixed = refitted_weights(atoms, vector) @ atoms.astype(np.float64)
    length = float(np.linalg.norm(mixed))
    return mixed * (np.linalg.norm(vector) / length) if keep_length and length else mixed


def _compared(site: PatchSite, vectors: Array, model: "EmbeddingModel", progress: Progress) -> pd.DataFrame:
    """Comparison of every vector (b, d) with the first one: the last six columns of `patch`."""
    from scipy.special import xlogy

    frames = []
    size = max(1, min(_BATCH, model.BATCH_PIECES // len(site.states)))
    for start in range(0, len(vectors), size):
        scores = logits(site, model, vectors=vectors[start : start + size])
        if start == 0:
            before = probabilities(scores[0])
            best, certainty = int(best_answer(before, model)), float(xlogy(before, before).sum())
        # The divergence needs the logarithms of the probabilities in one product only, so they are never stored.
        now, scores = best_answer(scores, model), scores - scores.max(axis=1, keepdims=True)
        total = np.log(np.exp(scores).sum(axis=1, dtype=np.float64))
        nats = certainty - scores @ before + total
        frames.append(
            pd.DataFrame(
                {
                    "answer": [model.vocabulary[number] for number in now],
                    "probability": np.exp(scores[:, best] - total),
                    "same_answer": now == best,
                    "kl_bits": np.maximum(0.0, nats) / np.log(2),
                }
            )
        )
        progress(min(1.0, (start + size) / len(vectors)))
    frame = pd.concat(frames, ignore_index=True)
    lengths = np.linalg.norm(vectors, axis=1)
    products = vectors @ vectors[0]
    frame["cosine"] = np.divide(products, lengths * lengths[0], out=np.zeros_like(products), where=lengths > 0)
    frame["length"] = lengths / lengths[0]
    return frame
