"""Directions between groups, projections of words on them, and other published measures on static embeddings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from embtools.bias.association import MAX_WORDS, checked_sets
from embtools.chance import generator
from embtools.limits import enough
from embtools.messages import quoted
from embtools.spaces.two_groups import main_component
from embtools.statistics.permutations import MAX_PROJECTED
from embtools.vectors import Array, check_finite, cosine, reject, unit
from embtools.words.vectors import vectors

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


How = Literal["difference", "pca"]
_MEANING = {  # the value without any bias, and what the number means
    "RND": (
        0.0,
        "Distance of A's words to the mean of X, minus their distance to the mean of Y. Below 0: closer to X.",
    ),
    "ECT": (1.0, "Correlation between the ranks of A's words by similarity to X and to Y. 1: both rank them equally."),
    "MAC": (1.0, "Mean cosine distance of the words of X and Y to those of A and of B. 1: unrelated."),
    "RNSB": (0.0, "How far the answers of a classifier of A and B, applied to X and Y, differ from equal shares."),
    "RIPA": (0.0, "Mean inner product of A's words with the direction from Y to X. Above 0: closer to X."),
    "direct bias": (0.0, "Mean absolute cosine of the words of A and B with the direction between X and Y."),
}


def direction(
    first: Sequence[str], second: Sequence[str], model: "EmbeddingModel", *, how: How = "difference"
) -> Array:
    """The unit direction from the first group to the second."""
    if how not in get_args(How):
        raise ValueError(
            f"There is no method {quoted(how)} to find a direction. Choose one of {', '.join(get_args(How))}."
        )
    a, b = _groups(first, second, model)
    shift = b.mean(0) - a.mean(0) if how == "difference" else main_component(*_pairs(a, b))
    _check_difference(shift if how == "difference" else b - a)
    return np.asarray(unit(shift), np.float32)


def explained(first: Sequence[str], second: Sequence[str], model: "EmbeddingModel", *, seed: int = 0) -> pd.DataFrame:
    """Share of the pairs' differences on each principal component, compared with the same number of random pairs.

    Bolukbasi et al. 2016, figure 6, show both as a check that there is a single direction.

    Parameters
    ----------
    first, second : sequence of str
        The first and the second word of each pair.
    model : EmbeddingModel
    seed : int, default 0

    Returns
    -------
    DataFrame
        Columns: component, share (0 … 1), random (mean over 20 draws).

    Raises
    ------
    ValueError
        For groups that are empty, too large or of different size, a word that is not one token, groups without a
        difference, and if the model has too few words to draw random pairs from.
    """
    a, b = _pairs(*_groups(first, second, model))
    _check_difference(b - a)
    pool = np.flatnonzero(model.whole_words[:8_000])
    if len(pool) < 2 * len(a):
        raise ValueError(
            f"This model has only {len(pool)} words to draw pairs from. Use at most {len(pool) // 2} pairs."
        )
    rng = generator(seed)
    draws = [model.matrix[rng.choice(pool, 2 * len(a), replace=False)] for _ in range(20)]
    return pd.DataFrame(
        {
            "component": range(1, len(a) + 1),
            "share": _shares(b - a),
            "random": np.mean([_shares(v[: len(a)] - v[len(a) :]) for v in draws], axis=0),
        }
    )


def projections(words: Sequence[str], model: "EmbeddingModel", *, axis: Array) -> pd.DataFrame:
    """Projections of single-token words on a unit direction."""
    _check_words(words)
    vectors = np.stack([model.vector(w) for w in words])
    return pd.DataFrame({"word": list(words), "cosine": unit(vectors) @ axis, "dot_product": vectors @ axis})


def other_measures(
    x: Sequence[str], y: Sequence[str], a: Sequence[str], b: Sequence[str], model: "EmbeddingModel"
) -> pd.DataFrame:
    """Other published measures on the same four sets of words.

    A word of several tokens is represented by their mean.

    Parameters
    ----------
    x, y : sequence of str
        The words of the two targets.
    a, b : sequence of str
        The words of the two attributes.
    model : EmbeddingModel

    Returns
    -------
    DataFrame
        Columns: measure, value, neutral (the value without any bias), meaning.

    Raises
    ------
    ValueError
        For a set that is too small or too large, a word that is in both sets of a pair, a word that the model cannot
        read, and two spellings that the model reads as the same word.
    """
    sets = checked_sets(x, y, a, b, model=model)
    values = set_measures(*(vectors(words, model, pieces="mean") for words in sets))
    return pd.DataFrame(
        [(name, values[name], *_MEANING[name]) for name in values], columns=["measure", "value", "neutral", "meaning"]
    )


def set_measures(x: Array, y: Array, a: Array, b: Array) -> dict[str, float]:
    """Measures on vectors (n, d) of groups x, y and attributes a, b, defined as in WEFE except for RNSB and RIPA."""
    for words in (x, y, a, b):
        enough(words, "words of a set")
    check_finite(x, y, a, b)
    from scipy.stats import spearmanr
    from sklearn.linear_model import LogisticRegression

    relational = float(ripa(a, x, y).mean())  # of vectors that are not scaled to length one
    x, y, a, b = (unit(v.astype(np.float64)) for v in (x, y, a, b))
    groups, attributes = np.concatenate([x, y]), np.concatenate([a, b])
    mean_x, mean_y = x.mean(0), y.mean(0)
    axis = unit(mean_y - mean_x)
    # Fitted on all attribute words, unlike in WEFE, so that RNSB does not depend on a random split.
    classifier = LogisticRegression(solver="liblinear").fit(attributes, [0] * len(a) + [1] * len(b))
    share = classifier.predict_proba(groups)[:, 1]
    share /= share.sum()
    # Garg et al. 2018, Dev & Phillips 2019, Manzini et al. 2019, Sweeney & Najafian 2019, `ripa`,
    # Bolukbasi et al. 2016 with c = 1.
    return {
        "RND": float(np.mean(np.linalg.norm(a - mean_x, axis=1) - np.linalg.norm(a - mean_y, axis=1))),
        "ECT": float(spearmanr(cosine(mean_x, a)[0], cosine(mean_y, a)[0]).statistic),
        "MAC": float(np.mean([1 - cosine(groups, v).mean(1) for v in (a, b)])),
        "RNSB": float((share * np.log(share * len(share))).sum()),
        "RIPA": relational,
        "direct bias": float(np.abs(attributes @ axis).mean()),
    }


def ripa(words: Array, x: Array, y: Array) -> Array:
    """Relational inner product association β (k,) of words (k, d) with x (n, d) and y (m, d), not scaled; above 0:
    closer to x (Ethayarajh, Duvenaud & Hirst 2019, arXiv:1908.06361, section 4).

    >>> ripa(np.array([[2.0, 1.0]]), np.array([[3.0, 0.0]]), np.array([[1.0, 0.0]]))
    array([2.])
    """
    enough(x, "words of a group")
    enough(y, "words of a group")
    # The article takes the first principal component of the differences of pairs, WEFE the mean of β over pairs; these
    # groups are not paired. With equal means there is no direction between them, and every β is 0.
    return words.astype(np.float64) @ unit(x.astype(np.float64).mean(0) - y.astype(np.float64).mean(0))


def indirect_bias(words: Sequence[str], model: "EmbeddingModel", *, reference: str, axis: Array) -> pd.DataFrame:
    """The share of each word's similarity to a reference word that comes from the direction (β of Bolukbasi et al.
    2016, section 5.2: the share of the inner product that is lost if the direction is removed from both).
    """
    _check_words(words)
    w, v = unit(np.stack([model.vector(x) for x in words])), unit(model.vector(reference))
    inner = w @ v
    left = unit(reject(w, axis)) @ unit(reject(v, axis))
    return pd.DataFrame({"word": list(words), "cosine": inner, "beta": (inner - left) / inner})


def _check_words(words: Sequence[str]) -> None:
    if not 1 <= len(words) <= MAX_PROJECTED:
        raise ValueError(f"There are {len(words):,} words to measure; use 1 to {MAX_PROJECTED:,}.")


def _groups(first: Sequence[str], second: Sequence[str], model: "EmbeddingModel") -> tuple[Array, Array]:
    """The static embeddings (n, d) of both groups."""
    if not first or not second:
        raise ValueError(
            "A direction needs at least one word in both groups. For example, write he in one and she in the other."
        )
    if (most := max(len(first), len(second))) > MAX_WORDS:
        raise ValueError(f"A group has {most:,} words, but at most {MAX_WORDS} can be used. Remove some.")
    a, b = (np.stack([model.vector(w) for w in words]) for words in (first, second))
    return a, b


def _check_difference(differences: Array) -> None:
    if np.linalg.norm(differences) < 1e-9:
        raise ValueError("The two groups have the same vector, so there is no direction between them. Use other words.")


def _pairs(a: Array, b: Array) -> tuple[Array, Array]:
    if len(a) != len(b):
        raise ValueError(f"To form pairs, both groups need the same number of words; they have {len(a)} and {len(b)}.")
    return a, b


def _shares(differences: Array) -> Array:
    squares = np.linalg.svd(differences, compute_uv=False) ** 2
    return squares / squares.sum()
