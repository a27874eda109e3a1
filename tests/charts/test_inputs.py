"""Charts of the Inputs page."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts import inputs as charts
from embtools.inputs import input_terms, lookup, position_vectors, vocabulary
from embtools.inputs.comparison import rearrange
from embtools.statistics.decimals import decimal


def in_full(chart):
    """The number in full colour of each group of strips."""
    return [shades.ends.range[1] for shades in chart.shades]


def test_the_terms_have_a_strip_for_a_difference_where_there_is_one(bundled, tiny):
    def terms(texts, piece, model=bundled):
        return input_terms.terms(input_terms.pieces(texts, model), model, piece=piece)

    found = terms(("I found a rock.", "I only listen to rock."), "rock")
    chart = charts.terms(found)
    assert [len(trace.z) for trace in chart.figure.data] == [2, 2, 3, 3, 3]  # token and segment are the same
    np.testing.assert_allclose(chart.figure.data[2].z[2], found.vectors[0, 2] - found.vectors[1, 2], atol=1e-5)
    assert [list(trace.y) for trace in chart.figure.data[:3]] == [[1, 2], [4, 5], [7, 8, 9]]  # below their titles
    names = chart.figure.layout.yaxis.ticktext
    assert names[0] == names[2] == "text 1 at 4" and chart.y.range[0] > chart.y.range[1]
    titles = [annotation.text for annotation in chart.figure.layout.annotations]
    assert titles[0] == "token · no difference" and titles[2].startswith("+ position · cosine ")
    assert "Different: position" in chart.alt
    pd.testing.assert_frame_equal(chart.frame, found.numbers)
    alone = charts.terms(terms(("A red boat",), "red"))
    assert [len(trace.z) for trace in alone.figure.data] == [1] * 5
    assert alone.alt.startswith("The 5 vectors of red")
    both = [terms(("The king is red.", "A king."), "king", model) for model in (bundled, tiny)]
    first, second = (in_full(charts.terms(each, both)) for each in both)
    assert first == second != in_full(charts.terms(both[1]))


def test_the_products_add_up_and_have_the_colours_of_both_models(bundled, tiny):
    trips = [lookup.round_trip("Rome is the [MASK].", model, word="king") for model in (bundled, tiny)]
    back, chart = trips[0].output, charts.products(trips[0])
    np.testing.assert_allclose(chart.figure.data[2].z[0], back.products, atol=1e-5)
    assert f"{decimal(back.dot, 3)}" in chart.figure.layout.annotations[2].text and "add up to" in chart.alt
    states = np.abs(np.concatenate([trip.output.state for trip in trips]))
    for trip in trips:
        limits = in_full(charts.products(trip, trips))
        assert limits[0] == pytest.approx(np.quantile(states, 0.95))
        assert limits == in_full(charts.products(trips[0], trips))


def test_the_bars_of_answers_show_their_probabilities(bundled):
    trip = lookup.round_trip("The [MASK] is bright today.", bundled, word="sun")
    bars, table = charts.answers(trip), trip.output.answers
    np.testing.assert_allclose(bars.figure.data[0].x, table["probability"], rtol=1e-6)
    assert len(set(bars.figure.data[0].marker.color)) == 2 and bars.frame is table
    assert bars.alt.startswith(f"Probabilities at the mask: {table['token'].iloc[0]} ")
    result = rearrange(("Rome is the capital of [MASK].",), bundled, piece="rome")
    chart, table = charts.arrangements(result), result.frame
    np.testing.assert_allclose(chart.figure.data[0].x, table["probability_as_written"], rtol=1e-6)
    assert all(str(table["answer_1"].iloc[0]) in text for text in chart.figure.data[0].text)
    assert "as written" in chart.alt and chart.frame is table


def test_positions_are_a_heatmap_a_map_and_a_line(bundled, tiny_distil):
    found, fewer = position_vectors.positions(64, bundled), position_vectors.positions(8, tiny_distil)
    heat = charts.cosines(found)
    np.testing.assert_allclose(heat.figure.data[0].z, found.cosines, atol=1e-3)
    assert "64 positions and 2 segments: " in heat.alt and "neighbouring positions" in heat.alt
    assert heat.figure.layout.xaxis.ticktext[-1] == "s" and heat.figure.layout.xaxis.tickvals[-1] == 64.5
    position_map = charts.position_map(found)
    way, segments = position_map.figure.data
    np.testing.assert_allclose(way.x, found.points["x"].iloc[:64], rtol=1e-5)
    assert list(segments.text) == ["segment 0", "segment 1"] and "64 position embeddings" in position_map.alt
    assert len(charts.position_map(fewer).figure.data) == 1
    line = charts.by_distance(found)
    first, last = found.by_distance["cosine"].iloc[[0, -1]]
    assert f"{decimal(first)} at distance 1, {decimal(last)} at distance 62." in line.alt


def test_the_histogram_of_lengths_shows_shares(bundled, tiny):
    listing, none = (vocabulary.list_entries(pattern, bundled) for pattern in ("*ing", "q*q"))
    first = vocabulary.list_entries("", tiny)
    chart, other = charts.lengths(listing), charts.lengths(first)
    assert [trace.name for trace in chart.figure.data] == ["all tokens", "found"]
    assert float(np.sum(chart.figure.data[1].y)) == pytest.approx(1) and chart.frame is listing.lengths
    assert f"that of the tokens found is {listing.found['length'].mean():.2f}." in chart.alt
    assert "No token was found." in charts.lengths(none).alt and other.figure.data[1].name == "shown"
