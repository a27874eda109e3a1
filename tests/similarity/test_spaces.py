"""One word list in two spaces, compared with a computation in each."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts import matrix as charts
from embtools.models import loading
from embtools.similarity import matrix, spaces
from embtools.similarity.random_words import compare_with_random_words
from embtools.statistics.permutations import mantel

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


def test_the_other_space_can_be_another_model(bundled, tiny, monkeypatch):
    monkeypatch.setattr(loading, "load_model", lambda name: {"tiny": tiny}[name])
    found = spaces.two_spaces(("red", "green", "king", "queen"), bundled, other=spaces.NamedModel("tiny"))
    assert np.allclose(
        found.second.similarity.values, matrix.similarity_matrix(("red", "green", "king", "queen"), tiny)
    )


def test_too_few_words_have_no_test(bundled):
    found = spaces.two_spaces(("red", "green", "gold"), bundled, **LAYER)
    assert found.test is None and "at least 4" in found.no_test and found.headline == "The list in two spaces"


@pytest.mark.slow
def test_progress_covers_both_spaces(bundled):
    reported: list[float] = []
    spaces.two_spaces(
        WORDS,
        bundled,
        layer=1,
        template="Is it {word}?",
        other_layer=3,
        other_template="So {word}.",
        progress=reported.append,
    )
    assert reported == sorted(reported) and reported[0] < 0.5 < reported[-1] == pytest.approx(1)


@pytest.mark.slow
def test_the_heatmaps_have_the_order_of_the_first_tree(two, bundled):
    other = spaces.two_spaces(
        WORDS, bundled, layer=3, template="It is {word}.", other_layer=6, other_template="{word}!"
    )
    ordered = [WORDS[i] for i in two.first.similarity.order]
    for number, result in enumerate((two.first, two.second)):
        chart = charts.space(two, number, "A title")
        assert list(chart.figure.data[0].x) == ordered and chart.frame is result.pairs
        assert chart.alt.startswith("A title. Heatmap of 5 words.")
        rows = np.ix_(two.first.similarity.order, two.first.similarity.order)
        off = ~np.eye(5, dtype=bool)
        np.testing.assert_allclose(chart.figure.data[0].z[off], result.similarity.values[rows][off], atol=1e-6)
        ends = [(c.figure.data[0].zmin, c.figure.data[0].zmax) for c in (
            charts.space(two, number, "", other), charts.space(other, number, "", two))]  # fmt: skip
        assert ends[0] == ends[1]
    chart = charts.space_difference(two, True, "B minus A")
    most = two.differences(True).iloc[0]
    assert chart.alt.endswith(
        f"The largest, ignoring the sign, is that of {most['first']} and {most['second']}: {most['difference']:+.2f}."
    )
