"""Random numbers: the only place where a seed is checked and becomes a generator."""

from typing import SupportsIndex

import numpy as np

LARGEST_SEED = 2**32 - 1  # scikit-learn's `random_state` takes no larger one; numpy would


def checked_seed(seed: SupportsIndex) -> int:
    """The seed, for functions of other libraries that take one (`random_state=checked_seed(seed)`).

    Raises ValueError unless it is a whole number from 0 to LARGEST_SEED; True and 1.0 are not.

    >>> checked_seed(-1)
    Traceback (most recent call last):
    ValueError: A seed must be a whole number from 0 to 4,294,967,295. Choose another one, such as 0.
    """
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool) and 0 <= seed <= LARGEST_SEED:
        return int(seed)
    raise ValueError(f"A seed must be a whole number from 0 to {LARGEST_SEED:,}. Choose another one, such as 0.")


def generator(seed: SupportsIndex, *parts: int) -> np.random.Generator:
    """A generator that gives the same numbers for the same seed.

    Other `parts` (whole numbers from 1 up) give an independent generator of the same seed; numpy ignores a 0 at the
    end. Raises ValueError as `checked_seed` does.

    >>> int(generator(0).integers(100)), int(generator(0, 1).integers(100))
    (85, 52)
    """
    return np.random.default_rng([checked_seed(seed), *parts] if parts else checked_seed(seed))


def seeds(first: SupportsIndex, n: int) -> list[int]:
    """n different seeds: `first` and those after it; LARGEST_SEED is followed by 0.

    Raises ValueError as `checked_seed` does.

    >>> seeds(LARGEST_SEED, 3)
    [4294967295, 0, 1]
    """
    return [(checked_seed(first) + step) % (LARGEST_SEED + 1) for step in range(n)]
