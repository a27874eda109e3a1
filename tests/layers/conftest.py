"""Two senses of a word, compared."""

import pytest

from embtools.layers import recipes
from tests.layers.lines import LINES


@pytest.fixture(scope="session")
def compared(tiny):
    return recipes.compare_word(LINES, "bank", tiny)
