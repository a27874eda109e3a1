"""Embedding lookup and output, compared with the network's own layers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from embtools import fill_mask
from embtools.charts import inputs as charts
from embtools.inputs import lookup
from embtools.statistics.ranks import ordinal

SUN = "The [MASK] is bright today."


def test_one_hot_times_matrix_is_the_row(bundled):
    found = lookup.look_up("sun", bundled)
    weight = bundled.base.embeddings.word_embeddings.weight.detach().clone()
    hot = torch.nn.functional.one_hot(torch.tensor(found.id), len(weight)).float()
    np.testing.assert_allclose(found.row, hot @ weight, atol=1e-7)
    assert found.largest < 1e-6 and found.id == bundled.ids["sun"]
    table = found.neighbours
    assert table["one_hot"].tolist() == [0, 0, 1, 0, 0] and table["token"].iloc[2] == "sun"
    np.testing.assert_array_equal(table.filter(like="dim"), weight.numpy()[table["id"], :6])
    first = lookup.look_up("[PAD]", bundled)
    assert first.neighbours["id"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_the_output_is_that_of_the_masked_word_head(name, request):
    model = request.getfixturevalue(name)
    text, word = ("Rome is the [MASK].", "king")
    back = lookup.output(text, model, word=word, k=3)
    frame = fill_mask(text, model, k=len(model.vocabulary) if name != "bundled" else 100)
    with torch.no_grad():
        output = model._network(input_ids=torch.tensor(model.tokenize(text)["id"].to_numpy())[None])
    logits = (output.prediction_logits if "prediction_logits" in output else output.logits)[0, 4].double()
    row = model.ids[word]
    assert back.logit == pytest.approx(float(logits[row]), abs=1e-3)
    assert back.log_total == pytest.approx(float(logits.logsumexp(0)), abs=1e-3)
    assert back.probability == pytest.approx(float(logits.softmax(0)[row]), rel=1e-3)
    assert back.rank == 1 + int((logits > logits[row]).sum())
    assert (
        back.dot
        == pytest.approx(float(np.dot(back.state.astype(float), back.row)))
        == pytest.approx(back.products.sum())
    )
    assert back.dot + back.bias == back.logit
    answers = back.answers.set_index("token")
    assert answers["probability"].iloc[:3].tolist() == pytest.approx(frame["probability"].iloc[:3].tolist(), rel=1e-3)
    assert word in answers.index and answers.loc[word, "rank"] == back.rank
    np.testing.assert_allclose(answers["dot_product"] + answers["bias"], answers["logit"], atol=1e-4)


def test_impossible_arguments_are_refused(bundled, monkeypatch):
    for text, word, k, message in (
        ("no mask", "sun", 5, r"Write ___ or \[MASK\]"),
        (SUN, "sunn", 5, "Did you mean"),
        (SUN, "sun", 0, "choose 1 to"),
        ("", "sun", 5, "empty"),
    ):
        with pytest.raises(ValueError, match=message):
            lookup.output(text, bundled, word=word, k=k)
    monkeypatch.setattr(bundled, "tied", False)
    with pytest.raises(ValueError, match="different matrices for input and output"):
        lookup.output(SUN, bundled, word="sun")


def test_a_round_trip_is_both_steps(bundled):
    trip = lookup.round_trip(SUN, bundled, word=" sun")
    back = lookup.output(SUN, bundled, word="sun")
    assert trip.size == bundled.matrix.shape and trip.input.id == bundled.ids["sun"] and trip.word == "sun"
    pd.testing.assert_frame_equal(trip.output.answers, back.answers)
    assert trip.headline == (
        "In the input, “sun” is row 3,103 of 30,522. In the output, the same row gives it a probability of"
        f" {lookup.percentage(back.probability)}; it ranks {ordinal(back.rank)}."
    )
    np.testing.assert_allclose(trip.products["state"] * trip.products["row"], trip.products["product"], rtol=1e-5)


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0.1264, "12.6%"), (0.0042, "0.4%"), (0.0004, "0.04%"), (0.0001, "0.01%"), (3e-7, "under 0.01%")],
)
def test_a_small_probability_is_not_called_zero(bundled, probability, text):
    trip = lookup.round_trip(SUN, bundled, word="sun")
    table = trip.output.answers.assign(probability=probability)
    trip = replace(trip, output=replace(trip.output, probability=probability, answers=table))
    assert f"a probability of {text}; it ranks" in trip.headline
    bars = charts.answers(trip)
    assert set(bars.figure.data[0].text) == {text} and bars.alt.endswith(f" {text}.")
