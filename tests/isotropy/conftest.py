"""Populations of the bundled model."""

import pytest

from embtools.isotropy.population import STATIC, population


@pytest.fixture(scope="session")
def static(bundled):
    """The static vocabulary."""
    return population(STATIC, bundled)


@pytest.fixture(scope="session")
def inside(bundled):
    """Every word of the built-in text in its sentence."""
    return population("layer 4", bundled)
