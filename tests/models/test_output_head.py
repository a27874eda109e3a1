"""Scores along directions: the masked-word head without its activation, biases, centring and scaling."""

import numpy as np
import pytest
import torch

from embtools.models.output_head import scores_along


@pytest.mark.parametrize("name", ["bundled", "tiny_distil"])
def test_scores_are_those_of_the_head_without_its_activation(request, name):
    model = request.getfixturevalue(name)
    directions = np.random.default_rng(3).standard_normal((2, model.dimensions)).astype(np.float32)
    projection, norm = model.output_transform
    with torch.inference_mode():
        moved = (projection(torch.tensor(directions)) - projection.bias) * norm.weight
        expected = moved @ model.base.embeddings.word_embeddings.weight.T  # tied to the output matrix
    np.testing.assert_allclose(scores_along(directions, model), expected.numpy(), atol=2e-4)


def test_scores_are_proportional_to_the_length_of_a_direction(bundled):
    one = np.random.default_rng(4).standard_normal((1, bundled.dimensions)).astype(np.float32)
    single, double = scores_along(np.concatenate([one, 2 * one]), bundled)
    np.testing.assert_allclose(double, 2 * single, atol=2e-3)


@pytest.mark.parametrize(("shape", "message"), [((0, 384), "directions"), ((384,), "384 numbers"), ((2, 3), "384")])
def test_wrong_directions_are_refused(bundled, shape, message):
    with pytest.raises(ValueError, match=message):
        scores_along(np.zeros(shape, np.float32), bundled)
