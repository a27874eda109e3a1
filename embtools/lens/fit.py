"""From a corpus folder to a tuned lens: states at masks, least squares, gradient steps, quality on held-out text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from embtools.chance import generator
from embtools.limits import within
from embtools.models.lens_training import minimise_kl
from embtools.models.tuned_lens import TunedLens, write
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MASK_SHARE = 0.15
HELD_OUT_EVERY = 10
"""One sentence in this many is held out."""
MOST_MASKS = 1_000_000
_RIDGE = 1e-3
_ROWS = 128  # masks at a time, each with a score for every token of the vocabulary
Tell = Callable[[str], Progress]


@dataclass(frozen=True)
class Settings:
    """How a lens is fitted.

    masks         how many masks are read, those of held-out sentences included
    steps, batch  gradient steps, and masks per step
    rate          learning rate at the first step
    seed          of the sentences, the masks and the batches
    """

    masks: int = 20_000
    steps: int = 200
    batch: int = 128
    rate: float = 1e-3
    seed: int = 0


def fit(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    *,
    out: Path,
    settings: Settings,
    tell: Tell = lambda what: silent,
) -> TunedLens:
    """Fit a tuned lens on the sentences of a corpus folder, measure it on held-out ones, and write it to a file."""
    within(settings.masks, MOST_MASKS, "masks")
    count = int(folder.about["sentences"])
    if count <= HELD_OUT_EVERY:
        raise ValueError(f"The folder has too few sentences: at least {HELD_OUT_EVERY + 1} are needed.")
    order = generator(settings.seed, 1).permutation(count)
    held = order % HELD_OUT_EVERY == 0
    parts = []
    for name, numbers, share in (("fitting", order[~held], 0.9), ("held-out", order[held], 0.1)):
        most = max(1, round(settings.masks * share))
        texts = folder.sentences(numbers[:most].tolist())  # every sentence has a mask or more
        parts.append(
            masked_states(texts, model, most=most, seed=settings.seed, progress=tell(f"reading {name} sentences"))
        )
    states, other = parts
    weights, biases = least_squares(states)
    weights, biases = minimise_kl(
        states,
        model,
        weights=weights,
        biases=biases,
        steps=settings.steps,
        batch=min(settings.batch, states.shape[1]),
        rate=settings.rate,
        seed=settings.seed,
        progress=tell("fitting"),
    )
    weights, biases = (part.astype(np.float16).astype(np.float32) for part in (weights, biases))  # as in the file
    about = {
        **{"weights": model.checksum, "model": model.name, "masks": int(states.shape[1])},
        **{"held_out": int(other.shape[1]), "steps": settings.steps, "batch": settings.batch, "seed": settings.seed},
    }
    rows, mean = quality(other, model, lens=TunedLens(weights, biases, about), progress=tell("measuring"))
    lens = TunedLens(weights, biases, about | {"quality": rows, "kl_mean": mean})
    out.parent.mkdir(parents=True, exist_ok=True)
    write(lens, out)
    return lens


def masked_states(
    texts: Sequence[str], model: "EmbeddingModel", *, most: int, seed: int = 0, progress: Progress = silent
) -> Array:
    """Return the states (l + 1, n, d) of all layers at masks: 15% of the tokens of each text, at most `most` in all."""
    rows, places, total = [], [], 0
    for number, text in enumerate(texts):
        frame = model.tokenize(text)
        ids = frame["id"].to_numpy().copy()
        words = np.flatnonzero(frame["word"].to_numpy() >= 0)
        count = min(most - total, max(1, round(MASK_SHARE * len(words))))
        chosen = np.sort(generator(seed, number + 1).choice(words, count, replace=False))
        ids[chosen] = model.mask_id
        rows.append(ids)
        places.append(chosen)
        total += count
        if total == most:
            break
    found, done = np.empty((model.layers + 1, total, model.dimensions), np.float32), 0
    for numbers, states in model.encode_many(rows):
        for line, number in enumerate(numbers):
            chosen = places[number]
            found[:, done : done + len(chosen)] = states[:, line, chosen]
            done += len(chosen)
        progress(done / total)
    return found


def least_squares(states: Array) -> tuple[Array, Array]:
    """Return the translators (l, d, d) and (l, d) that come nearest to the last of the states (l + 1, n, d), with a
    small ridge, which keeps the weights finite if there are fewer masks than dimensions.
    """
    target = states[-1].astype(np.float64)
    centre = target.mean(0)
    weights, biases = [], []
    for layer in states[:-1]:
        x = layer.astype(np.float64)
        mean = x.mean(0)
        x -= mean
        products = x.T @ x
        products += _RIDGE * (np.trace(products) / len(products) + 1e-12) * np.eye(len(products))
        weight = np.linalg.solve(products, x.T @ (target - centre)).T
        weights.append(weight)
        biases.append(centre - weight @ mean)
    return np.array(weights, np.float32), np.array(biases, np.float32)


def quality(
    states: Array, model: "EmbeddingModel", *, lens: TunedLens, progress: Progress = silent
) -> tuple[list[dict[str, Any]], float]:
    """Return how far both lenses are from the final answers at n masks, by layer, and the same for the mean answer."""
    count, layers = states.shape[1], len(lens.weights)
    sums, entropy, total = np.zeros((layers, 4)), 0.0, np.zeros(len(model.vocabulary))
    for begin in range(0, count, _ROWS):
        progress(begin / count)
        some = states[:, begin : begin + _ROWS]
        final = _log_softmax(model.logits(model.transform(some[-1])))
        shares, best = np.exp(final), final.argmax(1)
        entropy -= float((shares * final).sum())
        total += shares.sum(0)
        for layer in range(layers):
            translated = lens.translate(some[layer], [layer] * some.shape[1])
            for column, vectors in enumerate((some[layer], translated)):
                read = _log_softmax(model.logits(model.transform(vectors)))
                sums[layer, column] += (shares * (final - read)).sum()
                sums[layer, 2 + column] += (read.argmax(1) == best).sum()
    bits = sums / count / np.array([np.log(2), np.log(2), 1, 1])
    names = "logit_lens", "tuned_lens", "logit_lens_same_top", "tuned_lens_same_top"
    rows = [
        {"layer": layer} | {name: round(float(value), 4) for name, value in zip(names, row, strict=True)}
        for layer, row in enumerate(bits)
    ]
    mean = total / count
    known = mean[mean > 0]
    return rows, round(float((-(known * np.log(known)).sum() - entropy / count) / np.log(2)), 4)


def _log_softmax(logits: Array) -> Array:
    """Return the logarithms (n, v) of the probabilities in float64."""
    wide = logits.astype(np.float64)
    wide -= wide.max(1, keepdims=True)
    wide -= np.log(np.exp(wide).sum(1, keepdims=True))
    return wide
