"""A space and its controls in one result, against the steps."""

import time

import numpy as np
import pandas as pd
import pytest

from embtools.isotropy import overview, verdict
from embtools.isotropy.overview import overview_of, with_controls
from embtools.isotropy.population import STATIC
from embtools.isotropy.spaces import measure_spaces, score_spaces, shrinkage
from embtools.spaces import measures
from embtools.spaces.moments import ledoit_wolf
from embtools.spaces.space import BY_CLUSTER, CENTRED, RAW, TOP, Space

LAYER = "layer 4"
SPACES = (Space(TOP, 2), Space(CENTRED), Space(RAW))


@pytest.mark.slow("all-but-the-top")
@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_measures_and_scores_of_every_space(inside, bundled, space):
    seen = {name: overview_of(inside, one) for name, one in with_controls(space).items()}
    measured = measure_spaces(LAYER, bundled, space=space)
    assert list(measured.spaces) == list(seen) and measured.headline == verdict.finding(seen)
    pd.testing.assert_frame_equal(measured.table, overview.measures_table(seen))
    pd.testing.assert_frame_equal(measured.directions, overview.directions(seen))
    pd.testing.assert_frame_equal(measured.dimensions, measures.dimensions_table(seen["raw"].measures))
    scored = score_spaces(LAYER, bundled, space=space)
    assert scored.headline == verdict.task_finding(seen)
    pd.testing.assert_frame_equal(scored.table, overview.scores_table(seen))


@pytest.mark.slow
def test_progress_rises_to_the_end(bundled, cold):
    for function, layer in ((measure_spaces, "layer 1"), (score_spaces, "layer 2")):
        reported: list[float] = []
        function(layer, bundled, space=Space(CENTRED), progress=reported.append)
        assert reported == sorted(reported) and 0 < reported[-1] <= 1


BY_CLUSTERS = Space(BY_CLUSTER, components=50, clusters=30)
"""The slowest space that the page offers."""


@pytest.mark.slow
@pytest.mark.parametrize("source", [STATIC, "layer 3"])
@pytest.mark.parametrize("function", [measure_spaces, score_spaces])
def test_the_slowest_space_reports_its_progress_often_enough_to_be_stopped(bundled, cold, function, source):
    """In processor time, so that a busy machine makes no difference; before, static embeddings reported nothing."""
    import sklearn.cluster  # noqa: F401 - its import is not the work

    reported, times = [], [time.process_time()]

    def progress(done: float) -> None:
        reported.append(done)
        times.append(time.process_time())

    function(source, bundled, space=BY_CLUSTERS, progress=progress)
    times.append(time.process_time())
    assert reported == sorted(reported) and len(reported) > 30 and reported[-1] <= 1
    assert times[-1] - times[0] < 40 and max(np.diff(times)) < 5


def test_static_embeddings_can_be_stopped_between_two_clusters(bundled, cold):
    def stop(done: float) -> None:
        reported.append(done)
        if len(reported) == 12:
            raise KeyboardInterrupt

    reported: list[float] = []
    with pytest.raises(KeyboardInterrupt):
        measure_spaces(STATIC, bundled, space=BY_CLUSTERS, progress=stop)
    assert reported[-1] < 0.5


def test_shrinkage_is_that_of_the_vectors(static, bundled):
    value = shrinkage(STATIC, bundled)
    assert value == pytest.approx(ledoit_wolf(static.vectors, static.known)) and 0 < value < 1 and np.isfinite(value)


def test_an_unknown_layer_is_refused(bundled):
    for function in (measure_spaces, score_spaces, shrinkage):
        with pytest.raises(ValueError, match="no layer combination"):
            function("layer 99", bundled)
