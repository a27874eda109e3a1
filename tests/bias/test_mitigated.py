"""Each mitigation method against its definition, and LEACE and INLP against the formulas of their articles."""

import numpy as np
import pytest
from scipy.linalg import null_space, pinv, sqrtm
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from embtools.bias import mitigated
from embtools.bias.mitigated import METHODS, mitigate
from embtools.spaces.two_groups import classifier

FIRST, SECOND = ("he", "man", "king"), ("she", "woman", "queen")


def everything(method, model, seed=0):
    change = mitigate(FIRST, SECOND, model, method=method, seed=seed)
    return change, change.embed(np.arange(len(model.matrix)), model)


def test_none_changes_nothing(tiny):
    np.testing.assert_array_equal(everything("none", tiny)[1], tiny.matrix)


def test_average_makes_both_words_of_a_pair_equal(tiny):
    _, rows = everything("average", tiny)
    for a, b in zip(FIRST, SECOND, strict=True):
        middle = (tiny.vector(a) + tiny.vector(b)) / 2
        np.testing.assert_allclose(rows[tiny.ids[a]], middle, atol=1e-6)
        np.testing.assert_allclose(rows[tiny.ids[b]], middle, atol=1e-6)
    others = [i for w, i in tiny.ids.items() if w not in FIRST + SECOND]
    np.testing.assert_array_equal(rows[others], tiny.matrix[others])


@pytest.mark.parametrize("method", ["project away", "random direction"])
def test_projected_words_lose_only_their_component_along_the_axis(method, tiny):
    change, rows = everything(method, tiny)
    assert np.linalg.norm(change.axis) == pytest.approx(1, abs=1e-6)
    assert np.abs(rows[tiny.rankable] @ change.axis).max() < 1e-5
    lost = tiny.matrix - rows
    np.testing.assert_allclose(
        lost[tiny.rankable], np.outer(tiny.matrix @ change.axis, change.axis)[tiny.rankable], atol=1e-5
    )
    np.testing.assert_array_equal(rows[~tiny.rankable], tiny.matrix[~tiny.rankable])


def test_equalised_pairs_differ_only_along_the_axis_and_equally(tiny):
    change, rows = everything("equalise", tiny)
    for a, b in zip(FIRST, SECOND, strict=True):
        x, y = rows[tiny.ids[a]], rows[tiny.ids[b]]
        assert x @ change.axis == pytest.approx(-(y @ change.axis), abs=1e-5)
        np.testing.assert_allclose(x - (x @ change.axis) * change.axis, y - (y @ change.axis) * change.axis, atol=1e-5)
        length = (np.linalg.norm(tiny.vector(a)) + np.linalg.norm(tiny.vector(b))) / 2
        assert np.linalg.norm(x) == pytest.approx(length, abs=1e-5) == np.linalg.norm(y)
        neutral = rows[tiny.ids["bank"]]
        assert neutral @ x == pytest.approx(neutral @ y, abs=1e-4)  # Bolukbasi et al.'s criterion


def pair_rows(model):
    """The vectors (2n, d) of the words of the pairs, and whether each is on the second side."""
    words = [model.matrix[model.ids[word]] for word in FIRST + SECOND]
    return np.array(words, np.float64), np.arange(len(words)) >= len(FIRST)


def test_after_leace_both_sides_of_the_pairs_have_the_same_mean_and_no_linear_classifier_beats_a_constant(tiny):
    change, rows = everything("LEACE", tiny)
    x, second = pair_rows(tiny)
    ids = [tiny.ids[word] for word in FIRST + SECOND]
    left = rows[ids].astype(np.float64)
    np.testing.assert_allclose(left[second].mean(0), left[~second].mean(0), atol=1e-6)
    for vectors, beats in ((x, True), (left, False)):
        found = LogisticRegression(C=1e3, max_iter=10_000).fit(vectors, second)
        assert (log_loss(second, found.predict_proba(vectors)) < np.log(2) - 1e-3) == beats
    assert not np.allclose(rows[tiny.ids["bank"]], tiny.vector("bank"), atol=1e-4)  # a word of no pair changes too
    np.testing.assert_array_equal(rows[~tiny.rankable], tiny.matrix[~tiny.rankable])
    np.testing.assert_array_equal(change.axis, everything("project away", tiny)[0].axis)


def test_leace_is_the_formula_of_the_article_on_every_word(tiny):
    x, second = pair_rows(tiny)
    centred, z = x - x.mean(0), second - second.mean()
    root = np.real(sqrtm(centred.T @ centred / len(x)))
    whitening = pinv(root, rtol=1e-5)
    along = whitening @ (centred.T @ z / len(x))[:, None]
    back = pinv(whitening, rtol=1e-5) @ along @ pinv(along) @ whitening
    expected = tiny.matrix - (tiny.matrix - x.mean(0)) @ back.T
    rows = everything("LEACE", tiny)[1]
    np.testing.assert_allclose(rows[tiny.rankable], expected[tiny.rankable], atol=1e-4)


def test_inlp_removes_the_weights_of_one_classifier_after_the_other_from_every_word(tiny, monkeypatch):
    monkeypatch.setattr(mitigated, "ROUNDS", 2)
    x, second = pair_rows(tiny)
    basis = []
    for _ in range(2):
        inside = null_space(np.array(basis)) if basis else np.eye(x.shape[1])
        basis.append(classifier((x - x.mean(0)) @ inside @ inside.T, second)[1])
    inside = null_space(np.array(basis))
    rows = everything("INLP", tiny)[1]
    expected = x.mean(0) + (tiny.matrix - x.mean(0)) @ inside @ inside.T
    np.testing.assert_allclose(rows[tiny.rankable], expected[tiny.rankable], atol=1e-5)


def test_the_control_of_inlp_removes_the_same_number_of_meaningless_directions(tiny, monkeypatch):
    monkeypatch.setattr(mitigated, "ROUNDS", 3)
    erased, control = (everything(method, tiny)[0] for method in ("INLP", "random directions"))
    assert erased.axes.shape == control.axes.shape == (3, len(tiny.matrix[0]))
    np.testing.assert_allclose(control.axes @ control.axes.T, np.eye(3), atol=1e-6)
    np.testing.assert_array_equal(control.axis, control.axes[0])
    assert np.linalg.norm(control.axes @ erased.axes.T) < np.sqrt(3) - 0.1


def test_one_pair_is_enough_for_every_method(tiny):
    for method in METHODS:
        change = mitigate(("he",), ("she",), tiny, method=method)
        rows = change.embed(np.array([tiny.ids["he"], tiny.ids["she"]]), tiny)
        assert np.isfinite(rows).all() and len(change.axes) <= 1
        if method in ("average", "project away", "LEACE", "INLP"):
            np.testing.assert_allclose(rows[0], rows[1], atol=1e-5)


def test_random_directions_depend_on_the_seed(tiny):
    one, again, other = (mitigate(FIRST, SECOND, tiny, method="random direction", seed=s).axis for s in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert abs(one @ other) < 0.9


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ((), (), "the same number of words, at least one"),
        (("he",), ("she", "woman"), "1 and 2"),
        (("he", "he"), ("she", "woman"), "'he' occurs in two pairs"),
        (("king", "he"), ("he", "woman"), "'he' occurs in two pairs"),
        (("man", "he"), ("Man", "she"), "Both words of a pair are 'man'"),
        (("unable",), ("she",), "not a single token"),
        (("he",) * 61, ("she",) * 61, "61 pairs, but at most 60"),
    ],
)
def test_bad_pairs_say_what_to_do(first, second, message, tiny):
    with pytest.raises(ValueError, match=message):
        mitigate(first, second, tiny, method="average")
