"""A working set keeps the products of its atoms right while atoms come and go."""

import numpy as np

from embtools.decomposition.working_set import WorkingSet


def test_products_are_those_of_the_atoms_after_others_joined_or_left():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(40, 6)).astype(np.float32)
    working = WorkingSet.of(atoms, np.array([3, 7, 9]))
    assert working.weights.tolist() == [0, 0, 0]
    working = working.with_atoms(atoms, np.array([20, 1])).with_atoms(atoms, np.array([], int))
    assert working.rows.tolist() == [3, 7, 9, 20, 1]
    x = atoms[working.rows].astype(np.float64)
    np.testing.assert_array_equal(working.vectors, x)
    np.testing.assert_allclose(working.products, x @ x.T, rtol=1e-12)
    used = WorkingSet(working.rows, working.vectors, working.products, np.array([0, 0.5, 0, 2, 0])).in_use()
    assert used.rows.tolist() == [7, 20] and used.weights.tolist() == [0.5, 2]
    np.testing.assert_allclose(used.products, x[[1, 3]] @ x[[1, 3]].T, rtol=1e-12)
