"""Two groups of vectors: the direction between them, and linear classifiers that separate them."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from embtools.limits import enough, same_count, within
from embtools.messages import quoted
from embtools.vectors import Array, check_finite, unit, vanishes

Method = Literal["difference of means", "logistic regression", "first component of pairs"]
DIFFERENCE, LOGISTIC, PAIRS = METHODS = get_args(Method)
Groups = NDArray[np.bool_]
"""Whether each of n vectors is in the second group."""
_STRENGTH = 10.0  # scikit-learn's C for vectors whose mean squared distance from the centre is 1


def direction(vectors: Array, second: Groups, *, method: Method = DIFFERENCE) -> Array:
    """Return the unit direction (d,) from the first group of vectors (n, d) to the second; for pairs (Bolukbasi et al.
    2016), row i of the first half and row i of the second half are a pair.
    """
    check_groups(vectors, second)
    if method not in METHODS:
        raise ValueError(f"There is no method {quoted(method)}. Choose one of: {', '.join(METHODS)}.")
    x = np.asarray(vectors, np.float64)
    difference = x[second].mean(0) - x[~second].mean(0)
    if same_means(x, second):
        raise ValueError("Both groups have the same mean vector, so there is no direction between them.")
    if method == PAIRS:
        check_pairs(second)
        half, turned = len(x) // 2, second[: len(x) // 2, None]  # a pair whose first row is of the second group
        pairs = x[:half], x[half:]
        return main_component(np.where(turned, *pairs[::-1]), np.where(turned, *pairs))
    return np.asarray(unit(weights(x, second) if method == LOGISTIC else difference))


def same_means(vectors: Array, second: Groups) -> bool:
    """Return whether both groups of vectors (n, d) have the same mean, so that there is no direction between them."""
    check_groups(vectors, second)
    x = np.asarray(vectors, np.float64)
    return bool(np.all(vanishes(x[second].mean(0) - x[~second].mean(0))))


def main_component(a: Array, b: Array) -> Array:
    """First principal component (d,) of pairs (n, d), each pair centred; positive towards b."""
    enough(a, "pairs")
    same_count(first=a, second=b)
    check_finite(a, b)
    half = (b - a) / 2  # the centred pair is ± half, so the components are those of the halves alone
    component = np.linalg.svd(half, full_matrices=False)[2][0]
    return component if half.mean(0) @ component >= 0 else -component


def check_pairs(second: Groups) -> None:
    """Raise ValueError unless rows i and i + n / 2 are in different groups, for all i."""
    half, odd = divmod(len(second), 2)
    if odd or (second[:half] == second[half:]).any():
        count = int(np.sum(second))
        raise ValueError(
            "The first component of pairs needs the same number of items in both groups, and these have"
            f" {len(second) - count} and {count}. Write them in the order of the pairs, or choose another direction."
        )


def weights(vectors: Array, second: Groups) -> Array:
    """Return the weight vector (d,) of a logistic regression of the groups on vectors (n, d)."""
    check_groups(vectors, second)
    return np.asarray(classifier(vectors, second)[1])


def classifier(vectors: Array, second: Groups) -> tuple[Array, Array, float]:
    """Return the centre (d,), the weights (d,) and the intercept of a logistic regression on vectors (n, d): (x −
    centre) · weights + intercept is above 0 for the second group.
    """
    check_groups(vectors, second)
    from sklearn.linear_model import LogisticRegression

    x = np.asarray(vectors, np.float64)
    centre, scale = x.mean(0), float(np.sqrt(x.var(0).sum())) or 1.0
    fitted = LogisticRegression(C=_STRENGTH, tol=1e-6, max_iter=1_000).fit((x - centre) / scale, second)
    return centre, fitted.coef_[0] / scale, float(fitted.intercept_[0])


def fitted_loss(vectors: Array, second: Groups) -> float:
    """Return the log loss of a logistic regression on the vectors (n, d) that it was trained on, in bits; that of equal
    vectors is the entropy of the groups.
    """
    share = float(np.mean(second))
    if vanishes(vectors - vectors.mean(0)).all():
        return float(-(share * np.log2(share) + (1 - share) * np.log2(1 - share)))
    centre, axis, intercept = classifier(vectors, second)
    found = (np.asarray(vectors, np.float64) - centre) @ axis + intercept
    return float(np.logaddexp(0, np.where(second, -found, found)).mean() / np.log(2))


def random_axes(count: int, dimensions: int, random: np.random.Generator) -> Array:
    """Return unit vectors (count, d) of random directions."""
    within(count, 10_000, "random directions")
    return np.asarray(unit(random.standard_normal((count, dimensions))))


def check_groups(vectors: Array, second: Groups) -> None:
    enough(vectors, "vectors", least=2)
    same_count(vectors=vectors, groups=second)
    check_finite(vectors)
    if not 0 < int(np.sum(second)) < len(second):
        raise ValueError("One of the groups is empty. Put words in both.")
