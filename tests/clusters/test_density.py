"""Density contours: each encloses its share of the points and follows scipy's kernel density."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import RegularGridInterpolator
from scipy.stats import gaussian_kde

from embtools.clusters.density import SHARES, density, map_density
from embtools.clusters.maps import word_map
from embtools.clusters.points import Words
from embtools.clusters.view import View


@settings(deadline=None, max_examples=20, derandomize=True)
@given(st.integers(0, 10_000), st.integers(60, 400), st.floats(1e-3, 1e3))
def test_a_contour_encloses_its_share_of_the_points(seed: int, n: int, scale: float):
    rng = np.random.default_rng(seed)
    places = scale * np.concatenate([rng.normal(0, 1, (n // 2, 2)), rng.normal(6, 0.5, (n - n // 2, 2))])
    found = density(places)
    at = RegularGridInterpolator((found.y, found.x), found.share)(places[:, ::-1])
    for share in SHARES:
        assert np.mean(at <= share) == pytest.approx(share, abs=0.12)


def test_denser_regions_have_smaller_shares():
    places = np.random.default_rng(0).normal(size=(200, 2))
    found = density(places)
    kernel = gaussian_kde(places.T)
    kernel.set_bandwidth(kernel.scotts_factor() / 2)
    grid = kernel(np.stack(np.meshgrid(found.x, found.y)).reshape(2, -1)).reshape(found.share.shape)
    assert (np.diff(found.share.ravel()[np.argsort(grid.ravel())]) <= 1e-12).all()
    assert found.share.min() >= 0 and found.share.max() == 1


@pytest.mark.slow
def test_thousands_of_points_are_sampled_by_the_seed():
    places = np.random.default_rng(0).normal(size=(5_000, 2))
    assert (density(places, seed=1).share == density(places, seed=1).share).all()
    assert (density(places, seed=1).share != density(places, seed=2).share).any()


@pytest.mark.parametrize("places", [np.c_[np.arange(9.0), np.arange(9.0)], np.ones((5, 2)), np.ones((1, 2))])
def test_points_on_a_line_have_no_density(places: np.ndarray):
    with pytest.raises(ValueError, match="line"):
        density(places)


def test_the_density_of_a_map_is_that_of_its_words(tiny):
    words = Words((("a", ("rome", "italy", "france", "king", "queen")),), formulas=("king - man",))
    view = View("PCA", seed=2)
    places = word_map(words, tiny, view=view).points[["x", "y"]].to_numpy()
    found = map_density(words, tiny, view=view)
    assert np.array_equal(found.share, density(places[:-1], seed=2).share)
