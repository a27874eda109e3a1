"""The positive LASSO: against scikit-learn at a tiny tolerance, and against the conditions of its optimum."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Lasso

from embtools.decomposition.lasso import KKT, alpha_max, mix, mixes, objective, path


def problem(n: int, d: int, seed: int, *, common: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Atoms that share a direction, as words do, and a target that some of them make up."""
    rng = np.random.default_rng(seed)
    atoms = rng.normal(size=(n, d)) + common * rng.normal(size=d)
    target = rng.random(5) @ atoms[rng.choice(n, 5, replace=False)] + 0.3 * rng.normal(size=d)
    return atoms.astype(np.float32), target.astype(np.float32)


def reference(atoms: np.ndarray, target: np.ndarray, alpha: float) -> np.ndarray:
    lasso = Lasso(alpha, positive=True, fit_intercept=False, tol=1e-12, max_iter=1_000_000)
    return lasso.fit(atoms.astype(np.float64).T, target.astype(np.float64)).coef_


@pytest.mark.parametrize("share", [0.9, 0.5, 0.2, 0.05])
@pytest.mark.parametrize("seed", range(3))
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


def test_a_path_gives_what_each_alpha_alone_gives() -> None:
    atoms, target = problem(3_000, 32, 7)
    shares = np.linspace(1.0, 0.05, 20)
    for warm, share in zip(path(atoms, target, shares), shares, strict=True):
        alone = mix(atoms, target, float(share))
        assert set(warm.support) == set(alone.support)
        np.testing.assert_allclose(warm.residual, alone.residual, atol=1e-7)
        assert warm.passes <= 6


def test_at_alpha_max_nothing_is_left_and_just_below_one_word_is() -> None:
    atoms, target = problem(500, 20, 1)
    assert len(mix(atoms, target, 1.0).support) == 0
    assert len(mix(atoms, target, 3.0).support) == 0
    one = mix(atoms, target, 0.999)
    assert len(one.support) == 1
    assert one.support[0] == int((atoms.astype(float) @ target).argmax())
    assert alpha_max(atoms, target) == pytest.approx(float((atoms.astype(float) @ target).max()) / 20, rel=1e-6)


def test_atoms_that_are_not_allowed_get_nothing() -> None:
    atoms, target = problem(800, 16, 2)
    allowed = np.ones(800, bool)
    allowed[mix(atoms, target, 0.2).support] = False
    assert not set(mix(atoms, target, 0.2, allowed=allowed).support) & set(np.flatnonzero(~allowed))


def test_equal_atoms_share_a_weight_without_harm() -> None:
    atoms, target = problem(200, 16, 3)
    twice = np.concatenate([atoms, atoms])
    one, two = mix(atoms, target, 0.2), mix(twice, target, 0.2)
    assert objective(twice, target, two) == pytest.approx(objective(atoms, target, one), rel=1e-9)
    np.testing.assert_allclose(one.residual, two.residual, atol=1e-7)


def test_a_target_that_no_atom_points_to_has_an_empty_mix() -> None:
    atoms = -np.eye(4, dtype=np.float32)
    assert alpha_max(atoms, np.ones(4, np.float32)) == 0
    assert len(mix(atoms, np.ones(4, np.float32), 0.5).support) == 0


@pytest.mark.parametrize(
    ("target", "shares", "message"),
    [
        (np.zeros(4), [0.5], "is zero"),
        (np.full(4, np.nan), [0.5], "not finite"),
        (np.ones(4), [0.2, 0.5], "must be above 0 and fall"),
        (np.ones(4), [0.0], "must be above 0 and fall"),
    ],
)
def test_what_cannot_be_taken_apart_is_refused(target: np.ndarray, shares: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        path(np.eye(4, dtype=np.float32), target.astype(np.float32), shares)


def test_a_stop_is_heard() -> None:
    atoms, target = problem(500, 16, 4)

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        path(atoms, target, [0.5, 0.2], progress=stop)


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


def test_more_atoms_than_dimensions_are_no_dead_end() -> None:
    """A small penalty in few dimensions: the equations of the working set have no solution of their own."""
    for seed in (194, *range(40)):
        atoms, target = problem(30, 8, seed)
        found = mix(atoms, target, 0.03125)
        assert (atoms.astype(np.float64) @ found.residual / 8).max() <= found.alpha * (1 + 2 * KKT)
        assert found.gap <= 1e-8 * objective(atoms, target, found)
        assert len(found.support) <= 8


def test_shares_of_several_targets_are_checked() -> None:
    with pytest.raises(ValueError, match="must be above 0"):
        mixes(np.eye(4, dtype=np.float32), [np.ones(4, np.float32)], [0.0])
    with pytest.raises(ValueError, match="not finite"):
        mixes(np.full((3, 4), np.nan, np.float32), [np.ones(4, np.float32)], [0.5])
