"""The tree next to a heatmap, as scipy draws it."""

import numpy as np

from embtools.charts.similarity import dendrogram
from embtools.similarity import matrix
from embtools.similarity.matrix import Similarity

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


def test_a_tree_of_four_words_by_hand():
    merges = np.array([[2.0, 0.0, 0.5, 2], [3.0, 1.0, 0.75, 2], [4.0, 5.0, 2.0, 4]])
    tree = Similarity(tuple("abcd"), np.eye(4), "cosine", merges, (2, 0, 3, 1), 1.0, {})
    heights, places, names = dendrogram.branches(tree)
    assert heights == [[0, 0.5, 0.5, 0], [0, 0.75, 0.75, 0], [0.5, 2, 2, 0.75]]
    assert places == [[0, 0, 1, 1], [2, 2, 3, 3], [0.5, 0.5, 2.5, 2.5]]
    assert names == ["c, a", "d, b", "c, a, d, b"]


def test_every_branch_joins_neighbouring_words(bundled):
    tree = matrix.compare_words(matrix.preset("Colours"), bundled)
    ordered = [tree.words[leaf] for leaf in tree.order]
    for (first, _, _, second), name in zip(*dendrogram.branches(tree)[1:], strict=True):
        shown = name.partition(" and ")[0].split(", ")
        begin = ordered.index(shown[0])
        assert ordered[begin : begin + len(shown)] == shown
        assert begin <= first < second
