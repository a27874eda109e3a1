"""What the tests of Directions share."""

from collections.abc import Iterator

import pytest

from embtools.directions import fluency, steering
from tests.visit import empty_caches


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
