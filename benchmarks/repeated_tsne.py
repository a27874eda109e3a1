"""The same t-SNE twice: the second result comes from the cache, without a fit.

python -m benchmarks.repeated_tsne
"""

import statistics
from dataclasses import replace
from functools import partial

import sklearn.manifold

from benchmarks.measure import few, report, seconds
from embtools.clusters.view import View
from embtools.models.catalogue import BUNDLED
from embtools.ui import cached
from embtools.ui.clusters import computing
from embtools.ui.clusters.inputs import FIRST

ROUNDS = few(7)


def main() -> None:
    """Print the ratio of the second request to the first, and the fits that second requests made."""
    fits = []
    fit = sklearn.manifold.TSNE.fit_transform
    sklearn.manifold.TSNE.fit_transform = lambda *a, **k: (fits.append(1), fit(*a, **k))[1]
    cached.compute(computing.draw, BUNDLED, BUNDLED, FIRST)  # imports and the model's first pass do not count
    ratios, again = [], 0
    for seed in range(1, ROUNDS + 1):
        ask = partial(cached.compute, computing.draw, BUNDLED, BUNDLED, replace(FIRST, view=View(seed=seed)))
        first = seconds(ask)
        before = len(fits)
        ratios.append(seconds(ask) / first)
        again += len(fits) - before
    report("fits of second requests", again, 0)
    report("second request / first", statistics.median(ratios), 0.05)


if __name__ == "__main__":
    main()
