"""The Concepts page as a visitor clicks it: what needs a browser; everything else is in tests/concepts."""

import pytest

pytestmark = pytest.mark.slow


def test_a_click_on_a_layer_chooses_it(tab):
    tab.open("concepts")
    chart = tab.chart("concepts-probes")
    line = chart.trace("true labels")
    assert "true labels, layer 4" in chart.click(4, line["y"][4])
    tab.shows("A probe on layer 4 predicts", "A probe on layer 4 gets")
    tab.asks(concepts_probe_layer="4")
