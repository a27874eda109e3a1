"""What the charts of the page show, and that those of two models have the same axes and colours."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts import isotropy as charts
from embtools.clusters.isotropy import tasks, verdict, words_in_spaces
from embtools.clusters.isotropy.overview import AFTER, BEFORE, SpaceMeasures, overview_of, scores_table, with_controls
from embtools.clusters.isotropy.solved import SeparatedSenses, SolvedAnalogies
from embtools.clusters.isotropy.spaces import MeasuredSpaces, ScoredSpaces
from embtools.clusters.isotropy.your_words import Neighbours
from embtools.spaces.measures import dimensions_table, directions_table, measure
from embtools.spaces.space import CENTRED, TOP, Space
from embtools.words.groups import read_groups
from tests.drawn import HOSTILE, shows_no_markup

SPACES = with_controls(Space(TOP, 5))
WORDS = read_groups("colours: red, white, black\nseasons: winter, summer, spring\nnothing: xylophonist")


def measured(shift: float, *names: str) -> MeasuredSpaces:
    vectors = np.random.default_rng(0).normal(size=(200, 6)) * np.arange(1, 7) + shift
    return MeasuredSpaces({name: SpaceMeasures(Space(), measure(vectors), np.full(2, shift)) for name in names})


def test_components_and_dimensions_are_drawn():
    one = measured(0.5, BEFORE, AFTER)
    spectrum, bars = charts.spectrum(one), charts.dimensions(one)
    shares = directions_table(one.spaces[BEFORE].measures)["share"]
    np.testing.assert_allclose(spectrum.figure.data[0].y, shares, rtol=1e-6)
    assert "raw: the first component has" in spectrum.alt and len(spectrum.figure.data) == 2
    assert list(bars.y.names) == dimensions_table(one.spaces[BEFORE].measures)["dimension"].tolist()


def test_the_charts_show_every_space(inside):
    seen = {name: overview_of(inside, space) for name, space in with_controls(Space(TOP, 2)).items()}
    cosines, result = {name: one.cosines for name, one in seen.items()}, MeasuredSpaces(seen)
    chart, every = charts.histogram(result), np.concatenate(list(cosines.values()))
    ends = min(-0.2, np.quantile(every, 0.0005)), max(0.5, np.quantile(every, 0.9995))
    assert chart.figure.layout.xaxis.range == ends and [trace.name for trace in chart.figure.data] == list(seen)
    assert all(0.98 < sum(trace.y) <= 1.0001 for trace in chart.figure.data)  # the ends leave out 0.1% of the pairs
    assert f"raw mean {cosines[BEFORE].mean():.2f}, standard deviation {cosines[BEFORE].std():.2f}" in chart.alt
    far = measured(0.9, BEFORE)
    assert charts.histogram(result, [result, far]).x == charts.histogram(far, [result, far]).x != chart.x
    table, scores = scores_table(seen), charts.scores(ScoredSpaces(seen))
    marks = {trace.name: trace.x for trace in scores.figure.data}
    for name in seen:
        np.testing.assert_allclose(marks[name], table[table["space"] == name]["score"], rtol=1e-6)
    assert f"{AFTER} " in scores.alt


def test_all_heatmaps_have_one_scale_and_all_maps_all_words(inside):
    found = words_in_spaces.compare_groups(inside, WORDS, SPACES)
    off = ~np.eye(6, dtype=bool)
    most = max(np.abs(values[off]).max() for values in found.cosines.values())
    for name in (BEFORE, AFTER):
        figure = charts.heatmap(found, name).figure
        assert (-figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == pytest.approx((most, most))
        np.testing.assert_allclose(figure.data[0].z, np.where(off, found.cosines[name], np.nan), rtol=1e-6)
    assert "6 words, raw" in charts.heatmap(found, BEFORE).alt
    chart = charts.word_map(found, AFTER)
    assert sum(len(trace.x) for trace in chart.figure.data) == 6 and "the plane shows" in chart.alt
    pd.testing.assert_frame_equal(chart.frame, found.map(AFTER))
    assert found.headline == verdict.group_finding(found.table)


def test_new_neighbours_are_hatched(inside):
    table = words_in_spaces.neighbours(inside, "bank", SPACES, k=6)
    chart = charts.neighbours(Neighbours("bank", table), AFTER, BEFORE)
    assert chart.alt.startswith("Nearest neighbours of bank, processed: ") and chart.frame is table
    fresh = [word not in set(table["raw"]) for word in table["processed"]]
    assert [shape == "/" for shape in chart.figure.data[0].marker.pattern.shape] == fresh
    assert [text.endswith("•") for text in chart.y.labels] == fresh
    assert shows_no_markup(charts.neighbours(Neighbours("bank", table.assign(raw=HOSTILE)), BEFORE, AFTER).figure)


@pytest.mark.slow
def test_the_charts_of_relations_and_senses(inside):
    separated = {
        name: tasks.senses(inside, inside.fit(space).apply(inside.vectors))
        for name, space in ((BEFORE, Space()), (AFTER, Space(CENTRED)))
    }
    figure = charts.senses(SeparatedSenses(separated)).figure
    low = min(frame["auc"].min() for frame in separated.values()) - 0.03
    assert figure.layout.xaxis.range == figure.layout.yaxis.range == pytest.approx((low, 1.03))
    np.testing.assert_allclose(figure.data[1].y, separated[AFTER]["auc"], rtol=1e-6)
    assert sum(text != "" for text in figure.data[1].text) == 8
    solved = {BEFORE: tasks.analogies(inside, inside.means(inside.vectors, inside.owner))}
    chart = charts.relations(SolvedAnalogies(solved))
    assert len(chart.figure.data) == 1 and f"raw {(solved[BEFORE]['rank'] == 1).mean():.0%}" in chart.alt
