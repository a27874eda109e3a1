"""Whitening and all-but-the-top by covariance and eigenvectors, compared with the full SVD of the centred rows.

On synthetic vectors in the shape of BERT base's vocabulary (30,522 × 768), and on the bundled model's own embeddings.
Both give the same vectors: the largest difference is at the end of each line.

python -m benchmarks.isotropy [--quick]
"""

import numpy as np

from benchmarks.measure import QUICK, few, interleaved, report
from embtools import load_model
from embtools.spaces.fitting import fit
from embtools.spaces.space import TOP, WHITENED, Space
from embtools.vectors import Array

K = 3  # directions removed
ROUNDS = few(5)


def main() -> None:
    """Print the ratio of both ways for each set of vectors."""
    bundled = load_model()
    sets = {"pocket": bundled.matrix[bundled.rankable][: few(len(bundled.matrix), 500)]}
    if not QUICK:
        sets["synthetic, in the shape of base"] = synthetic(30_522, 768)
    for name, rows in sets.items():
        for kind, ours, theirs in (
            ("all-but-the-top", lambda r=rows: fit(r, Space(TOP, K)).apply(r), lambda r=rows: top_by_svd(r)),
            ("whitening", lambda r=rows: fit(r, Space(WHITENED)).apply(r), lambda r=rows: whitened_by_svd(r)),
        ):
            mine, other = interleaved(ours, theirs, rounds=ROUNDS)
            apart = float(np.abs(ours() - theirs()).max())
            detail = f"{mine:.2f} s / {other:.2f} s, {other / mine:.1f} times faster, at most {apart:.1g} apart"
            report(f"{kind} / full SVD, {name}", mine / other, 0.25, detail)


def synthetic(n: int, d: int, seed: int = 0) -> Array:
    """Vectors with a mean and with variances that fall off, as those of a BERT."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n, d), np.float32) * np.linspace(0.1, 0.02, d, dtype=np.float32)
    return rows + rng.standard_normal(d, np.float32) * 0.05


def top_by_svd(rows: Array) -> Array:
    """All-but-the-top by the full SVD."""
    left, lengths, right = np.linalg.svd(rows - rows.mean(0), full_matrices=False)
    lengths[:K] = 0
    return left * lengths @ right


def whitened_by_svd(rows: Array) -> Array:
    """Whitening by the full SVD."""
    left, _, right = np.linalg.svd(rows - rows.mean(0), full_matrices=False)
    return np.sqrt(np.float32(len(rows))) * left @ right


if __name__ == "__main__":
    main()
