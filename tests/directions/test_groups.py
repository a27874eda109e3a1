"""Two groups of words: their states, the directions between them, and scores on held-out words."""

import numpy as np
import pytest
from scipy.optimize import minimize

from embtools.directions.groups import (
    DIFFERENCE,
    LOGISTIC,
    classifier,
    direction,
    folds,
    group_states,
    held_out_scores,
    random_axes,
    scores,
    weights,
)
from tests.directions.lists import BAD, GOOD


def cloud(n=30, d=4):
    random = np.random.default_rng(0)
    second = np.arange(n) % 3 > 0
    return random.standard_normal((n, d)) + second[:, None], second


def test_every_word_is_read_in_the_sentence(bundled):
    read = group_states(BAD, GOOD, bundled, template="It is {word} here.")
    assert read.words == (*BAD, *GOOD) and read.second.tolist() == [False] * len(BAD) + [True] * len(GOOD)
    assert read.names == ("“bad, terrible …”", "“good, great …”")
    states = bundled.hidden_states("It is worthless here.")
    at = bundled.tokenize("It is worthless here.")["token"].tolist().index("worthless")
    np.testing.assert_allclose(read.states[:, BAD.index("worthless")], states[:, at], atol=1e-5)


def test_a_word_of_several_tokens_is_their_mean(bundled):
    groups = ("unbelievableness", *BAD), GOOD
    count = len(bundled.pieces("unbelievableness"))
    states = bundled.hidden_states("This is unbelievableness.")
    expected = states[:, 3 : 3 + count].mean(axis=1)
    assert count > 1
    np.testing.assert_allclose(group_states(*groups, bundled).states[:, 0], expected, atol=1e-5)


def test_the_direction_leads_from_the_first_group_to_the_second():
    x, second = cloud()
    difference = x[second].mean(0) - x[~second].mean(0)
    np.testing.assert_allclose(direction(x, second, method=DIFFERENCE), difference / np.linalg.norm(difference))
    np.testing.assert_allclose(np.linalg.norm(direction(x, second, method=LOGISTIC)), 1)
    np.testing.assert_allclose(direction(x, ~second), -direction(x, second))


def test_logistic_regression_minimises_its_loss():
    x, second = cloud()
    centre, found, intercept = classifier(x, second)
    scale = np.sqrt(((x - x.mean(0)) ** 2).sum(axis=1).mean())
    z, sign = (x - x.mean(0)) / scale, np.where(second, 1, -1)

    def loss(w):  # scikit-learn's: C = 10, intercept not penalised
        return 10 * np.logaddexp(0, -sign * (z @ w[:-1] + w[-1])).sum() + w[:-1] @ w[:-1] / 2

    best = minimize(loss, np.zeros(5), tol=1e-10).x
    np.testing.assert_allclose(centre, x.mean(0))
    np.testing.assert_allclose(found * scale, best[:-1], atol=1e-3)
    np.testing.assert_allclose(intercept, best[-1], atol=1e-3)
    np.testing.assert_allclose(weights(x, second), found)


def test_the_means_of_the_groups_have_the_scores_minus_one_and_one():
    x, second = cloud()
    axis = direction(x, second)
    means = np.array(
        [x[~second].mean(0), x[second].mean(0), x.mean(0) * 0 + (x[~second].mean(0) + x[second].mean(0)) / 2]
    )
    np.testing.assert_allclose(scores(means, axis, of=x, second=second), [-1, 1, 0], atol=1e-9)
    across = np.linalg.svd(np.stack([axis, x[0] * 0]))[2][-1]  # orthogonal to the difference of the means
    assert not scores(means, across, of=x, second=second).any()


@pytest.mark.parametrize("method", [DIFFERENCE, LOGISTIC])
def test_no_word_has_a_part_in_the_direction_that_it_is_scored_on(method):
    x, second = cloud()
    splits = folds(second, seed=3)
    assert sorted(np.concatenate([rest for _, rest in splits])) == list(range(30))
    found = held_out_scores(x, second, splits, method=method)
    learn, rest = splits[2]
    changed = x.copy()
    changed[rest] += 100 * second[rest, None]
    again = held_out_scores(changed, second, splits, method=method)
    axis = direction(x[learn], second[learn], method=method)
    np.testing.assert_allclose(found[rest], scores(x[rest], axis, of=x[learn], second=second[learn]))
    np.testing.assert_allclose(again[rest], scores(changed[rest], axis, of=x[learn], second=second[learn]))


def test_random_axes_have_length_one():
    axes = random_axes(5, 7, np.random.default_rng(0))
    np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1)
    assert axes.shape == (5, 7)


@pytest.mark.parametrize(
    ("first", "second", "template", "message"),
    [
        (BAD[:4], GOOD, "This is {word}.", "first group has 4 words"),
        (BAD, GOOD[:9], "This is {word}.", "second group has 9 words"),
        (BAD, (*GOOD, "bad"), "This is {word}.", "listed twice"),
        (BAD, GOOD, "This is it.", "{word}"),
        (BAD, (*GOOD, "\U0001f600"), "This is {word}.", "cannot be read"),
    ],
)
def test_wrong_groups_are_refused(bundled, first, second, template, message):
    with pytest.raises(ValueError, match=message):
        group_states(first, second, bundled, template=template)


def test_groups_without_a_difference_have_no_direction():
    x = np.ones((6, 3))
    with pytest.raises(ValueError, match="same mean"):
        direction(x, np.arange(6) > 2)
    with pytest.raises(ValueError, match="empty"):
        direction(x, np.ones(6, bool))
    with pytest.raises(ValueError, match="no method"):
        direction(cloud()[0], cloud()[1], method="magic")
