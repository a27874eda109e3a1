"""Fixtures for the tests of probes: a few items, and vectors that contain their labels."""

import numpy as np
import pytest

from embtools.probing.features import Features
from embtools.probing.items import Item

SIZE = 60


@pytest.fixture(scope="session")
def items() -> tuple[Item, ...]:
    """Sixty items of thirty words and three labels."""
    return tuple(Item(f"s{n}", "abc"[n // 2 % 3], f"w{n // 2}") for n in range(SIZE))


@pytest.fixture(scope="session")
def features(items: tuple[Item, ...]) -> Features:
    """Vectors of eight dimensions: only noise in the first layer, noise and the label in the second."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(2, SIZE, 8)).astype(np.float32)
    noise[1, :, :3] += 1.5 * (np.array([i.label for i in items])[:, None] == list("abc"))
    return Features(("layer 0", "layer 1"), tuple(noise))
