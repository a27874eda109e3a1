"""The tree beside a heatmap, as scipy draws it."""

import numpy as np

from embtools.charts.similarity import dendrogram
from embtools.similarity import matrix

COLOURS = matrix.preset("Colours")


def test_the_tree_is_drawn_as_scipy_draws_it(bundled):
    from scipy.cluster.hierarchy import dendrogram as scipys

    result = matrix.compare_words(COLOURS, bundled)
    xs, ys, names = dendrogram.branches(result)
    theirs = scipys(result.merges, no_plot=True)
    assert theirs["leaves"] == list(result.order)
    expected = sorted(
        (sorted((np.array(i) - 5) / 10), sorted(d)) for i, d in zip(theirs["icoord"], theirs["dcoord"], strict=True)
    )
    ours = sorted((sorted(y), sorted(x)) for x, y in zip(xs, ys, strict=True))
    assert np.allclose(ours, expected)
    assert names[-1].endswith("and 15 more")
    assert set(names[0].split(", ")) == {result.words[int(i)] for i in result.merges[0, :2]}
