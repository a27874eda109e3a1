"""Colour words and perception, compared with scikit-image's differences and scipy's correlation; and their chart."""

import numpy as np
import pytest

from embtools.charts import similarity as charts
from embtools.similarity import colours, matrix
from embtools.statistics.decimals import decimal

COLOURS = matrix.preset("Colours")


def test_cosines_are_compared_with_perception(bundled):
    from scipy.stats import spearmanr

    words = (*COLOURS, "piano")
    comparison = colours.compare_with_perception(words, matrix.similarity_matrix(words, bundled), permutations=99)
    assert "piano" not in comparison.words and len(comparison.pairs) == 21 * 20 // 2
    assert comparison.test.rho == pytest.approx(
        -spearmanr(comparison.pairs["cosine"], comparison.pairs["difference"]).statistic
    )
    assert comparison.pairs["gap"].is_monotonic_decreasing and comparison.pairs["gap"].abs().max() < 1
    top = comparison.pairs.iloc[0]
    assert top["rank_by_cosine"] < top["rank_by_difference"]
    named = colours.named_pairs(comparison)
    assert next(zip(named["first"], named["second"], strict=True)) == ("black", "white") and len(named) == 4
    with pytest.raises(ValueError, match="Only 3 of these words name a CSS colour. The comparison needs 4"):
        colours.compare_with_perception(("red", "green", "blue", "piano"), np.eye(4))


def test_only_pairs_whose_ranks_differ_are_extreme(bundled):
    comparison = colours.compare_with_perception(COLOURS, matrix.similarity_matrix(COLOURS, bundled), permutations=99)
    extreme = colours.extreme_pairs(comparison).set_index("kind")
    in_use, to_the_eye = extreme.loc[colours.IN_USE], extreme.loc[colours.TO_THE_EYE]
    assert (in_use["rank_by_cosine"] < in_use["rank_by_difference"]).all() and len(in_use) == 4
    assert (to_the_eye["rank_by_cosine"] > to_the_eye["rank_by_difference"]).all() and len(to_the_eye) == 3
    words = COLOURS[:5]
    nearness = -colours.colour_differences(tuple(colours.hexes(words).values()))
    same = colours.compare_with_perception(words, nearness, permutations=9)  # a model that equals perception
    assert same.test.rho == pytest.approx(1) and colours.extreme_pairs(same).empty


# The chart


@pytest.fixture(scope="module")
def comparison(bundled):
    return colours.compare_with_perception(COLOURS, matrix.similarity_matrix(COLOURS, bundled), permutations=99)


def test_every_pair_is_drawn_by_difference_and_cosine(comparison):
    chart = charts.colour_pairs(comparison)
    everything, *marked = chart.figure.data
    np.testing.assert_allclose(everything.x, comparison.pairs["difference"], atol=1e-4)
    np.testing.assert_allclose(everything.y, comparison.pairs["cosine"], atol=1e-6)
    assert [trace.name for trace in marked] == [colours.IN_USE, colours.TO_THE_EYE, colours.IN_ARTICLE]
    for trace in marked:
        named = comparison.marked[comparison.marked["kind"] == trace.name]
        np.testing.assert_allclose(trace.y, named["cosine"], atol=1e-6)
        assert list(trace.text) == [f"{a} – {b}" for a, b in zip(named["first"], named["second"], strict=True)]
    assert chart.frame is comparison.pairs
    assert f"correlation of cosine and visual similarity is {decimal(comparison.test.rho, signed=True)}." in chart.alt


def test_names_of_near_points_do_not_overlap(comparison):
    """Two pairs at almost the same position have their names on different sides."""
    twice = comparison.pairs.head(2).assign(difference=50.0, cosine=[0.5, 0.51])
    assert charts._spots(comparison.pairs, twice.head(1), [9]) == {0: "top center"}
    assert len(set(charts._spots(comparison.pairs, twice, [9, 9]).values())) == 2


def test_a_list_is_compared_by_its_cosines(bundled):
    options = {"layer": 1, "template": "It is {word}."}
    found = colours.compare_colours((*COLOURS, "piano"), bundled, **options)
    expected = colours.compare_with_perception(COLOURS, matrix.similarity_matrix(COLOURS, bundled, **options))
    assert found.test == expected.test and found.words == COLOURS
    assert set(found.marked["kind"]) == {colours.IN_USE, colours.TO_THE_EYE, colours.IN_ARTICLE}
    assert [kind for kind, _ in found.most] == [colours.IN_USE, colours.TO_THE_EYE]
    named = zip(found.named["first"], found.named["second"], strict=True)
    assert [set(pair) for pair in named] == [set(pair) for pair in colours.NAMED]
