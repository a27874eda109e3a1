"""Measures and scores of a space and its controls."""

import pandas as pd
import pytest

from embtools.isotropy import overview
from embtools.isotropy.overview import AFTER, BEFORE, CENTRE, RANDOM, overview_of, with_controls
from embtools.spaces.measures import measure
from embtools.spaces.space import BY_CLUSTER, CENTRED, RAW, TOP, Space


def test_a_space_is_compared_with_its_controls():
    assert list(with_controls(Space(TOP, 2))) == [BEFORE, AFTER, CENTRE, RANDOM]
    assert with_controls(Space(TOP, 2))[RANDOM] == Space(TOP, 2, shuffled=1)
    assert list(with_controls(Space(CENTRED))) == [BEFORE, AFTER, RANDOM]
    assert list(with_controls(Space(RAW))) == [BEFORE]


@pytest.mark.parametrize("space", [Space(TOP, 3), Space(BY_CLUSTER, 2, clusters=4)])
def test_an_overview_measures_the_processed_vectors(inside, space):
    """What is known from the raw moments is what the processed rows have."""
    found = overview_of(inside, space)
    rows = inside.fit(space).apply(inside.vectors)
    plain = measure(rows)
    for name in ("mean_cosine", "partition", "isoscore"):
        assert getattr(found.measures, name) == pytest.approx(getattr(plain, name), abs=2e-3)
    assert found.cosines.mean() == pytest.approx(plain.mean_cosine, abs=0.01)


def test_the_tables_hold_every_space(inside):
    seen = {name: overview_of(inside, space) for name, space in with_controls(Space(CENTRED)).items()}
    table = overview.measures_table(seen).set_index("measure")
    assert table.loc["mean cosine of random pairs", BEFORE] > 0.15
    assert abs(table.loc["mean cosine of random pairs", AFTER]) < 0.01
    assert table.loc["IsoScore", BEFORE] == pytest.approx(table.loc["IsoScore", AFTER])  # the mean does not count
    scores = overview.scores_table(seen)
    assert len(scores) == 3 * 4 and set(scores["space"]) == {BEFORE, AFTER, RANDOM}


def test_overview_takes_the_name_of_a_source(bundled, inside):
    found = overview.overview("layer 4", bundled, space=Space())
    assert found.measures.mean_cosine == pytest.approx(overview_of(inside, Space()).measures.mean_cosine)


def test_the_parts_make_the_whole(inside) -> None:
    space = Space(TOP, 2)
    whole, shape, scores = (
        overview_of(inside, space),
        overview.measured(inside, space),
        overview.task_scores(inside, space),
    )
    assert whole.measures.mean_cosine == shape.measures.mean_cosine and whole.space == shape.space == space
    assert whole.cosines.tolist() == shape.cosines.tolist()
    pd.testing.assert_frame_equal(whole.scores.table, scores.table)
