"""Two groups of words in a sentence: their hidden states in every layer, and the direction between both groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from embtools.chance import checked_seed
from embtools.limits import enough, same_count, within
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.progress import Progress, silent
from embtools.vectors import Array, check_finite, unit, vanishes
from embtools.words.templates import check_distinct, sentences

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

Method = Literal["difference of means", "logistic regression", "first component of pairs"]
DIFFERENCE, LOGISTIC, PAIRS = METHODS = get_args(Method)
FOLDS = 5
LEAST, MOST = 2 * FOLDS, 150  # words per group; the parts of `two_parts` need a word for every fold too
TEMPLATE = "This is {word}."
_STRENGTH = 10.0  # scikit-learn's C for vectors whose mean squared distance from the centre is 1
Groups = NDArray[np.bool_]
"""Whether each of n words is in the second group."""
Folds = tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]


@dataclass(frozen=True, eq=False)
class GroupStates:
    """The hidden states of the words of two groups, each word in the same sentence.

    words    the n words, the first group first
    second   (n,) whether a word is in the second group
    states   (l + 1, n, d) the mean over a word's tokens, after every layer; 0 is the embedding output
    """

    words: tuple[str, ...]
    second: Groups
    states: Array

    @property
    def names(self) -> tuple[str, str]:
        """Both groups by their first words, for a sentence."""
        size = int((~self.second).sum())
        return group_name(self.words[:size]), group_name(self.words[size:])


def group_name(words: Sequence[str]) -> str:
    """Return the first two words of a group.

    >>> group_name(["good", "great", "nice"]), group_name(["good"])
    ('“good, great …”', '“good”')
    """
    return f"“{', '.join(words[:2])}{' …' if len(words) > 2 else ''}”"


@remembered
def group_states(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    template: str = TEMPLATE,
    progress: Progress = silent,
) -> GroupStates:
    """Read every word of two groups in a sentence.

    Parameters
    ----------
    first, second : sequence of str
        The words of both groups, 10 to 150 each.
    model : EmbeddingModel
    template : str, default "This is {word}."
        The sentence, with {word}.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    GroupStates

    Raises
    ------
    ValueError
        For too few or too many words, a word that is in both groups or cannot be read, and a sentence without {word}.
    """
    for words, which in ((first, "first"), (second, "second")):
        if not LEAST <= len(words) <= MOST:
            raise ValueError(
                f"The {which} group has {len(words)} words; use {LEAST} to {MOST}, so that some can be held out."
            )
    words = (*first, *second)
    check_distinct(words, model)
    for word in words:
        if words.count(word) > 1:
            raise ValueError(f"{quoted(word)} is listed twice. Use each word in one group only, and once.")
    texts, spans = sentences(template, model, words=words, layer=0)
    states = np.empty((model.layers + 1, len(words), model.dimensions), np.float32)
    for done, (number, found) in enumerate(model.hidden_states_many(texts), 1):
        states[:, number] = found[:, spans[number]].mean(axis=1)
        progress(done / len(texts))
    return GroupStates(words, np.arange(len(words)) >= len(first), states)


def direction(vectors: Array, second: Groups, *, method: Method = DIFFERENCE) -> Array:
    """Return the unit direction (d,) from the first group of vectors (n, d) to the second.

    "difference of means" is the difference of both mean vectors. "logistic regression" is the weight vector of a
    classifier (scikit-learn, C = 10) on the centred vectors, divided by their root mean square length. "first component
    of pairs" is the first principal component of the pairs, each centred at its own mean (Bolukbasi et al. 2016); row i
    of the first half and row i of the second half are a pair. Raises ValueError for an empty group, an unknown method,
    groups without a difference, and pairs that are not complete.
    """
    _check(vectors, second)
    if method not in METHODS:
        raise ValueError(f"There is no method {quoted(method)}. Choose one of: {', '.join(METHODS)}.")
    x = np.asarray(vectors, np.float64)
    difference = x[second].mean(0) - x[~second].mean(0)
    if vanishes(difference):
        raise ValueError("Both groups have the same mean vector, so there is no direction between them.")
    if method == PAIRS:
        return _of_pairs(x, second, difference)
    return np.asarray(unit(weights(x, second) if method == LOGISTIC else difference))


def _of_pairs(x: Array, second: Groups, difference: Array) -> Array:
    check_pairs(second)
    half = len(x) // 2
    axis = np.linalg.svd(x[half:] - x[:half], full_matrices=False)[2][0]
    return np.asarray(axis if axis @ difference >= 0 else -axis)


def check_pairs(second: Groups) -> None:
    """Raise ValueError unless rows i and i + n / 2 are in different groups, for all i."""
    half, odd = divmod(len(second), 2)
    if odd or (second[:half] == second[half:]).any():
        count = int(np.sum(second))
        raise ValueError(
            "The first component of pairs needs the same number of words in both groups, and these have"
            f" {len(second) - count} and {count}. Write them in the order of the pairs, or choose another direction."
        )


def weights(vectors: Array, second: Groups) -> Array:
    """Return the weight vector (d,) of a logistic regression of the groups on vectors (n, d)."""
    _check(vectors, second)
    return np.asarray(classifier(vectors, second)[1])


def classifier(vectors: Array, second: Groups) -> tuple[Array, Array, float]:
    """Return the centre (d,), the weights (d,) and the intercept of a logistic regression on vectors (n, d).

    The score of x is (x − centre) · weights + intercept; above 0 means the second group.
    """
    _check(vectors, second)
    from sklearn.linear_model import LogisticRegression

    x = np.asarray(vectors, np.float64)
    centre, scale = x.mean(0), float(np.sqrt(x.var(0).sum())) or 1.0
    fitted = LogisticRegression(C=_STRENGTH, tol=1e-6, max_iter=1_000).fit((x - centre) / scale, second)
    return centre, fitted.coef_[0] / scale, float(fitted.intercept_[0])


def scores(vectors: Array, axis: Array, *, of: Array, second: Groups) -> Array:
    """Return where vectors (m, d) lie along an axis (d,): −1 is the mean of the first group, +1 that of the second.

    of, second: the vectors (n, d) of both groups that set this scale. Without a difference along the axis, all are 0.
    """
    _check(of, second)
    along = np.asarray(of, np.float64) @ axis
    low, high = along[~second].mean(), along[second].mean()
    if abs(high - low) < 1e-9:
        return np.zeros(len(vectors))
    return np.asarray((np.asarray(vectors, np.float64) @ axis - (low + high) / 2) / ((high - low) / 2))


def folds(second: Groups, *, method: Method = DIFFERENCE, seed: int = 0) -> Folds:
    """Return five folds with equal shares of both groups: (training rows, test rows) of each.

    With the first component of pairs, both words of a pair are in the same fold.
    """
    enough(second, "words", least=FOLDS)
    from sklearn.model_selection import KFold, StratifiedKFold

    if method == PAIRS:
        check_pairs(second)
        half = len(second) // 2
        pairs = KFold(FOLDS, shuffle=True, random_state=checked_seed(seed)).split(np.zeros((half, 1)))
        return tuple((np.r_[learn, learn + half], np.r_[rest, rest + half]) for learn, rest in pairs)
    split = StratifiedKFold(FOLDS, shuffle=True, random_state=checked_seed(seed)).split(
        np.zeros((len(second), 1)), second
    )
    return tuple(split)


def held_out_scores(vectors: Array, second: Groups, splits: Folds, *, method: Method = DIFFERENCE) -> Array:
    """Return the score (n,) of each word along the direction of the words in the other folds."""
    _check(vectors, second)
    result = np.zeros(len(vectors))
    for learn, rest in splits:
        axis = direction(vectors[learn], second[learn], method=method)
        result[rest] = scores(vectors[rest], axis, of=vectors[learn], second=second[learn])
    return result


def shuffled(second: Groups, random: np.random.Generator, *, method: Method = DIFFERENCE) -> Groups:
    """Return the groups (n,) shuffled at random; with the first component of pairs, within each pair."""
    if method != PAIRS:
        return np.asarray(random.permutation(second))
    check_pairs(second)
    swapped = np.tile(random.random(len(second) // 2) < 0.5, 2)
    return np.asarray(second ^ swapped)


def random_axes(count: int, dimensions: int, random: np.random.Generator) -> Array:
    """Return unit vectors (count, d) of random directions."""
    within(count, 10_000, "random directions")
    return np.asarray(unit(random.standard_normal((count, dimensions))))


def _check(vectors: Array, second: Groups) -> None:
    enough(vectors, "vectors", least=2)
    same_count(vectors=vectors, groups=second)
    check_finite(vectors)
    if not 0 < int(np.sum(second)) < len(second):
        raise ValueError("One of the groups is empty. Put words in both.")
