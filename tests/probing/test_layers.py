"""Probes by the name of a task or by items as text: the steps are those of the single functions."""

import numpy as np
import pandas as pd
import pytest

from embtools.concepts import Probes
from embtools.layer_combinations import COMBINED
from embtools.mask_filling.edited_models import edited_model
from embtools.probing import accuracy, curve, layers, predict, scores, verdict
from embtools.probing.features import read_features
from embtools.probing.items import built_in, read_items
from embtools.probing.verdict import share

LABELS = "\n".join(
    f"{label} | {word} | the {word} is {colour}"
    for label, words in (("a", "king queen man woman rome"), ("b", "italy france paris bank river"))
    for word in words.split()
    for colour in ("red", "green")
)
HOW = {"folding": "possibly seen", "strength": 0.1}
ITEMS = read_items(LABELS)
POOLING = "mean of tokens"


@pytest.fixture(scope="module")
def vectors(tiny):
    return read_features(ITEMS, tiny, pooling=POOLING)


@pytest.fixture(scope="module")
def measured(vectors, tiny):
    return accuracy.measure(ITEMS, vectors, vectors.combinations[: tiny.layers + 1], **HOW)


def test_every_layer_is_measured(tiny, measured):
    reported: list[float] = []
    found = layers.probe_layers(Probes(LABELS, POOLING, **HOW), tiny, layer=1, progress=reported.append)
    pd.testing.assert_frame_equal(found.table, measured.table)
    assert reported == sorted(reported) and reported[0] < 0.5 < reported[-1] <= 1
    assert (found.task, found.kind, found.count, found.layer) == ("", "words", 20, 1)
    row = measured.table.iloc[[1]]
    assert found.headline == verdict.finding(row, measured.baseline, "", "words", folding=HOW["folding"])
    best = layers.probe_layers(Probes(LABELS, POOLING, **HOW), tiny)
    assert best.layer == measured.table["accuracy"].idxmax()
    rows = measured.table[measured.table["combination"].isin(measured.equal)]
    assert best.best_layers == rows.index.tolist()
    expected = verdict.finding(rows, measured.baseline, "", "words", folding=HOW["folding"], best=True)
    assert best.headline == expected
    for layer in (-1, 3):
        with pytest.raises(ValueError, match="Choose 0 to 2"):
            layers.probe_layers(Probes(LABELS, POOLING), tiny, layer=layer)


def test_the_combinations_follow_the_layers(tiny, vectors, measured):
    found = layers.probe_combinations(Probes(LABELS, POOLING, **HOW), tiny)
    more = accuracy.measure(ITEMS, vectors, COMBINED, **HOW)
    pd.testing.assert_frame_equal(found.table, pd.concat([measured.table, more.table], ignore_index=True))
    types = [item.type for item in ITEMS]
    assert found.equal == accuracy.not_distinguished(measured.right | more.right, types)
    best = found.table.loc[found.table["accuracy"].idxmax(), "combination"]
    alone = accuracy.Combinations(found.table, found.baseline, (best,))
    assert alone.headline.endswith(f"All {len(found.table) - 1} others are significantly lower.")


def test_the_curve_and_the_mistakes_are_those_of_the_layer(tiny, vectors, measured):
    learnt = layers.probe_fewer(Probes(LABELS, POOLING, **HOW), tiny, layer=2)
    pd.testing.assert_frame_equal(learnt.table, curve.learning_curve(ITEMS, vectors.of("layer 2"), **HOW))
    last = learnt.table.iloc[-1]
    assert learnt.headline.endswith(f"with {last['items']:.0f} it is {share(last['accuracy'])}.")
    assert learnt.baseline == measured.baseline == 0.5
    scored = layers.probe_mistakes(Probes(LABELS, POOLING, **HOW), tiny, layer=2)
    given, probabilities = [item.label for item in ITEMS], measured.probabilities["layer 2"]
    pd.testing.assert_frame_equal(scored.confusion, scores.confusion(given, probabilities))
    pd.testing.assert_frame_equal(scored.per_label, scores.per_label(given, probabilities).round(3))
    pd.testing.assert_frame_equal(scored.mistakes, scores.mistakes(ITEMS, probabilities))
    assert scored.headline == f"A probe on layer 2 gets {len(scored.mistakes)} of 20 items wrong."
    with pytest.raises(ValueError, match="Choose 0 to 2"):
        layers.probe_mistakes(Probes(LABELS, POOLING), tiny, layer=3)


def test_a_probe_is_tried_on_a_new_sentence(tiny, vectors):
    found = layers.try_probe("the river is red", tiny, probes=Probes(LABELS, POOLING), layer=1)
    named = {"items": ITEMS, "features": vectors, "combination": "layer 1", "pooling": POOLING}
    pd.testing.assert_frame_equal(found, predict.predict_labels("the river is red", tiny, **named))


def test_items_by_name_and_as_a_table():
    assert layers.items_of("tense") == built_in("tense") and layers.items_of(LABELS) == ITEMS
    table = layers.items_table(LABELS)
    assert read_items(table.to_csv(index=False)) == ITEMS
    assert list(layers.items_table("topic")) == ["sentence", "label"]
    one, two = (layers.effort(LABELS, layers=count, dimensions=16) for count in (2, 5))
    assert two == pytest.approx(2 * one) and one > 0
    assert np.isclose(layers.effort("tense", layers=2, dimensions=16) / one, len(built_in("tense")) / 20)


def test_an_edited_sentence_is_given_to_the_probe_of_the_original_model(tiny, vectors):
    edited = edited_model(["king = italy", "red = blue"], tiny)
    found = layers.try_probe("the king is green", edited, probes=Probes(LABELS, POOLING), layer=1)
    expected = predict.predict_labels(
        "the king is green", edited, items=ITEMS, features=vectors, combination="layer 1", pooling=POOLING
    )
    pd.testing.assert_frame_equal(found, expected)
    plain = layers.try_probe("the king is green", tiny, probes=Probes(LABELS, POOLING), layer=1)
    assert np.abs(found["probability"] - plain["probability"]).max() > 0.01
    same = layers.try_probe("the queen is green", edited, probes=Probes(LABELS, POOLING), layer=1)
    pd.testing.assert_frame_equal(
        same, layers.try_probe("the queen is green", tiny, probes=Probes(LABELS, POOLING), layer=1)
    )
