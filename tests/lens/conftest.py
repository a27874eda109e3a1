"""A corpus folder for the tests of the tuned lens."""

from itertools import product

import pytest

from tests.store import encoded

TEXTS = tuple(
    f"{subject} is {what} ."
    for subject, what in product(
        ("rome", "paris", "the king", "the queen", "he", "she", "the bank", "the river"),
        ("red", "green", "blue", "a man", "a woman", "the capital of france", "the capital of italy"),
    )
)


@pytest.fixture(scope="session")
def folder(tiny, tmp_path_factory):
    """Short sentences, encoded by the tiny model."""
    return encoded(TEXTS, tmp_path_factory.mktemp("lens") / "folder", tiny)
