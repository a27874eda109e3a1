"""Headlines and sentences that follow from the results about similarity."""

from embtools.memory import remembered
from embtools.similarity.matrix import Similarity
from embtools.statistics.permutations import Mantel, mantel
from embtools.statistics.reporting import LEVEL, p_value

SURE = LEVEL
PERMUTATIONS = 999


def two_models(test: Mantel) -> str:
    """A sentence about the correlation between two models' rankings of the pairs."""
    return f"There is {strength(test)} between the two models' rankings of the pairs {numbers(test)}."


@remembered
def two_lists(first: Similarity, second: Similarity, names: tuple[str, str]) -> str:
    """A sentence about the same list in two models with these names: whether they rank its pairs in the same way.

    Both tables have the words in the same order. Mantel test with `PERMUTATIONS` shuffles.
    """
    try:
        return two_models(mantel(first.values, second.values, permutations=PERMUTATIONS))
    except ValueError:
        return f"{names[0]} and {names[1]} can be compared for four or more words."


def strength(test: Mantel) -> str:
    """The strength of a rank correlation in words, by the same rule for every test."""
    if test.p >= LEVEL:
        return "no clear correlation"
    size = "weak" if abs(test.rho) < 0.3 else "moderate" if abs(test.rho) < 0.6 else "strong"
    return f"a {size} correlation" if test.rho > 0 else f"a {size} negative correlation"


def numbers(test: Mantel) -> str:
    """The rank correlation and its p-value in parentheses."""
    return f"(ρ = {test.rho:+.2f}, {p_value(test.p)})".replace("-", "−")
