"""Cells that can be clicked, and that are marked without drawing the figure again."""

import re

import numpy as np
import pytest

from embtools.charts.similarity import cells, matrix

WORDS = ["red", 'a "b"', "<b>x</b>", "</style><script>"]


def test_point_of_is_the_inverse_of_cell_of():
    for n in (2, 5):
        found = [cells.cell_of(point, n) for point in range(n * (n - 1))]
        assert found == [(i, j) for i in range(n) for j in range(n) if i != j]
        assert [cells.point_of(cell, n) for cell in found] == list(range(n * (n - 1)))


def test_the_marked_point_is_the_one_over_the_cell():
    css = cells.marking(".chart", WORDS, [(2, 0)])
    (number,) = map(int, re.findall(r"path:nth-child\((\d+)\)", css))
    targets = matrix._heatmap(np.eye(4), WORDS, clickable=True).data[1]
    assert (targets.y[number - 1], targets.x[number - 1]) == (2, "red")


@pytest.mark.parametrize("word", WORDS)
def test_selectors_use_the_labels_and_words_are_escaped(word):
    row = WORDS.index(word)
    css = cells.marking(".chart", WORDS, [(row, (row + 1) % 4)])
    names = [re.sub(r"\\([0-9a-f]{6})", lambda m: chr(int(m[1], 16)), name) for name in re.findall(r'"([^"]*)"', css)]
    assert set(names) == set(cells.labels([word, WORDS[(row + 1) % 4]]))
    assert "<" not in css and ">" not in css and css.count('"') == 4


def test_a_marked_word_does_not_become_wider():
    css = cells.marking(".chart", WORDS, [(2, 0)])
    assert "stroke-width" in css and not re.search("font|letter-spacing|transform", css)


def test_many_words_have_no_points_and_only_their_labels_are_marked():
    words = [f"w{i}" for i in range(cells.CLICKABLE + 1)]
    assert "path" not in cells.marking(".chart", words, [(1, 2)])
    assert {t.type for t in matrix._heatmap(np.eye(61), words, clickable=True).data} == {"heatmap"}
