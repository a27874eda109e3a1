"""Trees of formulas: value, words and weights of nodes made by hand (reading and printing: test_equation)."""

import numpy as np
import pytest

from embtools.formula.expression import Call, Number, Word, as_analogy, coefficients, from_coefficients, value, words

VECTORS = {"x": np.array([1.0, 2.0]), "y": np.array([-1.0, 0.5])}
X, Y = Word("x"), Word("y")


def test_value_of_each_operation():
    look_up = VECTORS.__getitem__
    np.testing.assert_allclose(value(Call("add", (X, Y)), look_up), [0, 2.5])
    np.testing.assert_allclose(value(Call("subtract", (X, Y)), look_up), [2, 1.5])
    np.testing.assert_allclose(value(Call("multiply", (Number(3), X)), look_up), [3, 6])
    np.testing.assert_allclose(value(Call("divide", (X, Number(4))), look_up), [0.25, 0.5])
    np.testing.assert_allclose(value(Call("negate", (X,)), look_up), [-1, -2])
    np.testing.assert_allclose(value(Call("project", (X, Call("add", (X, Y)))), look_up), [0, 2])
    np.testing.assert_allclose(value(Call("reject", (X, Call("add", (X, Y)))), look_up), [1, 0])
    np.testing.assert_allclose(value(Call("mean", (X, X, Y)), look_up), [1 / 3, 1.5])


def test_value_leaves_the_vectors_alone():
    before = {word: vector.copy() for word, vector in VECTORS.items()}
    value(Call("add", (X, Call("mean", (X, Y)))), VECTORS.__getitem__)
    for word, vector in before.items():
        np.testing.assert_array_equal(VECTORS[word], vector)


def test_a_direction_without_length_is_refused():
    with pytest.raises(ValueError, match="no length"):
        value(Call("project", (X, Call("subtract", (Y, Y)))), VECTORS.__getitem__)


def test_a_value_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="too large"):
        value(Call("multiply", (Number(1e308), Call("add", (X, X)))), VECTORS.__getitem__)


def test_words_each_once_in_order():
    assert words(Call("mean", (Y, Call("add", (X, Y)), Number(2)))) == ("y", "x")


def test_weights_of_functions_are_none():
    for name in ("unit", "project", "reject"):
        assert coefficients(Call("add", (X, Call(name, (X, Y))))) is None
    assert coefficients(Call("mean", (X, Y))) == {"x": 0.5, "y": 0.5}
    assert coefficients(Call("subtract", (X, X))) == {"x": 0.0}


def test_a_sum_from_weights():
    assert str(from_coefficients({"x": -1, "y": 2, "z": 0})) == "-x + 2 * y"
    assert str(from_coefficients({"x": -0.5, "new york": -1})) == '-(0.5 * x) - "new york"'
    with pytest.raises(ValueError, match="All terms cancel out"):
        from_coefficients({"x": 0})


def test_only_b_minus_a_plus_c_is_an_analogy():
    assert as_analogy(Call("add", (X, Y))) is None
    assert as_analogy(Call("unit", (X,))) is None
    assert as_analogy(X) is None


def test_the_unit_of_words_that_cancel_out_is_nothing() -> None:
    king = np.array([0.3, 0.7, -0.2])
    rounded = 0.1 * king + 0.2 * king - 0.3 * king
    assert rounded.any()
    assert not value(Call("unit", (Word("king"),)), lambda _: rounded).any()
    assert np.linalg.norm(value(Call("unit", (Word("king"),)), lambda _: king)) == pytest.approx(1)
