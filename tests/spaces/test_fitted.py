"""Processed spaces: their definition, the full SVD and their defining properties, and the words of a model in them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embtools import memory
from embtools.neighbours import neighbours
from embtools.spaces import of_model
from embtools.spaces.fitting import fit, fit_by_moments
from embtools.spaces.moments import moments
from embtools.spaces.of_model import in_space
from embtools.spaces.space import (
    BY_CLUSTER,
    CENTRED,
    CONCEPTOR,
    KINDS,
    MAX_COMPONENTS,
    RAW,
    TOP,
    WHITENED,
    ZSCORED,
    Space,
)
from embtools.statistics import partitions
from embtools.vectors import cosine


def drawn(n=400, d=12, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 3 * rng.normal(size=d)


ROWS = drawn()


def processed(kind, rows=ROWS, **numbers):
    return fit(rows, Space(kind, **numbers)).apply(rows)


def svd(rows):
    left, lengths, right = np.linalg.svd(rows - rows.mean(0), full_matrices=False)
    return left, lengths, right


def test_raw_is_the_same_array_and_centring_and_z_scoring_are_numpys():
    assert processed(RAW) is ROWS
    np.testing.assert_allclose(processed(CENTRED), ROWS - ROWS.mean(0))
    np.testing.assert_allclose(processed(ZSCORED), (ROWS - ROWS.mean(0)) / ROWS.std(0))


@pytest.mark.parametrize("k", [1, 3, 11])
def test_all_but_the_top_is_what_the_full_svd_leaves(k):
    left, lengths, right = svd(ROWS)
    lengths[:k] = 0
    np.testing.assert_allclose(processed(TOP, components=k), left * lengths @ right, atol=1e-9)


def test_whitening_is_what_the_full_svd_gives_and_leaves_what_it_should():
    left, _, right = svd(ROWS)
    np.testing.assert_allclose(processed(WHITENED), np.sqrt(len(ROWS)) * left @ right, atol=1e-8)
    np.testing.assert_allclose(moments(processed(WHITENED)).covariance, np.eye(12), atol=1e-9)
    whole = processed(WHITENED, shrinkage=1.0)
    np.testing.assert_allclose(cosine(whole, whole), cosine(processed(CENTRED), processed(CENTRED)), atol=1e-9)
    rows = drawn(6)
    variances = moments(processed(WHITENED, rows)).axes[0]
    np.testing.assert_allclose(variances, [1] * 5 + [0] * 7, atol=1e-6)


def test_the_conceptor_is_the_papers_formula():
    aperture, d = 0.7, ROWS.shape[1]
    correlation = ROWS.T @ ROWS / len(ROWS)
    correlation *= d / np.trace(correlation)  # our unit: the mean direction has strength 1
    conceptor = correlation @ np.linalg.inv(correlation + np.eye(d) / aperture**2)
    np.testing.assert_allclose(processed(CONCEPTOR, aperture=aperture), ROWS @ (np.eye(d) - conceptor), atol=1e-9)


def test_the_progress_of_clusters_is_reported_and_can_stop_the_fit():
    vectors = np.random.default_rng(0).normal(size=(300, 6))
    reported: list[float] = []
    fit(vectors, Space(BY_CLUSTER, 1, clusters=8), progress=reported.append)
    assert reported == sorted(reported) and len(reported) >= 8 and reported[0] == 0 and reported[-1] < 1

    def stop(done: float) -> None:
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(vectors, Space(BY_CLUSTER, 1, clusters=8), progress=stop)


def test_a_cluster_of_one_vector_is_merged_into_the_nearest():
    near, far = drawn(20, 4), drawn(20, 4, seed=1) + 50
    rows = np.vstack([near, far, np.full((1, 4), 90.0)])
    found = fit(rows, Space(BY_CLUSTER, components=1, clusters=3))
    assert len(found.parts) == 2
    np.testing.assert_allclose(found.apply(rows)[20:], processed(TOP, rows[20:], components=1), atol=1e-9)
    assert np.linalg.norm(found.apply(rows)[-1]) > 0.1


def test_each_cluster_is_centred_and_loses_its_own_top_directions():
    rng = np.random.default_rng(1)
    rows = np.concatenate([drawn(60, 5, 1) * 0.1 + 50, drawn(60, 5, 2) * 0.1 - 50])
    rows = rows[rng.permutation(len(rows))]
    found = processed(BY_CLUSTER, rows, components=2, clusters=2)
    for own in (rows[:, 0] > 0, rows[:, 0] < 0):
        np.testing.assert_allclose(found[own], processed(TOP, rows[own], components=2), atol=1e-7)


def test_a_vector_that_was_not_fitted_is_processed_in_the_same_way():
    for kind in KINDS:
        space = fit(ROWS, Space(kind, clusters=3))
        np.testing.assert_allclose(space.apply(ROWS[7]), space.apply(ROWS)[7], atol=1e-9)
        assert space.apply(ROWS.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("kind", KINDS[:-1])
def test_moments_of_the_processed_vectors_follow_from_the_raw_moments(kind):
    space = fit(ROWS, Space(kind))
    known, counted = space.moments(moments(ROWS)), moments(space.apply(ROWS))
    np.testing.assert_allclose(known.mean, counted.mean, atol=1e-9)
    np.testing.assert_allclose(known.covariance, counted.covariance, atol=1e-9)
    assert fit(ROWS, Space(BY_CLUSTER, clusters=3)).moments(moments(ROWS)) is None


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (RAW, CENTRED)])
def test_the_control_does_the_same_along_random_directions(kind):
    own, control, again = (fit(ROWS, Space(kind, clusters=3, shuffled=seed)) for seed in (None, 1, 1))
    for part, other, same in zip(own.parts, control.parts, again.parts, strict=True):
        np.testing.assert_allclose(np.sort(part.gains), np.sort(other.gains))
        np.testing.assert_allclose(other.directions.T @ other.directions, np.eye(len(other.gains)), atol=1e-9)
        np.testing.assert_array_equal(other.directions, same.directions)
        np.testing.assert_array_equal(part.shift, other.shift)
    assert not np.allclose(own.apply(ROWS), control.apply(ROWS))


def test_the_control_of_centring_moves_equally_far_in_another_direction():
    own, control = fit(ROWS, Space(CENTRED)).parts[0].shift, fit(ROWS, Space(CENTRED, shuffled=1)).parts[0].shift
    assert np.linalg.norm(own) == pytest.approx(np.linalg.norm(control))
    assert abs(cosine(own, control)[0, 0]) < 0.9


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([CENTRED, TOP, WHITENED, BY_CLUSTER]), st.floats(0.01, 100))
def test_the_result_is_centred_and_does_not_depend_on_shift_or_scale(seed, kind, size):
    rows = drawn(50, 6, seed)
    here, there = processed(kind, rows, clusters=2), processed(kind, rows * size + 7, clusters=2)
    np.testing.assert_allclose(here.mean(0), 0, atol=1e-8)
    np.testing.assert_allclose(cosine(here, here), cosine(there, there), atol=1e-5)


@pytest.mark.parametrize(
    ("rows", "space", "message"),
    [
        (np.ones((4, 3)), Space(CENTRED), "All vectors are equal"),
        (np.zeros((4, 3)), Space(WHITENED), "All vectors are equal"),
        (np.ones((1, 3)), Space(CENTRED), "There is one vector"),
        (drawn(50, 3), Space(TOP, components=3), "differ along only 3. Choose at most 2"),
        (drawn(3, 12), Space(TOP, components=2), "differ along only 2. Choose at most 1"),
        (drawn(2, 12), Space(TOP, components=1), "1 direction cannot be removed, .* only 1. Choose another space."),
        (drawn(8, 3), Space(BY_CLUSTER, clusters=5), "8 vectors allow at most 4 clusters"),
        (np.array([[np.nan, 1.0], [1.0, 2.0], [0.0, 1.0]]), Space(ZSCORED), "contain values that are not numbers"),
    ],
)
def test_vectors_that_cannot_be_fitted_raise_an_error(rows, space, message):
    with np.errstate(invalid="ignore"), pytest.raises(ValueError, match=message):
        fit(rows, space)


def test_vectors_of_another_size_and_products_in_several_maps_are_refused():
    with pytest.raises(ValueError, match="The space has 12 dimensions but the vectors have 3"):
        fit(ROWS, Space(CENTRED)).apply(np.ones((2, 3)))
    with pytest.raises(ValueError, match="several maps"):
        fit(ROWS, Space(BY_CLUSTER, clusters=3)).dots(ROWS, ROWS[0])


@pytest.mark.parametrize("kind", [CENTRED, TOP, WHITENED])
def test_unchanged_principal_components_are_not_computed_again(kind):
    known = fit(ROWS, Space(kind)).moments(moments(ROWS))
    assert "axes" in vars(known)
    variances, directions = known.axes
    np.testing.assert_allclose(variances, np.linalg.eigvalsh(known.covariance)[::-1], atol=1e-9)
    np.testing.assert_allclose(known.covariance @ directions, directions * variances, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_spaces_except_by_cluster_can_be_fitted_to_moments(kind):
    known = moments(ROWS)
    if kind == BY_CLUSTER:
        with pytest.raises(ValueError, match="it needs the vectors themselves"):
            fit_by_moments(known, Space(kind))
        return
    np.testing.assert_array_equal(fit_by_moments(known, Space(kind)).apply(ROWS), processed(kind))
    if kind != RAW:
        with pytest.raises(ValueError, match="All vectors are equal"):
            fit_by_moments(moments(np.ones((4, 3))), Space(kind))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != BY_CLUSTER])
def test_products_with_a_vector_need_no_processed_vectors(kind):
    fitted, other = fit(ROWS, Space(kind)), drawn(1, seed=4)[0]
    np.testing.assert_allclose(fitted.dots(ROWS, other), fitted.apply(ROWS) @ other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_space_is_written_as_the_python_that_makes_it(kind):
    space = Space(kind, 5, 0.3, 2.0, 7, 3)
    assert eval(space.code) == space
    assert kind in space.says


def test_unused_parameters_make_no_difference():
    assert Space(CENTRED, components=9, shrinkage=0.5) == Space(CENTRED)
    assert Space(TOP, 2, 0.7, 3.0, 5) == Space(TOP, 2)
    assert Space(RAW, shuffled=4) == Space()
    assert Space(TOP, 2) != Space(TOP, 3) and Space(TOP, 2, shuffled=1) != Space(TOP, 2)
    assert len({Space(WHITENED, 1), Space(WHITENED, 2)}) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": TOP, "components": 0}, "0 directions cannot be removed. Choose 1 to 1,000"),
        ({"kind": TOP, "components": MAX_COMPONENTS + 1}, "1001 directions cannot be removed"),
        ({"kind": WHITENED, "shrinkage": 1.1}, "Choose 0 to 1"),
        ({"kind": WHITENED, "shrinkage": float("nan")}, "Choose 0 to 1"),
        ({"kind": CONCEPTOR, "aperture": 0.0}, "An aperture of 0 is out of range"),
        ({"kind": BY_CLUSTER, "clusters": 1}, "1 clusters are out of range. Choose 2 to 50"),
    ],
)
def test_parameters_out_of_range_raise_an_error(arguments, message):
    with pytest.raises(ValueError, match=message):
        Space(**arguments)


@pytest.fixture(autouse=True)
def forgotten():
    memory.forget()


def test_every_word_is_in_the_space_and_the_model_itself_does_not_change(tiny):
    before = tiny.matrix.copy()
    view = in_space(tiny, space=Space(CENTRED))
    mean = tiny.matrix[tiny.rankable].astype(np.float64).mean(0)
    np.testing.assert_allclose(view.matrix, tiny.matrix - mean, atol=1e-6)
    np.testing.assert_array_equal(tiny.matrix, before)
    np.testing.assert_allclose(view.inverse_norms, 1 / np.linalg.norm(view.matrix, axis=1), rtol=1e-5)
    word = tiny.vocabulary[int(np.flatnonzero(tiny.whole_words)[0])]
    assert neighbours(view.vector(word), view, k=3)[0]["token"].iat[0] == word
    assert not view.matrix.flags.writeable


def test_raw_is_the_model_a_space_is_made_once_and_keeps_no_part_of_the_model(tiny):
    assert in_space(tiny, space=Space()) is tiny
    assert in_space(tiny, space=Space(CENTRED)) is in_space(tiny, space=Space(CENTRED))
    assert in_space(tiny, space=Space(TOP, 1)) is not in_space(tiny, space=Space(TOP, 2))
    view = in_space(tiny, space=Space(CENTRED))
    large = [value for value in vars(view).values() if isinstance(value, np.ndarray) and value.ndim == 2]
    assert len(large) == 1 and not np.shares_memory(large[0], tiny.matrix)


def test_clusters_are_computed_once_for_a_space_and_its_control(tiny, monkeypatch):
    sought, k_means = [], partitions.k_means
    monkeypatch.setattr(partitions, "k_means", lambda x, k, **named: sought.append(k) or k_means(x, k, **named))
    plain, control = Space(BY_CLUSTER, 1, clusters=3), Space(BY_CLUSTER, 1, clusters=3, shuffled=2)
    for _ in range(2):
        own, random = of_model.fitted(tiny, space=plain), of_model.fitted(tiny, space=control)
    assert sought == [3]
    rows = tiny.matrix[tiny.rankable]
    np.testing.assert_array_equal(own.apply(rows), fit(rows, plain).apply(rows))
    np.testing.assert_array_equal(random.apply(rows), fit(rows, control).apply(rows))
    assert random.space == control and np.abs(random.apply(rows) - own.apply(rows)).max() > 1e-3
    of_model.fitted(tiny, space=Space(BY_CLUSTER, 1, clusters=4))
    assert sought[-1] == 4


def test_it_has_a_checksum_of_its_own_and_does_not_run(tiny):
    sums = {in_space(tiny, space=space).checksum for space in (Space(), Space(TOP, 1), Space(TOP, 1, shuffled=1))}
    sums |= {in_space(tiny, space=Space(TOP, 1, shuffled=2)).checksum}
    assert len(sums) == 4
    with pytest.raises(ValueError, match="Load it again to run it"):
        in_space(tiny, space=Space(CENTRED)).hidden_states("a")
