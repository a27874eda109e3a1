"""A list of words: its matrix and tree, random pairs, two spaces, and what is offered for a list that cannot be compared."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster import hierarchy

from embtools.charts import matrix as charts
from embtools.models import loading
from embtools.similarity import matrix, spaces
from embtools.similarity.corrections import Corrections, corrections, is_readable
from embtools.similarity.matrix import compare_words, preset
from embtools.similarity.random_words import compare_with_random_words, random_level
from embtools.statistics.permutations import mantel
from embtools.words import vectors as wordlist
from embtools.words.frequency import READ, groups_of, level_of, random_states

# The similarity matrix, its tree and its heatmap, compared with scipy and scikit-learn

COLOURS = matrix.preset("Colours")
TREES = [("cosine", "average"), ("cosine", "ward"), ("euclidean", "complete"), ("euclidean", "single")]


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


@pytest.mark.parametrize(("metric", "linkage"), TREES)
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
    heights = hierarchy.linkage(rows, linkage, their_metric)[:, 2]
    np.testing.assert_allclose(result.merges[:, 2], heights, atol=1e-5)  # of the same tree in any order of its leaves
    assert sorted(result.order) == list(range(len(COLOURS)))
    assert -1 <= result.cophenetic <= 1


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


@pytest.mark.parametrize(("metric", "linkage"), TREES)
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


# Random pairs of words that are about as common, compared with plain computations


def test_rarity_does_not_make_a_pair_the_most_similar(bundled):
    """Beige and turquoise have the highest cosine of the colours, but other rare words have it too."""
    colours = compare_with_random_words(preset("Colours"), bundled)
    highest = colours.pairs.sort_values("cosine").iloc[-1]
    assert {highest["first"], highest["second"]} == {"beige", "turquoise"} and 0.75 < highest["above"] < 0.85
    assert colours.headline.startswith("Of 21 words, BERT finds black and white most similar: more similar than over")
    mixed = ("beige", "turquoise", "black", "white", "dog", "cat", "red", "yellow")
    first = compare_with_random_words(mixed, bundled).pairs.head(3)
    assert {frozenset(row[:2]) for row in first.itertuples(index=False)} == {
        frozenset(words) for words in (("black", "white"), ("dog", "cat"), ("red", "yellow"))
    }
    assert first["above"].min() > 0.995


@pytest.mark.slow
def test_hidden_states_are_read_in_the_same_sentence(bundled):
    options = {"layer": 2, "template": "It is {word}."}
    found = compare_with_random_words(("red", "green", "piano"), bundled, linkage="ward", **options)
    expected = compare_words(("red", "green", "piano"), bundled, linkage="ward", **options)
    assert np.array_equal(found.similarity.values, expected.values)
    first, second = sorted(groups_of(("red", "piano"), bundled))
    states = [random_states(group, bundled, **options) for group in (first, second)]
    assert [len(each) for each in states] == [READ, READ]
    directions = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in states]
    row = found.pairs.set_index(["first", "second"]).loc[("red", "piano")]
    assert row["random"] == pytest.approx((directions[0] @ directions[1].T).mean(), abs=1e-6)
    assert row["random_pairs"] == READ**2
    assert found.level == random_level(level_of(found.pairs), "cosine") and f"{found.random:.2f}" in found.level


def test_distances_count_the_random_pairs_that_are_farther_apart(bundled):
    pairs = compare_with_random_words(("red", "blue", "turquoise"), bundled, metric="euclidean").pairs
    row = pairs.set_index(["first", "second"]).loc[("red", "blue")]
    assert list(pairs)[2] == "distance" and row["above"] > 0.99 and row["distance"] < row["random"]


# One word list in two spaces, compared with a computation in each

WORDS = ("red", "green", "gold", "silver", "piano")
LAYER = {"other_layer": 2, "other_template": "It is {word}."}


@pytest.fixture(scope="module")
def two(bundled):
    return spaces.two_spaces(WORDS, bundled, **LAYER)


def test_each_space_is_computed_by_its_own_vectors(two, bundled):
    static = matrix.similarity_matrix(WORDS, bundled)
    inside = matrix.similarity_matrix(WORDS, bundled, layer=2, template="It is {word}.")
    assert np.allclose(two.first.similarity.values, static) and np.allclose(two.second.similarity.values, inside)
    assert two.first.random == compare_with_random_words(WORDS, bundled).random
    assert two.second.random == compare_with_random_words(WORDS, bundled, layer=2, template="It is {word}.").random
    assert two.test == mantel(two.first.similarity.values, two.second.similarity.values, permutations=999)
    for standardise in (False, True):
        expected = matrix.difference_table(two.first.similarity, two.second.similarity, standardise=standardise)
        pd.testing.assert_frame_equal(two.differences(standardise), expected)


def test_the_other_space_can_be_another_model_and_too_few_words_have_no_test(bundled, tiny, monkeypatch):
    found = spaces.two_spaces(("red", "green", "gold"), bundled, **LAYER)
    assert found.test is None and "at least 4" in found.no_test and found.headline == "The list in two spaces"
    monkeypatch.setattr(loading, "load_model", lambda name: {"tiny": tiny}[name])
    found = spaces.two_spaces(("red", "green", "king", "queen"), bundled, other=spaces.NamedModel("tiny"))
    assert np.allclose(
        found.second.similarity.values, matrix.similarity_matrix(("red", "green", "king", "queen"), tiny)
    )


@pytest.mark.slow
def test_the_heatmaps_have_the_order_of_the_first_tree(two):
    ordered = [WORDS[i] for i in two.first.similarity.order]
    for number, result in enumerate((two.first, two.second)):
        chart = charts.space(two, number, "A title")
        assert list(chart.figure.data[0].x) == ordered and chart.frame is result.pairs
        assert chart.alt.startswith("A title. Heatmap of 5 words.")
        rows = np.ix_(two.first.similarity.order, two.first.similarity.order)
        off = ~np.eye(5, dtype=bool)
        np.testing.assert_allclose(chart.figure.data[0].z[off], result.similarity.values[rows][off], atol=1e-6)
    chart = charts.space_difference(two, True, "B minus A")
    most = two.differences(True).iloc[0]
    assert chart.alt.endswith(
        f"The largest, ignoring the sign, is that of {most['first']} and {most['second']}: {most['difference']:+.2f}."
    )


# What is offered for a list that cannot be compared


@pytest.mark.parametrize(
    ("words", "options", "readable"),
    [
        (("red", "green"), {}, True),
        (("red", "gren"), {}, False),
        (("red", "green"), {"least": 3}, False),
        (("red", "rebeccapurple"), {}, False),
        (("red", "rebeccapurple"), {"pieces": "mean"}, True),
        (("red", "green"), {"layer": 2, "template": "It is {word}."}, True),
        (("red", "green"), {"layer": 2, "template": "no slot"}, False),
        (("red", "##ing"), {"layer": 2, "template": "It is {word}."}, False),
    ],
)
def test_a_list_is_readable_or_not(bundled, words, options, readable):
    assert is_readable(words, bundled, **options) is readable


@pytest.mark.parametrize(
    ("words", "options", "expected"),
    [
        (("red", "gren", "blue"), {}, Corrections(True, (("gren", "green"),))),
        (("red", "gren", "green"), {}, Corrections(True, ())),  # it would then be in the list twice
        (("red", "red", "rebeccapurple"), {}, Corrections(False, ())),  # the mean would not help
        (("red", "rebeccapurple"), {"pieces": "mean"}, Corrections(False, ())),
        (tuple(f"w{i}" for i in range(151)), {}, Corrections(False, ())),
    ],
)
def test_corrections_make_the_list_readable(bundled, words, options, expected):
    offered = corrections(words, bundled, **options)
    assert offered == expected
    if offered.mean:
        assert is_readable(words, bundled, pieces="mean")
    for word, other in offered.similar:
        assert is_readable([other if one == word else one for one in words], bundled)
