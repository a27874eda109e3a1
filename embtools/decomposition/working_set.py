"""Working set of a sparse problem: the few atoms of a large dictionary in use, with their products."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embtools.vectors import Array


@dataclass(frozen=True)
class WorkingSet:
    """The k atoms of a working set: rows (k,), vectors (k, d) and their products (k, k) in float64, weights (k,).

    The products are stored because, after the passes over all atoms, they are the largest cost.
    """

    rows: NDArray[np.intp]
    vectors: Array
    products: Array
    weights: Array

    @classmethod
    def of(cls, atoms: Array, rows: NDArray[np.intp]) -> "WorkingSet":
        x = atoms[rows].astype(np.float64)
        return cls(rows, x, x @ x.T, np.zeros(len(rows)))

    def with_atoms(self, atoms: Array, rows: NDArray[np.intp]) -> "WorkingSet":
        """The working set with more atoms, whose weights are 0."""
        new = WorkingSet.of(atoms, rows)
        across = self.vectors @ new.vectors.T
        return WorkingSet(
            np.concatenate([self.rows, rows]),
            np.concatenate([self.vectors, new.vectors]),
            np.block([[self.products, across], [across.T, new.products]]),
            np.concatenate([self.weights, new.weights]),
        )

    def in_use(self) -> "WorkingSet":
        """The working set without atoms of weight 0."""
        used = np.flatnonzero(self.weights > 0)
        return WorkingSet(self.rows[used], self.vectors[used], self.products[np.ix_(used, used)], self.weights[used])
