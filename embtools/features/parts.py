"""Decomposition of a vector into a sparse positive mix of words, for one penalty or a range of penalties."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import nnls

from embtools.features import lasso
from embtools.features.dictionary import Dictionary
from embtools.features.targets import Target
from embtools.progress import Progress, silent
from embtools.vectors import Array, check_finite

SHARE = 0.3
"""Default penalty as a share of its maximum: few words explain most of the vector."""
SMALLEST = 0.02
"""Smallest allowed share: below it a mix has hundreds of parts and is no longer sparse."""

SHARES = tuple(float(share) for share in np.geomspace(0.95, 0.05, 14).round(4))
"""The penalties of `sparsity_path`."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The k parts of a vector.

    table       part (from 1), word, share (of all weights; they sum to 1), weight, sentence ("" for static embeddings),
                start, end (position of the word in the sentence); the heaviest first
    words       word, share, parts: the same, one row per word
    figures     measure, value: the quality of the mix and the penalty
    rows        (k,) row indices of the parts in the dictionary
    share       the penalty as a share of its maximum
    explained   1 - |vector - mix|² / |vector|², with weights refitted without the penalty, which shrinks them
    gap         the duality gap as a share of the objective: an upper bound on how far the mix is above the optimum
    exact       whether the gap is small enough to call the mix exact (`lasso.EXACT`)
    """

    table: pd.DataFrame
    words: pd.DataFrame
    figures: pd.DataFrame
    rows: NDArray[np.intp]
    share: float
    explained: float
    gap: float
    exact: bool


def decompose(
    target: Target,
    dictionary: Dictionary,
    *,
    share: float = SHARE,
    alpha: float | None = None,
    same_word: bool = False,
    same_sentence: bool = True,
) -> Parts:
    """Decompose a target into atoms of a dictionary by the positive LASSO without an intercept."""
    if len(target.vector) != dictionary.vectors.shape[1]:
        raise ValueError(
            f"The vector has {len(target.vector):,} dimensions, but those of the dictionary have"
            f" {dictionary.vectors.shape[1]:,}. Choose a single layer or a sum, or decompose it into occurrences."
        )
    allowed = dictionary.allowed(target, same_word=same_word, same_sentence=same_sentence)
    least = SMALLEST
    if alpha is not None:
        top = lasso.alpha_max(dictionary.vectors, target.vector, allowed=allowed)
        share = alpha / top if top else 1.0
        least *= top
    if not share >= SMALLEST:
        raise ValueError(f"The penalty is too small for a sparse mix. Choose at least {least:.3g}.")
    return _parts(target, dictionary, lasso.mix(dictionary.vectors, target.vector, share, allowed=allowed))


def sparsity_path(
    target: Target,
    dictionary: Dictionary,
    *,
    same_word: bool = False,
    same_sentence: bool = True,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Shares by word for decreasing penalties."""
    allowed = dictionary.allowed(target, same_word=same_word, same_sentence=same_sentence)
    square = float(target.vector.astype(np.float64) @ target.vector.astype(np.float64))
    frames = []
    for mix in lasso.path(dictionary.vectors, target.vector, SHARES, allowed=allowed, progress=progress):
        if not len(mix.support):
            continue
        table = pd.DataFrame({"word": dictionary.words[mix.support], "share": mix.weights / mix.weights.sum()})
        shares = by_word(table).drop(columns="parts")
        explained = 1 - float(mix.residual @ mix.residual) / square
        shares.insert(0, "penalty", mix.share)
        shares.insert(1, "parts", len(mix.support))
        shares.insert(2, "explained", explained)
        frames.append(shares)
    columns = ["penalty", "parts", "explained", "word", "share"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def explained_share(atoms: Array, vector: Array) -> float:
    """The share of a vector (d,) that atoms (k, d) explain with the best weights ≥ 0: 1 - |rest|² / |vector|², which is
    also the squared cosine between the mix and the vector.

    >>> explained_share(np.eye(3)[:1], np.array([3.0, 4.0, 0.0]))
    0.36
    """
    check_finite(atoms, vector)
    if not len(atoms):
        return 0.0
    vector = vector.astype(np.float64)
    if not vector.any():
        raise ValueError("The vector is zero, so there is nothing to explain. Choose another one.")
    rest = nnls(atoms.astype(np.float64).T, vector)[1]
    return round(1 - rest**2 / float(vector @ vector), 12)


def refitted_weights(atoms: Array, vector: Array) -> Array:
    """The best weights (k,) ≥ 0 of atoms (k, d) for a vector (d,), without penalty or intercept, in float64.

    >>> refitted_weights(np.eye(3)[:2], np.array([3.0, -4.0, 0.0]))
    array([3., 0.])
    """
    check_finite(atoms, vector)
    if not len(atoms):  # scipy's function fails without atoms
        return np.zeros(0)
    return np.asarray(nnls(atoms.astype(np.float64).T, vector.astype(np.float64))[0])


def by_word(table: pd.DataFrame) -> pd.DataFrame:
    """Shares of parts summed by word, the heaviest first: word, share, parts."""
    summed = table.groupby("word", sort=False)["share"].agg(share="sum", parts="size").reset_index()
    return summed.sort_values("share", ascending=False, kind="stable", ignore_index=True)


def _parts(target: Target, dictionary: Dictionary, mix: lasso.Mix) -> Parts:
    weights, rows = mix.weights, mix.support
    positions = dictionary.locate(rows)
    table = pd.DataFrame(
        {
            "part": np.arange(1, len(rows) + 1),
            "word": dictionary.words[rows],
            "share": weights / weights.sum() if len(rows) else weights,
            "weight": weights,
            "sentence": positions["text"].to_numpy(object),
            "start": positions["start"].to_numpy(),
            "end": positions["end"].to_numpy(),
        }
    )
    vector = target.vector.astype(np.float64)
    fitted, square = vector - mix.residual, float(vector @ vector)
    explained = explained_share(dictionary.vectors[rows], vector)
    length = np.sqrt(float(fitted @ fitted) * square)
    gap = mix.gap / mix.objective if mix.objective else 0.0
    figures = {
        "parts": len(rows),
        "share explained, with refitted weights": explained,
        "share explained, with LASSO weights": 1 - float(mix.residual @ mix.residual) / square,
        "cosine of the LASSO mix and the vector": float(fitted @ vector) / length if length else 0.0,
        "sum of the weights": float(weights.sum()),
        "alpha": mix.alpha,
        "alpha at which the mix is empty": mix.alpha / mix.share,
        "duality gap, as a share of the objective": gap,
    }
    frame = pd.DataFrame({"measure": list(figures), "value": list(figures.values())})
    return Parts(table, by_word(table), frame, rows, mix.share, explained, gap, mix.exact)
