"""Answers without parts of a layer, against hooks in a separate copy of the network; what the result says; and the charts."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax

from embtools import fill_mask
from embtools.attention import neurons
from embtools.charts import tracing as charts
from embtools.mask_filling.answers import divergence
from embtools.mask_filling.tokens import Tokens
from embtools.models.neurons import ACTIVATION, DIFFERENCE, mean_outputs
from embtools.tracing.switching import (
    AFTER,
    ATTENTION,
    BEFORE,
    CONTROL,
    DRAWS,
    FEED_FORWARD,
    HEAD,
    MEAN,
    NEURONS,
    NEXT,
    OWN,
    PARTS,
    ZERO,
    SwitchedOff,
    effort,
    switch_off,
)
from tests.hooked import Hooked

TEXT = "The capital of France is [MASK]."


def numbers(parts: str) -> list[int]:
    return [int(part) for part in parts.split(", ")]


def right_shares(model, hooked, part, parts, layer, at, value):
    """The probabilities at the mask with what a row of `runs` names switched off by hooks."""
    w, means = model.dimensions // model.heads, mean_outputs(model) if value == MEAN else None
    if part == NEURONS:
        columns = [number - 1 for number in numbers(parts)]
        given = 0.0 if means is None else means[layer - 1].neurons[columns]
        states = hooked.states_without(TEXT, layer, "neurons", columns, value=given, positions=at)
    elif part == HEAD:
        own, head = map(int, parts.split("."))
        columns = slice((head - 1) * w, head * w)
        given = 0.0 if means is None else means[own - 1].heads[columns]
        states = hooked.states_without(TEXT, own, "heads", columns, value=given, positions=at)
    else:
        own, name = int(parts.removeprefix("layer ")), "attention" if part == ATTENTION else "feed-forward"
        entering = {ATTENTION: "heads", FEED_FORWARD: "neurons"}[part]
        if means is None:
            states = hooked.states_without(TEXT, own, name, positions=at)
        else:  # the mean of what enters the projection gives the mean of what comes out
            states = hooked.states_without(TEXT, own, entering, value=getattr(means[own - 1], entering), positions=at)
    mask = int(np.flatnonzero(model.tokenize(TEXT)["id"] == model.mask_id)[0])
    return softmax(model.logits(model.transform(states[-1][[mask]]))[0].astype(np.float64))


def best(model, shares):
    """The word with the largest share that can be an answer."""
    return next(word for i in np.argsort(-shares) if (word := model.vocabulary[i]) != "[UNK]")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    ("name", "value", "everywhere"),
    [("tiny", ZERO, True), ("tiny", MEAN, False), ("tiny_distil", ZERO, False), ("tiny_distil", MEAN, True)],
)
def test_every_run_is_what_hooks_switch_off(name, part, value, everywhere, request):
    model = request.getfixturevalue(name)
    hooked = Hooked(model)
    mask = int(np.flatnonzero(model.tokenize(TEXT)["id"] == model.mask_id)[0])
    found = switch_off(TEXT, model, layer=2, part=part, count=4, value=value, everywhere=everywhere, draws=5)
    whole = fill_mask(TEXT, model, k=30).set_index("token")["probability"]
    assert found.answer == whole.index[0] and found.before == pytest.approx(whole.iloc[0], rel=1e-4)
    at = slice(None) if everywhere else [mask]
    for row in found.runs.itertuples():
        shares = right_shares(model, hooked, part, row.parts, 2, at, value)
        assert row.probability == pytest.approx(shares[model.ids[found.answer]], rel=1e-3)
        assert row.change == pytest.approx(np.log(row.probability / found.before), abs=1e-4)
        assert row.top_answer == best(model, shares)
    own = right_shares(model, hooked, part, found.runs["parts"].iloc[0], 2, at, value)
    after = found.answers.set_index("token")[AFTER]
    np.testing.assert_allclose(after, [own[model.ids[token]] for token in after.index], rtol=1e-3)
    before = softmax(hooked.logits(TEXT)[mask].astype(np.float64))
    assert found.runs["divergence"].iloc[0] == pytest.approx(divergence(before, own), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("by", [DIFFERENCE, ACTIVATION])
def test_the_strongest_neurons_are_switched_off_and_next_to_them_the_next_and_random_ones(bundled, by):
    found = switch_off(TEXT, bundled, layer=4, count=10, by=by)
    strongest = neurons(TEXT, bundled, layer=4, by=by, k=20).strongest["neuron"].tolist()
    assert found.chosen == tuple(strongest[:10])
    runs = found.runs
    assert runs["run"].tolist() == [OWN, NEXT, *[CONTROL] * DRAWS]
    assert numbers(runs["parts"].iloc[1]) == strongest[10:]
    drawn = [numbers(parts) for parts in found.controls["parts"]]
    assert all(len(set(each)) == 10 and not set(each) & set(found.chosen) for each in drawn)
    assert len({tuple(each) for each in drawn}) == len(found.controls)
    other = switch_off(TEXT, bundled, layer=4, count=10, by=by, seed=1)
    assert other.controls["parts"].tolist() != found.controls["parts"].tolist()
    assert other.runs.iloc[0].equals(found.runs.iloc[0])


@pytest.mark.slow
def test_one_neuron_and_one_head_can_be_chosen(bundled):
    found = switch_off(TEXT, bundled, layer=4, count=1, number=17)
    assert found.chosen == (17,) and found.runs["run"].tolist() == [OWN, *[CONTROL] * 200]
    assert found.headline.startswith("Without neuron 17 of layer 4, BERT")
    head = switch_off(TEXT, bundled, layer=6, part=HEAD, number=4, count=900)  # which is for neurons
    assert head.runs["parts"].iloc[0] == "6.4" and "6.4" not in set(head.controls["parts"])
    assert len(set(head.controls["parts"])) == bundled.layers * bundled.heads - 1
    assert head.headline.startswith("Without head 6.4, BERT")


def test_of_layers_all_others_are_controls(bundled, tiny):
    found = switch_off(TEXT, bundled, layer=6, part=ATTENTION)
    assert found.runs["parts"].tolist() == ["layer 6", *(f"layer {n}" for n in range(1, 6))]
    assert "Without the attention of another layer" in found.comparison and "5 controls are too" in found.comparison
    assert switch_off(TEXT, tiny, layer=1, part=ATTENTION).comparison.count("1 control is too few")


@pytest.mark.slow
def test_the_answers_are_those_of_the_mask_that_is_chosen(bundled):
    text = "[MASK] is the capital of [MASK]."
    first, second = (switch_off(text, bundled, layer=6, position=place) for place in (None, 6))
    answers = fill_mask(text, bundled, k=1).set_index("mask")["token"]
    assert (first.answer, second.answer) == (answers[1], answers[2])
    other = switch_off(text, bundled, layer=6, position=4)  # a word: its neurons, the answers of the first mask
    assert other.answer == first.answer and other.token == "capital" and other.chosen != first.chosen


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"part": "tail"}, "no part 'tail'"),
        ({"value": "nothing"}, "cannot be set to 'nothing'"),
        ({"count": 17}, "neurons were asked for; choose 1 to 16"),
        ({"number": 33}, "no neuron 33 in layer 1. Choose 1 to 32"),
        ({"part": HEAD, "number": 3}, "no head 3 in layer 1. Choose 1 to 2"),
        ({"draws": 0}, "draws were asked for"),
    ],
)
def test_what_does_not_exist_is_refused(tiny, changed, words):
    with pytest.raises(ValueError, match=words):
        switch_off(TEXT, tiny, **{"layer": 1, "count": 4} | changed)


def test_the_effort_grows_with_the_work(tiny, bundled):
    for model in (tiny, bundled):
        mean_outputs(model)
        assert 0 < effort(TEXT, model, layer=2, draws=5) < effort(TEXT, model, layer=2, draws=50)
    assert effort(TEXT, tiny, layer=2) < effort(TEXT, bundled, layer=2) < effort(TEXT, bundled, layer=1)
    assert effort(TEXT, bundled, layer=2) < effort(" ".join([TEXT] * 9), bundled, layer=2)


# Charts


@pytest.fixture(scope="module")
def found(bundled):
    return switch_off(TEXT, bundled, layer=4)


def test_the_bars_show_both_answers(found):
    chart = charts.answers(found)
    before, after = chart.figure.data
    np.testing.assert_allclose(before.x, found.answers[BEFORE], rtol=1e-5)
    np.testing.assert_allclose(after.x, found.answers[AFTER], rtol=1e-5)
    assert f"{found.before:.1%} before" in chart.alt and chart.frame is found.answers


def test_every_run_has_a_mark_filled_if_the_answer_stays(found):
    changed = found.runs["top_answer"].where(found.runs.index != 3, "lyon")
    chart = charts.runs(replace(found, runs=found.runs.assign(top_answer=changed)))
    assert [len(trace.x) for trace in chart.figure.data] == [1, 1, len(found.controls)]
    np.testing.assert_allclose(np.concatenate([t.x for t in chart.figure.data]), found.runs["change"], rtol=1e-5)
    symbols = [symbol for trace in chart.figure.data for symbol in trace.marker.symbol]
    assert symbols[3] == "circle-open" and [s for s in symbols if s.endswith("open")] == ["circle-open"]
    assert f"In {len(found.controls)} controls:" in chart.alt and "-" not in chart.alt


TOKENS = Tokens(("[CLS]", "[MASK]", "[SEP]"), (-1, 0, -1), (True, False, True), (1,))


def result(part: str, chosen: tuple[int, ...], shares: list[float], everywhere: bool = True) -> SwitchedOff:
    """A part that leaves the answer with the first share, and controls with the others."""
    answers = pd.DataFrame({"token": ["paris", "lyon"], BEFORE: [0.5, 0.1], AFTER: [shares[0], 0.3]})
    answer = ["paris" if share > 0.3 else "lyon" for share in shares]
    runs = pd.DataFrame({"run": [OWN, *[CONTROL] * (len(shares) - 1)], "parts": "x", "probability": shares})
    runs = runs.assign(change=runs["probability"] - 0.5, top_answer=answer, divergence=0.0)
    return SwitchedOff(part, 4, chosen, everywhere, TOKENS, 1, ZERO, answers, "paris", runs)


@pytest.mark.parametrize(
    ("part", "chosen", "named", "controls"),
    [
        (NEURONS, (7,), "neuron 7 of layer 4", "one random neuron of this layer"),
        (NEURONS, (7, 9), "the 2 strongest neurons of layer 4", "2 random neurons of this layer"),
        (HEAD, (3,), "head 4.3", "another head of any layer"),
        (ATTENTION, (), "the attention of layer 4", "the attention of another layer"),
        (FEED_FORWARD, (), "the feed-forward network of layer 4", "the feed-forward network of another layer"),
    ],
)
def test_part_and_controls_are_named(part, chosen, named, controls):
    found = result(part, chosen, [0.2, 0.4, 0.45])
    assert found.headline == f"Without {named}, BERT answers “lyon” (30%) instead of “paris” (now 20%, before 50%)."
    assert found.comparison.startswith(
        f"Without {controls}, “paris” gets 40% to 45%, and the top answer changes in 0 of 2"
    )
    here = result(part, chosen, [0.4, 0.4], everywhere=False)
    assert here.headline == f"Without {named} at “[MASK]”, BERT still answers “paris”, with 40% instead of 50%."


def test_the_claim_needs_enough_controls_that_stay_below():
    few, clear, chance = (
        result(NEURONS, (7,), [0.2, *[other] * n]) for other, n in ((0.45, 10), (0.45, 20), (0.1, 20))
    )
    assert few.p == 1 / 11 and "10 controls are too few" in few.comparison
    assert clear.p == 1 / 21 and clear.comparison.endswith("the part changes the answer more than a random one.")
    assert chance.p == 1 and chance.comparison.endswith("could be chance.")
    assert "nothing follows" in result(NEURONS, (7,), [0.2]).comparison
    assert "In 20 of 20, its log probability changes at least as much (p = 1.000)" in chance.comparison


def test_the_claim_is_about_the_probability_where_the_answer_stays_and_names_a_stronger_control():
    stays = result(NEURONS, (7, 9), [0.4, *[0.45] * 20])
    assert stays.comparison.endswith("the part changes the probability of “paris” more than a random one.")
    for share, chosen, ending in (
        (0.1, (7, 9), "Without the next 2 in strength, it gets 10%; this is a larger change. So in this sentence, the"
         " part changes the answer more than a random one, but less than the next 2 in strength."),
        (0.45, (7, 9), "Without the next 2 in strength, it gets 45%. So in this sentence, the part changes the answer"
         " more than a random one."),
        (0.1, (7,), "it gets 10%; this is a larger change. So in this sentence, the part changes the answer more than"
         " a random one, but less than the next neuron in strength."),
    ):  # fmt: skip
        found = result(NEURONS, chosen, [0.2, share, *[0.45] * 20])
        found = replace(found, runs=found.runs.assign(run=[OWN, NEXT, *[CONTROL] * 20]))
        assert found.comparison.endswith(ending)
    assert "before and after switching off the 2 strongest neurons of layer 4." in charts.answers(stays).alt


def test_shares_that_differ_are_never_named_by_the_same_number():
    found = result(NEURONS, (7,), [0.9960, 0.9964, *[0.9] * 20])
    runs = found.runs.assign(run=[OWN, NEXT, *[CONTROL] * 20])
    answers = pd.DataFrame({"token": ["paris", "lyon"], BEFORE: [0.9964, 0.0001], AFTER: [0.9960, 0.0001]})
    found = replace(found, runs=runs, answers=answers)
    assert "Without the next neuron in strength, it gets 99.64%" in found.comparison
    chart = charts.answers(found)
    assert [trace.text[0] for trace in chart.figure.data] == ["99.64%", "99.60%"]
    assert "paris: 99.64% before, 99.60% after" in chart.alt
    found = result(NEURONS, (7,), [0.2996, 0.4])
    assert found.headline.endswith("BERT answers “lyon” (30.00%) instead of “paris” (now 29.96%, before 50%).")
