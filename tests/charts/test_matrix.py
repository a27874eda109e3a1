"""The heatmap of a word list, its clickable cells, its tree as scipy draws it, and its colour scale."""

import html
import re

import numpy as np
import plotly.graph_objects as go
import pytest

from embtools.charts import matrix as charts
from embtools.charts import matrix_cells as cells
from embtools.charts import style
from embtools.similarity import matrix
from embtools.similarity.matrix import Similarity
from embtools.similarity.random_words import compare_with_random_words

COLOURS = matrix.preset("Colours")
WORDS = ["red", 'a "b"', "<b>x</b>", "</style><script>"]


def test_heatmap_rows_and_columns_are_the_words(bundled):
    result = matrix.compare_words(("red", "<b>x</b>", "green"), bundled, pieces="mean")
    ordered = [result.words[i] for i in result.order]
    figure = charts._heatmap(result.values[np.ix_(result.order, result.order)], ordered, tree=result, clickable=True)
    assert list(figure.data[0].x) == list(figure.layout.yaxis.ticktext) == [html.escape(w) for w in ordered]
    assert np.isnan(np.diag(figure.data[0].z)).all() and figure.data[0].z.dtype == np.float32
    off = figure.data[0].z[~np.eye(3, dtype=bool)]
    assert figure.data[0].zmin == off.min() and figure.data[0].zmax == off.max()
    targets = figure.data[1]
    for point, (column, row, value) in enumerate(zip(targets.x, targets.y, targets.customdata, strict=True)):
        cell = cells.cell_of(point, 3)
        assert cell == (row, list(figure.data[0].x).index(column))
        assert value == pytest.approx(result.values[np.ix_(result.order, result.order)][cell])
    assert "<b>" not in figure.to_json().replace("\\u003cb\\u003e", "<b>").replace("&lt;b&gt;", "")


def test_long_labels_are_cut_but_stay_different():
    figure = charts._heatmap(np.eye(2), ["a" * 30, "b"])
    assert figure.data[0].x[0] == "a" * 17 + "…"
    same = ["a" * 30 + "1", "a" * 30 + "2"]
    assert list(charts._heatmap(np.eye(2), same).data[0].x) == same


def test_150_words_stay_small():
    rows = np.random.default_rng(0).normal(size=(150, 8))
    words = [f"word{i:04d}" for i in range(150)]
    figure = charts._heatmap(matrix.table_of(rows), words, clickable=True)
    assert len(figure.to_json()) < 200_000
    assert {trace.type for trace in figure.data} == {"heatmap"}  # no points over the cells
    assert "path" not in cells.marking(".chart", words, [(1, 2)])  # only the labels are marked


def test_swatches_are_next_to_their_words():
    figure = charts._heatmap(np.eye(2), ["red", "blue"], swatches={"red": "#ff0000"})
    assert list(figure.data[1].marker.color) == ["#ff0000"] and list(figure.data[1].y) == [0]


def test_the_alt_text_of_a_heatmap(bundled):
    pairs = compare_with_random_words(("red", "green", "piano"), bundled).pairs
    first, last = pairs.iloc[0], pairs.iloc[-1]
    message = charts.heatmap_alt(pairs, 3)
    assert f"Most similar: {first['first']} and {first['second']}, cosine {first['cosine']:.2f}." in message
    least = f"{last['cosine']:.2f}".replace("-", "−")
    assert f"Least similar: {last['first']} and {last['second']}, {least}." in message
    single = f"Heatmap of 2 words: {first['first']} and {first['second']}, cosine {first['cosine']:.2f}."
    assert charts.heatmap_alt(pairs.head(1), 2) == single


# Cells that can be clicked, and that are marked without drawing the figure again


def test_point_of_is_the_inverse_of_cell_of():
    for n in (2, 5):
        found = [cells.cell_of(point, n) for point in range(n * (n - 1))]
        assert found == [(i, j) for i in range(n) for j in range(n) if i != j]
        assert [cells.point_of(cell, n) for cell in found] == list(range(n * (n - 1)))


def test_the_marked_point_is_the_one_over_the_cell():
    css = cells.marking(".chart", WORDS, [(2, 0)])
    (number,) = map(int, re.findall(r"path:nth-child\((\d+)\)", css))
    targets = charts._heatmap(np.eye(4), WORDS, clickable=True).data[1]
    assert (targets.y[number - 1], targets.x[number - 1]) == (2, "red")


@pytest.mark.parametrize("word", WORDS)
def test_selectors_use_the_labels_and_words_are_escaped(word):
    row = WORDS.index(word)
    css = cells.marking(".chart", WORDS, [(row, (row + 1) % 4)])
    names = [re.sub(r"\\([0-9a-f]{6})", lambda m: chr(int(m[1], 16)), name) for name in re.findall(r'"([^"]*)"', css)]
    assert set(names) == set(cells.labels([word, WORDS[(row + 1) % 4]]))
    assert "<" not in css and ">" not in css and css.count('"') == 4


# The tree


def test_the_tree_is_drawn_as_scipy_draws_it(bundled):
    from scipy.cluster.hierarchy import dendrogram as scipys

    result = matrix.compare_words(COLOURS, bundled)
    xs, ys, names = charts.branches(result)
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
    heights, places, names = charts.branches(tree)
    assert heights == [[0, 0.5, 0.5, 0], [0, 0.75, 0.75, 0], [0.5, 2, 2, 0.75]]
    assert places == [[0, 0, 1, 1], [2, 2, 3, 3], [0.5, 0.5, 2.5, 2.5]]
    assert names == ["c, a", "d, b", "c, a, d, b"]


# The scale of colours


def strengths(fitted: charts.Scale) -> list[float]:
    return [float(re.search(r"([0-9.]+)\)$", colour)[1]) for _, colour in fitted.stops]


@pytest.mark.parametrize("kind", ["cosine", "difference"])
def test_zero_has_no_colour_and_each_side_the_strength_of_its_values(kind):
    fitted = charts.fitted_scale(np.array([-0.1, 0.2, 0.4]), kind)
    assert (fitted.low, fitted.high) == (-0.1, 0.4)
    assert strengths(fitted) == [0.25, 0, 0, 1]
    assert [place for place, _ in fitted.stops] == [0, pytest.approx(0.2), pytest.approx(0.2), 1]
    assert fitted.stops[0][1].startswith(style.tint(style.VERMILLION, 1)[:-7])
    assert fitted.stops[-1][1] == style.tint(style.BLUE, 1)


@pytest.mark.parametrize(
    ("values", "kind", "ends", "strength"),
    [
        ([0.6, 0.9], "cosine", (0.6, 0.9), [0, 1]),  # small differences remain visible
        ([-0.6, -0.2], "cosine", (-0.6, -0.2), [1, 0]),
        ([1.0, 3.0], "distance", (1.0, 3.0), [1, 0]),  # small distances are strong
        ([0.01, 0.2], "probability", (0.0, 0.2), [0, 1]),
        ([-0.5], "cosine", (-0.5, 0.0), [1, 0]),  # two words have a single value, which must be visible
        ([0.0], "cosine", (0.0, 1.0), [0, 1]),
    ],
)
def test_values_on_one_side(values, kind, ends, strength):
    fitted = charts.fitted_scale(np.array(values), kind)
    assert (fitted.low, fitted.high) == ends and strengths(fitted) == strength


def test_the_strip_shows_the_whole_scale():
    figure, fitted = go.Figure(), charts.fitted_scale(np.array([-0.1, 0.4]), "cosine")
    charts.add_strip(figure, fitted, "cosine", 0.1, 0.8)
    (strip,) = figure.data
    assert strip.z[0][0] == pytest.approx(-0.1) and strip.z[0][-1] == pytest.approx(0.4)
    assert tuple(strip.colorscale) == fitted.stops and figure.layout.annotations[0].text == "cosine"


@pytest.mark.parametrize(
    ("random", "marked", "text"),
    [(0.25, [0.25], "cosine<br>▲ random pairs: 0.25"), (-0.2, [], "cosine<br>random pairs: −0.20")],
)
def test_the_mean_of_random_pairs_is_marked_where_the_scale_reaches_it(random, marked, text):
    figure, fitted = go.Figure(), charts.fitted_scale(np.array([-0.1, 0.4]), "cosine")
    charts.add_strip(figure, fitted, "cosine", 0.1, 0.8, random)
    marks = [trace for trace in figure.data if trace.type == "scatter"]
    assert [x for mark in marks for x in mark.x] == marked and all(mark.xaxis == "x4" for mark in marks)
    assert figure.layout.annotations[0].text == text
