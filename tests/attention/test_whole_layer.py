"""A whole layer at one token and the arithmetic of one dimension, against hooks in a separate copy of the network; and the charts."""

import re

import numpy as np
import pandas as pd
import pytest
import torch

from embtools.attention.layer_parts import (
    INPUT,
    MIDDLE,
    OUTPUT,
    READABLE,
    STATES,
    STEPS,
    number,
    whole_layer,
    written,
)
from embtools.charts import attention as charts
from embtools.mask_filling.tokens import tokens_of
from embtools.models.layer_steps import layer_steps
from embtools.models.tuned_lens import needed_lens
from tests.hooked import Hooked

TEXT = "The king is [MASK] unable."


def head(hooked, states):
    """The probabilities that the network's own masked-word head gives for states (n, d)."""
    with torch.no_grad():
        x, network = torch.tensor(states), hooked.network
        if hooked.model.has_segments:
            logits = network.cls.predictions(x)
        else:
            logits = network.vocab_projector(network.vocab_layer_norm(network.activation(network.vocab_transform(x))))
        return logits.double().softmax(-1).numpy()


@pytest.mark.parametrize("name", ["tiny_distil", "bundled"])
def test_every_step_is_the_networks_and_is_read_off_by_its_head(name, request):
    model = request.getfixturevalue(name)
    hooked = Hooked(model)
    for layer, position in ((1, 2), (model.layers, None)):
        found = whole_layer(TEXT, model, layer=layer, position=position)
        place = 4 if position is None else position
        right = hooked.steps(TEXT, layer) | {"inputs": hooked.states(TEXT)[layer - 1]}
        assert found.position == place and found.token == model.tokenize(TEXT)["token"][place]
        for step in STEPS:
            np.testing.assert_allclose(getattr(found.vectors, step)[0], right[step][place], atol=1e-5, rtol=1e-5)
        table, before = found.steps.set_index("step"), None
        for step, title in STEPS.items():
            x, row = right[step][place].astype(float), table.loc[title]
            assert row["numbers"] == len(x) and row["length"] == pytest.approx(np.linalg.norm(x), rel=1e-5)
            if step not in READABLE:
                assert step in ("scores", "neurons") and not row["top_answer"]
                assert np.isnan([row["distance"], row["cosine"], row["probability"]]).all()
                continue
            shares = head(hooked, right[step][[place]])[0]
            assert row["top_answer"] == model.vocabulary[shares.argmax()]
            assert row["probability"] == pytest.approx(shares.max(), rel=1e-3)
            assert row["answer_probability"] == pytest.approx(shares[model.ids[found.answer]], rel=1e-3)
            if before is not None:
                assert row["distance"] == pytest.approx(np.linalg.norm(x - before), rel=1e-4)
                cosine = x @ before / np.linalg.norm(x) / np.linalg.norm(before)
                assert row["cosine"] == pytest.approx(cosine, abs=1e-4)
            if step in STATES:
                before = x
        assert found.answer == model.vocabulary[hooked.logits(TEXT)[place].argmax()]


def test_the_tuned_lens_reads_the_states_before_and_after_a_layer(bundled, tiny):
    """By hand with its matrices; the states inside the layer, and the last layer, are read as without it."""
    plain, tuned = (whole_layer(TEXT, bundled, layer=3, tuned=tuned) for tuned in (False, True))
    lens, hooked = needed_lens(bundled), Hooked(bundled)
    for step, layer, vector in ((INPUT, 2, plain.vectors.inputs[0]), (OUTPUT, 3, plain.vectors.outputs[0])):
        row = tuned.steps.set_index("step").loc[step]
        shares = head(hooked, (lens.weights[layer] @ vector + lens.biases[layer])[None])[0]
        assert row["top_answer"] == bundled.vocabulary[shares.argmax()]
        assert row["probability"] == pytest.approx(shares.max(), rel=1e-3)
    inside = [each.steps[~each.steps["step"].isin([INPUT, OUTPUT])] for each in (plain, tuned)]
    pd.testing.assert_frame_equal(*inside)
    assert tuned.answer == plain.answer and not plain.tuned
    before, after = (tuned.steps.set_index("step").loc[step, "top_answer"] for step in (INPUT, OUTPUT))
    assert tuned.headline.startswith(f"Read off at “[MASK]” with the tuned lens, the answer is “{before}” (")
    assert f"before layer 3 and “{after}” (" in tuned.headline
    last = [whole_layer(TEXT, bundled, layer=6, tuned=tuned).steps.iloc[-1]["probability"] for tuned in (False, True)]
    assert last[0] == pytest.approx(last[1])
    with pytest.raises(ValueError, match="no tuned lens"):
        whole_layer(TEXT, tiny, layer=1, tuned=True)


def test_the_best_words_of_each_state_are_listed_without_the_one_that_is_no_answer(bundled, tiny):
    assert "[UNK]" not in set(whole_layer(TEXT, tiny, layer=1).answers["token"])
    found = whole_layer(TEXT, bundled, layer=3, k=4)
    shares = head(Hooked(bundled), np.concatenate([getattr(found.vectors, step) for step in READABLE]))
    assert len(found.answers) == 8 * 4
    for step, row in zip(READABLE, shares, strict=True):
        own = found.answers[found.answers["step"] == STEPS[step]]
        assert own["token"].tolist() == [bundled.vocabulary[i] for i in np.argsort(-row)[:4]]
        np.testing.assert_allclose(own["probability"], np.sort(row)[::-1][:4], rtol=1e-3)


def test_headline_and_movement_state_the_numbers_of_the_table(bundled):
    found = whole_layer("The capital of France is [MASK].", bundled, layer=6)
    rows = found.steps.set_index("step")
    for step in (INPUT, MIDDLE, OUTPUT):
        assert f"“{rows.loc[step, 'top_answer']}” (" in found.headline
    assert "before layer 6" in found.headline and "“[MASK]”" in found.headline
    ratio = rows.loc["output projection", "length"] / rows.loc[INPUT, "length"]
    assert f"Attention adds a vector {ratio:.1f} times as long as the input" in found.movement
    ratio = rows.loc["second projection", "length"] / rows.loc[MIDDLE, "length"]
    assert f"adds a vector {ratio:.1f} times as long as the one it reads" in found.movement


def test_every_number_is_listed_by_step(tiny):
    found = whole_layer(TEXT, tiny, layer=2)
    assert len(found.numbers) == 8 * 16 + 2 * 32
    own = found.numbers[found.numbers["step"] == "neurons"]
    np.testing.assert_array_equal(own["value"], found.vectors.neurons[0])
    assert own["number"].tolist() == list(range(1, 33))


def test_the_dimension_is_the_largest_unless_it_is_chosen(tiny):
    found = whole_layer(TEXT, tiny, layer=2)
    assert found.dimension == 1 + int(np.abs(found.vectors.outputs[0]).argmax())
    other = whole_layer(TEXT, tiny, layer=2, dimension=5)
    assert other.dimension == 5 and other.arithmetic != found.arithmetic


def test_tokens_of_two_models_are_matched_by_their_words(tiny, bundled):
    text = "The king is unable."
    few, many = tokens_of(text, bundled), tokens_of(text, tiny)
    assert few.names == ("[CLS]", "the", "king", "is", "unable", ".", "[SEP]")
    assert many.names[4:6] == ("un", "##able")
    assert [few.counterpart(position, many) for position in range(7)] == [0, 1, 2, 3, 4, 6, 7]
    assert [many.counterpart(position, few) for position in range(8)] == [0, 1, 2, 3, 4, 4, 5, 6]
    assert tokens_of("[MASK] is [MASK]", tiny).masks == (1, 3)


@pytest.mark.parametrize(
    ("text", "changed", "words"),
    [
        (TEXT, {"layer": 3}, "no layer 3"),
        (TEXT, {"position": 9}, "no token 9. This text has tokens 0 to 8"),
        (TEXT, {"dimension": 17}, "no dimension 17"),
        (TEXT, {"k": 0}, "0 answers were asked for"),
        ("The king.", {}, r"no \[MASK\]"),
    ],
)
def test_what_does_not_exist_is_refused(tiny, text, changed, words):
    with pytest.raises(ValueError, match=words):
        whole_layer(text, tiny, **{"layer": 1} | changed)


# Charts


def test_the_strips_show_every_vector(tiny):
    found = whole_layer(TEXT, tiny, layer=2)
    chart = charts.layer_strips(found)
    assert len(chart.figure.data) == 10 and chart.frame is found.numbers
    for trace, step in zip(chart.figure.data, STEPS, strict=True):
        vector = getattr(found.vectors, step)[0]
        np.testing.assert_allclose(trace.customdata[0][:, 1], vector, atol=1e-6)
        assert 0 < trace.x[0] < trace.x[-1] < 1  # vectors of both lengths have the same width
        np.testing.assert_array_equal(np.sign(trace.z[0]), np.sign(vector.astype(np.float32)))
    above = int((found.vectors.neurons > 0).sum())
    assert f"32 neurons, of which {above} are above zero" in chart.alt


def test_the_states_show_distances_and_answers(bundled):
    found = whole_layer("The capital of France is [MASK].", bundled, layer=6)
    chart = charts.layer_states(found)
    distance, answer = chart.figure.data
    rows = found.steps[found.steps["step"].isin([STEPS[step] for step in READABLE])]
    bold = [text.startswith("<b>") for text in chart.figure.layout.yaxis.ticktext]
    assert bold == [step in STATES for step in READABLE]
    assert "output<br>projection" in chart.figure.layout.yaxis.ticktext
    np.testing.assert_allclose(distance.x[1:], rows["distance"][1:], rtol=1e-5)
    np.testing.assert_allclose(answer.x, rows["probability"], rtol=1e-5)
    assert "paris" in answer.text[-1] and "(paris" in answer.text[0]  # the final answer where another one is first
    assert "(" not in answer.text[-1] and distance.text[0] == "" and "moved by" in chart.alt


def test_the_strips_of_two_results_have_the_same_colours(tiny):
    one, other = (whole_layer(TEXT, tiny, layer=layer) for layer in (1, 2))
    full = np.quantile(np.abs(np.concatenate([each.vectors.inputs[0] for each in (one, other)])), 0.98)
    for each in (one, other):
        first = charts.layer_strips(each, (one, other)).figure.data[0]
        np.testing.assert_allclose(first.z[0] * full, each.vectors.inputs[0], rtol=1e-4, atol=1e-6)


def values(line: str) -> list[float]:
    return [float(part.replace("−", "-").replace(",", "")) for part in re.findall(r"(?<!\w)−?[\d.]+\d(?!\w)", line)]


@pytest.mark.parametrize("name", ["tiny_distil", "bundled"])
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
