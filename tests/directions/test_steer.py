"""A direction that is added, next to random directions of the same length."""

import numpy as np
import pandas as pd
import pytest

from embtools.directions.effects import MASK, ONE_WORD
from embtools.directions.fluency import fluency
from embtools.directions.groups import WHOLE, group_states
from embtools.directions.steering import STRENGTHS, answer_lists, effort, shuffled_axes, steer
from embtools.spaces.two_groups import direction
from tests.directions.lists import BAD, FIRST_SENTENCES, GOOD, SECOND_SENTENCES
from tests.directions.test_effects import hooked_logits

pytestmark = pytest.mark.usefixtures("short_fixed_text")
TEXTS = ("The king is [MASK] unable.", "Your idea is [MASK].")
ASKED = {
    "first": BAD,
    "second": GOOD,
    "first_answers": ("bad", "wrong"),
    "second_answers": ("good", "great"),
    "layer": 2,
}


@pytest.fixture(scope="module")
def found(bundled):
    return steer(TEXTS, bundled, **ASKED, draws=19)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["all tokens", MASK, ONE_WORD])
def test_odds_are_those_of_a_network_with_a_hook(bundled, where):
    words = ("queen", "king") if where == ONE_WORD else ()
    result = steer(TEXTS[:1], bundled, **ASKED, where=where, words=words, draws=1)
    read = group_states(BAD, GOOD, bundled)
    x, second = read.states[2], read.second
    added = x[second].mean(0) - x[~second].mean(0)  # of a difference of means, the distance is its length
    assert result.length == pytest.approx(np.linalg.norm(added), rel=1e-5)
    ids = [[bundled.ids[word] for word in ASKED[f"{which}_answers"]] for which in ("first", "second")]

    def odds(strength):
        shares = np.exp(hooked_logits(bundled, 2, strength * added, where, [2]).astype(float))
        return np.log(shares[ids[1]].sum() / shares[ids[0]].sum())

    for strength in (-1.0, 2.5):
        assert result.at(strength)["change"] == pytest.approx(odds(strength) - odds(0.0), abs=2e-3)
    np.testing.assert_allclose(result.length * direction(x, second), added, rtol=1e-4, atol=1e-5)
    place = "one word (“queen, king”)" if where == ONE_WORD else where
    assert result.headline.startswith(f"Added to {place} after layer 2, the direction")


def test_nothing_added_changes_nothing(found):
    columns = ["change", "random", "random_lowest", "random_highest", "cost", "random_cost"]
    np.testing.assert_allclose(found.at(0.0)[columns].astype(float), 0, atol=1e-6)
    assert found.strengths["strength"].tolist() == list(STRENGTHS)


def test_the_mean_over_sentences_is_compared_with_random_directions(found):
    each = found.sentences.pivot(index="strength", columns="sentence", values="change")
    np.testing.assert_allclose(found.strengths["change"], each.mean(axis=1), atol=1e-9)
    row = found.at(1.0)
    assert np.isnan(row["low"]) and np.isnan(row["high"])  # two sentences have no interval
    assert (row["random_lowest"], row["random_highest"]) == (min(found.random), max(found.random))
    assert row["random"] == pytest.approx(np.mean(found.random)) and len(found.random) == 19
    reached = sum(abs(value) >= row["change"] for value in found.random)
    assert found.p == (1 + reached) / 20 and row["change"] > 0


@pytest.mark.slow
def test_a_direction_between_sentences_is_added(bundled):
    groups = {"first": FIRST_SENTENCES, "second": SECOND_SENTENCES}
    arguments = {"first_answers": ["is"], "second_answers": ["was"], "layer": 2, "template": WHOLE, "draws": 1}
    found = steer(["The shop [MASK] closed."], bundled, **groups, **arguments)
    x = [
        np.mean([bundled.hidden_states(text)[2, 1:-1].mean(axis=0) for text in group], axis=0)
        for group in groups.values()
    ]
    assert found.length == pytest.approx(np.linalg.norm(x[1] - x[0]), rel=1e-4)
    assert found.names == ("“She walks to school with her …”", "“We watched a film about eleph …”")


@pytest.mark.slow
def test_the_fluency_is_that_of_the_direction_and_of_the_first_random_ones(bundled, found):
    read = group_states(BAD, GOOD, bundled)
    axis = direction(read.states[2], read.second)
    others = shuffled_axes(read.states[2], read.second, 19)[:3]
    alone = fluency(bundled, axes=np.array([axis, *others]) * found.length, strengths=STRENGTHS, layer=2)
    pd.testing.assert_frame_equal(found.fluency.curve, alone.curve)
    pd.testing.assert_frame_equal(found.fluency.breaks, alone.breaks)
    assert found.fluency.finding == alone.finding and found.fluency.curve["fluency"].min() < -0.2


def test_the_control_lies_where_the_words_differ():
    """Directions between shuffled groups stay in the plane of the vectors; equal means are shuffled again."""
    random = np.random.default_rng(0)
    vectors = np.c_[random.standard_normal((20, 2)), np.zeros((20, 8))]
    axes = shuffled_axes(vectors, np.arange(20) >= 10, 30)
    np.testing.assert_allclose(axes[:, 2:], 0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1)
    square = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    assert len(shuffled_axes(square, np.array([False, True, True, False]), 20)) == 20
    with pytest.raises(ValueError, match="always have the same mean"):
        shuffled_axes(np.zeros((4, 2)), np.array([False, True, True, False]), 2)


def test_answers_are_tokens_each_once(bundled):
    assert answer_lists(["good", "Good", "nice"], bundled, second_answers=["bad"]) == (
        [bundled.ids["good"], bundled.ids["nice"]],
        [bundled.ids["bad"]],
    )


def test_more_directions_take_longer(bundled):
    assert effort(TEXTS, bundled, draws=100) > effort(TEXTS, bundled) > effort(TEXTS, bundled, layer=5) > 0
    assert effort(TEXTS, bundled, draws=3) > 1.4 * effort(TEXTS, bundled, draws=1)  # also in the fixed text
    assert effort(TEXTS, bundled, layer=6) == effort(TEXTS, bundled, layer=5)


@pytest.mark.parametrize(
    ("texts", "changed", "message"),
    [
        (TEXTS, {"layer": 9}, "no layer 9"),
        (("Rome.",), {}, "MASK"),
        ((), {}, "sentences"),
        (TEXTS, {"second_answers": ("good", "Bad")}, "'Bad' is in both lists"),
        (TEXTS, {"first_answers": ()}, "The list of first answers is empty"),
        (TEXTS, {"second_answers": ("good",) * 21}, "There are 21 second answers; at most 20"),
        (TEXTS, {"draws": 0}, "shuffles"),
        (TEXTS, {"where": ONE_WORD}, "list of words is empty"),
        (TEXTS, {"where": ONE_WORD, "words": ("king",)}, "Your idea is .* contains none of these words: king"),
    ],
)
def test_wrong_arguments_are_refused(bundled, texts, changed, message):
    with pytest.raises(ValueError, match=message):
        steer(texts, bundled, **(ASKED | changed))
