"""Questions about a trace: their answers are those of the views."""

import numpy as np
import pytest

from embtools import trace, trace_heads
from embtools.rooms.question import SHARES
from embtools.tracing.averages import average
from embtools.tracing.cases import SENTENCE, DrawnCases
from embtools.tracing.components import trace_components
from embtools.tracing.positions import trace_positions

ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TEXTS = "The capital of France is [MASK].", "The capital of Poland is [MASK]."


def picked(question):
    """The choice that is BERT's answer."""
    return question.choices[question.picked]


@pytest.mark.parametrize("given", [{"edits": (EDIT,)}, {"second_text": TEXTS[1]}])
def test_the_layer_is_the_one_that_brings_most_to_the_mask(bundled, given):
    text = ROME if "edits" in given else TEXTS[0]
    frame, result = trace(text, bundled, **given), trace_positions(text, bundled, **given)
    question = result.question(edits=given.get("edits", ()))
    mask = frame[frame["token"] == "[MASK]"]["sufficiency"].to_numpy()
    layer = int(np.diff(mask).argmax()) + 1
    assert result.arrives == layer and question.answer == f"layer {layer}"
    assert question.choices == ("layers 1 and 2", "layers 3 and 4", "layers 5 and 6") and str(layer) in picked(question)
    assert (EDIT if "edits" in given else "france → poland") in question.context and "____" in question.context


def test_the_share_is_that_of_the_strongest_head(bundled):
    question = trace_components(ROME, bundled, edits=(EDIT,)).question(edits=(EDIT,))
    heads = trace_heads(ROME, bundled, edits=(EDIT,))
    best = heads.loc[heads["sufficiency"].idxmax()]
    assert question.answer == f"{best['sufficiency']:.0%} (head {best['layer']}.{best['head']})"
    assert "72 heads" in question.text and picked(question) == SHARES[int(best["sufficiency"] * 4)]


@pytest.mark.slow
def test_the_random_change_is_that_of_the_average(bundled):
    result = average(DrawnCases("capital", count=4, seed=3), bundled)
    question, share = result.question(sentence=SENTENCE, edit="x"), result.effects["share"].iloc[1]
    assert question.answer == f"{share:.0%}" and picked(question) == SHARES[max(int(share * 4), 0)]
    assert "{a} is the capital of [MASK]." in question.context and question.whose == "The answer"


@pytest.mark.slow
def test_effects_near_zero_cannot_be_asked(bundled):
    for function in (trace_positions, trace_components):
        with pytest.raises(ValueError, match="too small"):
            function(ROME, bundled, second_text=ROME).question()
    with pytest.raises(ValueError, match="too small to compare"):
        average(DrawnCases("capital", count=4, strength=0.0), bundled).question(sentence="x", edit="x")


def test_long_sentences_and_other_choices(bundled):
    text = "We all know that the very big city of Rome, where I was last year with friends, is the capital of [MASK]."
    question = trace_positions(text, bundled, edits=(EDIT,)).question(("yes", "no"), edits=(EDIT,))
    assert (
        "very big city of rome" in question.context.lower()
        and not any(question.shares)
        and question.answer.startswith("layer ")
    )
