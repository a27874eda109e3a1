"""The few atoms of a large dictionary that a sparse problem is solved on, with their products."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embtools.vectors import Array


@dataclass(frozen=True)
class WorkingSet:
    """The k atoms of a working set: rows (k,), vectors (k, d) and their products (k, k) in float64, weights (k,).

    The products are kept because they cost more than anything else but the passes: only new atoms are multiplied.
    """

    rows: NDArray[np.intp]
    vectors: Array
    products: Array
    weights: Array

    @classmethod
    def of(cls, atoms: Array, rows: NDArray[np.intp]) -> "WorkingSet":
        x = atoms[rows].astype(np.float64)
        return cls(rows, x, x @ x.T, np.zeros(len(rows)))

    def joined_by(self, atoms: Array, rows: NDArray[np.intp]) -> "WorkingSet":
        """With more atoms, which weigh nothing yet."""
        new = WorkingSet.of(atoms, rows)
        across = self.vectors @ new.vectors.T
        return WorkingSet(
            np.concatenate([self.rows, rows]),
            np.concatenate([self.vectors, new.vectors]),
            np.block([[self.products, across], [across.T, new.products]]),
            np.concatenate([self.weights, new.weights]),
        )

    def in_use(self) -> "WorkingSet":
        """Without the atoms that weigh nothing."""
        kept = np.flatnonzero(self.weights > 0)
        return WorkingSet(self.rows[kept], self.vectors[kept], self.products[np.ix_(kept, kept)], self.weights[kept])
