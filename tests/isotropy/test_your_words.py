"""Your own words in every space, against the steps; the sentences are those of `verdict`."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts.isotropy import your_words as charts
from embtools.isotropy import verdict, words_in_spaces
from embtools.isotropy.overview import with_controls
from embtools.isotropy.your_words import Neighbours, grouped_words, nearest_words, odd_word, own_analogy
from embtools.spaces.space import TOP, WHITENED, Space
from embtools.words.groups import read_groups

LAYER = "layer 4"
SPACES = with_controls(Space(TOP, 5))
WORDS = read_groups("colours: red, white, black\nseasons: winter, summer, spring\nnothing: xylophonist")


def test_own_words_in_every_space(static, inside, bundled):
    space = Space(WHITENED, shrinkage=0.2)
    spaces = with_controls(space)
    near = nearest_words(" Rome ", bundled, space=space, k=5)
    pd.testing.assert_frame_equal(near.table, words_in_spaces.neighbours(static, "rome", spaces, k=5))
    assert near.headline == verdict.neighbour_finding(" Rome ", near.table)
    text = "cities: paris, rome\ncolours: red, blue"
    words = grouped_words(text, bundled, source=LAYER, space=space)
    expected = words_in_spaces.compare_groups(inside, read_groups(text), spaces)
    pd.testing.assert_frame_equal(words.table, expected.table)
    pd.testing.assert_frame_equal(words.pairs, expected.pairs)
    four = ("man", "king", "woman", "queen")
    own = own_analogy(four, bundled, space=space)
    pd.testing.assert_frame_equal(own.table, words_in_spaces.analogy_ranks(static, four, spaces))
    assert own.headline == verdict.analogy_finding(four, own.table)
    puzzle = ("red", "blue", "green", "horse")
    odd = odd_word(puzzle, bundled, space=space)
    pd.testing.assert_frame_equal(odd.table, words_in_spaces.odd_one_out(static, puzzle, spaces))
    assert odd.headline == verdict.odd_finding(odd.table)


@pytest.mark.parametrize(
    ("compare", "message"),
    [
        (lambda model: nearest_words("xylophonist", model), "not a single token"),
        (lambda model: grouped_words(" ", model), "There are no words"),
        (lambda model: own_analogy(("man", "king"), model), "Enter four words"),
        (lambda model: odd_word(("red",), model), "3 to 60 different words"),
    ],
)
def test_what_cannot_be_compared_is_refused(bundled, compare, message):
    with pytest.raises(ValueError, match=message):
        compare(bundled)


def test_both_heatmaps_have_one_scale_and_both_maps_all_words(inside):
    found = words_in_spaces.compare_groups(inside, WORDS, SPACES)
    first, second = (charts.heatmap(found, name, charts.most([found])).figure.data[0] for name in ("raw", "processed"))
    assert (first.zmin, first.zmax) == (second.zmin, second.zmax) == (-first.zmax, first.zmax)
    assert np.isnan(np.diag(first.z)).all() and "6 words, raw" in charts.heatmap(found, "raw", 1.0).alt
    off = ~np.eye(6, dtype=bool)
    assert first.zmax == max(np.abs(values[off]).max() for values in found.cosines.values())
    chart = charts.word_map(found, "processed")
    assert sum(len(trace.x) for trace in chart.figure.data) == 6 and "the plane shows" in chart.alt
    pd.testing.assert_frame_equal(chart.frame, found.map("processed"))
    assert found.headline == verdict.group_finding(found.table)


def test_new_neighbours_are_hatched(inside):
    table = words_in_spaces.neighbours(inside, "bank", SPACES, k=6)
    result = Neighbours("bank", table)
    low, high = charts.ends([result])
    assert low <= 0 and high == pytest.approx(1.03 * max(table["raw_cosine"].max(), table["processed_cosine"].max()))
    chart = charts.near(result, "processed", "raw", (low, high))
    assert chart.alt.startswith("Nearest neighbours of bank, processed: ") and chart.frame is table
    bars = chart.figure.data[0]
    fresh = [word not in set(table["raw"]) for word in table["processed"]]
    assert [shape == "/" for shape in bars.marker.pattern.shape] == fresh
    assert [label.endswith("•") for label in bars.y] == fresh
