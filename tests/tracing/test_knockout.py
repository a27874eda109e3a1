"""Blocked attention, against a separate network whose weights are set to zero by hooks."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.tracing.components import trace_components
from embtools.tracing.knockout import head_knockouts, layer_knockouts
from embtools.tracing.runs import two_runs
from tests.hooked import Hooked

ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TEXTS, ANSWERS = ("the king is [MASK] .", "the queen is [MASK] ."), ("red", "blue")


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
    hooked, runs = Hooked(model), two_runs(TEXTS[0], model, second_text=TEXTS[1], answers=ANSWERS)
    for layer in (1, 2):
        found = head_knockouts(runs, model, layer=layer, index=runs.mask_index)
        for head in (1, 2):
            expected, answers = lost(hooked, model, runs, TEXTS, ((layer, head),))
            row = found.iloc[head - 1]
            assert row["knockout_difference"] == pytest.approx(expected, abs=2e-4)
            assert [row["first_answer"], row["second_answer"]] == answers
    table = layer_knockouts(runs, model, index=runs.mask_index)
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


def test_identical_runs_lose_nothing(tiny):
    runs = two_runs(TEXTS[0], tiny, second_text=TEXTS[0])
    assert layer_knockouts(runs, tiny, index=0)["knockout_difference"].to_numpy() == pytest.approx(0)
    assert np.all(head_knockouts(runs, tiny, layer=1, index=0)["knockout_difference"] == 0)
