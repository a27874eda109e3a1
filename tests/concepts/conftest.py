"""What the tests of concepts share: a few labelled items, vectors that contain their labels, and a short fixed text."""

from collections.abc import Iterator

import numpy as np
import pytest

from embtools.concepts import fluency, steering
from embtools.concepts.items import Item
from embtools.concepts.probes import Features
from tests.visit import empty_caches

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


@pytest.fixture(scope="module")
def short_fixed_text() -> Iterator[None]:
    """Measure fluency and costs on a few sentences, and forget the results: the whole text takes three quarters of the
    time of `steer`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fluency, "SENTENCES", 3)
        patch.setattr(steering, "SENTENCES", 4)
        empty_caches()
        yield
    empty_caches()
