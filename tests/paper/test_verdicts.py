"""All claims at a glance."""

from embtools.charts.paper import verdicts
from embtools.paper import reports
from embtools.paper.measured import VERDICTS, Condition, Measured


def test_every_claim_is_a_mark_of_its_verdict() -> None:
    held, failed = (Measured("", (Condition("", holds, ""),)) for holds in (True, False))
    chart = verdicts.grid(reports.Report({"A2": held, "B1": failed}))
    figure = chart.figure
    marks = {trace.name: list(trace.text) for trace in figure.data}
    assert marks["Holds (1)"] == ["A2"] and marks["Fails (1)"] == ["B1"]
    assert len(marks["Not computed yet (26)"]) == 26
    assert len({(t.marker.color, t.marker.symbol) for t in figure.data}) == len(figure.data)
    a2 = next(trace for trace in figure.data if trace.name == "Holds (1)")
    assert list(a2.x) == [2] and figure.layout.yaxis.ticktext[a2.y[0]].replace("<br>", " ") == "Embedding math"
    assert "Holds: A2" in chart.alt


def test_every_verdict_looks_different() -> None:
    assert set(verdicts._LOOKS) == {*VERDICTS, reports.UNKNOWN}
    assert len({symbol for _, symbol in verdicts._LOOKS.values()}) == len(verdicts._LOOKS)
