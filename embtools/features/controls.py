"""Controls of a decomposition: how much the same number of parts explains of random vectors and other words."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.features import lasso
from embtools.features.dictionary import Dictionary
from embtools.features.parts import SMALLEST, Parts, explained_share
from embtools.features.targets import Target
from embtools.limits import within
from embtools.progress import Progress, silent
from embtools.statistics.exact import sign_test
from embtools.statistics.reporting import control_p
from embtools.vectors import Array, top_k

OWN = "parts of the mix"
NEAREST_WORDS = "nearest words"
NEAREST = "nearest occurrences"
OTHERS = "other words"
RANDOM_PARTS = "random parts"
CLOUD = "random vectors"
SHUFFLED = "shuffled vectors"
KINDS = (OWN, NEAREST_WORDS, NEAREST, OTHERS, CLOUD, RANDOM_PARTS, SHUFFLED)
TESTED = (CLOUD, RANDOM_PARTS, SHUFFLED)
"""Kinds that are made at random; each of them gives a test (see `significance`)."""
DRAWS, MAX_DRAWS = 39, 100  # random vectors of each kind: if none is explained as well as the target, p = 1/40
OTHER_WORDS = 19
RANDOM_DRAWS = 59  # sets of random parts
_PER_WORD = 50  # rows per word that are searched first
COLUMNS = ["kind", "vector", "explained", "nearest_explained"]


def compare(
    target: Target,
    dictionary: Dictionary,
    parts: Parts,
    *,
    same_word: bool = False,
    same_sentence: bool = True,
    draws: int = DRAWS,
    others: int = OTHER_WORDS,
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """How much the same number of parts explains of a target and of its controls, each decomposed by the same LASSO
    under the same rules, with refitted weights.
    """
    within(draws, MAX_DRAWS, "draws")
    within(others, MAX_DRAWS, "other words")
    k = len(parts.rows)
    if not k:
        return pd.DataFrame(columns=COLUMNS)
    rng = generator(seed)
    rules = {"same_word": same_word, "same_sentence": same_sentence}
    allowed = dictionary.allowed(target, **rules)
    drawn = _other_words(target, dictionary, others, rng)
    made = [(kind, one) for kind in (CLOUD, SHUFFLED) for one in _random_vectors(target, dictionary, kind, draws, rng)]
    masks = [*(dictionary.allowed(one, **rules) for one in drawn), *[allowed] * len(made)]
    vectors = [one.vector for one in (*drawn, *(one for _, one in made))]
    mixes = lasso.mixes(
        dictionary.vectors,
        vectors,
        [min(parts.share, 0.95)] * len(vectors),
        allowed=masks,
        least=k,
        smallest=min(parts.share, SMALLEST),
        progress=progress,
    )
    explained = [
        explained_share(dictionary.vectors[mix.support[:k]], vector) for mix, vector in zip(mixes, vectors, strict=True)
    ]
    cosines = _cosines(dictionary, drawn).T
    rows: list[tuple[str, str, float, float]] = []
    for one, value, mask, near in zip(drawn, explained, masks, cosines, strict=False):
        words = _nearest_words(dictionary, near, mask, k)
        rows.append((OTHERS, one.name, value, explained_share(dictionary.vectors[words], one.vector)))
    rows += [(kind, one.name, value, np.nan) for (kind, one), value in zip(made, explained[len(drawn) :], strict=True)]
    pool = np.flatnonzero(allowed)
    for number in range(RANDOM_DRAWS):
        chosen = rng.choice(pool, min(k, len(pool)), replace=False)
        rows.append(
            (RANDOM_PARTS, f"draw {number + 1}", explained_share(dictionary.vectors[chosen], target.vector), np.nan)
        )
    frame = pd.concat([nearest(target, dictionary, parts, **rules), pd.DataFrame(rows, columns=COLUMNS)])
    return frame.sort_values("kind", key=lambda kinds: kinds.map(KINDS.index), kind="stable", ignore_index=True)


def nearest(
    target: Target, dictionary: Dictionary, parts: Parts, *, same_word: bool = False, same_sentence: bool = True
) -> pd.DataFrame:
    """How much the same number of nearest neighbours explains, with their best weights ≥ 0, which is the strongest
    control: the first rows of `compare`.
    """
    k = len(parts.rows)
    if not k:
        return pd.DataFrame(columns=COLUMNS)
    allowed = dictionary.allowed(target, same_word=same_word, same_sentence=same_sentence)
    cosines = _cosines(dictionary, [target])[:, 0]
    words = explained_share(dictionary.vectors[_nearest_words(dictionary, cosines, allowed, k)], target.vector)
    rows = [(OWN, target.name, parts.explained, words), (NEAREST_WORDS, target.name, words, np.nan)]
    if dictionary.repeats:
        rows_near = _nearest_rows(cosines, allowed, k)
        rows.append((NEAREST, target.name, explained_share(dictionary.vectors[rows_near], target.vector), np.nan))
    return pd.DataFrame(rows, columns=COLUMNS)


def significance(compared: pd.DataFrame) -> pd.DataFrame:
    """One-sided Monte Carlo tests of the share explained, one row per kind in TESTED: kind, draws, reached (draws that
    are explained at least as well as the target), p_value.

    >>> frame = pd.DataFrame({"kind": [OWN, CLOUD, CLOUD, CLOUD], "explained": [0.7, 0.2, 0.8, 0.1]})
    >>> significance(frame).to_dict("records")
    [{'kind': 'random vectors', 'draws': 3, 'reached': 1, 'p_value': 0.5}]
    """
    (own,) = compared.loc[compared["kind"] == OWN, "explained"]
    rows = []
    for kind in TESTED:
        values = compared.loc[compared["kind"] == kind, "explained"]
        if len(values):
            reached = int((values >= own).sum())
            rows.append((kind, len(values), reached, control_p(reached, len(values))))
    return pd.DataFrame(rows, columns=["kind", "draws", "reached", "p_value"])


def against_nearest(compared: pd.DataFrame) -> tuple[int, int, float]:
    """Sign test of parts against nearest words, over the target and the words of the kind OTHERS: words better
    explained by parts, words with a difference, two-sided p.
    """
    words = compared[compared["nearest_explained"].notna()]
    more = int((words["explained"] > words["nearest_explained"]).sum())
    less = int((words["explained"] < words["nearest_explained"]).sum())
    return more, more + less, sign_test(more, less)


def summary(compared: pd.DataFrame) -> pd.DataFrame:
    """The share explained, one row per kind: kind, mean, lowest, highest, draws."""
    groups = compared.groupby("kind", sort=False)["explained"]
    return groups.agg(mean="mean", lowest="min", highest="max", draws="size").reset_index()


def _cosines(dictionary: Dictionary, targets: Sequence[Target]) -> Array:
    """Cosine of every atom with every target, multiplied by the length of the target: (n, t)."""
    return dictionary.vectors @ np.array([one.vector for one in targets]).T * dictionary.inverse_lengths[:, None]


def _nearest_rows(cosines: Array, allowed: NDArray[np.bool_], k: int) -> NDArray[np.intp]:
    """The k allowed rows with the highest cosines (n,), the nearest first."""
    return top_k(np.where(allowed, cosines, -np.inf), min(k, int(allowed.sum())))


def _nearest_words(dictionary: Dictionary, cosines: Array, allowed: NDArray[np.bool_], k: int) -> NDArray[np.intp]:
    """The nearest allowed row of each of the k nearest words."""
    few = _PER_WORD * k if dictionary.repeats else k
    while True:
        rows = _nearest_rows(cosines, allowed, few)
        best = rows[~pd.Series(dictionary.words[rows]).duplicated().to_numpy()][:k]
        if len(best) == k or len(rows) < few:
            return best
        few *= 10


def _other_words(target: Target, dictionary: Dictionary, draws: int, rng: np.random.Generator) -> list[Target]:
    """Random atoms of other words, as targets."""
    pool = np.flatnonzero(dictionary.usable & ~np.isin(dictionary.words, target.words))
    targets = []
    for row in rng.choice(pool, min(draws, len(pool)), replace=False):
        number, start, end = (int(dictionary.positions[name].iat[row]) for name in ("sentence", "start", "end"))
        word = str(dictionary.words[row])
        text = dictionary.sentences[number] if dictionary.sentences and number >= 0 else ""
        targets.append(Target(word, dictionary.vectors[row], (word,), text, start, end, int(row), number))
    return targets


def _random_vectors(
    target: Target, dictionary: Dictionary, kind: str, draws: int, rng: np.random.Generator
) -> list[Target]:
    """Random or shuffled vectors with the length of the target's."""
    y = target.vector.astype(np.float64)
    if kind == SHUFFLED:
        vectors = np.array([rng.permutation(y) for _ in range(draws)])
    else:
        # Randomly weighted sums of the centred atoms have the covariance of the atoms; no (d, d) matrix is decomposed.
        n = max(int(dictionary.usable.sum()), 1)
        weights = rng.normal(size=(draws, len(dictionary.usable))) * dictionary.usable / np.sqrt(n)
        weights += (1 / n - weights.mean(axis=1, keepdims=True) * len(dictionary.usable) / n) * dictionary.usable
        vectors = weights.astype(np.float32) @ dictionary.vectors
    vectors *= np.linalg.norm(y) / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return [Target(f"draw {number}", v.astype(np.float32), target.words) for number, v in enumerate(vectors, 1)]
