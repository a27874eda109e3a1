"""Heads, parts of layers and blocked attention, against hooks on a separate copy of the network."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.charts import tracing as charts
from embtools.tracing.components import (
    ATTENTION,
    FEED_FORWARD,
    trace_components,
    trace_heads,
)
from embtools.tracing.positions import SUFFICIENCY
from tests.hooked import Hooked

# Heads and layer parts, against hooks on a separate copy of the network

ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TEXTS, ANSWERS = ("the king is [MASK] .", "the queen is [MASK] ."), ("red", "blue")


def moved(hooked, runs, text, **changes):
    """By how much a change by hooks moves the metric of the first run."""
    logits = hooked.logits(text, **changes)[runs.mask][list(runs.ids)].astype(np.float64)
    return logits[1] - logits[0] - runs.values[0]


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_every_head_and_part_of_two_sentences_moves_what_hooks_move(name, request):
    model = request.getfixturevalue(name)
    hooked, result = Hooked(model), trace_components(TEXTS[0], model, second_text=TEXTS[1], answers=ANSWERS)
    runs = result.runs
    for row in result.heads.itertuples():
        values = hooked.head_values(TEXTS[1], row.layer)[runs.mask, row.head - 1]
        expected = moved(hooked, runs, TEXTS[0], heads={(row.layer, row.head): (runs.mask, values)})
        assert row.sufficiency_difference == pytest.approx(expected, abs=1e-4), row
    for row in result.layers.itertuples():
        output = hooked.output(TEXTS[1], row.layer, row.component)[runs.mask]
        expected = moved(hooked, runs, TEXTS[0], outputs={(row.layer, row.component): (runs.mask, output)})
        assert row.sufficiency_difference == pytest.approx(expected, abs=1e-4), row
    assert result.heads[f"{SUFFICIENCY}_difference"].abs().max() > 0.02


def test_heads_of_an_edit_are_those_of_hooks_and_of_the_reference(bundled):
    """An earlier measurement with 24 capitals: heads 6, 8 and 4 of layer 6 carry most, all others little."""
    result = trace_components(ROME, bundled, edits=(EDIT,))
    hooked, runs = Hooked(bundled), result.runs
    inputs = bundled.matrix[bundled.tokenize(ROME)["id"].to_numpy()]
    inputs[1] = bundled.vector("rome") - bundled.vector("italy") + bundled.vector("france")
    for layer, head in ((6, 6), (6, 4), (4, 11)):
        values = hooked.head_values(ROME, layer, inputs=inputs)[runs.mask, head - 1]
        expected = moved(hooked, runs, ROME, heads={(layer, head): (runs.mask, values)}) / runs.effect
        row = result.heads.query("layer == @layer and head == @head").iloc[0]
        assert row[SUFFICIENCY] == pytest.approx(expected, abs=1e-4)
    assert set(result.strongest["head"]) == {4, 6, 8} and (result.strongest["layer"] == 6).all()
    assert result.rest[SUFFICIENCY].abs().max() < 0.25
    assert result.headline.startswith("In layer 6, heads 4, 6 and 8 carry") and "%" in result.headline
    heads = result.heads.assign(**{SUFFICIENCY: result.heads[SUFFICIENCY].mask(result.heads["layer"] == 5, 0.24)})
    elsewhere = replace(result, heads=heads).headline
    assert elsewhere.endswith(" The strongest head of the other layers, 5.1, carries 24%.")
    ahead = result.layers[result.layers["component"] == ATTENTION]
    assert ahead[SUFFICIENCY].iloc[-1] > 0.9 and ahead[SUFFICIENCY].iloc[:-1].abs().max() < 0.1


def test_the_parts_of_another_position(bundled):
    result = trace_components(ROME, bundled, edits=(EDIT,), position=1)
    hooked, runs = Hooked(bundled), result.runs
    inputs = bundled.matrix[bundled.tokenize(ROME)["id"].to_numpy()]
    inputs[1] = bundled.vector("rome") - bundled.vector("italy") + bundled.vector("france")
    output = hooked.output(ROME, 5, FEED_FORWARD, inputs=inputs)[1]
    row = result.layers.query("layer == 5 and component == @FEED_FORWARD").iloc[0]
    expected = moved(hooked, runs, ROME, outputs={(5, FEED_FORWARD): (1, output)})
    assert row[f"{SUFFICIENCY}_difference"] == pytest.approx(expected, abs=1e-3)
    assert "No head carries the effect at “rome”" in result.headline
    with pytest.raises(ValueError, match="no position 9"):
        trace_components(ROME, bundled, edits=(EDIT,), position=9)


def test_tokens_of_a_word_are_copied_together(tiny):
    result = trace_components(
        "the kings is [MASK] .", tiny, second_text="the queens is [MASK] .", answers=ANSWERS, position=3
    )
    assert result.runs.words[result.position] == "kings"
    hooked, runs = Hooked(tiny), result.runs
    output = hooked.output("the queens is [MASK] .", 1, ATTENTION)
    both = hooked.states("the kings is [MASK] .", outputs={(1, ATTENTION): (2, output[2])})[1, 2]
    other = hooked.states("the kings is [MASK] .", outputs={(1, ATTENTION): (3, output[3])})[1, 3]
    expected = moved(hooked, runs, "the kings is [MASK] .", replace={1: [(2, both), (3, other)]})
    assert result.layers[f"{SUFFICIENCY}_difference"].iloc[0] == pytest.approx(expected, abs=1e-4)


def test_the_sentence_names_the_layers_and_heads_without_which_the_answer_no_longer_changes(bundled):
    result = trace_components(ROME, bundled, edits=(EDIT,))
    assert result.runs.tops == ("italy", "france")
    same = result.knockouts[result.knockouts["first_answer"] == result.knockouts["second_answer"]]
    assert same["layer"].tolist() == ["all"] and result.unchanged_heads.empty
    of_heads = " If it is blocked in one head at a time, the two runs still have different answers, whichever of the 72 heads it is."
    each_layer = "If this attention is blocked in one layer at a time, "
    assert (
        result.single_knockouts
        == f"{each_layer}the two runs still have different answers, whichever of the 6 layers it is.{of_heads}"
    )
    knockouts = result.knockouts.copy()
    knockouts.loc[5, "second_answer"] = knockouts.loc[5, "first_answer"]
    stays = replace(result, knockouts=knockouts).single_knockouts
    assert stays == f"{each_layer}only blocking layer 6 keeps the answer from changing.{of_heads}"
    heads = result.heads.assign(second_answer=["italy" if n in (63, 65) else "france" for n in range(72)])
    other = replace(result, heads=heads)
    assert other.single_knockouts.endswith("only blocking head 6.4 or head 6.6 keeps the answer from changing.")
    crosses = charts.heads(other, "knockout").figure.data[2]  # in the columns and the row of the heads, from 0
    assert [round(float(x)) for x in crosses.x] == [3, 5] and [round(float(y)) for y in crosses.y] == [5, 5]
    assert "no longer changes without any one of 2 of them" in charts.heads(other, "knockout").alt
    assert "The answer still changes without any one of them." in charts.heads(result, "knockout").alt
    assert len(charts.heads(other, SUFFICIENCY).figure.data) == len(charts.heads(result, "knockout").figure.data) == 2
    assert "top answers: italy → france" in charts.heads(result, "knockout").figure.data[1].text[0]


def test_an_answer_that_does_not_change_has_nothing_to_lose(bundled):
    result = trace_components(ROME, bundled, edits=("rome = rome + 0.01 * france",))
    assert result.runs.tops == ("italy", "italy")
    assert result.single_knockouts == "" and result.unchanged_heads.empty


def test_identical_runs_have_no_shares(tiny):
    result = trace_components(TEXTS[0], tiny, second_text=TEXTS[0])
    assert result.heads[SUFFICIENCY].isna().all() and result.rest.empty
    assert trace_heads(TEXTS[0], tiny, second_text=TEXTS[0])["knockout_difference"].to_numpy() == pytest.approx(
        0, abs=1e-6
    )
    assert result.headline == "BERT reads the same in both sentences, so the effect is 0 nats."
    assert result.blocked_headline == result.headline and result.knockout_sentence == ""


def test_blocked_attention_has_a_headline_of_its_own(bundled):
    result = trace_components(ROME, bundled, edits=(EDIT,))
    best = result.heads.nlargest(3, "knockout")
    assert set(best["layer"]) == {6}
    heads, shares = list(best["head"]), [f"{share:.0%}" for share in best["knockout"]]
    assert shares != [f"{share:.0%}" for share in result.strongest[SUFFICIENCY]]
    lost = f"{result.knockouts['knockout'].iloc[-1]:.0%}"
    assert result.blocked_headline == (
        "Blocking the attention of [MASK] to “rome” in one head of layer 6 loses"
        f" {shares[0]} (head {heads[0]}), {shares[1]} (head {heads[1]}) or {shares[2]} (head {heads[2]}) of the effect;"
        f" blocking it in all heads loses {lost}."
    )
    alt = charts.heads(result, "knockout").alt
    assert f"The largest loss is without head 6.{heads[0]}, {shares[0]} of the effect." in alt
    little = replace(result, heads=result.heads.assign(knockout=result.heads["knockout"] / 100))
    assert little.blocked_headline.startswith(
        "Blocking the attention of [MASK] to “rome” in a single head loses at most 0% of the effect; blocking"
    )
    none = replace(result, heads=result.heads.assign(knockout=-result.heads["knockout"].abs() - 0.01))
    assert "in a single head loses nothing of the effect; blocking" in none.blocked_headline
    more = replace(result, position=2, knockouts=result.knockouts.assign(knockout=-0.103))
    assert more.blocked_headline.startswith("Blocking the attention of “is” to “rome”")
    assert more.blocked_headline.endswith("blocking it in all heads adds 10%.")
    assert more.knockout_sentence.startswith("If “is” cannot") and more.knockout_sentence.endswith(
        "(10% of the effect is added)."
    )
    small = trace_components(ROME, bundled, edits=("rome = rome + 0.001 * france",))
    assert "too small" in small.blocked_headline and small.blocked_headline == small.headline


# Blocked attention, against a separate network whose weights are set to zero by hooks


def lost(hooked, model, runs, texts, heads, inputs=(None, None)):
    """How much of the effect is lost by hooks, and the top answers of both runs."""
    blocked = ((runs.mask,), runs.changed_positions, heads)
    logits = [
        hooked.logits(text, blocked=blocked, inputs=rows)[runs.mask] for text, rows in zip(texts, inputs, strict=True)
    ]
    first, second = (float(row[runs.ids[1]]) - float(row[runs.ids[0]]) for row in logits)
    return runs.effect - (second - first), [model.vocabulary[int(row.argmax())] for row in logits]


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_heads_and_layers_lose_what_hooks_remove(name, request):
    model = request.getfixturevalue(name)
    hooked, result = Hooked(model), trace_components(TEXTS[0], model, second_text=TEXTS[1], answers=ANSWERS)
    runs, table = result.runs, result.knockouts
    for row in result.heads.itertuples():
        expected, answers = lost(hooked, model, runs, TEXTS, ((row.layer, row.head),))
        assert row.knockout_difference == pytest.approx(expected, abs=2e-4)
        assert [row.first_answer, row.second_answer] == answers
    assert table["layer"].tolist() == ["1", "2", "all"]
    for row, layers in zip(table.itertuples(), ((1,), (2,), (1, 2)), strict=True):
        expected, answers = lost(hooked, model, runs, TEXTS, tuple((n, h) for n in layers for h in (1, 2)))
        assert row.knockout_difference == pytest.approx(expected, abs=2e-4)
        assert [row.first_answer, row.second_answer] == answers


def test_without_attention_to_the_edited_word_the_effect_is_gone(bundled):
    result = trace_components(ROME, bundled, edits=(EDIT,))
    hooked, runs = Hooked(bundled), result.runs
    inputs = [bundled.matrix[bundled.tokenize(ROME)["id"].to_numpy()] for _ in range(2)]
    inputs[1][1] = bundled.vector("rome") - bundled.vector("italy") + bundled.vector("france")
    heads = tuple((6, head) for head in range(1, 13))
    expected, answers = lost(hooked, bundled, runs, (ROME, ROME), heads, inputs)
    row = result.knockouts.iloc[5]
    assert row["knockout"] == pytest.approx(expected / runs.effect, abs=1e-4) and row["knockout"] > 0.9
    assert [row["first_answer"], row["second_answer"]] == answers
    whole = result.knockouts.iloc[-1]
    first, second = whole[["first_answer", "second_answer"]]
    end = f" ({whole['knockout']:.0%} of the effect is lost)."
    assert first == second and result.knockout_sentence.endswith(f"is “{first}” in both runs{end}")
    other = replace(result, knockouts=result.knockouts.assign(second_answer="peru"))
    assert other.knockout_sentence.endswith(f"is “{first}” in the first run and “peru” in the second{end}")
