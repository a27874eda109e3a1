"""The chart of published numbers and this model's."""

import numpy as np

from embtools.charts.paper import comparison
from embtools.paper.measured import Figure, Measured
from embtools.paper.reports import Report

FIGURES = Figure("rome: france", 0.929, 0.714), Figure("<b>", 0.94, 0.87, "cosine")
REPORT = Report({name: Measured("", (), (figure,)) for name, figure in zip(("A2", "B6"), FIGURES, strict=True)})


def test_one_row_per_number_with_both_ends() -> None:
    chart = comparison.dumbbells(REPORT)
    lines, published, here = chart.figure.data
    np.testing.assert_allclose(published.x, [0.929, 0.94], rtol=1e-6)
    np.testing.assert_allclose(here.x, [0.714, 0.87], rtol=1e-6)
    assert chart.frame["published"].tolist() == [0.929, 0.94] and chart.frame["this_model"].tolist() == [0.714, 0.87]
    assert list(published.y) == list(here.y) == [1, 0] and np.isnan(lines.x[2::3]).all()
    assert chart.figure.layout.yaxis.ticktext == ("A2 rome: france", "B6 &lt;b&gt;")


def test_the_alternative_names_the_furthest_pair() -> None:
    assert "most for “rome: france” (published 0.93, this model 0.71)." in comparison.dumbbells(REPORT).alt
    assert comparison.dumbbells(Report({})).alt == "No number has been computed yet."
