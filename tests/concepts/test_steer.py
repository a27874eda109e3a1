"""A direction that is added, against hooks in a separate copy of the network and random directions; and its sentences."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.special import log_softmax

from embtools import wordlists
from embtools.charts import concepts as charts
from embtools.concepts.effects import (
    EVERYWHERE,
    MASK,
    ONE_WORD,
    costs,
    log_sums,
    masks_after,
    other_sentences,
    same,
    word_positions,
)
from embtools.concepts.fluency import BREAK, fluency
from embtools.concepts.groups import WHOLE, group_states
from embtools.concepts.steering import STRENGTHS, answer_lists, effort, shuffled_axes, steer
from embtools.spaces.two_groups import direction
from embtools.statistics.decimals import signed
from tests.concepts.lists import BAD, FIRST_SENTENCES, GOOD, SECOND_SENTENCES
from tests.hooked import logits_after

KING = "The king is [MASK] unable."


def hooked_logits(model, layer, vector, where, positions=()):
    """The logits at the mask if a hook adds a vector to the states after a layer; with ONE_WORD, at these positions."""
    ids = model.tokenize(KING)["id"].tolist()
    mask = ids.index(model.mask_id)
    places = list({MASK: [mask], EVERYWHERE: range(1, len(ids) - 1), ONE_WORD: positions}[where])

    def add(states):
        states[:, places] += torch.tensor(vector)
        return states

    return logits_after(model, ids, layer=layer, change=add)[mask]


@pytest.mark.parametrize(
    ("name", "where", "layer"),
    [("tiny", EVERYWHERE, 0), ("tiny", MASK, 2), ("tiny_distil", EVERYWHERE, 1), ("bundled", MASK, 1)],
)
def test_the_answers_are_those_of_a_network_with_a_hook(name, where, layer, request):
    model = request.getfixturevalue(name)
    vector = np.random.default_rng(layer).standard_normal(model.dimensions).astype(np.float32)
    changes = [same, lambda states: states + vector]
    (found,) = masks_after([KING.replace("[MASK]", "___")], model, changes=changes, layer=layer, where=where)
    expected = [hooked_logits(model, layer, each * vector, where) for each in (0, 1)]
    np.testing.assert_allclose(model.logits(found), expected, atol=1e-3)
    assert not np.allclose(expected[0], expected[1], atol=0.05)


@pytest.mark.parametrize(
    ("name", "word", "positions"),
    [
        ("tiny", "unable", [5, 6]),
        ("tiny", "[CLS]", [0]),
        ("tiny_distil", "unable", [5, 6]),
        ("bundled", "king", [2]),
    ],
)
def test_only_one_word_is_changed_as_in_a_network_with_a_hook(name, word, positions, request):
    model = request.getfixturevalue(name)
    vector = 3 * np.random.default_rng(0).standard_normal(model.dimensions).astype(np.float32)
    arguments = {"changes": [lambda states: states + vector], "layer": 1}
    (found,) = masks_after([KING], model, where=ONE_WORD, words=["queen", word], **arguments)
    expected = hooked_logits(model, 1, vector, ONE_WORD, positions)
    np.testing.assert_allclose(model.logits(found)[0], expected, atol=1e-3)
    (everywhere,) = masks_after([KING], model, **arguments)
    assert not np.allclose(everywhere, found, atol=0.01)


def test_the_word_that_comes_first_is_found_with_all_its_tokens(tiny):
    text = "The king is unable, and the king is red."
    assert word_positions(text, tiny, words=["red", "king"]) == [2]
    assert word_positions(text, tiny, words=["unable", "red"]) == [4, 5]
    assert word_positions(text, tiny, words=["[SEP]", "Red", "and"]) == [11]
    for words, message in (
        ((), "list of words is empty"),
        (("queen", " "), "contains none of these words: queen"),
        (("queen",) * 31, "30"),
        (tuple(f"word{n}" for n in range(6)), "word4 …. Add one of its words"),
    ):
        with pytest.raises(ValueError, match=message):
            word_positions(text, tiny, words=words)


def test_costs_are_changes_of_the_log_probability_of_all_acceptable_answers(bundled):
    sentences = other_sentences(bundled, most=3)
    table = wordlists.load("neutral_sentences").set_index("sentence")["answer"]
    vector = np.random.default_rng(0).standard_normal(bundled.dimensions)
    found = costs(sentences, bundled, changes=[same, lambda states: states + vector], layer=2)
    assert not found[:, 0].any() and found.shape == (3, 2)
    for (sentence, ids), row in zip(sentences, found, strict=True):
        assert [bundled.vocabulary[i] for i in ids] == [w for w in table[sentence].split("|") if w in bundled.ids]
        (states,) = masks_after([sentence], bundled, changes=[same, lambda s: s + vector], layer=2)
        shares = np.exp(log_softmax(bundled.logits(states).astype(float), axis=1))[:, list(ids)].sum(axis=1)
        np.testing.assert_allclose(row[1], np.log(shares[1] / shares[0]), atol=1e-6)


def test_a_model_without_the_answers_has_no_costs(tiny_cased):
    with pytest.raises(ValueError, match="none of the answers"):
        other_sentences(tiny_cased)


@pytest.mark.parametrize(
    ("texts", "changed", "message"),
    [
        ([KING], {"layer": 9}, "no layer 9"),
        ([KING], {"where": "nowhere"}, "cannot be changed"),
        (["The king."], {}, "MASK"),
        ([], {}, "sentences"),
        ([KING], {"changes": []}, "changes"),
    ],
)
def test_what_cannot_be_changed_is_refused(tiny, texts, changed, message):
    with pytest.raises(ValueError, match=message):
        list(masks_after(texts, tiny, **({"changes": [same], "layer": 1} | changed)))


pytestmark = pytest.mark.usefixtures("short_fixed_text")
TEXTS = ("The king is [MASK] unable.", "Your idea is [MASK].")
ANSWERS = {"first_answers": ("bad", "wrong"), "second_answers": ("good", "great")}
ASKED = {"first": BAD, "second": GOOD, **ANSWERS, "layer": 2}


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


def test_answers_are_tokens_each_once_and_their_probabilities_are_summed(bundled):
    good, nice, bad = (bundled.ids[word] for word in ("good", "nice", "bad"))
    assert answer_lists(["good", "Good", "nice"], bundled, second_answers=["bad"]) == ([good, nice], [bad])
    logits = np.log([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]])
    np.testing.assert_allclose(log_sums(logits, [0, 1]), np.log([0.3, 0.75]))


def test_more_directions_take_longer(bundled):
    assert effort(TEXTS, bundled, draws=100) > effort(TEXTS, bundled) > effort(TEXTS, bundled, layer=5) > 0
    assert effort(TEXTS, bundled, draws=3) > 1.4 * effort(TEXTS, bundled, draws=1)  # also in the fixed text
    assert effort(TEXTS, bundled, layer=6) == effort(TEXTS, bundled, layer=5)


@pytest.mark.parametrize(
    ("texts", "changed", "message"),
    [
        (TEXTS, {"second_answers": ("good", "Bad")}, "'Bad' is in both lists"),
        (TEXTS, {"first_answers": ()}, "The list of first answers is empty"),
        (TEXTS, {"second_answers": ("good",) * 21}, "There are 21 second answers; at most 20"),
        (TEXTS, {"draws": 0}, "shuffles"),
        (TEXTS, {"where": ONE_WORD, "words": ("king",)}, "Your idea is .* contains none of these words: king"),
    ],
)
def test_wrong_arguments_are_refused(bundled, texts, changed, message):
    with pytest.raises(ValueError, match=message):
        steer(texts, bundled, **(ASKED | changed))


AT_LAYER_4 = {"first": BAD, "second": GOOD, **ANSWERS, "layer": 4}
MORE, CHANCE = "So the direction does more than one that means nothing.", "So this could be chance."
FEW = "are too few for a clear result."


@pytest.fixture(scope="module")
def added(bundled):
    return steer(TEXTS, bundled, **AT_LAYER_4, draws=19)


@pytest.mark.slow
def test_sentences_about_the_result_hold_its_numbers(added, bundled):
    factor = np.exp(added.at(1.0)["change"])
    assert f"by {factor:,.0f} (single sentences: " in added.headline or f"by {factor:.1f} (single" in added.headline
    assert "odds of “good, great” over “bad, wrong”" in added.headline
    assert added.comparison.startswith("19 directions between shuffled groups of the same length multiply the odds by ")
    few = steer(TEXTS[:1], bundled, **AT_LAYER_4, draws=3)
    assert f"3 shuffles {FEW}" in few.headline and "95% interval" not in few.headline
    assert MORE not in few.headline and CHANCE not in few.headline


def test_a_direction_that_no_shuffle_reaches_does_more_than_one_that_means_nothing(added):
    weak = replace(added, random=(0.1,) * 19)
    assert weak.p == 0.05 and weak.headline.endswith(f"(p ≤ 0.05, the smallest possible with 19 shuffles). {MORE}")


@pytest.mark.slow
def test_a_direction_of_mixed_groups_could_be_chance(bundled):
    half = len(BAD) // 2  # one of several ways to mix them; others have an effect by chance
    groups = {"first": [*BAD[:half], *GOOD[half:]], "second": [*BAD[half:], *GOOD[:half]]}
    added = steer(TEXTS, bundled, **(AT_LAYER_4 | groups), draws=19)
    assert added.strengths["change"].abs().max() < 3
    assert added.p > 0.05 and CHANCE in added.headline and MORE not in added.headline


def test_the_verdict_follows_the_random_directions(added):
    own = added.at(1.0)["change"]
    below, above = (own - 0.01,) * 18, (own + 0.01,)
    assert MORE in replace(added, random=(*below, own - 0.01)).headline
    for other in (above, (-own - 0.01,), (own,)):  # in both directions, and as large
        result = replace(added, random=(*below, *other))
        assert result.p == 0.1 and CHANCE in result.headline and MORE not in result.headline
    few = replace(added, random=below)
    assert FEW in few.headline and CHANCE not in few.headline and MORE not in few.headline


def test_the_chart_of_fluency_shows_both_curves_with_their_intervals(added):
    chart, curve = charts.fluency(added), added.fluency.curve
    *_, random, own = chart.figure.data
    np.testing.assert_allclose(own.y, curve["fluency"], rtol=1e-5)
    np.testing.assert_allclose(random.y, curve["random_fluency"], rtol=1e-5)
    assert own.x.tolist() == random.x.tolist() == charts.odds(added).figure.data[-1].x.tolist()  # the same strengths
    assert -BREAK in [shape.y0 for shape in chart.figure.layout.shapes] and chart.frame is curve
    assert f"{signed(curve['fluency'].iloc[-1])} nats per token at strength 3" in chart.alt
