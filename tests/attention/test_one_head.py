"""The steps of one head, computed by hand from the weights of the network; and the charts."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel

from embtools.attention import head_steps
from embtools.attention import heads as head_names
from embtools.attention.attended import attended_words
from embtools.attention.reading import read, rollout
from embtools.charts import attention as charts
from embtools.statistics.decimals import decimal

TEXT = "The king is unable, the bank is a river."


def test_the_steps_are_those_of_the_networks_own_matrices(tiny) -> None:
    reading = read(TEXT, tiny)
    found = head_steps.steps(reading, tiny, heads="2.2", row=3, column=5)
    network = AutoModel.from_pretrained(Path(tiny.name)).eval()
    part = network.encoder.layer[1].attention.self
    with torch.no_grad():
        x = network(torch.tensor(reading.tokens["id"].to_numpy())[None], output_hidden_states=True).hidden_states[1][0]
        q, k, v = (made(x)[:, 8:].numpy() for made in (part.query, part.key, part.value))
    assert found.dot == pytest.approx(float(q[3] @ k[5]), abs=1e-4)
    assert found.score == pytest.approx(found.dot / np.sqrt(8), abs=1e-4)
    scores = q[3] @ k.T / np.sqrt(8)
    weights = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(found.tokens["weight"], weights, atol=1e-5)
    np.testing.assert_allclose(
        found.tokens["exponential"] / found.tokens["exponential"].sum(), found.tokens["weight"], atol=1e-5
    )
    np.testing.assert_allclose(found.dimensions["output"], weights @ v, atol=1e-4)
    np.testing.assert_allclose(found.dimensions["weighted_value"], weights[5] * v[5], atol=1e-4)
    assert found.dimensions["product"].sum() == pytest.approx(found.dot, abs=1e-4)


def test_the_written_steps_hold_the_numbers(tiny) -> None:
    found = head_steps.steps(read(TEXT, tiny), tiny, heads="1.1", row=3, column=5)
    lines = head_steps.written(found, "is", "##able")
    dot, score = (f"{value:.2f}".replace("-", "−") for value in (found.dot, found.score))
    assert f"(8 products) = {dot}" in lines and f"= {found.weight:.1%}" in lines
    assert f"÷ √8 = {score}" in lines and "-" not in lines


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_a_matrix_of_heads_is_the_networks(name, request, eager) -> None:
    model = request.getfixturevalue(name)
    reading = read(TEXT, model)
    right = eager(model, reading.tokens)
    for heads, expected in (
        ("2.1", right[1, 0]),
        ("layer 2", right[1].mean(0)),
        (head_names.ALL, right.mean((0, 1))),
        (head_names.ROLLOUT, rollout(reading.states, model)),
    ):
        np.testing.assert_allclose(head_steps.matrix(reading, model, heads=heads), expected, atol=1e-5)


def test_a_pair_is_chosen_by_words_or_by_tokens(tiny) -> None:
    reading = read(TEXT, tiny)
    found = head_steps.one_head(TEXT, tiny, source=["unable"], target=["bank"], heads="2.1")
    weights = head_steps.matrix(reading, tiny, heads="2.1")
    assert (found.row, found.column) == (4, 8)
    assert found.headline == f"In layer 2, head 1, “un” gives “bank” {weights[4, 8]:.1%} of its attention."
    assert found.arithmetic == head_steps.written(
        head_steps.steps(reading, tiny, heads="2.1", row=4, column=8), "un", "bank"
    )
    second = head_steps.one_head(TEXT, tiny, source=[4], target=[7], heads="2.1", row=5, column=2)
    assert (second.row, second.column) == (5, 8)  # the second token of its word; "king" is another word
    np.testing.assert_allclose(second.attending["weight"], weights[5])
    both = head_steps.one_head(TEXT, tiny, source=["king"], target=["bank"], heads="layer 2")
    assert both.steps is None and not both.arithmetic and both.headline.startswith("Averaged over the heads of layer 2")
    rolled = head_steps.one_head(TEXT, tiny, source=["king"], target=["bank"], heads=head_names.ROLLOUT)
    share = rollout(reading.states, tiny)[2, 8]
    assert rolled.headline == f"By rollout over all layers, {share:.1%} of “king” comes from “bank”."


def test_the_strongest_head_is_that_of_the_words(tiny) -> None:
    found = head_steps.one_head(TEXT, tiny, source=["king"], target=["bank"])
    words = attended_words(TEXT, tiny, source=["king"], target=["bank"])
    assert found.heads == words.heads
    share = words.words.set_index("word").loc["bank", "share"]
    assert found.weights[found.row, found.column] == pytest.approx(share, abs=1e-6)


def test_unknown_heads_and_tokens_are_refused(tiny) -> None:
    reading = read("the king", tiny)
    with pytest.raises(ValueError, match="Choose one head"):
        head_steps.steps(reading, tiny, heads=head_names.ALL, row=0, column=0)
    with pytest.raises(ValueError, match="tokens 0 to 3"):
        head_steps.steps(reading, tiny, heads="1.1", row=0, column=4)
    with pytest.raises(ValueError, match="no head '3.1'"):
        head_steps.matrix(reading, tiny, heads="3.1")


# Charts


def test_the_heatmap_shows_every_weight_and_its_cells_can_be_clicked(tiny) -> None:
    reading = read(TEXT, tiny)
    chart = charts.weights(head_steps.one_head(TEXT, tiny, source=["king"], target=["bank"], heads="1.1"))
    weights, tokens = head_steps.matrix(reading, tiny, heads="1.1"), reading.tokens["token"].tolist()
    heat, marks = chart.figure.data
    np.testing.assert_allclose(heat.z, weights)
    n = len(tokens)
    assert marks.customdata[2 * n + 5] == 2 * n + 5 and (marks.y[2 * n + 5], marks.x[2 * n + 5]) == (2, 5)
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    assert f"is {weights.max():.0%}, from {tokens[row]} to {tokens[column]}." in chart.alt
    np.testing.assert_allclose(chart.frame.drop(columns="attending"), weights)


def test_a_long_text_is_drawn_as_means_of_blocks() -> None:
    weights = np.random.default_rng(0).random((512, 512)).astype(np.float32)
    head = head_steps.OneHead("1.1", ("a",) * 512, (0,) * 512, (False,) * 512, weights, 0, 1, None)
    figure = charts.weights(head).figure
    (heat,) = figure.data
    assert heat.z.shape == (128, 128)
    np.testing.assert_allclose(heat.z[1, 2], weights[4:8, 8:12].mean(), rtol=1e-5)
    assert len(figure.to_json()) < 200_000
    odd, step = charts.shrunk(weights[:301, :301])
    assert step == 3 and odd[100, 100] == pytest.approx(weights[300, 300])


def test_the_strips_show_each_vector(tiny) -> None:
    found = head_steps.steps(read(TEXT, tiny), tiny, heads="1.1", row=3, column=5)
    chart = charts.weight_steps(found)
    (heat,) = chart.figure.data
    products = found.dimensions["product"]
    np.testing.assert_allclose(heat.z[2], products / products.abs().max(), atol=1e-6)
    assert np.abs(heat.z).max(axis=1) == pytest.approx(np.ones(6))
    assert heat.hovertext[2][7] == f"dimension 8: {products.iloc[7]:.3f}"
    assert f"sum to {decimal(found.dot)}" in chart.alt
    assert found.ranked["weight"].is_monotonic_decreasing
