"""The association test on vectors: effect size, permutation p-value and bootstrap interval (WEAT, SEAT)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.limits import enough, same_count
from embtools.statistics.decimals import decimal
from embtools.statistics.intervals import SOME, draws
from embtools.statistics.permutations import permutation_test
from embtools.statistics.reporting import LEVEL, p_value
from embtools.vectors import Array, unit

MAX_PERMUTATIONS = 100_000
_RESAMPLES = 2_000


@dataclass(frozen=True)
class Association(Displayed):
    """Result of an association test.

    effect       d: the difference of the mean associations in standard deviations; -2 … 2 for X and Y of equal size
    low, high    95% bootstrap interval of d; the words of all four sets are resampled (percentiles); nan if one of the
                 sets has fewer than 8 words
    p            two-sided permutation p-value: the share of partitions of X ∪ Y (A and B stay) with a difference at
                 least this large in either direction
    p_one_sided  the share of partitions with at least this difference in the direction X to A, Y to B, as published
    partitions   number of partitions counted
    exact        whether these are all partitions (otherwise they are drawn, and the observed one is counted too)
    scores       frame of set (X, Y), word, association, strongest first
    left_out     words of several tokens that were left out
    names        names of X, Y, A and B
    """

    effect: float
    low: float
    high: float
    p: float
    p_one_sided: float
    partitions: int
    exact: bool
    scores: pd.DataFrame
    left_out: tuple[str, ...]
    names: tuple[str, str, str, str] = ("X", "Y", "A", "B")

    @property
    def headline(self) -> str:
        """Which sets are closer to each other, and whether this could be chance: the two-sided p decides, and the
        sentence says so if the bootstrap interval, which also resamples the attribute words, disagrees.
        """
        return _finding(self)

    @property
    def interval(self) -> str:
        """The interval of d as text, or why there is none."""
        if np.isnan(self.low):
            return "too few words for an interval"
        return f"95% interval {decimal(self.low)} to {decimal(self.high)}"

    @property
    def least_p(self) -> float:
        """The smallest two-sided p that so many words allow: with sets of equal size, each partition has a mirror."""
        x, y = (int((self.scores["set"] == name).sum()) for name in "XY")
        return (2 if self.exact and x == y else 1) / self.partitions


def association(
    sets: Sequence[Array],
    x_words: Sequence[str],
    y_words: Sequence[str],
    *,
    permutations: int = 10_000,
    seed: int = 0,
    left_out: tuple[str, ...] = (),
    names: tuple[str, str, str, str] = ("X", "Y", "A", "B"),
) -> Association:
    """Association test on the vectors of x, y, a and b, each (n words, m sentences, d); m is 1 for static
    embeddings.
    """
    if not 99 <= permutations <= MAX_PERMUTATIONS:
        raise ValueError(f"The number of permutations is {permutations}; choose 99 to {MAX_PERMUTATIONS:,}.")
    if len(sets) != 4:
        raise ValueError(f"The test needs four sets of vectors, x, y, a and b, but there are {len(sets)}. Give four.")
    x, y, a, b = sets
    for words in sets:
        enough(words, "words of a set")
    same_count(x=x, x_words=x_words)
    same_count(y=y, y_words=y_words)
    if not all(np.isfinite(v).all() for v in sets):
        raise ValueError("A vector contains a number that is not finite. Leave out the word it belongs to.")
    targets = unit(np.concatenate([x, y]).astype(np.float64))
    # Cosines of the targets (w, m, d) with each attribute word (k, m, d), the mean of its sentences: (w, m, k).
    to_a, to_b = (targets @ unit(v.astype(np.float64)).mean(1).T for v in (a, b))
    items = to_a.mean(-1) - to_b.mean(-1)  # (words, sentences)
    if items.std() < 1e-12:
        raise ValueError("All target words have the same association, so there is nothing to compare. Use other words.")
    n = len(x)
    # As published: with the population's standard deviation. May et al.'s program divides by n - 1, which makes d
    # 3% smaller at 16 words.
    effect = (items[:n].mean() - items[n:].mean()) / items.std()
    p_one_sided, p, partitions, exact = permutation_test(items.mean(1), n, permutations=permutations, seed=seed)
    known = min(map(len, sets)) >= SOME
    low, high = _interval(to_a, to_b, n, generator(seed)) if known else (np.nan, np.nan)
    scores = pd.DataFrame(
        {
            "set": ["X"] * n + ["Y"] * (len(items) - n),
            "word": [*x_words, *y_words],
            "association": items.mean(1),
        }
    ).sort_values("association", ascending=False, ignore_index=True)
    return Association(float(effect), low, high, p, p_one_sided, partitions, exact, scores, left_out, names)


def _interval(to_a: Array, to_b: Array, n: int, rng: np.random.Generator) -> tuple[float, float]:
    """95% bootstrap interval of d over resampled words; cosines (words, sentences, attributes)."""

    def weights(size: int) -> Array:
        return draws(size, _RESAMPLES, rng).T / size

    s = to_a @ weights(to_a.shape[-1]) - to_b @ weights(to_b.shape[-1])  # (words, sentences, resamples)
    x, y = weights(n)[:, None], weights(len(to_a) - n)[:, None]
    mean_x, mean_y = ((x * s[:n]).sum(0).mean(0), (y * s[n:]).sum(0).mean(0))
    share = n / len(to_a)
    mean = share * mean_x + (1 - share) * mean_y
    squares = share * (x * s[:n] ** 2).sum(0).mean(0) + (1 - share) * (y * s[n:] ** 2).sum(0).mean(0)
    deviation = np.sqrt(np.maximum(squares - mean**2, 0))
    d = (mean_x - mean_y)[deviation > 1e-12] / deviation[deviation > 1e-12]
    low, high = np.quantile(d, [0.025, 0.975])
    return float(low), float(high)


def _finding(test: Association) -> str:
    """What the test compares: the difference of the two means. If both have the other sign, the sentence says so."""
    x, y, a, b = _short(test.names)
    near, far = (a, b) if test.effect > 0 else (b, a)
    claim = f"{x} {_verb(x)} more strongly associated with {near} than {y} {_verb(y)}"
    both = _both(test, x, near, far)
    size = f"({p_value(test.p)})"
    if test.p >= LEVEL and decimal(test.effect) == "0.00":
        return f"No clear result: on average, {x} and {y} are equally associated with {a}, compared with {b} {size}."
    outside, inside = bool(test.low > 0 or test.high < 0), bool(test.low <= 0 <= test.high)
    ends = f"{decimal(test.low)} to {decimal(test.high)}"
    interval = f"the 95% interval of d ({ends}), which also resamples the attribute words,"
    if test.p >= LEVEL:
        more = f" But {interval} excludes 0." if outside else ""
        if test.least_p >= LEVEL:
            more = f" With so few words, p cannot be below {test.least_p:.3f}.{more}"
        both = f" {both[:1].upper()}{both[1:]}." if both else ""
        return f"No clear result: {claim}, but this could be chance {size}.{both}{more}"
    more = f" But {interval} includes 0." if inside else ""
    return f"{claim[:1].upper()}{claim[1:]} {size}{f', but {both}' if both else ''}.{more}"


def _both(test: Association, x: str, near: str, far: str) -> str:
    """Where the means lie if they contradict a hasty reading: neither of x nor of y on the side of `near`; else ""."""
    means = test.scores.groupby("set")["association"].mean()
    sign = 1 if test.effect > 0 else -1
    own = decimal(means["X"])
    if sign * means["X"] > 0 and own != "0.00":
        return ""
    if own == "0.00":
        return f"{x} {_verb(x)} as near to {near} as to {far} (mean 0.00)"
    return f"both are nearer to {far} (means {own} and {decimal(means['Y'])})"


def _short(names: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    """The names for a sentence: target words of the visitor by their order, attribute words by the first of them."""
    if not names[0].startswith("“"):
        return names
    a, b = (f"{name.partition('”')[0]} …”" for name in names[2:])
    return "the first words", "the second words", a, b


def _verb(name: str) -> str:
    return "are" if name.endswith("s") else "is"
