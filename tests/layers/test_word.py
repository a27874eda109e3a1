"""Charts of one word."""

import numpy as np

from embtools.charts.layers import word as charts
from embtools.layers import comparisons
from embtools.layers import senses as layers_senses
from tests.drawn import HOSTILE, shows_no_markup
from tests.layers.lines import LINES


def test_lines_of_many_pairs_are_one_trace_with_gaps(tiny):
    many = comparisons.compare_word(LINES + LINES, tiny, word="bank")
    lines = layers_senses.pair_lines(many, "first piece")
    figure = charts.pair_lines(lines)
    assert len(figure.data) == 4  # two kinds, each with its mean
    for trace, kind in zip(figure.data[::2], ("same sense", "different senses"), strict=True):
        group = lines[lines["kind"] == kind]
        assert np.allclose(np.array(trace.y)[~np.isnan(trace.y)], group["cosine"])
        assert [t for t, y in zip(trace.text, trace.y, strict=True) if not np.isnan(y)] == group["pair"].tolist()
    few = charts.pair_lines(layers_senses.pair_lines(many, "first piece", (1, 2, 3)))
    assert [t.name for t in few.data] == [
        "1 the bank works – 2 a bank works",
        "1 the bank works – 3 green bank",
        "2 a bank works – 3 green bank",
    ]


def test_the_strip_shows_every_pair_by_its_kind(compared):
    pairs = layers_senses.pair_cosines(compared, "layer 1", "first piece")
    figure = charts.strip(pairs)
    shown = {trace.marker.symbol: sorted(trace.x) for trace in figure.data}
    assert len(shown) == pairs["kind"].nunique() == 2
    for values, kind in zip(shown.values(), ("same sense", "different senses"), strict=True):
        np.testing.assert_allclose(values, sorted(pairs[pairs["kind"] == kind]["cosine"]), atol=1e-6)
    best = pairs[pairs["kind"] == "same sense"]["cosine"]
    assert f"same sense: 2 pairs from {best.min():.2f} to {best.max():.2f}" in charts.strip_alt(pairs)


def test_a_visitors_text_is_never_markup(tiny):
    named = comparisons.compare_word((f"{HOSTILE} bank", "the bank", "a bank"), tiny, word="bank")
    pairs = layers_senses.pair_cosines(named, "layer 1", "first piece")
    lines = layers_senses.pair_lines(named, "first piece")
    for frame in (pairs, lines):
        frame["pair"] = HOSTILE
    assert shows_no_markup(charts.pair_lines(lines)) and shows_no_markup(charts.strip(pairs))
