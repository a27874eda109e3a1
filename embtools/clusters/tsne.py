"""t-SNE, one small and one large at a time, beside a bar that goes by the clock."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from functools import partial
from typing import TypeVar

import numpy as np

from embtools.chance import checked_seed
from embtools.clusters.view import View, check
from embtools.limits import enough
from embtools.progress import Progress, silent
from embtools.vectors import Array, check_finite

T = TypeVar("T")
SHORT = 1.5  # seconds: what a visitor waits for without wondering
# It cannot be interrupted, and what visitors have left must not pile up: one at a time. But two lanes, as in a shop:
# a small map never waits behind a large one.
_SHORT_LANE, _LONG_LANE = threading.Semaphore(1), threading.Semaphore(1)


def seconds(n: int) -> float:
    """About how long t-SNE of n points takes on one core: for the progress bar, and to decide whether to ask first."""
    return 0.15 + 0.003 * n


def places(vectors: Array, view: View, progress: Progress = silent) -> Array:
    """Where t-SNE puts (n, d) vectors: (n, 2 or 3), by scikit-learn, the same for the same view.

    `progress` is told 0 … 0.95 by the clock, since scikit-learn does not say how far it is, and may raise to stop; the
    fit then ends unseen. Raises ValueError for settings that there are not, a perplexity that is not below the number
    of points, and values that are not finite.
    """
    check(view)
    enough(vectors, "points", least=2)
    if not 0 < view.perplexity < len(vectors):
        raise ValueError(f"The perplexity is {view.perplexity:g}. Choose one above 0 and below {len(vectors):,}.")
    check_finite(vectors)
    return _timed(partial(_fit, vectors, view), seconds(len(vectors)), progress)


def _fit(vectors: Array, view: View) -> Array:
    from sklearn.manifold import TSNE

    tsne = TSNE(
        view.dimensions,
        perplexity=view.perplexity,
        metric=view.metric,
        init=view.start,
        random_state=checked_seed(view.seed),
    )
    return tsne.fit_transform(np.ascontiguousarray(vectors, np.float32))


def _timed(work: Callable[[], T], expected: float, progress: Progress) -> T:
    """Run `work` in the lane of its length, beside a progress that goes by the clock.

    When `progress` raises (a visitor pressed stop) the caller is free at once; the work ends unseen, and the next one
    of its lane begins only then. One that is stopped while it waits never begins.
    """
    lane = _SHORT_LANE if expected <= SHORT else _LONG_LANE
    if progress is silent:
        with lane:
            return work()
    while not lane.acquire(timeout=0.2):
        progress(0.0)
    pool = ThreadPoolExecutor(1)
    try:
        try:
            future, start = pool.submit(work), time.monotonic()
        except BaseException:  # no thread could be started: nobody else would release it
            lane.release()
            raise
        future.add_done_callback(lambda _: lane.release())
        while True:
            try:
                return future.result(timeout=0.2)
            except NotYet:
                progress(min(0.95, (time.monotonic() - start) / expected))
    finally:
        pool.shutdown(wait=False)
