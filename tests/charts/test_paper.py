"""Charts of the Paper page: all claims at a glance, and published numbers next to this model's."""

import numpy as np

from embtools.charts import paper as charts
from embtools.paper.measured import VERDICTS, Condition, Figure, Measured
from embtools.paper.reports import UNKNOWN, Report

FIGURES = Figure("rome: france", 0.929, 0.714), Figure("<b>", 0.94, 0.87, "cosine")


def test_every_claim_is_a_mark_of_its_verdict() -> None:
    held, failed = (Measured("", (Condition("", holds, ""),)) for holds in (True, False))
    drawn = charts.verdicts(Report({"A2": held, "B1": failed}))
    marks = {trace.name: trace for trace in drawn.figure.data}
    assert list(marks["Holds (1)"].text) == ["A2"] and list(marks["Fails (1)"].text) == ["B1"]
    assert len(marks["Not computed yet (26)"].text) == 26 and "Holds: A2" in drawn.alt
    (x,), (y,) = marks["Holds (1)"].x, marks["Holds (1)"].y
    assert x == 2 and drawn.y.names[int(y)] == "Embedding math"
    assert set(charts.LOOKS) == {*VERDICTS, UNKNOWN}
    assert len({look.symbol for look in charts.LOOKS.values()}) == len(charts.LOOKS)


def test_a_number_has_both_ends_and_the_alternative_names_the_furthest_pair() -> None:
    found = {name: Measured("", (), (figure,)) for name, figure in zip(("A2", "B6"), FIGURES, strict=True)}
    drawn = charts.numbers(Report(found))
    line, published, here = drawn.figure.data
    assert drawn.frame["published"].tolist() == [0.929, 0.94] and drawn.frame["this_model"].tolist() == [0.714, 0.87]
    np.testing.assert_allclose(published.x, [0.929, 0.94], rtol=1e-6)
    np.testing.assert_allclose(here.x, [0.714, 0.87], rtol=1e-6)
    np.testing.assert_allclose(line.x, [0.929, 0.714, np.nan, 0.94, 0.87, np.nan], rtol=1e-6)
    assert drawn.y.labels == ["A2 rome: france", "B6 &lt;b&gt;"] and list(line.y) == [0, 0, 0, 1, 1, 1]
    assert "most for “rome: france” (published 0.93, this model 0.71)." in drawn.alt
    assert charts.numbers(Report({})).alt == "No number has been computed yet."
