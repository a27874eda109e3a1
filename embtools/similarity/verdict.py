"""Headlines and sentences that follow from the results about similarity."""

import numpy as np

from embtools.memory import remembered
from embtools.similarity.matrix import Similarity
from embtools.statistics.decimals import decimal
from embtools.statistics.permutations import Mantel, mantel
from embtools.statistics.reporting import LEVEL, p_value

PERMUTATIONS = 999
_SEEN = 0.005  # a smaller difference does not change the second digit


@remembered
def two_lists(first: Similarity, second: Similarity, names: tuple[str, str]) -> str:
    """A sentence about the same list in two models with these names: whether they rank its pairs in the same way.

    Both tables have the words in the same order. Mantel test with `PERMUTATIONS` shuffles.
    """
    try:
        test = mantel(first.values, second.values, permutations=PERMUTATIONS)
    except ValueError:
        return f"{names[0]} and {names[1]} can be compared for four or more words."
    both = " and by ".join(names)
    return f"There is {strength(test)} between the rankings of the pairs by {both} {numbers(test)}."


def largest_change(before: Similarity, after: Similarity, names: tuple[str, str]) -> str:
    """A sentence about the pair whose cosine or distance differs most between two models with these names.

    Both tables have the words in the same order.
    """
    gaps = np.abs(after.values - before.values)
    i, j = np.unravel_index(int(np.argmax(gaps)), gaps.shape)
    measure = "cosine" if before.metric == "cosine" else "distance"
    if gaps[i, j] < _SEEN:
        return f"In {names[0]} and in {names[1]}, all pairs have the same {measure} to two digits."
    one, other = (decimal(float(table.values[i, j])) for table in (before, after))
    return (
        f"{before.words[i]} and {before.words[j]} change most: their {measure} is {one} in {names[0]} and {other} in"
        f" {names[1]}."
    )


def strength(test: Mantel) -> str:
    """The strength of a rank correlation in words, by the same rule for every test."""
    if test.p >= LEVEL:
        return "no clear correlation"
    size = "weak" if abs(test.rho) < 0.3 else "moderate" if abs(test.rho) < 0.6 else "strong"
    return f"a {size} correlation" if test.rho > 0 else f"a {size} negative correlation"


def numbers(test: Mantel) -> str:
    """The rank correlation and its p-value in parentheses."""
    return f"(ρ = {decimal(test.rho, signed=True)}, {p_value(test.p)})"
