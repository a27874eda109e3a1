"""Questions about a trace: their answers are those of the views."""

import numpy as np
import pytest

from embtools import trace, trace_heads
from embtools.tracing.averages import average
from embtools.tracing.cases import DrawnCases
from embtools.tracing.guess import SHARES, arrives, average_question, head_question, layer_question
from embtools.tracing.positions import trace_positions

ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TEXTS = "The capital of France is [MASK].", "The capital of Poland is [MASK]."


def picked(question):
    """The choice that is BERT's answer."""
    return question.choices[question.picked]


@pytest.mark.parametrize("given", [{"edits": (EDIT,)}, {"second_text": TEXTS[1]}])
def test_the_layer_is_the_one_that_brings_most_to_the_mask(bundled, given):
    text = ROME if "edits" in given else TEXTS[0]
    frame, question = trace(text, bundled, **given), layer_question(text, bundled, **given)
    mask = frame[frame["token"] == "[MASK]"]["sufficiency"].to_numpy()
    layer = int(np.diff(mask).argmax()) + 1
    assert arrives(trace_positions(text, bundled, **given)) == layer and question.answer == f"layer {layer}"
    assert question.choices == ("layers 1 and 2", "layers 3 and 4", "layers 5 and 6") and str(layer) in picked(question)
    assert (EDIT if "edits" in given else "france → poland") in question.context and "____" in question.context


def test_the_share_is_that_of_the_strongest_head(bundled):
    question, heads = head_question(ROME, bundled, edits=(EDIT,)), trace_heads(ROME, bundled, edits=(EDIT,))
    best = heads.loc[heads["sufficiency"].idxmax()]
    assert question.answer == f"{best['sufficiency']:.0%} (head {best['layer']}.{best['head']})"
    assert "72 heads" in question.text and picked(question) == SHARES[int(best["sufficiency"] * 4)]


@pytest.mark.slow
def test_the_random_change_is_that_of_the_average(bundled):
    cases = DrawnCases("capital", count=4, seed=3)
    question = average_question(cases, bundled)
    share = average(cases, bundled).effects["share"].iloc[1]
    assert question.answer == f"{share:.0%}" and picked(question) == SHARES[max(int(share * 4), 0)]
    assert "{a} is the capital of [MASK]." in question.context and question.whose == "The answer"


@pytest.mark.slow
def test_effects_near_zero_cannot_be_asked(bundled):
    same = {"second_text": ROME}
    for ask in (layer_question, head_question):
        with pytest.raises(ValueError, match="too small"):
            ask(ROME, bundled, **same)
    with pytest.raises(ValueError, match="too small to compare"):
        average_question(DrawnCases("capital", count=4, strength=0.0), bundled)


def test_long_sentences_and_other_choices(bundled):
    text = "We all know that the very big city of Rome, where I was last year with friends, is the capital of [MASK]."
    question = layer_question(text, bundled, edits=(EDIT,), choices=("yes", "no"))
    assert (
        "very big city of rome" in question.context.lower()
        and not any(question.shares)
        and question.answer.startswith("layer ")
    )
