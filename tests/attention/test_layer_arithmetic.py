"""The lines of arithmetic of one dimension: their numbers are those of the network's own modules."""

import re

import pytest
import torch

from embtools.attention.layer_arithmetic import number, written
from embtools.models.layer_steps import layer_steps
from tests.hooked import Hooked

TEXT = "The king is [MASK] unable."


def values(line: str) -> list[float]:
    return [float(part.replace("−", "-").replace(",", "")) for part in re.findall(r"(?<!\w)−?[\d.]+\d(?!\w)", line)]


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_every_result_is_the_networks(name, request):
    model = request.getfixturevalue(name)
    hooked = Hooked(model)
    for layer, dimension in ((1, 3), (model.layers, 11)):
        steps = layer_steps(model.hidden_states(TEXT), model, layer=layer, positions=(4,))
        lines = written(steps, model, layer=layer, dimension=dimension).split("\n")
        right, d = {step: rows[4] for step, rows in hooked.steps(TEXT, layer).items()}, dimension - 1
        n = int(abs(right["neurons"]).argmax())
        expected = {
            "output projection": right["projected"][d],
            "+ residual 1": right["attended"][d],
            "layer norm 1": right["middle"][d],
            f"neuron {n + 1:,}": right["scores"][n],
            "activated": right["neurons"][n],
            "second projection": right["feed_forward"][d],
            "+ residual 2": right["total"][d],
            "layer norm 2": right["outputs"][d],
        }
        for line, (title, value) in zip(lines, expected.items(), strict=True):
            assert line.startswith(f"{title} = ") and line.endswith(f" = {number(float(value))}"), line


def test_a_sum_names_its_largest_product(tiny):
    steps = layer_steps(tiny.hidden_states(TEXT), tiny, layer=2, positions=(4,))
    lines = written(steps, tiny, layer=2, dimension=7).split("\n")
    block = Hooked(tiny).layers[1].requires_grad_(False)
    with torch.no_grad():
        products = torch.tensor(steps.neurons[0]) * block.output.dense.weight[6]
    largest = int(products.abs().argmax())
    value, weight = float(steps.neurons[0, largest]), float(block.output.dense.weight[6, largest])
    beginning = f"second projection = {number(value)} × {number(weight)} (neuron {largest + 1}) + … (32 products)"
    assert lines[5].startswith(beginning)
    with torch.no_grad():
        products = torch.tensor(steps.heads[0]) * block.attention.output.dense.weight[6]
    assert f"(head {int(products.abs().argmax()) // 8 + 1})" in lines[0]


def test_the_terms_of_a_norm_give_its_result(bundled):
    steps = layer_steps(bundled.hidden_states(TEXT), bundled, layer=3, positions=(4,))
    line = written(steps, bundled, layer=3, dimension=20).split("\n")[2]
    x, mean, spread, weight, bias, result = values(line.partition(" = ")[2].replace("− ", "+ −"))
    assert (x + mean) / spread * weight + bias == pytest.approx(result, abs=0.06)  # of numbers with two decimals


def test_a_dimension_that_does_not_exist_is_refused(tiny):
    steps = layer_steps(tiny.hidden_states(TEXT), tiny, layer=2, positions=(4,))
    for dimension in (0, 17):
        with pytest.raises(ValueError, match=f"no dimension {dimension}. Choose 1 to 16"):
            written(steps, tiny, layer=2, dimension=dimension)
