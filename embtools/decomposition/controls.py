"""Do the parts of a vector mean anything? As many parts, of this vector and of others that should do worse."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.decomposition import lasso
from embtools.decomposition.dictionary import Dictionary
from embtools.decomposition.parts import SMALLEST, Parts, refit
from embtools.decomposition.targets import Target
from embtools.limits import within
from embtools.progress import Progress, silent
from embtools.vectors import Array

OWN = "this vector, its parts"
OTHERS = "other words, their parts"
RANDOM_PARTS = "this vector, random parts"
CLOUD = "random vectors, their parts"
SHUFFLED = "shuffled numbers, their parts"
KINDS = (OWN, OTHERS, CLOUD, RANDOM_PARTS, SHUFFLED)
DRAWS, MAX_DRAWS = 6, 100  # vectors of each kind
RANDOM_DRAWS = 50  # sets of random parts: they need no search
_FINER = 0.55  # by so much the penalty falls until there are parts enough


def compare(
    target: Target,
    dictionary: Dictionary,
    parts: Parts,
    *,
    same_word: bool = False,
    same_sentence: bool = True,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """How much as many parts explain of a target and of others: kind (one of KINDS), vector, explained.

    Each vector is taken apart by the same LASSO under the same rules; its k heaviest parts are fitted again. Others:
    occurrences (or words) drawn at random. Random vectors: with the mean and the spread (covariance) of the dictionary,
    points of the same cloud that no word has. Shuffled: the vector's own numbers in another order. Without parts the
    frame is empty. `progress` is told 0 … 1 and may raise to stop.
    """
    within(draws, MAX_DRAWS, "draws")
    k = len(parts.rows)
    if not k:
        return pd.DataFrame(columns=["kind", "vector", "explained"])
    rng = generator(seed)
    allowed = dictionary.allowed(target, same_word=same_word, same_sentence=same_sentence)
    others = _others(target, dictionary, draws, rng)
    made = [(kind, one) for kind in (CLOUD, SHUFFLED) for one in _made(target, dictionary, kind, draws, rng)]
    asked = [*((OTHERS, other) for other in others), *made]
    masks = [dictionary.allowed(one, same_word=same_word, same_sentence=same_sentence) for one in others]
    masks += [allowed] * len(made)
    vectors = [one.vector for _, one in asked]
    found = _best(dictionary.vectors, vectors, k, parts.share, masks, progress)
    rows = [(OWN, target.name, parts.explained)]
    rows += [(kind, one.name, value) for (kind, one), value in zip(asked, found, strict=True)]
    pool = np.flatnonzero(allowed)
    for number in range(RANDOM_DRAWS):
        chosen = rng.choice(pool, min(k, len(pool)), replace=False)
        rows.append((RANDOM_PARTS, f"draw {number + 1}", refit(dictionary.vectors[chosen], target.vector)))
    frame = pd.DataFrame(rows, columns=["kind", "vector", "explained"])
    return frame.sort_values("kind", key=lambda kinds: kinds.map(KINDS.index), kind="stable", ignore_index=True)


def summary(compared: pd.DataFrame) -> pd.DataFrame:
    """A row a kind: kind, mean, lowest, highest, draws."""
    groups = compared.groupby("kind", sort=False)["explained"]
    return groups.agg(mean="mean", lowest="min", highest="max", draws="size").reset_index()


def _best(
    atoms: Array, vectors: list[Array], k: int, share: float, allowed: list[NDArray[np.bool_]], progress: Progress
) -> list[float]:
    """What the k heaviest parts of each vector explain, from the first penalty that leaves so many."""
    found: dict[int, float] = {}
    share = min(share, 0.95)
    while len(found) < len(vectors):
        left = [number for number in range(len(vectors)) if number not in found]
        masks = [allowed[number] for number in left]
        mixes = lasso.mixes(atoms, [vectors[number] for number in left], [share] * len(left), allowed=masks)
        for number, mix in zip(left, mixes, strict=True):
            if len(mix.support) >= k or share <= SMALLEST:
                found[number] = refit(atoms[mix.support[:k]], vectors[number])
        share = max(SMALLEST, share * _FINER)
        progress(len(found) / len(vectors))
    return [found[number] for number in range(len(vectors))]


def _others(target: Target, dictionary: Dictionary, draws: int, rng: np.random.Generator) -> list[Target]:
    """Atoms of other words, drawn at random, as targets of their own."""
    pool = np.flatnonzero(dictionary.usable & ~np.isin(dictionary.words, target.words))
    found = []
    for row in rng.choice(pool, min(draws, len(pool)), replace=False):
        number, start, end = (int(dictionary.places[name].iat[row]) for name in ("sentence", "start", "end"))
        word = str(dictionary.words[row])
        text = dictionary.sentences[number] if dictionary.sentences and number >= 0 else ""
        found.append(Target(word, dictionary.vectors[row], (word,), text, start, end, int(row), number))
    return found


def _made(target: Target, dictionary: Dictionary, kind: str, draws: int, rng: np.random.Generator) -> list[Target]:
    """Vectors that no word has, as long as the target's."""
    y = target.vector.astype(np.float64)
    if kind == SHUFFLED:
        vectors = np.array([rng.permutation(y) for _ in range(draws)])
    else:
        # Random weights of the centred atoms have their covariance, without a (d, d) matrix being taken apart.
        n = max(int(dictionary.usable.sum()), 1)
        weights = rng.normal(size=(draws, len(dictionary.usable))) * dictionary.usable / np.sqrt(n)
        weights += (1 / n - weights.mean(axis=1, keepdims=True) * len(dictionary.usable) / n) * dictionary.usable
        vectors = weights.astype(np.float32) @ dictionary.vectors
    vectors *= np.linalg.norm(y) / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return [Target(f"draw {number}", v.astype(np.float32), target.words) for number, v in enumerate(vectors, 1)]
