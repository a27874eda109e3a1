"""Seeds are checked in one place, and the same seed gives the same numbers as numpy does."""

import numpy as np
import pytest

from embtools import chance

ODD = [-1, 0.0, 1.5, True, "0", None, float("nan"), chance.LARGEST_SEED + 1, np.int64(-1), np.bool_(True)]


@pytest.mark.parametrize("seed", ODD)
def test_only_whole_numbers_from_0_up_are_seeds(seed):
    for use in (chance.checked_seed, chance.generator, lambda seed: chance.seeds(seed, 2)):
        with pytest.raises(ValueError, match="^A seed must be a whole number from 0 to 4,294,967,295. Choose another"):
            use(seed)


@pytest.mark.parametrize("seed", [0, 7, np.int64(7), np.uint32(2**32 - 1), chance.LARGEST_SEED])
def test_both_libraries_take_every_seed_that_is_allowed(seed):
    from sklearn.utils import check_random_state

    checked = chance.checked_seed(seed)
    assert type(checked) is int and checked == seed
    assert check_random_state(checked).random() == np.random.RandomState(int(seed)).random()
    assert chance.generator(seed).random() == np.random.default_rng(int(seed)).random()


def test_parts_of_a_seed_make_independent_generators():
    numbers = {chance.generator(3, *parts).random() for parts in ((), (1,), (2,), (1, 1), (2, 1))}
    assert len(numbers) == 5
    assert chance.generator(3, 0).random() == chance.generator(3).random()  # numpy takes a zero at the end for nothing
    assert chance.generator(3, 1).random() == np.random.default_rng([3, 1]).random()


def test_consecutive_seeds_are_valid_seeds():
    assert chance.seeds(5, 3) == [5, 6, 7] and chance.seeds(0, 0) == []
    for seed in chance.seeds(chance.LARGEST_SEED - 1, 4):
        chance.generator(seed)
