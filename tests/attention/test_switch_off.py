"""Answers without parts of a layer, against hooks in a separate copy of the network; and the charts."""

from dataclasses import replace

import numpy as np
import pytest

from embtools import fill_mask
from embtools.attention.mean_outputs import mean_outputs
from embtools.attention.strongest_neurons import ACTIVATION, DIFFERENCE, neurons
from embtools.attention.switch_off_result import (
    AFTER,
    ATTENTION,
    BEFORE,
    CONTROL,
    FEED_FORWARD,
    HEAD,
    MEAN,
    NEURONS,
    NEXT,
    OWN,
    PARTS,
    ZERO,
)
from embtools.attention.switching import DRAWS, effort, switch_off
from embtools.charts import attention as charts
from embtools.mask_filling.tables import divergence
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
    logits = model.logits(model.transform(states[-1][[mask]]))[0].astype(np.float64)
    shares = np.exp(logits - logits.max())
    return shares / shares.sum()


def best(model, shares):
    """The word with the largest share that can be an answer."""
    return next(word for i in np.argsort(-shares) if (word := model.vocabulary[i]) != "[UNK]")


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("value", [ZERO, MEAN])
@pytest.mark.parametrize("everywhere", [True, False])
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
    logits = hooked.logits(TEXT)[mask].astype(np.float64)
    before = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
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


def test_one_neuron_and_one_head_can_be_chosen(bundled):
    found = switch_off(TEXT, bundled, layer=4, count=1, number=17)
    assert found.chosen == (17,) and found.runs["run"].tolist() == [OWN, *[CONTROL] * 200]
    assert found.headline.startswith("Without neuron 17 of layer 4, BERT")
    head = switch_off(TEXT, bundled, layer=6, part=HEAD, number=4)
    assert head.runs["parts"].iloc[0] == "6.4" and "6.4" not in set(head.controls["parts"])
    assert len(set(head.controls["parts"])) == bundled.layers * bundled.heads - 1
    assert head.headline.startswith("Without head 6.4, BERT")


def test_of_layers_all_others_are_controls(bundled):
    found = switch_off(TEXT, bundled, layer=6, part=ATTENTION)
    assert found.runs["parts"].tolist() == ["layer 6", *(f"layer {n}" for n in range(1, 6))]
    assert "Without the attention of another layer" in found.comparison
    assert "5 controls are too few for a clear result." in found.comparison


def test_the_headline_says_whether_the_answer_changes(bundled):
    found = switch_off(TEXT, bundled, layer=6, part=ATTENTION)
    own = found.runs.iloc[0]
    assert own["top_answer"] != "paris" and f"BERT answers “{own['top_answer']}” (" in found.headline
    assert "instead of “paris” (now" in found.headline
    weak = switch_off(TEXT, bundled, layer=4, everywhere=False)
    assert "the 10 strongest neurons of layer 4 at “[MASK]”, BERT still answers “paris”, with" in weak.headline


def test_the_comparison_counts_the_controls_that_reach_the_change(bundled):
    found = switch_off(TEXT, bundled, layer=4, draws=20)
    controls = found.controls
    assert found.p == (1 + (controls["change"].abs() >= abs(found.runs["change"].iloc[0])).sum()) / 21
    for change, end in ((9.0, "changes the answer more than a random one."), (0.0, "So this could be chance.")):
        runs = found.runs.assign(change=[change, *found.runs["change"][1:]], top_answer="lyon")
        assert replace(found, runs=runs).comparison.endswith(end)
    alone = replace(found, runs=found.runs.head(1))
    assert "nothing follows" in alone.comparison


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
        ({"layer": 3}, "no layer 3"),
        ({"part": "tail"}, "no part 'tail'"),
        ({"value": "nothing"}, "cannot be set to 'nothing'"),
        ({"count": 17}, "neurons were asked for; choose 1 to 16"),
        ({"number": 33}, "no neuron 33 in layer 1. Choose 1 to 32"),
        ({"part": HEAD, "number": 3}, "no head 3 in layer 1. Choose 1 to 2"),
        ({"draws": 0}, "draws were asked for"),
        ({"k": 0}, "answers were asked for"),
        ({"seed": -1}, "seed must be"),
        ({"position": 40}, "no token 40"),
        ({"by": "colour"}, "cannot be ranked"),
        ({"text": "The king."}, r"no \[MASK\]"),
    ],
)
def test_what_does_not_exist_is_refused(tiny, changed, words):
    given = {"text": TEXT, "layer": 1, "count": 4} | changed
    with pytest.raises(ValueError, match=words):
        switch_off(given.pop("text"), tiny, **given)


def test_progress_rises_to_the_end(tiny):
    reported = []
    switch_off(TEXT, tiny, layer=1, count=4, value=MEAN, progress=reported.append)
    assert reported == sorted(reported) and reported[-1] == pytest.approx(1)


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
