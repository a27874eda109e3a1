"""A word of two senses in four sentences, and its comparison."""

import pytest

from embtools.layers import comparisons

LINES = (
    "money | The bank works as a capital.",
    "money | A king works, a bank works.",
    "river | The river, a green bank.",
    "river | The blue bank of a red river!",
)


@pytest.fixture(scope="session")
def compared(tiny):
    return comparisons.compare_word(LINES, tiny, word="bank")
