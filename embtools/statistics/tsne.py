"""t-SNE with progress by the clock; at most one small and one large map are computed at a time."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np

from embtools.chance import checked_seed
from embtools.limits import enough, within
from embtools.messages import quoted
from embtools.progress import Progress, silent
from embtools.vectors import Array, check_finite

T = TypeVar("T")
SHORT = 1.5  # seconds that a visitor waits without noticing
# t-SNE cannot be interrupted, and maps that visitors have abandoned must not pile up, so one runs at a time. There are
# two lanes so that a small map never waits for a large one.
_SHORT_LANE, _LONG_LANE = threading.Semaphore(1), threading.Semaphore(1)


def seconds(n: int) -> float:
    """The approximate seconds that t-SNE of n points takes on one processor core."""
    return 0.15 + 0.003 * n


def positions(
    vectors: Array,
    *,
    perplexity: float = 5,
    dimensions: int = 2,
    metric: Literal["cosine", "euclidean"] = "cosine",
    start: Literal["pca", "random"] = "pca",
    seed: int = 0,
    progress: Progress = silent,
) -> Array:
    """The t-SNE positions (n, 2 or 3) of (n, d) vectors, by scikit-learn; the same settings give the same positions."""
    within(dimensions, 3, "dimensions", least=2)
    for name, value, allowed in (("metric", metric, ("cosine", "euclidean")), ("start", start, ("pca", "random"))):
        if value not in allowed:
            raise ValueError(f"The {name} is {quoted(value)}; choose {' or '.join(allowed)}.")
    enough(vectors, "points", least=2)
    if not 0 < perplexity < len(vectors):
        raise ValueError(f"The perplexity is {perplexity:g}. Choose one above 0 and below {len(vectors):,}.")
    check_finite(vectors)
    options = {
        "n_components": dimensions,
        "perplexity": perplexity,
        "metric": metric,
        "init": start,
        "random_state": checked_seed(seed),
    }
    return _timed(partial(_fit, vectors, options), seconds(len(vectors)), progress)


def _fit(vectors: Array, options: dict[str, Any]) -> Array:
    from sklearn.manifold import TSNE

    tsne = TSNE(**options)
    return tsne.fit_transform(np.ascontiguousarray(vectors, np.float32))


def _timed(work: Callable[[], T], expected: float, progress: Progress) -> T:
    """Run `work` in the lane for its expected duration, with progress by the clock; if `progress` raises (Stop), return
    at once, but the next work starts only after this one has finished in the background.
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
        except BaseException:  # no thread could be started, so nothing else would release the lane
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
