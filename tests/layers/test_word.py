"""Charts of one word."""

import numpy as np

from embtools.layers import recipes
from embtools.layers import senses as layers_senses

LINES = (
    "money | The bank works as a capital.",
    "money | A king works, a bank works.",
    "river | The river, a green bank.",
    "river | The blue bank of a red river!",
)


def test_lines_of_many_pairs_are_one_trace_with_gaps(tiny):
    from embtools.charts.layers import word as charts

    many = recipes.compare_word(LINES + LINES, "bank", tiny)
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
