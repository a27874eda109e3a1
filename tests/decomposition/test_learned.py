"""Codes, sums and files of a learned dictionary, by hand and against scikit-learn."""

import dataclasses

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from embtools.decomposition.learned import (
    LearnedDictionary,
    about_file,
    random_dictionary,
    read,
    strongest,
    write,
)
from tests.features import made

SQUARE = LearnedDictionary(
    1,
    2,
    np.array([[1.0, 0.0], [0.0, 1.0], [-0.6, 0.8]], np.float32),
    np.array([0.0, -0.5, 0.0], np.float32),
    np.array([1.0, 1.0], np.float32),
    {},
)


def test_an_example_by_hand():
    codes = SQUARE.codes(np.array([[3.0, 2.0], [0.0, 0.0]]))
    # The first vector is (2, 1) from the centre: scores 2, 0.5 and −0.4. The second is (−1, −1): −1, −1.5 and −0.2.
    np.testing.assert_array_equal(codes.features[0], [0, 1])
    np.testing.assert_allclose(codes.activations, [[2.0, 0.5], [0.0, 0.0]])
    np.testing.assert_allclose(SQUARE.reconstruct(codes), [[3.0, 1.5], [1.0, 1.0]])


def test_the_codes_are_those_of_a_full_sort():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(40, 30))
    features, values = strongest(scores, 5)
    np.testing.assert_array_equal(features, np.argsort(-scores, axis=1)[:, :5])
    np.testing.assert_allclose(values, np.maximum(-np.sort(-scores, axis=1)[:, :5], 0))
    with pytest.raises(ValueError, match="Choose 1 to 30"):
        strongest(scores, 31)


def test_refitted_weights_are_those_of_a_regression():
    rng = np.random.default_rng(1)
    directions = rng.normal(size=(30, 12)).astype(np.float32)
    found = LearnedDictionary(1, 4, directions, np.zeros(30, np.float32), np.zeros(12, np.float32), {}, refit=True)
    vectors = rng.normal(size=(5, 12)).astype(np.float32)
    codes = found.codes(vectors)
    for vector, features, weights in zip(vectors, codes.features, codes.activations, strict=True):
        fitted = LinearRegression(fit_intercept=False).fit(directions[features].T, vector)
        np.testing.assert_allclose(weights, fitted.coef_, atol=2e-3)


def test_random_dictionaries_have_the_same_size_and_unit_directions(tiny):
    own, vectors = made(tiny), np.random.default_rng(0).normal(size=(50, tiny.dimensions)).astype(np.float32)
    for occurrences in (False, True):
        drawn = random_dictionary(own, vectors, occurrences=occurrences)
        assert drawn.refit and len(drawn) == len(own) and drawn.k == own.k
        np.testing.assert_allclose(np.linalg.norm(drawn.directions, axis=1), 1, atol=1e-5)
    rows = (vectors - own.centre) / np.linalg.norm(vectors - own.centre, axis=1, keepdims=True)
    assert (drawn.directions @ rows.T).max(axis=1) == pytest.approx(1, abs=1e-5)
    with pytest.raises(ValueError, match="16 numbers"):
        random_dictionary(own, vectors[:, :3])


def test_a_file_gives_back_the_dictionary(tiny, tmp_path):
    own, path = made(tiny), tmp_path / "one.safetensors"
    write(own, path)
    found = read(path)
    assert (found.layer, found.k, found.checksum) == (own.layer, own.k, tiny.checksum)
    np.testing.assert_allclose(found.directions, own.directions, atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(found.directions, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(found.centre, own.centre)
    assert about_file(path)["quality"] == own.about["quality"]
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match="read-only"):
        found.directions[0] = 0


def test_other_files_are_refused(tiny, tmp_path, tiny_folder):
    path = tmp_path / "one.safetensors"
    for content in (b"", b"nonsense" * 20, (tiny_folder / "model.safetensors").read_bytes()):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="not a learned dictionary"):
            read(path)
    with pytest.raises(ValueError, match="not a learned dictionary"):
        read(tmp_path / "missing.safetensors")
    own = made(tiny)
    write(dataclasses.replace(own, centre=own.centre[:3]), path)
    with pytest.raises(ValueError, match="damaged"):
        read(path)
