"""The charts of directions and dimensions show the measures, two of them on the same axis."""

import numpy as np

from embtools.charts.isotropy import measures as charts
from embtools.isotropy.overview import SpaceMeasures
from embtools.isotropy.spaces import MeasuredSpaces
from embtools.spaces.measures import dimensions_table, directions_table, measure
from embtools.spaces.space import Space


def drawn(n=200, d=6, seed=0, shift=1.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * np.arange(1, d + 1) + shift


def test_the_charts_of_directions_and_dimensions():
    one, other = (
        MeasuredSpaces(
            {name: SpaceMeasures(Space(), measure(drawn(shift=shift)), np.zeros(1, np.float32)) for name in names}
        )
        for shift, names in ((0.5, ("raw", "processed")), (0.0, ("raw",)))
    )
    chart = charts.spectrum(one)
    np.testing.assert_allclose(chart.figure.data[0].y, directions_table(one.spaces["raw"].measures)["share"], rtol=1e-6)
    assert "raw: the first component has" in chart.alt and len(chart.figure.data) == 2
    raw = dimensions_table(one.spaces["raw"].measures)
    bars = charts.dimensions(one).figure.data[0]
    assert list(bars.y) == [str(number) for number in raw["dimension"]]
    assert charts.spectrum_ends([one]) is charts.dimension_ends([one]) is None
    low, high = charts.spectrum_ends([one, other])
    shares = np.log10(np.concatenate([result.directions["share"] for result in (one, other)]))
    assert low < shares.min() < shares.max() < high  # both charts show all components on the same axis
    assert charts.spectrum(other, (low, high)).figure.layout.yaxis.range == (low, high)
    low, high = charts.dimension_ends([one, other])
    values = np.concatenate([result.dimensions["contribution"] for result in (one, other)])
    assert low <= values.min() and values.max() <= high and low <= 0 <= high
    assert charts.dimensions(other, (low, high)).figure.layout.xaxis.range == (low, high)
