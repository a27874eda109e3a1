"""Residual bias: Gonen & Goldberg's test on spaces with a known result, and on the bundled model."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from embtools.bias import residual
from embtools.bias.mitigated import METHODS

PAIRS = (("pa", "pb", "pc"), ("qa", "qb", "qc"))


def space(second_trace: float):
    """3,000 words in 40 dimensions; the pairs differ in dimension 0, on which 20 others depend by `second_trace`."""
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((3_000, 40)).astype(np.float32)
    matrix[:, 1:21] += second_trace * matrix[:, :1]
    matrix[:6] = rng.standard_normal((6, 40)) * 0.01
    matrix[:3, 0], matrix[3:6, 0] = -4, 4
    letters = "abcdefghijklmnop"
    words = [*PAIRS[0], *PAIRS[1], *("w" + "".join(letters[(i >> s) % 16] for s in (0, 4, 8)) for i in range(6, 3_000))]
    return SimpleNamespace(
        matrix=matrix,
        vocabulary=tuple(words),
        ids={w: i for i, w in enumerate(words)},
        inverse_norms=1 / np.linalg.norm(matrix, axis=1),
        rankable=np.ones(3_000, bool),
        whole_words=np.ones(3_000, bool),
        tied=True,
        token_id={w: i for i, w in enumerate(words)}.__getitem__,
    )


def test_no_bias_remains_if_only_one_direction_differs():
    found = residual.residual_bias(*PAIRS, space(0.0), per_side=150).set_index("method")
    assert found.loc["none", "accuracy"] > 0.97
    assert found.loc["project away", "low"] < 0.56
    assert 0.4 < found.loc["project away", "clusters"] < 0.6


def test_bias_remains_if_other_dimensions_depend_on_the_direction():
    found = residual.residual_bias(*PAIRS, space(0.6), per_side=150).set_index("method")
    assert found.loc["project away", "accuracy"] > 0.95
    assert found.loc["project away", "clusters"] > 0.9


def test_a_model_with_an_untied_output_gives_the_same_result():
    tied, untied = space(0.6), space(0.6)
    untied.tied = False
    pd.testing.assert_frame_equal(
        residual.residual_bias(*PAIRS, untied, per_side=20), residual.residual_bias(*PAIRS, tied, per_side=20)
    )
    assert len(residual.residual_map(*PAIRS, untied, method="project away", per_side=20)) == 40


def test_shuffled_sides_are_at_chance():
    found = residual.residual_bias(*PAIRS, space(0.6), per_side=150)
    assert found["shuffled"].between(0.38, 0.62).all()
    assert list(found["method"]) == list(METHODS)


def test_biased_words_are_the_extremes_without_the_pairs():
    from embtools.bias.mitigated import mitigate

    model = space(0.3)
    change = mitigate(*PAIRS, model, method="project away")
    ids, sides = residual.leaning_words(change, model, per_side=50, taken=range(6))
    cosines = model.matrix[6:] @ change.axis / np.linalg.norm(model.matrix[6:], axis=1)
    order = 6 + np.argsort(cosines)
    assert set(ids[sides == 0]) == set(order[:50]) and set(ids[sides == 1]) == set(order[-50:])


def test_accuracy_is_scikit_learns_cross_validation(bundled):
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.svm import SVC

    from embtools.bias.mitigated import mitigate, pair_ids
    from embtools.vectors import unit

    first, second = ("he", "man", "boy"), ("she", "woman", "girl")
    found = residual.residual_bias(first, second, bundled, per_side=40).set_index("method").loc["project away"]
    change = mitigate(first, second, bundled, method="project away")
    ids, sides = residual.leaning_words(change, bundled, per_side=40, taken=pair_ids(first, second, bundled).ravel())
    scores = cross_val_score(
        SVC(), unit(change.embed(ids, bundled)), sides, cv=StratifiedKFold(5, shuffle=True, random_state=0)
    )
    assert found["accuracy"] == pytest.approx(scores.mean())
    points = residual.residual_map(first, second, bundled, method="project away", per_side=40)
    assert [bundled.ids[w] for w in points["word"]] == list(ids) and list(points["side"]) == list(sides)


def test_the_pairs_themselves_show_what_each_method_guarantees():
    found = residual.residual_bias(*PAIRS, space(0.6), per_side=20).set_index("method")["loss_fitted"]
    assert found["none"] < 0.2 and found["random direction"] < 0.2
    assert found["LEACE"] == pytest.approx(1, abs=1e-6) and found["average"] == pytest.approx(1, abs=1e-6)
    assert found.max() <= 1 + 1e-6


def test_the_loss_on_the_pairs_is_that_of_a_logistic_regression(bundled):
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss

    from embtools.bias.mitigated import mitigate, pair_ids

    first, second = ("he", "man", "boy", "king"), ("she", "woman", "girl", "queen")
    found = residual.residual_bias(first, second, bundled, per_side=20).set_index("method")["loss_fitted"]
    sides = np.arange(8) >= 4
    for method in ("none", "project away", "equalise", "LEACE"):
        change = mitigate(first, second, bundled, method=method, scope="input")
        vectors = change.embed(pair_ids(first, second, bundled).ravel(), bundled).astype(float)
        vectors -= vectors.mean(0)
        vectors /= np.sqrt((vectors**2).sum(axis=1).mean())
        shares = LogisticRegression(C=10, tol=1e-8, max_iter=5_000).fit(vectors, sides).predict_proba(vectors)
        assert found[method] == pytest.approx(log_loss(sides, shares) / np.log(2), abs=1e-4), method
    assert found["none"] < found["project away"] < found["LEACE"] == pytest.approx(1)
    assert found["INLP"] == pytest.approx(1)  # more rounds than there are directions between eight words


@pytest.mark.parametrize("per_side", [19, 501])
def test_a_number_of_words_out_of_range_is_refused(per_side):
    with pytest.raises(ValueError, match="choose 20 to 500"):
        residual.residual_bias(*PAIRS, space(0.0), per_side=per_side)


def test_no_word_is_on_both_sides():
    from embtools.bias.mitigated import mitigate

    model = space(0.3)
    model.whole_words[106:] = False  # the pairs and 100 others
    change = mitigate(*PAIRS, model, method="project away")
    ids, _ = residual.leaning_words(change, model, per_side=50, taken=range(6))
    assert len(set(ids.tolist())) == 100
    with pytest.raises(
        ValueError, match="only 100 usable words, but 51 per side would need 102. Choose at most 50 per side"
    ):
        residual.leaning_words(change, model, per_side=51, taken=range(6))
    with pytest.raises(ValueError, match="at most 50 per side"):
        residual.residual_map(*PAIRS, model, method="average", per_side=51)


def test_the_effort_grows_with_the_square_of_the_words(tiny, bundled):
    assert residual.effort(100, tiny) == pytest.approx(residual.effort(50, tiny) * 4)
    assert residual.effort(200, bundled) == pytest.approx(16 * 0.15)
