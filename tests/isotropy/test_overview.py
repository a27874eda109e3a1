"""Measures and scores of a space and its controls."""

import numpy as np
import pandas as pd
import pytest

from embtools.isotropy import overview
from embtools.isotropy.overview import AFTER, BEFORE, CENTRE, RANDOM, overview_of, with_controls
from embtools.isotropy.spaces import MeasuredSpaces, ScoredSpaces
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


def test_the_charts_show_every_space(inside):
    from embtools.charts.isotropy import overview as charts

    seen = {name: overview_of(inside, space) for name, space in with_controls(Space(TOP, 2)).items()}
    cosines = {name: one.cosines for name, one in seen.items()}
    result, scored = MeasuredSpaces(seen), ScoredSpaces(seen)
    ends = charts.ends([result])
    every = np.concatenate(list(cosines.values()))
    assert ends == (min(-0.2, np.quantile(every, 0.0005)), max(0.5, np.quantile(every, 0.9995)))
    chart = charts.histogram(result, ends)
    drawn = chart.figure
    assert tuple(drawn.layout.xaxis.range) == ends
    assert [trace.name for trace in drawn.data] == list(seen)
    assert all(0.98 < sum(trace.y) <= 1.0001 for trace in drawn.data)  # shares of all pairs, but for the last tails
    assert f"raw mean {cosines[BEFORE].mean():.2f}, standard deviation {cosines[BEFORE].std():.2f}" in chart.alt
    table = overview.scores_table(seen)
    marks = {trace.name: list(trace.x) for trace in charts.scores(scored).figure.data}
    for name in seen:
        np.testing.assert_allclose(marks[name], table[table["space"] == name]["score"], rtol=1e-6)
    assert f"{AFTER} " in charts.scores(scored).alt


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
