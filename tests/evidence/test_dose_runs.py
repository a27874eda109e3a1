"""The runs of a dose curve against `fill_mask`, and against hooks on a separate network."""

import numpy as np
import pytest

from embtools import fill_mask
from embtools.evidence.dose_runs import INPUT, TIED, _cases, dose_block, layer_of
from embtools.evidence.doses import places_of
from embtools.mask_filling.cases import plan
from tests.hooked import Hooked

EDITED = "{a} = {a} - {b} + {c}"
PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"))
SENTENCES, STAY = ("the {a} is in [MASK] .", "{a} is the capital of [MASK] ."), ("{a} is a [MASK] .",)
STRENGTHS = (-1.0, 0.0, 0.5, 1.0, 2.0)
CAPITALS = (("Rome", "Italy"), ("Paris", "France"), ("Berlin", "Germany"), ("Madrid", "Spain"))


def block(model, layers=None):  # type: ignore[no-untyped-def]
    planned = plan(PAIRS, model, others=2)
    places = places_of(model, layers=layers)
    named = {"templates": (*SENTENCES, *STAY), "strengths": STRENGTHS, "places": places, "seed": 0}
    return planned, places, dose_block(planned.pairs, model, edit=EDITED, **named)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_the_answers_at_the_input_are_those_of_fill_mask(name, request) -> None:  # type: ignore[no-untyped-def]
    model = request.getfixturevalue(name)
    planned, places, found = block(model, layers=())
    assert places == (INPUT, TIED)
    cases = [(pair, c) for pair in planned.pairs for c, _ in pair.others]
    assert found.words == tuple((pair.a, c) for pair, c in cases)
    for i, (pair, c) in enumerate(cases):
        for t, template in enumerate((*SENTENCES, *STAY)):
            text, edit = template.replace("{a}", pair.a), f"{pair.a} = {pair.a} - {pair.b} + {c}"
            assert model.vocabulary[found.before[i, t]] == fill_mask(text, model, k=1)["token"].iloc[0]
            for p, scope in enumerate(("input", "tied")):
                for s, strength in enumerate(STRENGTHS[1:], 1):
                    alone = fill_mask(text, model, k=1, edits=[edit], scope=scope, strength=strength)["token"].iloc[0]
                    assert model.vocabulary[found.tops[i, t, p, 0, s]] == alone


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_the_answers_after_a_layer_are_those_of_hooks(name, request) -> None:  # type: ignore[no-untyped-def]
    model = request.getfixturevalue(name)
    planned, places, found = block(model)
    hooked, i, differs = Hooked(model), 0, 0
    assert places == (INPUT, TIED, "layer 1")
    for pair in planned.pairs:
        for _, c_id in pair.others:
            original = model.matrix[pair.a_id]
            shift = model.matrix[c_id] - model.matrix[pair.b_id]
            for t, template in enumerate((*SENTENCES, *STAY)):
                text = template.replace("{a}", pair.a)
                tokens = model.tokenize(text)["id"].tolist()
                at, mask = tokens.index(pair.a_id), tokens.index(model.mask_id)
                state = hooked.states(text)[1, at]
                for s, strength in enumerate(STRENGTHS):
                    moved = state + strength * shift * np.linalg.norm(state) / np.linalg.norm(original)
                    logits = hooked.logits(text, replace={1: [(at, moved.astype(np.float32))]})[mask]
                    assert int(logits.argmax()) == found.tops[i, t, 2, 0, s]
                    differs += found.tops[i, t, 2, 0, s] != found.before[i, t]
            i += 1
    assert differs > 5


def test_a_random_difference_is_as_long_as_the_edit(bundled) -> None:  # type: ignore[no-untyped-def]
    for pair in plan(CAPITALS, bundled, others=2).pairs:
        for case in _cases(pair, bundled, EDITED, 0):
            edit, drawn = np.linalg.norm(case.shifts, axis=1)
            assert edit == pytest.approx(drawn, rel=1e-5) and not np.allclose(*case.shifts)


def test_a_place_names_its_layer() -> None:
    assert layer_of("layer 12") == 12 and layer_of(TIED) == layer_of(INPUT) == 0
