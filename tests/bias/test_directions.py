"""Directions, projections and set measures against scikit-learn, WEFE and the published formulas."""

import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression

from embtools.bias import directions

FIRST, SECOND = ("he", "man", "king"), ("she", "woman", "queen")


def vectors(words, model):
    return np.stack([model.vector(w) for w in words]).astype(float)


def test_difference_is_between_the_means(tiny):
    axis = directions.direction(FIRST, SECOND, tiny)
    expected = vectors(SECOND, tiny).mean(0) - vectors(FIRST, tiny).mean(0)
    np.testing.assert_allclose(axis, expected / np.linalg.norm(expected), atol=1e-6)


def test_pca_is_scikit_learns_on_centred_pairs(tiny):
    a, b = vectors(FIRST, tiny), vectors(SECOND, tiny)
    middle = (a + b) / 2
    pca = PCA().fit(np.concatenate([a - middle, b - middle]))
    axis = directions.direction(FIRST, SECOND, tiny, how="pca")
    assert abs(pca.components_[0] @ axis) == pytest.approx(1, abs=1e-5)
    assert ((b - a) @ axis).mean() > 0
    shares = directions.explained(FIRST, SECOND, tiny)
    np.testing.assert_allclose(shares["share"], pca.explained_variance_ratio_[:3], atol=1e-6)
    assert shares["random"].sum() == pytest.approx(1)


def test_projections_are_cosine_and_inner_product(tiny):
    axis = directions.direction(("he",), ("she",), tiny)
    found = directions.projections(("king", "bank"), tiny, axis=axis)
    for row, vector in zip(found.itertuples(), vectors(("king", "bank"), tiny), strict=True):
        assert row.dot_product == pytest.approx(vector @ axis, abs=1e-6)
        assert row.cosine == pytest.approx(vector @ axis / np.linalg.norm(vector), abs=1e-6)
    gap = directions.projections(("she", "he"), tiny, axis=axis)["dot_product"]
    assert gap[0] - gap[1] == pytest.approx(np.linalg.norm(tiny.vector("she") - tiny.vector("he")), abs=1e-5)


def test_indirect_bias_is_bolukbasis_formula(tiny):
    axis = directions.direction(("he",), ("she",), tiny)
    found = directions.indirect_bias(("king", "bank"), tiny, reference="rome", axis=axis)
    for row, w in zip(found.itertuples(), vectors(("king", "bank"), tiny), strict=True):
        w, v = w / np.linalg.norm(w), vectors(("rome",), tiny)[0] / np.linalg.norm(tiny.vector("rome"))
        w_rest, v_rest = w - (w @ axis) * axis, v - (v @ axis) * axis
        beta = (w @ v - w_rest @ v_rest / (np.linalg.norm(w_rest) * np.linalg.norm(v_rest))) / (w @ v)
        assert row.beta == pytest.approx(beta, abs=1e-4)


def test_set_measures_are_wefes():
    rng = np.random.default_rng(7)
    sets = [rng.standard_normal((n, 8)).astype(np.float32) for n in (5, 6, 4, 4)]
    found = directions.set_measures(*sets)
    # RND and ECT with normalize=True on the first attribute set, MAC on both: WEFE 1.0.1 on these vectors.
    assert found["RND"] == pytest.approx(-0.06389738619327545, abs=1e-6)
    assert found["ECT"] == pytest.approx(0.4)
    assert found["MAC"] == pytest.approx(0.9166662924609166, abs=1e-6)
    x, y, a, b = (s / np.linalg.norm(s, axis=1, keepdims=True) for s in sets)
    axis = (y.mean(0) - x.mean(0)) / np.linalg.norm(y.mean(0) - x.mean(0))
    towards_x = sets[0].mean(0) - sets[1].mean(0)
    assert found["RIPA"] == pytest.approx(np.mean(sets[2] @ towards_x) / np.linalg.norm(towards_x), abs=1e-6)
    assert found["direct bias"] == pytest.approx(np.mean([abs(v @ axis) for v in (*a, *b)]), abs=1e-6)
    attributes, sides = np.concatenate([a, b]), [0] * len(a) + [1] * len(b)
    classifier = LogisticRegression(solver="liblinear").fit(attributes, sides)
    chances = np.array([classifier.predict_proba(v[None])[0, 1] for v in (*x, *y)])
    equal = np.full(len(chances), 1 / len(chances))
    assert found["RNSB"] == pytest.approx(entropy(chances / chances.sum(), equal), abs=1e-6)
    assert found["RNSB"] > 1e-4


def test_identical_groups_reach_the_neutral_values():
    rng = np.random.default_rng(2)
    x, a, b = (rng.standard_normal((6, 8)) for _ in range(3))
    found = directions.set_measures(x, x + 1e-9 * rng.standard_normal(x.shape), a, b)
    assert found["RND"] == pytest.approx(0, abs=1e-6) and found["ECT"] == pytest.approx(1)


def test_every_measure_says_what_it_means(tiny):
    found = directions.other_measures(FIRST, SECOND, ("red", "green"), ("rome", "paris"), tiny)
    assert len(found) == 6 and found["meaning"].str.len().min() > 20 and found["value"].notna().all()


@pytest.mark.parametrize(
    ("first", "second", "how", "message"),
    [
        ((), ("she",), "difference", "both groups"),
        (("he", "man"), ("she",), "pca", "2 and 1"),
        (("he",), ("he",), "difference", "no direction"),
        (("unable",), ("she",), "difference", "not a single token"),
        (("he",), ("he",), "pca", "no direction"),
        (("he",), ("she",), "x", "no method 'x' to find a direction. Choose one of difference, pca"),
        (("he",) * 61, ("she",), "difference", "61 words, but at most 60"),
    ],
)
def test_bad_groups_say_what_to_do(first, second, how, message, tiny):
    with pytest.raises(ValueError, match=message):
        directions.direction(first, second, tiny, how=how)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (("he",), ("he",), "no direction"),
        (("he", "king"), ("he", "king"), "no direction"),
        ((), (), "both groups"),
        (("he", "king"), ("she",), "2 and 1"),
        (("he",) * 61, ("she",) * 61, "61 words, but at most 60"),
        (("he",) * 15, ("she",) * 15, "words to draw pairs from. Use at most 1"),
    ],
)
def test_bad_pairs_are_refused(first, second, message, tiny):
    with pytest.raises(ValueError, match=message):
        directions.explained(first, second, tiny)


@pytest.mark.parametrize(("words", "message"), [((), "0 words"), (("king",) * 1_001, "use 1 to 1,000")])
def test_words_to_measure_are_limited(words, message, tiny):
    axis = directions.direction(("he",), ("she",), tiny)
    with pytest.raises(ValueError, match=message):
        directions.projections(words, tiny, axis=axis)
    with pytest.raises(ValueError, match=message):
        directions.indirect_bias(words, tiny, reference="rome", axis=axis)


def wefe(words, x, y):
    """RIPA as WEFE 1.0 averages it: over attribute words and pairs in order, x - y at length one."""
    return np.mean([w @ (a - b) / np.linalg.norm(a - b) for w in words for a, b in zip(x, y, strict=True)])


def test_ripa_of_one_pair_equals_the_article_and_wefe():
    rng = np.random.default_rng(0)
    words, x, y = (rng.normal(size=(n, 8)) for n in (5, 1, 1))
    b = (x[0] - y[0]) / np.linalg.norm(x[0] - y[0])
    found = directions.ripa(words, x, y)
    np.testing.assert_allclose(found, [w @ b for w in words])
    assert found.mean() == pytest.approx(wefe(words, x, y))
    assert directions.ripa(x, x, y)[0] > directions.ripa(y, x, y)[0]


def test_ripa_is_above_zero_near_the_first_group_and_changes_sign_with_the_groups():
    x, y = np.array([[1.0, 0.2], [1.2, -0.1]]), np.array([[-1.0, 0.0], [-0.8, 0.3], [-1.3, 0.1]])
    near_x, near_y = np.array([[3.0, 1.0]]), np.array([[-2.0, 1.0]])
    assert directions.ripa(near_x, x, y)[0] > 0 > directions.ripa(near_y, x, y)[0]
    np.testing.assert_allclose(directions.ripa(near_x, y, x), -directions.ripa(near_x, x, y))
    np.testing.assert_allclose(directions.ripa(2 * near_x, x, y), 2 * directions.ripa(near_x, x, y))  # its own length


def test_ripa_of_several_pairs_equals_wefe_only_if_all_differences_are_equal():
    rng = np.random.default_rng(1)
    words, y = rng.normal(size=(4, 6)), rng.normal(size=(3, 6))
    shifted = y + rng.normal(size=6)
    assert directions.ripa(words, shifted, y).mean() == pytest.approx(wefe(words, shifted, y))
    other = y + rng.normal(size=(3, 6))
    assert directions.ripa(words, other, y).mean() != pytest.approx(wefe(words, other, y))


def test_ripa_of_groups_with_the_same_mean_is_zero():
    same = np.ones((2, 4))
    assert directions.ripa(same, same, same).tolist() == [0, 0]


def test_the_table_says_which_sign_means_what(bundled):
    sets = (("he", "man"), ("she", "woman"), ("king", "father"), ("queen", "mother"))
    table = directions.other_measures(*sets, bundled).set_index("measure")
    assert table.loc["RIPA", "value"] > 0 and "Above 0: closer to X." in table.loc["RIPA", "meaning"]
    assert table.loc["RND", "value"] < 0 and "Below 0: closer to X." in table.loc["RND", "meaning"]
