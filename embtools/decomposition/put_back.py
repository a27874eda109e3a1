"""The mix put back into the network: does BERT give the same answer when a word's vector is only the sum of its parts?

A mix that explains much of a vector may still lack what the network reads in it. So the vector of one word in a
sentence is exchanged for its mix where it stands: a static embedding at the input, a hidden state after its own layer,
from where the rest of the network goes on. What BERT then says at a mask of the same sentence is compared with what it
says without the exchange, and with mixes of as many random words. Exchanging states inside a network and reading the
answer is known as activation patching (Vig et al. 2020; Meng et al. 2022); that a reconstruction must be judged by what
the network does with it, from sparse autoencoders (Bricken et al. 2023, "loss recovered").
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.decomposition.dictionary import Dictionary
from embtools.decomposition.parts import Parts, refitted
from embtools.decomposition.targets import Target, spelt
from embtools.limits import within
from embtools.mask_filling.forward import mask_position, probabilities
from embtools.messages import quoted, shortened
from embtools.models.continuation import continued
from embtools.occurrences.rows import spelling
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ORIGINAL, NOTHING, PARTS, RANDOM = "the vector itself", "zeros", "its strongest parts", "random words"
DRAWS = 19  # if none keeps the answer, p = 1/20
MAX_DRAWS = 50
_EVERY, _STEPS = 8, 16  # every number of parts up to the first; about so many numbers in all
_BATCH = 64  # runs at a time: each has a probability for every word of the vocabulary


@dataclass(frozen=True, eq=False)
class Place:
    """A word in a sentence of t pieces, where its vector is taken from and put back to.

    target      the word's vector (d,), to be taken apart: for a word of several pieces their mean
    layer       after which it stands (0: the embedding output); None: the static embedding, at the input
    states      (t, d) what stands there in the sentence: hidden states, or word embeddings
    segments    (t,)
    positions   of the word's pieces; of a static embedding wherever the word stands
    mask        the position that is asked about
    """

    target: Target
    layer: int | None
    states: Array
    segments: NDArray[np.int64]
    positions: tuple[int, ...]
    mask: int


def placed(text: str, word: str, layer: int | None, *, model: "EmbeddingModel", mask: int = 1) -> Place:
    """A word's first occurrence in a sentence with a mask, after a layer; its static embedding where the layer is None.

    Raises ValueError for a word that cannot be read or does not stand there, for one of several pieces if it is to be
    static, for a layer that there is not, for the last one, after which a mask no longer looks at the word, and as
    `mask_position` and `EmbeddingModel.tokenize` do.
    """
    if layer is not None and not 0 <= layer < model.layers:
        raise ValueError(
            f"After layer {layer} nothing can be put back; choose 0 to {model.layers - 1}. After the last layer a mask"
            " no longer looks at other words."
        )
    word = spelt(word, model)
    if word in model.special:
        raise ValueError(f"{shortened(word)} is a sign of the model, not a word. Choose a word of the sentence.")
    frame = model.tokenize(text)
    ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
    asked = mask_position(frame, mask, model)
    row = model.token_id(word) if layer is None else -1
    found = [place for place in model.words(text)[1] if spelling(ids[place[0] : sum(place[:2])], model) == word]
    if not found:
        raise ValueError(f"{quoted(word)} does not stand in the sentence as a word of its own. Write it there.")
    first, pieces, start, end = found[0]
    if layer is None:
        states, positions = model.matrix[ids], tuple(place[0] for place in found)
    else:
        states, positions = model.hidden_states(text)[layer], tuple(range(first, first + pieces))
    vector = states[list(positions)].mean(axis=0, dtype=np.float64).astype(np.float32)
    return Place(Target(word, vector, (word,), text, start, end, row), layer, states, segments, positions, asked)


def answers(place: Place, vectors: Array, model: "EmbeddingModel") -> Array:
    """Probabilities (b, v) at the mask with each of b vectors (b, d) in the place of the word's own.

    Every piece of the word is moved by the difference between the vector and the word's own: a word of one piece gets
    the vector itself, of several pieces their mean becomes it and what tells them apart stays.
    """
    return probabilities(_logits(place, vectors, model))


def _logits(place: Place, vectors: Array, model: "EmbeddingModel") -> Array:
    """The scores (b, v) of which `answers` gives the probabilities."""
    batch = np.repeat(place.states[None], len(vectors), axis=0)
    batch[:, list(place.positions)] += (vectors.astype(np.float32) - place.target.vector)[:, None]
    if place.layer is None:
        states = model.encode(batch, place.segments, last_only=True)[0]
    else:
        states = continued(batch, place.layer, model)[-1]
    return model.logits(model.transform(states[:, place.mask]))


def put_back(
    place: Place,
    dictionary: Dictionary,
    parts: Parts,
    *,
    model: "EmbeddingModel",
    draws: int = DRAWS,
    keep_length: bool = False,
    same_word: bool = False,
    same_sentence: bool = True,
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """What BERT says with the k strongest parts in the place of a word, and with k random words: a row a run.

    Columns: run (ORIGINAL, NOTHING, PARTS, RANDOM), k, draw (from 1; 0 but for RANDOM), words (of the mix, separated by
    commas), answer (the first one), probability (of the first answer of ORIGINAL), first (whether it still is the
    first), bits (the Kullback-Leibler divergence of ORIGINAL's answers from these), cosine and length (of the mix, to
    the vector and in its lengths). k goes through `steps`. The weights of every k are fitted again: least squares, none
    below zero, no intercept, no penalty; so the mix is shorter than the vector, unless `keep_length` scales it to the
    same length. Random words are drawn from those that may be parts; a draw keeps its first words as k grows.
    `progress` is told 0 … 1 and may raise to stop. Raises ValueError for a mix without parts and for too many draws.
    """
    if not len(parts.rows):
        raise ValueError("The mix has no parts: the penalty is too large. Lower it.")
    within(draws, MAX_DRAWS, "draws")
    rng = generator(seed)
    pool = np.flatnonzero(dictionary.allowed(place.target, same_word=same_word, same_sentence=same_sentence))
    n = len(parts.rows)
    orders = [rng.choice(pool, min(n, len(pool)), replace=False) for _ in range(draws)]
    chosen = [(PARTS, k, 0, parts.rows[:k]) for k in steps(n)]
    chosen += [(RANDOM, k, draw, order[:k]) for draw, order in enumerate(orders, 1) for k in steps(n)]
    vector = place.target.vector.astype(np.float64)
    mixes = [_mix(dictionary.vectors[rows], vector, keep_length) for _, _, _, rows in chosen]
    vectors = np.array([vector, np.zeros_like(vector), *mixes])
    named = [(ORIGINAL, 0, 0, ""), (NOTHING, 0, 0, "")]
    named += [(run, k, draw, ", ".join(dictionary.words[rows])) for run, k, draw, rows in chosen]
    frame = pd.DataFrame(named, columns=["run", "k", "draw", "words"])
    return pd.concat([frame, _compared(place, vectors, model, progress)], axis=1)


def steps(n: int) -> tuple[int, ...]:
    """The numbers of parts that are tried, up to n: all of them, and where they are many fewer and fewer.

    >>> steps(3), steps(60)
    ((1, 2, 3), (1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 17, 22, 28, 36, 47, 60))
    """
    if n <= _STEPS:
        return tuple(range(1, n + 1))
    rest = np.geomspace(_EVERY, n, _STEPS - _EVERY + 1).round().astype(int)
    return tuple(dict.fromkeys([*range(1, _EVERY), *map(int, rest)]))


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """`put_back` with a line a run and k: run, k, draws, kept (share that keeps the first answer), then of probability
    and of bits the mean, low and high."""
    grouped = runs.groupby(["run", "k"], sort=False)
    found = grouped.agg(
        draws=("first", "size"),
        kept=("first", "mean"),
        probability=("probability", "mean"),
        probability_low=("probability", "min"),
        probability_high=("probability", "max"),
        bits=("bits", "mean"),
        bits_low=("bits", "min"),
        bits_high=("bits", "max"),
    )
    return found.reset_index()


def by_words(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of `put_back` with the strongest parts alone, a row for each k, without the columns run and draw."""
    return runs[runs["run"] == PARTS].drop(columns=["run", "draw"]).reset_index(drop=True)


def _mix(atoms: Array, vector: Array, keep_length: bool) -> Array:
    """The refitted mix (d,) of atoms (k, d); as long as the vector if wanted and if it has a length."""
    mixed = refitted(atoms, vector) @ atoms.astype(np.float64)
    length = float(np.linalg.norm(mixed))
    return mixed * (np.linalg.norm(vector) / length) if keep_length and length else mixed


def _compared(place: Place, vectors: Array, model: "EmbeddingModel", progress: Progress) -> pd.DataFrame:
    """Every run (b, d) against the first of them: answer, probability, first, bits, cosine, length."""
    from scipy.special import xlogy

    frames = []
    size = max(1, min(_BATCH, model.BATCH_PIECES // len(place.states)))
    for start in range(0, len(vectors), size):
        scores = _logits(place, vectors[start : start + size], model)
        if start == 0:
            before = probabilities(scores[0])
            best, certainty = int(before.argmax()), float(xlogy(before, before).sum())
        # The divergence needs the logarithms of all probabilities only in one product: no table of them is made.
        now, scores = scores.argmax(axis=1), scores - scores.max(axis=1, keepdims=True)
        total = np.log(np.exp(scores).sum(axis=1, dtype=np.float64))
        nats = certainty - scores @ before + total
        frames.append(
            pd.DataFrame(
                {
                    "answer": [model.vocabulary[number] for number in now],
                    "probability": np.exp(scores[:, best] - total),
                    "first": now == best,
                    "bits": np.maximum(0.0, nats) / np.log(2),
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
