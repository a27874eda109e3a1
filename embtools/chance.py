"""Seeds and random generators; every seed is checked here."""

from typing import SupportsIndex

import numpy as np

LARGEST_SEED = 2**32 - 1  # the largest `random_state` of scikit-learn; numpy accepts larger ones


def checked_seed(seed: SupportsIndex) -> int:
    """The seed as an int, for functions of other libraries (`random_state=checked_seed(seed)`); ValueError unless it is
    a whole number from 0 to LARGEST_SEED, which True and 1.0 are not.

    >>> checked_seed(-1)
    Traceback (most recent call last):
    ValueError: A seed must be a whole number from 0 to 4,294,967,295. Choose another one, such as 0.
    """
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool) and 0 <= seed <= LARGEST_SEED:
        return int(seed)
    raise ValueError(f"A seed must be a whole number from 0 to {LARGEST_SEED:,}. Choose another one, such as 0.")


def generator(seed: SupportsIndex, *parts: int) -> np.random.Generator:
    """Random generator that gives the same numbers for the same seed; different `parts` (from 1 upwards, because numpy
    ignores a 0 at the end) give independent generators for the same seed.

    >>> int(generator(0).integers(100)), int(generator(0, 1).integers(100))
    (85, 52)
    """
    return np.random.default_rng([checked_seed(seed), *parts] if parts else checked_seed(seed))


def seeds(first: SupportsIndex, n: int) -> list[int]:
    """n different consecutive seeds from `first` on; LARGEST_SEED is followed by 0.

    >>> seeds(LARGEST_SEED, 3)
    [4294967295, 0, 1]
    """
    return [(checked_seed(first) + step) % (LARGEST_SEED + 1) for step in range(n)]
