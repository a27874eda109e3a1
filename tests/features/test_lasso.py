"""The positive LASSO: against scikit-learn at a tiny tolerance, scipy, and the conditions of its optimum."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls
from sklearn.linear_model import Lasso

from embtools.features.active_set import minimum
from embtools.features.lasso import EXACT, KKT, MAX_PASSES, Mix, WorkingSet, alpha_max, mix, mixes, path


def problem(n: int, d: int, seed: int, *, common: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Atoms that share a direction, as words do, and a target that some of them make up."""
    rng = np.random.default_rng(seed)
    atoms = rng.normal(size=(n, d)) + common * rng.normal(size=d)
    target = rng.random(5) @ atoms[rng.choice(n, 5, replace=False)] + 0.3 * rng.normal(size=d)
    return atoms.astype(np.float32), target.astype(np.float32)


def near_duplicates(d: int, n: int, copies: int, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """n atoms and slightly changed copies of each, in few dimensions: there are many almost equal mixes."""
    rng = np.random.default_rng(seed)
    once = rng.normal(size=(n, d)) + 0.3 * rng.normal(size=d)
    atoms = np.concatenate([once, *(once + noise * rng.normal(size=once.shape) for _ in range(copies))])
    target = rng.random(5) @ once[rng.choice(n, 5)] + 0.3 * rng.normal(size=d)
    return atoms.astype(np.float32), target.astype(np.float32)


def best_residual(atoms: np.ndarray, target: np.ndarray, alpha: float) -> np.ndarray:
    """The residual of the optimum by another road: the point nearest to the target that no atom pulls more than alpha.

    It is unique, unlike the weights. As least distance programming with scipy (Lawson & Hanson 1974, chapter 23.4).
    """
    x, y = atoms.astype(np.float64), target.astype(np.float64)
    over = x @ y - len(y) * alpha
    scale = np.abs(over).max()
    last = np.eye(len(y) + 1)[-1]
    both = np.vstack([-x.T, over / scale])
    rest = both @ nnls(both, last, maxiter=100_000)[0] - last
    return y - rest[:-1] / rest[-1] * scale


def objective(atoms: np.ndarray, target: np.ndarray, found: Mix) -> float:
    """What is minimised, from atoms and weights alone."""
    residual = target.astype(np.float64) - found.weights @ atoms[found.support].astype(np.float64)
    return float(residual @ residual / (2 * len(target)) + found.alpha * found.weights.sum())


def is_the_optimum(atoms: np.ndarray, target: np.ndarray, found: Mix) -> None:
    """Objective, conditions (KKT), fitted vector and duality gap are those of the optimum."""
    d = len(target)
    x, y = atoms.astype(np.float64), target.astype(np.float64)
    best = best_residual(atoms, target, found.alpha)
    # The objective is strongly convex in the fitted vector: the gap bounds how far it can be from the best one.
    assert np.linalg.norm(found.residual - best) <= np.sqrt(2 * d * found.gap) + 1e-9 * np.linalg.norm(y)
    np.testing.assert_allclose(found.weights @ x[found.support], y - best, atol=1e-6 * np.linalg.norm(y))
    lowest = (y @ y - (y - best) @ (y - best)) / (2 * d)  # of the dual problem: no mix is below it
    assert objective(atoms, target, found) == pytest.approx(lowest, rel=1e-6)
    assert found.objective == pytest.approx(objective(atoms, target, found), rel=1e-9)
    pulls = x @ found.residual / d
    assert pulls.max() <= found.alpha * (1 + 2 * KKT)
    assert (found.weights > 0).all() and len(found.support) <= d
    np.testing.assert_allclose(pulls[found.support], found.alpha, rtol=1e-6)
    assert found.exact and found.gap <= EXACT * lowest


def reference(atoms: np.ndarray, target: np.ndarray, alpha: float) -> np.ndarray:
    lasso = Lasso(alpha, positive=True, fit_intercept=False, tol=1e-12, max_iter=1_000_000)
    return lasso.fit(atoms.astype(np.float64).T, target.astype(np.float64)).coef_


@pytest.mark.parametrize(("share", "seed"), [(0.9, 0), (0.2, 1), (0.05, 2)])
def test_support_and_weights_are_scikit_learns(share: float, seed: int) -> None:
    atoms, target = problem(2_000, 48, seed)
    found = mix(atoms, target, share)
    right = reference(atoms, target, found.alpha)
    assert set(found.support) == set(np.flatnonzero(right))
    np.testing.assert_allclose(found.weights, right[found.support], rtol=1e-5, atol=1e-8)
    assert (np.diff(found.weights) <= 0).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([(30, 8), (400, 16), (1500, 12)]), st.floats(0.02, 1.2))
def test_the_conditions_of_the_optimum_hold_on_all_atoms(seed: int, shape: tuple[int, int], share: float) -> None:
    atoms, target = problem(*shape, seed)
    found = mix(atoms, target, share)
    pulls = atoms.astype(np.float64) @ found.residual / shape[1]
    assert pulls.max() <= found.alpha * (1 + 2 * KKT)
    np.testing.assert_allclose(pulls[found.support], found.alpha, rtol=1e-6)
    assert found.worst == pytest.approx(pulls.max() / found.alpha, rel=1e-6)
    assert found.gap <= 1e-5 * objective(atoms, target, found)
    right = target.astype(np.float64) - found.weights @ atoms[found.support].astype(np.float64)
    np.testing.assert_allclose(found.residual, right, atol=1e-9)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 100_000),
    st.integers(3, 10),
    st.sampled_from([20, 60, 200]),
    st.sampled_from([1, 5]),
    st.sampled_from([1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 0.0]),
    st.sampled_from([0.3, 0.05, 0.02]),
)
def test_near_duplicates_in_few_dimensions_do_not_stop_it_early(seed, d, n, copies, noise, share):
    atoms, target = near_duplicates(d, n, copies, noise, seed)
    is_the_optimum(atoms, target, mix(atoms, target, share))


@pytest.mark.parametrize(
    ("noise", "d", "n", "copies", "share", "seed"),
    [
        (1e-2, 10, 200, 1, 0.05, 0),
        (1e-3, 3, 200, 1, 0.02, 3),
        (1e-7, 10, 200, 5, 0.05, 3),
    ],
)
def test_problems_that_once_ended_above_the_optimum(noise, d, n, copies, share, seed):
    """Atoms that rounding had excluded from the working set stayed out: some then pulled up to 14 times alpha."""
    atoms, target = near_duplicates(d, n, copies, noise, seed)
    is_the_optimum(atoms, target, mix(atoms, target, share))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 100_000),
    st.sampled_from(["whole numbers", "opposites", "multiples", "means", "lengths"]),
    st.integers(1, 12),
    st.integers(1, 120),
)
def test_ties_and_dependent_atoms_of_every_kind(seed, kind, d, n):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d)) + 0.3 * rng.normal(size=d)
    pick = rng.integers(0, n, n)
    atoms = {
        "whole numbers": rng.integers(-2, 3, size=(n, d)).astype(float),
        "opposites": np.concatenate([x, -x]),
        "multiples": np.concatenate([x, 2 * x[pick], x[pick] / 2]),
        "means": np.concatenate([x, (x + x[pick]) / 2]),
        "lengths": x * 10.0 ** rng.integers(-1, 2, size=(n, 1)),
    }[kind].astype(np.float32)
    target = (x[pick[0]] + x[pick[-1]] + 0.3 * rng.normal(size=d)).astype(np.float32)
    for found in path(atoms, target, [0.9, 0.4, 0.1, 0.02]):
        if found.alpha > 0:
            is_the_optimum(atoms, target, found)


def test_the_gap_of_a_search_that_is_cut_short_is_the_true_one(monkeypatch):
    """Two passes over the atoms instead of fifty: the answer is not the best, and its gap says at least by how much."""
    atoms, target = problem(3_000, 64, 0)
    whole = mix(atoms, target, 0.05)
    assert whole.exact and 2 < whole.passes <= MAX_PASSES
    monkeypatch.setattr("embtools.features.lasso.MAX_PASSES", 2)
    short = mix(atoms, target, 0.05)
    above = objective(atoms, target, short) - objective(atoms, target, whole)
    assert above > 0 and above <= short.gap
    assert not short.exact and short.worst > 1 + KKT


def test_a_path_gives_what_each_alpha_alone_gives() -> None:
    atoms, target = problem(3_000, 32, 7)
    shares = np.linspace(1.0, 0.05, 20)
    for warm, share in zip(path(atoms, target, shares), shares, strict=True):
        alone = mix(atoms, target, float(share))
        assert set(warm.support) == set(alone.support)
        np.testing.assert_allclose(warm.residual, alone.residual, atol=1e-7)
        assert warm.passes <= 6


def test_at_alpha_max_nothing_is_left_just_below_one_word_is_and_an_opposite_target_has_an_empty_mix() -> None:
    atoms, target = problem(500, 20, 1)
    assert len(mix(atoms, target, 1.0).support) == 0
    assert len(mix(atoms, target, 3.0).support) == 0
    one = mix(atoms, target, 0.999)
    assert len(one.support) == 1
    assert one.support[0] == int((atoms.astype(float) @ target).argmax())
    assert alpha_max(atoms, target) == pytest.approx(float((atoms.astype(float) @ target).max()) / 20, rel=1e-6)
    atoms = -np.eye(4, dtype=np.float32)
    assert alpha_max(atoms, np.ones(4, np.float32)) == 0
    assert len(mix(atoms, np.ones(4, np.float32), 0.5).support) == 0


@pytest.mark.parametrize(
    ("target", "shares", "message"),
    [
        (np.zeros(4), [0.5], "is zero"),
        (np.full(4, np.nan), [0.5], "not finite"),
        (np.ones(4), [0.2, 0.5], "must be above 0 and in decreasing order"),
        (np.ones(4), [0.0], "must be above 0 and in decreasing order"),
    ],
)
def test_a_vector_that_cannot_be_decomposed_is_refused(target: np.ndarray, shares: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        path(np.eye(4, dtype=np.float32), target.astype(np.float32), shares)


@pytest.mark.parametrize("share", [0.5, 0.02])
def test_several_targets_together_get_what_each_gets_alone(share: float) -> None:
    atoms, _ = problem(1_000, 24, 5)
    targets = [problem(1_000, 24, seed)[1] for seed in range(4)]
    allowed = [None, np.arange(1_000) > 500, None, np.arange(1_000) < 100]
    for together, target, mask in zip(
        mixes(atoms, targets, [share] * 4, allowed=allowed), targets, allowed, strict=True
    ):
        alone = mix(atoms, target, share, allowed=mask)
        assert list(together.support) == list(alone.support)
        np.testing.assert_allclose(together.weights, alone.weights, rtol=1e-6)
        assert mask is None or mask[together.support].all()


def test_few_allowed_atoms_are_all_that_is_used() -> None:
    atoms, target = problem(600, 16, 6)
    allowed = np.arange(600) < 20
    found = mix(atoms, target, 0.05, allowed=allowed)
    right = reference(atoms[:20], target, found.alpha)
    assert set(found.support) == set(np.flatnonzero(right > 1e-9))
    assert len(mix(atoms, target, 0.5, allowed=np.zeros(600, bool)).support) == 0


def test_shares_of_several_targets_are_checked() -> None:
    with pytest.raises(ValueError, match="must be above 0"):
        mixes(np.eye(4, dtype=np.float32), [np.ones(4, np.float32)], [0.0])
    with pytest.raises(ValueError, match="not finite"):
        mixes(np.full((3, 4), np.nan, np.float32), [np.ones(4, np.float32)], [0.5])


@given(st.integers(0, 10_000), st.integers(1, 30), st.booleans())
def test_it_is_non_negative_least_squares_from_any_start(seed: int, k: int, warm: bool) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(k, 40)), rng.normal(size=40)
    start = rng.random(k) * (rng.random(k) < 0.5) * warm
    found = minimum(x @ x.T, x @ y, start)
    np.testing.assert_allclose(found, nnls(x.T, y)[0], atol=1e-8)
    assert (found >= 0).all()


@pytest.mark.parametrize("nearly", [0.0, 1e-9])
def test_atoms_that_depend_on_each_other_give_the_same_mix(nearly: float) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.random((6, 12)), rng.random(12)
    twice = np.concatenate([x, x + nearly * rng.normal(size=x.shape), x[:2] + x[2:4]])
    found = minimum(twice @ twice.T, twice @ y, np.zeros(14))
    assert (found >= 0).all()
    np.testing.assert_allclose(found @ twice, nnls(x.T, y)[0] @ x, atol=1e-6)


@given(
    st.integers(0, 10_000),
    st.integers(1, 6),
    st.integers(1, 25),
    st.sampled_from([0.0, 1e-8, 1e-5, 1e-2]),
    st.sampled_from([0.0, 0.1, 1.0]),
)
def test_no_weight_can_be_changed_for_the_better_however_many_atoms_depend_on_each_other(
    seed: int, d: int, k: int, nearly: float, penalty: float
) -> None:
    rng = np.random.default_rng(seed)
    once, y = rng.normal(size=(k, d)), rng.normal(size=d)
    x = np.concatenate([once, once + nearly * rng.normal(size=once.shape), once[::-1] + once])
    linear = x @ y - penalty
    start = rng.random(len(x)) * (rng.random(len(x)) < 0.3)
    for begin in (np.zeros(len(x)), start):
        found = minimum(x @ x.T, linear, begin, tolerance=1e-9)
        slope = linear - x @ (x.T @ found)
        # Rounding in the products of near-duplicates can hide that one more atom depends on the others.
        assert (found >= 0).all() and np.count_nonzero(found) <= d + 1
        assert slope.max() <= 2e-9
        np.testing.assert_allclose(slope[found > 0], 0, atol=1e-9)


def test_without_positive_correlations_or_atoms_nothing_is_active() -> None:
    assert minimum(np.eye(3), -np.ones(3), np.zeros(3)).tolist() == [0, 0, 0]
    assert minimum(np.empty((0, 0)), np.empty(0), np.empty(0)).shape == (0,)


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
