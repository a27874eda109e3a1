"""Two senses of a word, compared."""

import pytest

from embtools.layers import comparisons
from tests.layers.lines import LINES


@pytest.fixture(scope="session")
def compared(tiny):
    return comparisons.compare_word(LINES, tiny, word="bank")
