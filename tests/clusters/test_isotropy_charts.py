"""What the charts of the page show, and that those of two models have the same axes and colours."""

from types import SimpleNamespace

import numpy as np
import pytest

from embtools.charts import clusters as charts
from embtools.clusters.isotropy import tasks
from embtools.clusters.isotropy.overview import SpaceMeasures, scores_table
from embtools.clusters.isotropy.solved import SeparatedSenses, SolvedAnalogies
from embtools.clusters.isotropy.spaces import MeasuredSpaces, ScoredSpaces
from embtools.spaces.controls import AFTER, BEFORE, with_controls
from embtools.spaces.measures import dimensions_table, directions_table, measure
from embtools.spaces.space import CENTRED, TOP, Space
from tests.clusters.conftest import overview_of


def measured(shift: float, *names: str) -> MeasuredSpaces:
    vectors = np.random.default_rng(0).normal(size=(200, 6)) * np.arange(1, 7) + shift
    return MeasuredSpaces({name: SpaceMeasures(Space(), measure(vectors), np.full(2, shift)) for name in names})


def test_components_and_dimensions_are_drawn():
    one = measured(0.5, BEFORE, AFTER)
    spectrum, bars, raw = charts.spectrum(one), charts.dimensions(one), one.spaces[BEFORE].measures
    np.testing.assert_allclose(spectrum.figure.data[0].y, directions_table(raw)["share"], rtol=1e-6)
    assert "raw: the first component has" in spectrum.alt and len(spectrum.figure.data) == 2
    assert list(bars.y.names) == dimensions_table(raw)["dimension"].tolist()


@pytest.mark.slow
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
    for same, low in ((False, 0.02), (True, -0.03)):  # only next to another chart, the axis holds all possible scores
        weak = charts.scores(SimpleNamespace(table=table.assign(low=0.05)), same_axes=same)
        assert f"{AFTER} " in weak.alt and weak.figure.layout.xaxis.range[0] == pytest.approx(low, abs=0.002)


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
