"""Positions along principal components and axes, against numpy."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.clusters import maps
from embtools.clusters.map_result import Map
from embtools.clusters.points import Words
from embtools.clusters.view import View

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


def draw(words: Words, view: View, model) -> Map:
    return maps.word_map(words, model, view=view)


def places(drawn: Map) -> np.ndarray:
    return drawn.points[[a for a in "xyz" if a in drawn.points]].to_numpy()


def test_pca_is_the_singular_value_decomposition(tiny):
    drawn = draw(WORDS, View("PCA", dimensions=3), tiny)
    x = np.stack([tiny.vector(w) for w in drawn.points["word"]]).astype(float)
    x -= x.mean(axis=0)
    u, s, _ = np.linalg.svd(x, full_matrices=False)
    assert np.abs(places(drawn)) == pytest.approx(np.abs(u[:, :3] * s[:3]), abs=1e-4)
    assert f"{s[0] ** 2 / (s**2).sum():.1%}" in drawn.axes[0]


@pytest.mark.parametrize("view", [View("PCA"), View("axes", axes=("king - man", "rome - paris"))])
def test_a_formula_is_placed_without_moving_the_words(tiny, view: View):
    more = draw(replace(WORDS, formulas=("rome - italy + france",)), view, tiny)
    assert places(more)[:-1] == pytest.approx(places(draw(WORDS, view, tiny)), abs=1e-5)


def test_axes_are_projections_on_unit_directions(tiny):
    drawn = draw(WORDS, View("axes", axes=("king - man", "rome - paris"), normalise=True), tiny)
    direction = tiny.vector("king") - tiny.vector("man")
    word = tiny.vector("queen")
    expected = word @ direction / np.linalg.norm(word) / np.linalg.norm(direction)
    assert drawn.points.set_index("word").loc["queen", "x"] == pytest.approx(expected, abs=1e-5)
    assert drawn.axes == ("king - man", "rome - paris")


def test_group_means_follow_the_groups(tiny):
    groups = (("a", ("rome", "italy", "france")), ("b", ("king", "queen")), ("c", ("red", "green", "blue")))
    drawn = draw(Words(groups), View("group means"), tiny)
    means = np.stack([np.mean([tiny.vector(w) for w in words], axis=0) for _, words in groups])
    shown = drawn.points.groupby("group", sort=False)[["x", "y"]].mean().to_numpy()
    # Three means span a plane: the map shows their distances as they are.
    for i, j in ((0, 1), (1, 2), (0, 2)):
        assert np.linalg.norm(shown[i] - shown[j]) == pytest.approx(np.linalg.norm(means[i] - means[j]), abs=1e-4)
