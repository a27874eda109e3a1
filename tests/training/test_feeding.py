"""Batches prepared in advance: in order, on the device, with any number of processes."""

import itertools

import numpy as np
import pytest
import torch

from training.batches import make_batch
from training.feeding import Batches, feed
from training.shapes import groups


@pytest.mark.parametrize("workers", [0, 2])
def test_batches_come_in_the_order_of_the_groups(numbered, workers: int) -> None:
    wanted = [g for step in range(3) for g in groups(step, 4, 2, seed=1)]
    endless = itertools.chain(wanted, (g for step in itertools.count(3) for g in groups(step, 4, 2, seed=1)))
    fed = feed(Batches(*numbered, 1, 0.2), endless, workers, torch.device("cpu"))
    for group, arrays in zip(wanted, fed, strict=False):
        expected = make_batch(*numbered, group, 1, 0.2).arrays
        assert len(arrays) == len(expected)
        for one, two in zip(arrays, expected, strict=True):
            np.testing.assert_array_equal(one.numpy(), two)
    fed.close()
