"""Residual bias after mitigation: can words still be assigned to the side they were biased towards?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.bias.mitigated import CONTROLS, METHODS, Method, Mitigation, mitigate, pair_ids
from embtools.chance import checked_seed, generator, seeds
from embtools.progress import Progress, silent
from embtools.spaces.two_groups import fitted_loss
from embtools.statistics.intervals import wilson
from embtools.vectors import Array, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MAX_PER_SIDE = 500
_FOLDS = 5
_DRAWS = 5
_ADDED: tuple[Method, ...] = ("LEACE", "INLP", "random directions")
_WORK_A_SECOND = 200**2 * 384 / (16 * 0.15)  # of 16 runs, one with 200 words per side and 384 dimensions takes 0.15 s


def leaning_words(
    change: Mitigation, model: "EmbeddingModel", *, per_side: int, taken: Sequence[int] = ()
) -> tuple[Array, Array]:
    """Ids (2n,) of the whole words of at least three letters at both ends of a change's axis in the unchanged
    embeddings, without those `taken`, and their side (2n,), 0 or 1.
    """
    if not 20 <= per_side <= MAX_PER_SIDE:
        raise ValueError(f"The number of words per side is {per_side}; choose 20 to {MAX_PER_SIDE}.")
    allowed = model.whole_words & np.array([p.isalpha() and len(p) > 2 for p in model.vocabulary])
    allowed[list(taken)] = False
    cosines = (model.matrix @ change.axis) * model.inverse_norms
    order = np.argsort(cosines, kind="stable")
    order = order[allowed[order]]
    if len(order) < 2 * per_side:
        raise ValueError(
            f"This model has only {len(order)} usable words, but {per_side} per side would need {2 * per_side}."
            f" Choose at most {len(order) // 2} per side, or another model."
        )
    return np.concatenate([order[:per_side], order[-per_side:][::-1]]), np.repeat([0, 1], per_side)


def residual_bias(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    per_side: int = 200,
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Whether the most biased words can be assigned to their old side after each method (Gonen & Goldberg 2019,
    arXiv:1903.03862, sections 4 and 5); no method was fitted on them, because none is in a pair.
    """
    from sklearn.cluster import KMeans
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.svm import SVC

    taken = pair_ids(first, second, model).ravel().tolist()
    side_of_pair = np.arange(len(taken)) >= len(first)
    folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=checked_seed(seed))
    first_draws, more = generator(seed), generator(seed, 1)  # so that `_ADDED` does not change the other methods

    def assigned_correctly(vectors: Array, sides: Array) -> Array:
        return cross_val_predict(SVC(kernel="rbf"), vectors, sides, cv=folds) == sides

    def measure(method: Method, draw: int) -> tuple[Array, float, float, float]:
        rng = more if method in _ADDED else first_draws
        change = mitigate(first, second, model, method=method, scope="input", seed=draw)
        ids, sides = leaning_words(change, model, per_side=per_side, taken=taken)
        vectors = unit(change.embed(ids, model))
        agreement = float(np.mean(KMeans(2, n_init=3, random_state=checked_seed(seed)).fit_predict(vectors) == sides))
        chance = float(assigned_correctly(vectors, rng.permutation(sides)).mean())
        own = change.embed(np.array(taken), model)
        # The loss of a linear classifier of the words of the pairs shows what LEACE guarantees.
        return assigned_correctly(vectors, sides), max(agreement, 1 - agreement), chance, fitted_loss(own, side_of_pair)

    rows: list[tuple[str | float, ...]] = []
    for number, method in enumerate(METHODS):
        draws = [measure(method, draw) for draw in seeds(seed, _DRAWS if method in CONTROLS else 1)]
        shares = [float(correct.mean()) for correct, *_ in draws]
        # Of the draws of a control, the range is the interval.
        low, high = (min(shares), max(shares)) if len(draws) > 1 else wilson(int(draws[0][0].sum()), 2 * per_side)
        rows.append(
            (method, float(np.mean(shares)), low, high, *(float(np.mean([d[i] for d in draws])) for i in (1, 2, 3)))
        )
        progress((number + 1) / len(METHODS))
    return pd.DataFrame(rows, columns=["method", "accuracy", "low", "high", "clusters", "shuffled", "loss_fitted"])


def effort(per_side: int, model: "EmbeddingModel") -> float:
    """About how many seconds one core takes for `residual_bias`, which compares every word with every other."""
    return per_side**2 * model.dimensions / _WORK_A_SECOND


def residual_map(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    method: Method,
    per_side: int = 200,
    seed: int = 0,
) -> pd.DataFrame:
    """The most biased words after a mitigation method, on their first two principal components.

    Parameters
    ----------
    first, second : sequence of str
        The words of the two groups, in pairs.
    model : EmbeddingModel
    method : {"none", "average", "project away", "equalise", "LEACE", "INLP", "random direction", "random directions"}
        The mitigation method.
    per_side : int, default 200
        Number of words on each side.
    seed : int, default 0

    Returns
    -------
    DataFrame
        Columns: word, side (0 or 1, before the change), x, y.

    Raises
    ------
    ValueError
        For sides of different length, too many pairs, a word that is used twice or is not one token, an unknown method,
        and a number of words out of range.
    """
    from sklearn.decomposition import PCA

    change = mitigate(first, second, model, method=method, scope="input", seed=seed)
    ids, sides = leaning_words(change, model, per_side=per_side, taken=pair_ids(first, second, model).ravel().tolist())
    x, y = PCA(2, random_state=checked_seed(seed)).fit_transform(unit(change.embed(ids, model))).T
    return pd.DataFrame({"word": [model.vocabulary[i] for i in ids], "side": sides, "x": x, "y": y})
