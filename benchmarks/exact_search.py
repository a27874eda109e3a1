"""Time and memory of the exact search in 700,000 occurrences, compared with reading the array once.

python -m benchmarks.exact_search [--cpu]

The vectors are random: their content does not matter for speed.
"""

import tracemalloc

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.measure import compare, few, report
from embtools.occurrences.folder import scan

ROWS, DIMENSIONS, K = few(700_000, 20_000), 128, 10


def main() -> None:
    """Print the ratio of the times, and of the extra memory to the array's."""
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((ROWS, DIMENSIONS), np.float32)
    norms, query = np.linalg.norm(vectors, axis=1), vectors[5].copy()
    threadpool_limits(1)  # numpy sums in one thread: so must the search
    compare(
        f"the {K} nearest of {ROWS:,} × {DIMENSIONS} / reading the array once",
        lambda: scan.search(vectors, norms, query, K),
        lambda: vectors.sum(),
        2.0,
    )
    tracemalloc.start()
    scan.search(vectors, norms, query, K)
    extra = tracemalloc.get_traced_memory()[1]
    report(
        "extra memory / the array", extra / vectors.nbytes, 0.1, f"{extra / 1e6:.1f} MB / {vectors.nbytes / 1e6:.0f} MB"
    )


if __name__ == "__main__":
    main()
