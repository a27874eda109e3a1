"""Gradients against differences and autograd on a private copy; integrated gradients against their own theorem."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForMaskedLM

from embtools import fill_mask
from embtools.models.gradients import answer_gradients, integrated_gradients

TEXT = "rome is the capital of [MASK]."


def asked(model):
    frame = model.tokenize(TEXT)
    ids = frame["id"].to_numpy()
    return ids, frame["segment"].to_numpy(), int(np.flatnonzero(ids == model.mask_id)[0])


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_a_gradient_is_that_of_autograd_on_a_copy(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name)
    ids, segments, position = asked(model)
    target = model.ids["italy"]
    found, logp = answer_gradients(model.matrix[ids][None], model, segments=segments, position=position, target=target)
    network = AutoModelForMaskedLM.from_pretrained(Path(model.name)).eval()
    x = torch.from_numpy(model.matrix[ids][None].copy()).requires_grad_(True)
    right = network(inputs_embeds=x).logits[0, position].log_softmax(-1)[target]
    right.backward()
    np.testing.assert_allclose(found, x.grad, atol=1e-6, rtol=1e-4)
    assert logp == pytest.approx(right.item(), abs=1e-5)


def test_the_log_probability_is_that_of_fill_mask(bundled) -> None:
    ids, segments, position = asked(bundled)
    _, logp = answer_gradients(
        bundled.matrix[ids][None], bundled, segments=segments, position=position, target=bundled.ids["italy"]
    )
    table = fill_mask(TEXT, bundled, k=100).set_index("token")["probability"]
    assert np.exp(logp) == pytest.approx(table["italy"], rel=1e-4)


def test_integrated_gradients_add_up_to_the_difference(tiny) -> None:
    ids, segments, position = asked(tiny)
    inputs, target = tiny.matrix[ids], tiny.ids["italy"]
    baseline = np.zeros_like(inputs)
    ends = [
        answer_gradients(x[None], tiny, segments=segments, position=position, target=target)[1]
        for x in (inputs, baseline)
    ]
    reported: list[float] = []
    found = integrated_gradients(
        inputs,
        tiny,
        baseline=baseline,
        segments=segments,
        position=position,
        target=target,
        steps=300,
        progress=reported.append,
    )
    assert found.sum() == pytest.approx(ends[0] - ends[1], abs=0.02)
    assert reported[-1] == 1.0 and reported == sorted(reported)


def test_the_shared_model_gathers_nothing(tiny) -> None:
    ids, segments, position = asked(tiny)
    before = tiny.hidden_states(TEXT)
    with torch.inference_mode():
        answer_gradients(tiny.matrix[ids][None], tiny, segments=segments, position=position, target=5)
    assert all(p.grad is None for p in tiny.base.parameters())
    np.testing.assert_array_equal(tiny.hidden_states(TEXT), before)


@pytest.mark.parametrize("steps", [0, 513])
def test_steps_have_limits(steps: int, tiny) -> None:
    ids, segments, position = asked(tiny)
    with pytest.raises(ValueError, match="1 to 512"):
        integrated_gradients(
            tiny.matrix[ids],
            tiny,
            baseline=tiny.matrix[ids],
            segments=segments,
            position=position,
            target=5,
            steps=steps,
        )
