"""The density of the points on a map, for contours that enclose a given share of them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools.chance import checked_seed, generator
from embtools.clusters.maps import word_map
from embtools.clusters.points import Words
from embtools.clusters.view import DEFAULT_VIEW, View
from embtools.limits import enough
from embtools.progress import Progress, silent
from embtools.vectors import Array, check_finite

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SHARES = (0.25, 0.5, 0.75)
_CELLS = (60, 120)  # smallest and largest number; in between, two cells per kernel width
_SAMPLE = 2_000  # more points change the contours by less than the width of a line


@dataclass(frozen=True)
class Density:
    """The density of points on a grid.

    x, y   (c,) and (c,) the centres of the grid cells
    share  (c, c), rows along y: the share of the points that lie in regions at least as dense as this cell. The contour
           at 0.5 encloses the smallest region that contains half of the points.
    """

    x: Array
    y: Array
    share: Array


def map_density(
    words: Words, model: "EmbeddingModel", *, view: View = DEFAULT_VIEW, progress: Progress = silent
) -> Density:
    """The density of the words on their map, without formulas.

    Parameters
    ----------
    words : Words
        Words in groups, and optionally a sentence and a layer.
    model : EmbeddingModel
    view : View
        The settings of the map.
    progress : callable, optional

    Returns
    -------
    Density
        The density on a grid, and the shares of the points in each region.

    Raises
    ------
    ValueError
        As `word_map` does, and if all points lie on a line.
    """
    points = word_map(words, model, view=view, progress=progress).points
    return density(points.loc[points["kind"] == "word", ["x", "y"]].to_numpy(), seed=view.seed)


def density(places: Array, *, seed: int = 0) -> Density:
    """Highest-density regions (Hyndman 1996) of positions, from a Gaussian kernel of half Scott's width."""
    from scipy.stats import gaussian_kde

    checked_seed(seed)
    enough(places, "points")
    check_finite(places)
    if len(places) > _SAMPLE:
        places = places[generator(seed).choice(len(places), _SAMPLE, replace=False)]
    places = np.asarray(places, np.float64)
    if np.linalg.matrix_rank(places - places.mean(axis=0), rtol=1e-6) < 2:
        raise ValueError("All points lie on a line, so there are no density contours. Choose other axes.")
    # Scott's rule assumes a single peak; a map of words has several, which it would merge into one.
    kernel = gaussian_kde(places.T, bw_method=lambda k: 0.5 * k.scotts_factor())
    low, high = places.min(axis=0), places.max(axis=0)
    margin = 0.15 * (high - low)
    widths = (high - low + 2 * margin) / np.sqrt(np.diag(kernel.covariance))
    cells = int(np.clip(2 * widths.max(), *_CELLS))
    x, y = np.linspace(low - margin, high + margin, cells).T
    grid = kernel(np.stack(np.meshgrid(x, y)).reshape(2, -1)).reshape(cells, cells)
    own = np.sort(kernel(places.T))
    return Density(x, y, 1 - np.searchsorted(own, grid) / len(own))
