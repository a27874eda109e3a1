"""What the tests of claims share: a cased model."""

import pytest

from embtools import load_model
from embtools.words import groups
from tests.conftest import CASED, make_tiny


@pytest.fixture(scope="session")
def cased(tmp_path_factory):  # type: ignore[no-untyped-def]
    """A tiny random BERT that knows the names of the claims with a capital alone."""
    cities = [word.capitalize() for _, words in groups.preset(groups.FIGURE_1) for word in words]
    names = "Pakistan Asia Africa Oceania Afghanistan Angola He She".split()
    words = "he she works as south lawyer teacher farmer model".split()
    every = dict.fromkeys([*CASED, *names, *words, *cities])
    return load_model(str(make_tiny(tmp_path_factory.mktemp("cased"), words=list(every), cased=True)))
