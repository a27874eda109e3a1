"""Populations of the bundled model."""

import pytest

from embtools.clusters.isotropy.overview import Overview, measured, task_scores
from embtools.clusters.isotropy.population import STATIC, population
from embtools.occurrences.corpus import built_in_corpus
from tests.store import encoded


def overview_of(source, space):
    """Measures and scores of a population in a space."""
    return Overview(**vars(measured(source, space)), scores=task_scores(source, space))


@pytest.fixture(scope="session")
def static(bundled):
    """The static vocabulary."""
    return population(STATIC, bundled)


@pytest.fixture(scope="session")
def inside(bundled):
    """Every word of the built-in text in its sentence."""
    return population("layer 4", bundled)


@pytest.fixture(scope="session")
def stored_folder(bundled, tmp_path_factory):
    """Some of the built-in sentences as a corpus folder."""
    return encoded(built_in_corpus().sentences[:150], tmp_path_factory.mktemp("folders") / "some", bundled)
