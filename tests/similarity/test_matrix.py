"""The similarity matrix, its tree and its heatmap, compared with scipy and scikit-learn."""

import itertools

import numpy as np
import pytest
from scipy.cluster import hierarchy

from embtools.similarity import matrix
from embtools.similarity.random_words import compare_with_random_words
from embtools.words import vectors as wordlist

COLOURS = matrix.preset("Colours")


# Word lists


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "There are no words; at least 2"),
        (("red",), "There is one word; at least 2"),
        (("red", "green", "red"), "'red' is in the list twice"),
        (("Red", "red"), "'red' and 'Red' are the same for this model"),
        (tuple(str(i) for i in range(151)), "151 words; at most 150 can be compared\\. Remove 1\\."),
        (("red", "ableableable"), "not a single token|not in the vocabulary"),
        (("red", "unable", "unings"), "2 words have several tokens: unable \\(un ##able\\), unings \\(un ##ing ##s\\)"),
        (("red", "x" * 51), "51 characters; at most 50 are allowed"),
        (("red", "☃"), "'☃' is not in the vocabulary"),
    ],
)
def test_bad_lists_say_what_to_do(tiny, words, message):
    with pytest.raises(ValueError, match=message):
        matrix.similarity_matrix(words, tiny)


# The matrix and the tree


def test_matrix_is_scikit_learns(bundled):
    from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances

    rows = np.stack([bundled.vector(w) for w in COLOURS])
    values = matrix.similarity_matrix(COLOURS, bundled)
    assert np.allclose(values, cosine_similarity(rows), atol=1e-5)
    assert np.array_equal(values, values.T) and np.array_equal(np.diag(values), np.ones(len(COLOURS)))
    distances = matrix.compare_words(COLOURS, bundled, metric="euclidean").values
    assert np.allclose(distances, euclidean_distances(rows.astype(np.float64)), atol=1e-5)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
@pytest.mark.parametrize("linkage", list(matrix.LINKAGES))
def test_tree_is_scikit_learns(bundled, metric, linkage):
    """Cut into k clusters, the tree gives the same clusters as scikit-learn."""
    from scipy.cluster.hierarchy import fcluster
    from sklearn.cluster import AgglomerativeClustering
    from sklearn.metrics import adjusted_rand_score

    rows = np.stack([bundled.vector(w) for w in COLOURS]).astype(np.float64)
    if linkage == "ward" and metric == "cosine":
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)  # unit vectors, Euclidean
    their_metric = "euclidean" if linkage == "ward" else metric
    result = matrix.compare_words(COLOURS, bundled, metric=metric, linkage=linkage)
    for k in (2, 4, 8, 15):
        theirs = AgglomerativeClustering(k, metric=their_metric, linkage=linkage).fit_predict(rows)
        assert adjusted_rand_score(theirs, fcluster(result.merges, k, "maxclust")) == 1
    assert sorted(result.order) == list(range(len(COLOURS)))
    assert -1 <= result.cophenetic <= 1


def test_the_order_of_the_leaves_keeps_the_tree_and_is_no_longer_than_scipys(bundled):
    from scipy.cluster.hierarchy import is_valid_linkage, linkage
    from scipy.spatial.distance import squareform

    result = matrix.compare_words(COLOURS, bundled)
    assert is_valid_linkage(result.merges) and len(result.merges) == len(COLOURS) - 1
    distances = 1 - result.values
    plain = linkage(squareform(distances, checks=False), "average")
    assert np.allclose(plain[:, 2], result.merges[:, 2])  # the same tree as without the better order
    from scipy.cluster.hierarchy import leaves_list

    def length(order):  # type: ignore[no-untyped-def]
        return sum(distances[a, b] for a, b in itertools.pairwise(order))

    assert length(result.order) <= length(leaves_list(plain)) + 1e-9


def test_two_words_and_150(bundled):
    two = matrix.compare_words(("red", "green"), bundled)
    assert sorted(two.order) == [0, 1] and two.cophenetic == 1
    many = tuple(p for i, p in enumerate(bundled.vocabulary) if bundled.whole_words[i] and p.isascii())[500:650]
    assert matrix.compare_words(many, bundled).values.shape == (150, 150)


def test_all_pairs_are_listed_most_similar_first(bundled):
    frame = compare_with_random_words(("red", "green", "piano"), bundled).pairs
    assert len(frame) == 3 and frame["above"].is_monotonic_decreasing
    assert {frame["first"][0], frame["second"][0]} == {"red", "green"}
    far = compare_with_random_words(("red", "green", "piano"), bundled, metric="euclidean").pairs
    assert far["above"].is_monotonic_decreasing and far["distance"][0] == far["distance"].min()


def test_unknown_choices_are_refused(tiny):
    with pytest.raises(ValueError, match="cosine or euclidean"):
        matrix.compare_words(("red", "green"), tiny, linkage="median")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no preset"):
        matrix.preset("Birds")


@pytest.mark.parametrize("name", matrix.PRESETS)
def test_presets_are_one_token(bundled, name):
    words = matrix.preset(name)
    wordlist.check(words, bundled, least=4, most=matrix.MAX_WORDS)
    assert len(words) <= matrix.MAX_WORDS


# Two tables


def test_difference():
    first = np.array([[1, 0.2, 0.4], [0.2, 1, 0.6], [0.4, 0.6, 1]])
    second = np.array([[1, 0.5, 0.5], [0.5, 1, 0.8], [0.5, 0.8, 1]])
    assert np.allclose(matrix.difference(first, second)[0], [0, 0.3, 0.1])
    assert np.allclose(matrix.difference(first, 0.5 * first + 0.3, standardise=True), 0)


def test_the_table_of_differences_equals_the_cells(bundled):
    first = matrix.compare_words(("red", "green", "piano", "gold"), bundled)
    second = matrix.compare_words(("red", "green", "piano", "gold"), bundled, layer=1, template="A {word}.")
    values = matrix.difference(first.values, second.values, standardise=True)
    table = matrix.difference_table(first, second, standardise=True)
    assert len(table) == 6 and table["difference"].abs().is_monotonic_decreasing
    for row in table.itertuples(index=False):
        i, j = first.words.index(row.first), first.words.index(row.second)
        assert list(row[2:]) == [first.values[i, j], second.values[i, j], values[i, j]]
    with pytest.raises(ValueError, match="different words"):
        matrix.difference_table(first, matrix.compare_words(("red", "green"), bundled))


# The order of the leaves


@pytest.mark.parametrize("linkage", matrix.LINKAGES)
@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_the_leaf_order_is_optimal(bundled, metric, linkage):
    result = matrix.compare_words(matrix.preset("Colours")[:9], bundled, metric=metric, linkage=linkage)
    distances = result.values if metric == "euclidean" else 1 - result.values
    distances = np.sqrt(2 * distances) if (metric, linkage) == ("cosine", "ward") else distances

    def length(order):
        return distances[order[:-1], order[1:]].sum()

    def orders(node):  # every way to flip the branches below a node
        if node < 9:
            return [(node,)]
        first, second = (orders(int(half)) for half in result.merges[node - 9, :2])
        return [way for a in first for b in second for way in (a + b, b + a)]

    assert tuple(hierarchy.leaves_list(result.merges)) == result.order
    found = min(length(np.array(order)) for order in orders(16))
    assert length(np.array(result.order)) == pytest.approx(found, abs=1e-9)
