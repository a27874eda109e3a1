"""The exact positive LASSO compared with scikit-learn's: time, passes over the dictionary, extra memory.

On synthetic vectors (50,000 × 768; with --large also 700,000 × 128), and on the bundled model's static embeddings with
the vector of "cold" to be taken apart; with --quick on these alone. scikit-learn has its default tolerance and no copy
to make; ours is exact, as the conditions of the optimum (KKT) say, checked on all atoms in float64.

python -m benchmarks.lasso [--quick] [--large] [--cpu]
"""

import sys
import tracemalloc

import numpy as np

from benchmarks.measure import QUICK, few, interleaved, report
from embtools import load_model
from embtools.features import lasso
from embtools.features.parts import SHARE, SHARES
from embtools.vectors import Array

ROUNDS = few(9)
FASTER, PASSES, WARM, EXTRA = 1 / 8, 10, 4, 0.25


def main() -> None:
    """Print the figures of each set of vectors."""
    model = load_model()
    cold = model.ids["cold"]
    measure("the bundled model's own", np.delete(model.matrix, cold, axis=0), model.matrix[cold])
    if not QUICK:
        measure("synthetic", *synthetic(50_000, 768))
    if "--large" in sys.argv:
        measure("synthetic", *synthetic(700_000, 128))


def measure(name: str, atoms: Array, target: Array) -> None:
    """One dictionary (n, d) and one vector (d,)."""
    from sklearn.linear_model import Lasso  # after the threads are set, which it reads once, as in the app

    n, d = atoms.shape
    what = f"{name}, {n:,} × {d}"
    found = lasso.mix(atoms, target, SHARE)
    theirs = Lasso(found.alpha, positive=True, fit_intercept=False, copy_X=False)
    mine, other = interleaved(
        lambda: lasso.mix(atoms, target, SHARE), lambda: theirs.fit(atoms.T, target), rounds=ROUNDS
    )
    detail = f"{mine:.3f} s / {other:.2f} s, {other / mine:.0f} times faster, {len(found.support)} parts"
    report(f"LASSO / scikit-learn's, {what}", mine / other, FASTER, detail)
    pulls = max(float((rows.astype(np.float64) @ found.residual).max()) for rows in np.array_split(atoms, 50)) / d
    report(f"strongest pull of all atoms / alpha, {what}", pulls / found.alpha, 1 + lasso.KKT, f"gap {found.gap:.1e}")
    report(f"passes of a solve, {what}", found.passes, PASSES)
    warm = [step.passes for step in lasso.path(atoms, target, SHARES)[1:]]
    report(f"passes of a warm step, {what}", max(warm), WARM, f"mean {np.mean(warm):.1f} of {len(warm)}")
    tracemalloc.start()
    lasso.mix(atoms, target, SHARE)
    extra = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    report(
        f"extra memory / dictionary, {what}",
        extra / atoms.nbytes,
        EXTRA,
        f"{extra / 1e6:.1f} MB / {atoms.nbytes / 1e6:.0f} MB",
    )


def synthetic(n: int, d: int, seed: int = 0) -> tuple[Array, Array]:
    """Vectors with a mean and with variances that fall off, as those of a BERT; and one more to be decomposed."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n + 1, d), np.float32) * np.linspace(0.1, 0.02, d, dtype=np.float32)
    rows += rng.standard_normal(d, np.float32) * 0.05
    return rows[:-1], rows[-1]


if __name__ == "__main__":
    main()
