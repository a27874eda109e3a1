"""The sign test: do values rise more often than they fall, or less often?"""

import math


def sign_test(rose: int, fell: int) -> float:
    """Test whether values rise as often as they fall.

    Parameters
    ----------
    rose, fell : int
        How many of n independent values rose, and how many fell; those that stayed equal count for neither.

    Returns
    -------
    float
        The exact two-sided p-value (binomial with 1/2); 1 without a value that moved.

    Raises
    ------
    ValueError
        For a count below 0.

    References
    ----------
    Conover 1999, "Practical Nonparametric Statistics", section 3.4.

    >>> sign_test(5, 0)
    0.0625
    """
    if rose < 0 or fell < 0:
        raise ValueError(f"{min(rose, fell)} is no count. Give how many values rose and how many fell.")
    n = rose + fell
    # Whole numbers until the last step, so that nothing is rounded; for 1/2 both tails are equal.
    tail = sum(math.comb(n, k) for k in range(min(rose, fell) + 1))
    return min(1.0, 2 * tail / 2**n)
