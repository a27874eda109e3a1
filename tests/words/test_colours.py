"""Values and differences of colours, compared with scikit-image."""

import numpy as np
import pytest

from embtools.wordlists import load
from embtools.words import colours

COLOURS = tuple(load("colours")["colour"])


def test_differences_are_scikit_images():
    skimage = pytest.importorskip("skimage.color")
    values = colours.hexes(COLOURS)
    rgb = np.array([[int(v[i : i + 2], 16) for i in (1, 3, 5)] for v in values.values()]) / 255
    lab = skimage.rgb2lab(rgb)
    expected = skimage.deltaE_ciede2000(lab[:, None], lab[None])
    assert np.allclose(colours.colour_differences(tuple(values.values())), expected, atol=0.02)


def test_differences_of_known_colours():
    """Values that scikit-image 0.26 gives for the same sRGB colours."""
    table = colours.colour_differences(("#000000", "#ffffff", "#ffd700", "#ffff00", "#c0c0c0"))
    assert table[0, 1] == pytest.approx(100, abs=1e-3)
    assert table[2, 3] == pytest.approx(11.58, abs=0.02)
    assert table[2, 4] == pytest.approx(30.09, abs=0.02)
    assert np.array_equal(table, table.T) and not np.diag(table).any()


def test_names_of_colours():
    found = colours.hexes(["Red", "teal", "dark red", "piano", "#ff0000", "transparent", "currentcolor", "red)"])
    assert found == {"Red": "#ff0000", "teal": "#008080", "dark red": "#8b0000"}
    listed = load("colours")
    assert list(colours.hexes(listed["colour"]).values()) == list(listed["hex"])
