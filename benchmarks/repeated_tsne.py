"""The same t-SNE twice: the second result comes from the cache, without a fit.

python -m benchmarks.repeated_tsne
"""

import statistics
from functools import partial

import sklearn.manifold

from benchmarks.measure import few, report, seconds
from embtools import memory
from embtools.clusters.view import View
from embtools.models.catalogue import BUNDLED
from embtools.ui.clusters.maps import FIRST
from embtools.ui.shown import Model

ROUNDS = few(7)


def main() -> None:
    """Print the ratio of the second request to the first, and the fits that second requests made."""
    fits = []
    fit = sklearn.manifold.TSNE.fit_transform
    sklearn.manifold.TSNE.fit_transform = lambda *a, **k: (fits.append(1), fit(*a, **k))[1]
    model = Model(BUNDLED)
    memory.call(
        FIRST.function, FIRST.arguments, checksum=model.checksum, model=model.open
    )  # imports and the model's first pass do not count
    ratios, again = [], 0
    for seed in range(1, ROUNDS + 1):
        query = FIRST.but(view=View(seed=seed))
        ask = partial(memory.call, query.function, query.arguments, checksum=model.checksum, model=model.open)
        first = seconds(ask)
        before = len(fits)
        ratios.append(seconds(ask) / first)
        again += len(fits) - before
    report("fits of second requests", again, 0)
    report("second request / first", statistics.median(ratios), 0.05)


if __name__ == "__main__":
    main()
