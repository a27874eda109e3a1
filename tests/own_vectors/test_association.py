"""WEAT on a table equals the formula in plain loops, and on the example that of the Bias page."""

import numpy as np
import pytest
from scipy.spatial.distance import cosine as scipy_distance

from embtools.bias.association import weat
from embtools.charts import associations as charts
from embtools.charts.large import SIZE, large
from embtools.own_vectors.association import associate
from embtools.own_vectors.word_vectors import example_vectors
from embtools.words.word_sets import word_sets

X, Y, A, B = ("red", "green", "blue"), ("king", "queen", "man"), ("rome", "paris"), ("woman", "she")


def test_the_effect_size_by_plain_loops(table, tiny):
    found = associate(X, Y, A, B, tiny, table=table)
    vector = dict(zip(table.words, table.vectors.astype(float), strict=True))
    scores = np.array(
        [
            np.mean([1 - scipy_distance(vector[w], vector[a]) for a in A])
            - np.mean([1 - scipy_distance(vector[w], vector[b]) for b in B])
            for w in (*X, *Y)
        ]
    )
    assert found.effect == pytest.approx((scores[:3].mean() - scores[3:].mean()) / scores.std())
    assert found.exact and found.partitions == 20 and found.left_out == ()


@pytest.mark.parametrize("number", [6, 7, 8])
def test_on_the_example_it_is_the_test_of_the_bias_page(number, bundled):
    """Whose words are the same: those that are single tokens."""
    sets = word_sets(number)
    found, other = associate(*sets, bundled), weat(*sets, bundled)
    assert (found.effect, found.p, found.low, found.high) == pytest.approx(
        (other.effect, other.p, other.low, other.high)
    )
    assert set(found.left_out) == set(other.left_out) and found.names == other.names
    assert set(found.scores["word"]) < set(example_vectors(bundled).words)


def test_missing_words_are_named(table, tiny):
    assert associate((*X, "zzz"), Y, A, (*B, "yyy"), tiny, table=table).left_out == ("zzz", "yyy")


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ((("zzz", "yyy"), Y, A, B), "Set X needs at least two words that are among the vectors, but these have none"),
        (
            (X, ("king", "zzz"), A, B),
            "Set Y needs at least two words that are among the vectors, but these have only king",
        ),
        ((X, (*Y, "red"), A, B), "'red' is in both X and Y"),
        ((X, Y, A, ("rome", "she")), "'rome' is in both A and B"),
        ((("red",) * 61, Y, A, B), "at most 60"),
    ],
)
def test_sets_that_cannot_be_tested(sets, message, table, tiny):
    with pytest.raises(ValueError, match=message):
        associate(*sets, tiny, table=table)


def test_the_words_and_their_means(table, tiny):
    found = associate(X, Y, A, B, tiny, table=table)
    chart = charts.words(found)
    points = [trace for trace in chart.figure.data if trace.mode == "markers+text"]
    assert [set(trace.text) for trace in points] == [set(X), set(Y)]
    means = found.scores.groupby("set")["association"].mean()
    lines = [trace.x[0] for trace in chart.figure.data if trace.mode == "lines"]
    np.testing.assert_allclose(lines, [means["X"], means["Y"]], rtol=1e-5)
    assert found.scores["word"].iloc[0] in chart.alt


def test_in_a_presentation_the_chart_fits_below_its_headline_and_names_have_room(bundled):
    found = associate(*word_sets(6), bundled)
    figure = charts.words(found).figure
    layout = large(figure.to_dict())["layout"]
    assert layout["height"] <= 388  # pixels between the headline and the bar of a projector of 720 lines
    low, high = layout["yaxis"]["range"]
    heights = np.sort(np.unique(np.concatenate([t.y for t in figure.data if "text" in t.mode])))
    room = layout["height"] - 130  # without the marks and the title of the axis, and the legend
    assert np.diff(heights).min() / abs(high - low) * room >= SIZE
