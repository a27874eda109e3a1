"""A vector as a sparse positive mix of words: which, with what shares, and how much of the vector they explain."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import nnls

from embtools.decomposition import lasso
from embtools.decomposition.dictionary import Dictionary
from embtools.decomposition.targets import Target
from embtools.vectors import Array, check_finite

SHARE = 0.3
"""Of the alpha at which nothing is left: few words, and most of the vector."""
SMALLEST = 0.02
"""The smallest share that is solved: below it a mix has hundreds of parts and is no longer sparse."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The k parts of a vector.

    table       part (from 1), word, share (of all weights; they sum to 1), weight, sentence ("" for static embeddings),
                start, end (where the word stands in it); the heaviest first
    words       word, share, parts: the same, a row a word
    figures     measure, value: how good the mix is, and how it was found
    rows        (k,) the numbers of the parts in the dictionary
    explained   1 - |vector - mix|² / |vector|², the weights fitted again without the penalty, which shrinks them all
    gap         the duality gap as a share of the objective: how far above the optimum the mix can be at most
    exact       whether that gap is small enough to call the mix exact (`lasso.EXACT`)
    """

    table: pd.DataFrame
    words: pd.DataFrame
    figures: pd.DataFrame
    rows: NDArray[np.intp]
    share: float
    explained: float
    gap: float
    exact: bool


def take_apart(
    target: Target,
    dictionary: Dictionary,
    *,
    share: float = SHARE,
    alpha: float | None = None,
    same_word: bool = False,
    same_sentence: bool = True,
) -> Parts:
    """A target's parts among the atoms of a dictionary, by the positive LASSO without an intercept.

    The penalty is given as its `share` of the smallest one at which the mix is empty, or as `alpha` itself
    (scikit-learn's). Raises ValueError for a penalty that is not above 0 or so small that the mix would not be sparse,
    and where vector and atoms have different numbers of dimensions.
    """
    if len(target.vector) != dictionary.vectors.shape[1]:
        raise ValueError(
            f"The vector has {len(target.vector):,} numbers, the dictionary's {dictionary.vectors.shape[1]:,}. Choose a"
            " single layer or a sum, or take it apart into occurrences."
        )
    allowed = dictionary.allowed(target, same_word=same_word, same_sentence=same_sentence)
    least = SMALLEST
    if alpha is not None:
        top = lasso.alpha_max(dictionary.vectors, target.vector, allowed)
        share = alpha / top if top else 1.0
        least *= top
    if not share >= SMALLEST:
        raise ValueError(f"The penalty is too small for a sparse mix. Choose at least {least:.3g}.")
    return _parts(target, dictionary, lasso.mix(dictionary.vectors, target.vector, share, allowed=allowed))


def refit(atoms: Array, vector: Array) -> float:
    """The part of a vector (d,) that atoms (k, d) explain with the best weights ≥ 0: 1 - |rest|² / |vector|².

    For such weights it is also the square of the cosine between mix and vector.

    >>> refit(np.eye(3)[:1], np.array([3.0, 4.0, 0.0]))
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


def refitted(atoms: Array, vector: Array) -> Array:
    """The best weights (k,) ≥ 0 of atoms (k, d) for a vector (d,), without a penalty and an intercept, in float64.

    >>> refitted(np.eye(3)[:2], np.array([3.0, -4.0, 0.0]))
    array([3., 0.])
    """
    check_finite(atoms, vector)
    if not len(atoms):  # scipy's function does not survive it
        return np.zeros(0)
    return np.asarray(nnls(atoms.astype(np.float64).T, vector.astype(np.float64))[0])


def by_word(table: pd.DataFrame) -> pd.DataFrame:
    """The shares of parts summed by word, the heaviest first: word, share, parts."""
    summed = table.groupby("word", sort=False)["share"].agg(share="sum", parts="size").reset_index()
    return summed.sort_values("share", ascending=False, kind="stable", ignore_index=True)


def _parts(target: Target, dictionary: Dictionary, found: lasso.Mix) -> Parts:
    weights, rows = found.weights, found.support
    places = dictionary.stand(rows)
    table = pd.DataFrame(
        {
            "part": np.arange(1, len(rows) + 1),
            "word": dictionary.words[rows],
            "share": weights / weights.sum() if len(rows) else weights,
            "weight": weights,
            "sentence": places["text"].to_numpy(object),
            "start": places["start"].to_numpy(),
            "end": places["end"].to_numpy(),
        }
    )
    vector = target.vector.astype(np.float64)
    mix, square = vector - found.residual, float(vector @ vector)
    explained = refit(dictionary.vectors[rows], vector)
    length = np.sqrt(float(mix @ mix) * square)
    gap = found.gap / found.objective if found.objective else 0.0
    figures = {
        "parts": len(rows),
        "explained, weights fitted again": explained,
        "explained, weights as LASSO has them": 1 - float(found.residual @ found.residual) / square,
        "cosine of LASSO's mix and the vector": float(mix @ vector) / length if length else 0.0,
        "sum of the weights": float(weights.sum()),
        "alpha": found.alpha,
        "alpha at which nothing is left": found.alpha / found.share,
        "duality gap, as a share of what is minimised": gap,
    }
    frame = pd.DataFrame({"measure": list(figures), "value": list(figures.values())})
    return Parts(table, by_word(table), frame, rows, found.share, explained, gap, found.exact)
