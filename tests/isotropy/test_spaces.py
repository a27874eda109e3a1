"""A space and its controls in one result, against the steps."""

import numpy as np
import pandas as pd
import pytest

from embtools.isotropy import measures, overview, verdict
from embtools.isotropy.overview import overview_of, with_controls
from embtools.isotropy.population import STATIC
from embtools.isotropy.spaces import measure_spaces, score_spaces, shrinkage
from embtools.spaces.moments import ledoit_wolf
from embtools.spaces.space import CENTRED, RAW, TOP, Space

LAYER = "layer 4"
SPACES = (Space(TOP, 2), Space(CENTRED), Space(RAW))


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


def test_shrinkage_is_that_of_the_vectors(static, bundled):
    value = shrinkage(STATIC, bundled)
    assert value == pytest.approx(ledoit_wolf(static.vectors, static.known)) and 0 < value < 1 and np.isfinite(value)


def test_an_unknown_layer_is_refused(bundled):
    for function in (measure_spaces, score_spaces, shrinkage):
        with pytest.raises(ValueError, match="no layer combination"):
            function("layer 99", bundled)
