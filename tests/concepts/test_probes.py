"""Probes: their accuracy, intervals and control, mistakes and headline."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from embtools.charts import concepts as charts
from embtools.concepts.accuracy import (
    Combinations,
    LearningCurve,
    chosen_again,
    confusion,
    intervals,
    learning_curve,
    measure,
    mistakes,
    not_distinguished,
    per_label,
)
from embtools.concepts.items import Item, built_in
from embtools.concepts.layer_probes import LayerProbes, finding
from embtools.concepts.probes import read_features
from embtools.statistics.intervals import interval
from embtools.statistics.percentages import rate_text
from embtools.statistics.probe import DIVISIONS, FOLDINGS, MET, random_labels, split
from embtools.ui.concepts import probe as screen

# Accuracy and control


@pytest.mark.parametrize("folding", FOLDINGS)
def test_accuracy_and_control_are_those_of_scikit_learn(items, features, folding):
    found = measure(items, features, features.combinations, folding=folding, strength=0.1)
    labels, types = [i.label for i in items], [i.type for i in items]
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1_000))
    for number, row in enumerate(found.table.itertuples()):
        x = features.vectors[number].astype(np.float64)
        for given, value, count in ((labels, row.accuracy, DIVISIONS), (random_labels(labels, types), row.control, 1)):
            every = (split(given, types, folding=folding, seed=seed) for seed in range(count))
            predicted = [cross_val_predict(model, x, given, cv=splits) for splits in every]
            assert value == pytest.approx(np.mean([accuracy_score(given, each) for each in predicted]))
        assert row.selectivity == pytest.approx(row.accuracy - row.control)
        assert row.accuracy_low <= row.accuracy <= row.accuracy_high
        assert row.selectivity_low <= row.selectivity <= row.selectivity_high
    assert found.best == "layer 1" and found.labels == ("a", "b", "c") and found.types == 30
    assert found.baseline == pytest.approx(1 / 3)


def test_noise_cannot_be_predicted_and_memory_raises_the_control(items, features):
    never = measure(items, features, features.combinations).table
    assert never["accuracy"][1] > 0.7 and never["accuracy_low"][0] < 1 / 3 and (never["control_low"] < 1 / 3).all()
    # A word has the same vector in both of its sentences, so a probe trained on one of them knows the other.
    same = type(features)(("layer 0",), (np.repeat(features.vectors[0][::2], 2, axis=0),))
    found = measure(items, same, ("layer 0",), folding=MET, strength=10.0).table
    assert found["control"][0] > 0.6


def test_intervals_agree_with_those_of_the_statistics_package():
    rng = np.random.default_rng(1)
    values, types = rng.random((20, 2)), [f"w{n // 3}" for n in range(20)]
    mean, low, high = intervals(values, types)
    for column in range(2):
        assert (mean[column], low[column], high[column]) == pytest.approx(interval(values[:, column], types))


def test_a_probe_that_is_always_right_still_has_an_interval():
    """By hand: Wilson's lower bound of n out of n is n / (n + z²)."""
    _, low, high = intervals(np.array([[1.0, 0.0]] * 20), [f"w{n // 2}" for n in range(20)])
    z = 1.959964**2
    assert low == pytest.approx([10 / (10 + z), 0]) and high == pytest.approx([1, z / (10 + z)])


def test_the_best_combination_is_measured_on_words_that_did_not_choose_it():
    """If all combinations are noise, the accuracy of the best one is too high; chosen again, it is that of noise."""
    rng = np.random.default_rng(0)
    types = [f"w{n // 2}" for n in range(60)]
    noise = [{f"layer {n}": row for n, row in enumerate(rng.random((20, 60)) < 0.5)} for _ in range(30)]
    assert np.mean([max(row.mean() for row in each.values()) for each in noise]) > 0.6
    found = [chosen_again(each, types) for each in noise]
    assert np.mean([mean for mean, _, _ in found]) == pytest.approx(0.5, abs=0.03)
    assert np.mean([low < 0.5 < high for _, low, high in found]) > 0.9
    assert chosen_again({"layer 0": np.ones(60)}, types)[1] == pytest.approx(30 / (30 + 1.959964**2))


def test_layers_that_cannot_be_told_apart_are_named(items, features):
    found = measure(items, features, features.combinations)
    types = [i.type for i in items]
    assert found.equal == ("layer 1",) == not_distinguished(found.right, types)
    assert not_distinguished(found.right | {"the same": found.right["layer 1"]}, types) == ("layer 1", "the same")
    one, other = (found.right[name] for name in ("layer 1", "layer 0"))
    assert interval(one - other, types)[1] > 0


def test_progress_can_stop_it(items, features):
    reported: list[float] = []
    measure(items, features, features.combinations, progress=reported.append)
    assert reported == [0.0, 0.5]

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(items, features, features.combinations, progress=stop)


@pytest.mark.slow
def test_the_bundled_model_holds_tense_and_number(bundled):
    """The claim D5 on the page: features for another model, tested on verbs and nouns that were not used for training."""
    for task in ("tense", "number"):
        items = built_in(task)[::4] + built_in(task)[1::4]
        features = read_features(items, bundled, pooling="mean of tokens")
        row = measure(items, features, ("layer 4",)).table.iloc[0]
        assert row["accuracy_low"] > 0.8 and row["selectivity_low"] > 0.1


@pytest.mark.slow
def test_the_charts_draw_the_tables(items, features):
    found, curve = measure(items, features, features.combinations), learning_curve(items, features.vectors[1])
    layers = charts.probes(LayerProbes("", "words", 60, "never seen", found, 1))
    learnt = charts.over_items(LearningCurve(curve, found.baseline))
    for drawn, table in ((layers, found.table), (learnt, curve)):
        lines = {trace.name: trace for trace in drawn.figure.data}
        assert lines["true labels"].y.tolist() == pytest.approx(table["accuracy"].tolist()) and drawn.frame is table
        assert lines["random labels (control)"].y.tolist() == pytest.approx(table["control"].tolist())
        assert lines["guessing (most frequent label)"].y.tolist() == pytest.approx([1 / 3, 1 / 3])
    assert f"to {rate_text(curve['accuracy'].iloc[-1])} with {curve['items'].iloc[-1]:.0f}" in learnt.alt
    assert f"and {rate_text(found.table['accuracy'][1])} in layer 1, the highest." in layers.alt
    assert "guessing (most frequent label) gets 33%." in layers.alt
    rows = charts.combinations(Combinations(found.table, found.baseline, ()))
    assert rows.figure.layout.yaxis.ticktext == ("layer 0", "layer 1") and "(layer 1)" in rows.alt


@pytest.mark.parametrize(("chosen", "best", "ringed"), [(0, ["layer 1"], [0]), (None, ["layer 0", "layer 1"], [0, 1])])
def test_each_layer_of_the_headline_has_a_ring(items, features, chosen, best, ringed):
    found = measure(items, features, features.combinations)
    same = replace(found, table=found.table.assign(accuracy=0.9), equal=tuple(best))
    drawn = charts.probes(LayerProbes("", "words", 60, "never seen", same, chosen)).figure
    assert [trace.x[0] for trace in drawn.data if trace.mode == "markers"] == ringed


def test_only_every_item_is_100_percent_and_equal_layers_are_named(items, features):
    found = measure(items, features, features.combinations)
    almost = found.table.assign(accuracy=[0.9, 215 / 216])
    probes = LayerProbes("", "words", 60, "never seen", replace(found, table=almost), None)
    assert "90% in layer 0, 99.5% in the last layer, and 99.5% in layer 1, the highest" in charts.probes(probes).alt
    assert charts.combinations(Combinations(almost, 0.3, ())).alt.endswith(
        "the highest is 99.5% (layer 1), the lowest 90% (layer 0)."
    )
    rows = pd.concat([almost, almost.tail(1).assign(combination="mean")], ignore_index=True)
    assert (
        "highest is 99.5% (layer 1 and 1 other combination), the lowest"
        in charts.combinations(Combinations(rows, 0.3, ())).alt
    )
    two = Combinations(rows, 0.3, ("layer 1", "mean"))
    assert two.headline == "2 of the 3 layer combinations cannot be distinguished: they have the same accuracy, 99.5%."
    assert Combinations(rows, 0.3, tuple(rows["combination"])).headline == (
        "All 3 layer combinations cannot be distinguished: their accuracies are 90.0% to 99.5% (highest: layer 1)."
    )
    assert Combinations(almost, 0.3, ("layer 1",)).headline == (
        "Layer 1 has the highest accuracy, 99.5%. The other one is significantly lower."
    )
    same = found.table.assign(accuracy=1.0)
    probes = replace(probes, accuracy=replace(found, table=same, equal=("layer 0", "layer 1")))
    assert probes.headline.startswith(
        "Layers 0 and 1 both predict your labels of new words with 100% accuracy (95% int"
    )
    assert probes.best_layers == [0, 1]
    assert "Layer 1 is the best: " in replace(probes, accuracy=replace(found, table=almost)).headline


def test_the_caption_gives_the_accuracy_with_the_layer_chosen_again_only_if_there_was_a_choice() -> None:
    row = {"combination": "layer 0", "accuracy": 0.9, "accuracy_low": 0.8, "accuracy_high": 1.0, "control": 0.5}
    table = pd.DataFrame([row | {"control_low": 0.4, "selectivity": 0.4}] * 2)
    accuracy = SimpleNamespace(table=table, types=4, best="layer 0", best_held_out=(0.85, 0.7, 1.0), baseline=0.5)
    best, chosen = (
        screen._accuracy_caption(LayerProbes("", "sentences", 10, "any", accuracy, layer))  # type: ignore[arg-type]
        for layer in (None, 0)
    )
    assert "its accuracy is 85.0% (95% interval 70.0% to 100.0%)" in best and "85.0%" not in chosen


# Scores and mistakes

LABELS = ["a", "a", "a", "b", "b", "c"]
PROBABILITIES = np.array(
    [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.9, 0, 0.1], [0.1, 0.8, 0.1], [0.5, 0.3, 0.2], [0.6, 0.2, 0.2]]
)


def test_the_confusion_matrix_by_hand():
    counts = confusion(LABELS, PROBABILITIES).pivot(index="label", columns="predicted", values="count")
    assert counts.to_numpy().tolist() == [[2, 1, 0], [1, 1, 0], [1, 0, 0]]


def test_precision_recall_and_f1_by_hand():
    table = per_label(LABELS, PROBABILITIES).set_index("label")
    assert table.loc["a"].tolist() == pytest.approx([2 / 4, 2 / 3, 2 * (1 / 2 * 2 / 3) / (1 / 2 + 2 / 3), 3])
    assert table.loc["b"].tolist() == pytest.approx([1 / 2, 1 / 2, 1 / 2, 2])
    assert table.loc["c"].tolist() == [0, 0, 0, 1]  # it is never predicted


def test_mistakes_are_sorted_by_probability():
    items = tuple(Item(f"s{n}", label, f"w{n}", n + 1) for n, label in enumerate(LABELS))
    table = mistakes(items, PROBABILITIES)
    assert table.to_numpy().tolist() == [
        ["w1", 2, "a", "b", 0.7, "s1"], ["w5", 6, "c", "a", 0.6, "s5"], ["w4", 5, "b", "a", 0.5, "s4"],
    ]  # fmt: skip
    assert mistakes(items[:1], PROBABILITIES[:1, :1]).empty


def test_the_matrix_and_the_bars_are_drawn_and_escaped():
    frame = confusion(["<b>", "x"], np.eye(2))
    chart = charts.confusion(frame)
    figure = chart.figure
    assert np.array(figure.data[0].text).tolist() == [["1", "0"], ["0", "1"]]
    assert figure.layout.xaxis.ticktext == figure.layout.yaxis.ticktext == ("&lt;b&gt;", "x")
    assert figure.data[0].hovertext[0][1] == "&lt;b&gt;, predicted as x: 0 (0%)"
    assert chart.alt == "Confusion matrix: 2 of 2 items are right."
    assert charts.confusion(confusion(LABELS, PROBABILITIES)).alt == (
        "Confusion matrix: 3 of 6 items are right. The most frequent mistakes, such as b instead of a, occur once each."
    )
    assert charts.confusion(confusion(["a", "a", "b"], np.eye(2)[[1, 1, 0]])).alt == (
        "Confusion matrix: 0 of 3 items are right. The most frequent mistake is b instead of a (2 times)."
    )
    rows = pd.DataFrame({"word": "ship", "occurrence": [1, 1, 2], "label": ["<b>", "x", "<b>"], "probability": 0.5})
    bars = charts.predicted(rows, "ship")
    assert bars.figure.layout.yaxis.ticktext == ("&lt;b&gt;", "x") and list(bars.figure.data[0].x) == [0.5, 0.5]
    assert bars.alt == "Predicted labels for “ship”: <b> 50%, x 50%." and bars.frame is rows
    assert charts.predicted(rows, "ship (2)").alt == "Predicted labels for “ship (2)”: <b> 50%."
    assert "for the sentence" in charts.predicted(rows.assign(word="").head(2)).alt


# The headline about a probe follows from its interval and from guessing

ROW = {
    "combination": "layer 2", "accuracy": 0.97, "accuracy_low": 0.94, "accuracy_high": 0.99, "control": 0.25,
    "control_low": 0.2, "selectivity_low": 0.6,
}  # fmt: skip
PREDICTS = "A probe on layer 2 predicts the part of speech of new words with 97% accuracy (95% interval 94% to 99%)."


@pytest.mark.parametrize(
    ("change", "task", "kind", "folding", "text"),
    [
        ({}, "part of speech", "words", "never seen", f"{PREDICTS} Guessing gets 50%."),
        ({"control": 0.8}, "tense", "words", MET,
         "A probe on layer 2 predicts the tense of verbs it may have seen with 97% accuracy (95% interval 94% to 99%)."
         " Guessing gets 50%, and a probe with random labels (memory alone) gets 80%."),
        ({}, "topic", "sentences", MET,
         "A probe on layer 2 predicts the topic of new sentences with 97% accuracy (95% interval 94% to 99%). Guessing"
         " gets 50%."),
        ({"accuracy": 0.996}, "your own", "words", "never seen",
         "A probe on layer 2 predicts your labels of new words with 99.6% accuracy (95% interval 94% to 99%). Guessing"
         " gets 50%."),
        ({"accuracy": 0.83, "accuracy_low": 0.48, "accuracy_high": 1.0}, "your own", "words", "never seen",
         "A probe on layer 2 predicts your labels of new words with 83% accuracy (95% interval 48% to 100%). That is not"
         " reliably better than guessing, which gets 50%."),
        ({"accuracy": 0.3, "accuracy_low": 0.2, "accuracy_high": 0.4}, "number", "words", "never seen",
         "A probe on layer 2 predicts the number (singular or plural) of new nouns with 30% accuracy (95% interval 20% to"
         " 40%). That is worse than guessing, which gets 50%."),
        ({"control": 0.95, "selectivity_low": -0.01}, "your own", "words", MET,
         "A probe on layer 2 predicts your labels of words it may have seen with 97% accuracy (95% interval 94% to 99%)."
         " Guessing gets 50%, but a probe with random labels gets 95%, so this may be memory."),
        ({"control": 0.8, "control_low": 0.7}, "part of speech", "words", "never seen",
         f"{PREDICTS} But a probe with random labels also does better than guessing (80% instead of 50%), so training and"
         " test items are not separate."),
    ],
)  # fmt: skip
def test_each_headline(change, task, kind, folding, text):
    assert finding(pd.DataFrame([ROW | change]), 0.5, task, kind, folding=folding) == text


def test_layers_that_cannot_be_told_apart_share_one_headline():
    rows = pd.DataFrame([ROW | {"combination": f"layer {n}", "accuracy": 0.97 + n / 200} for n in (1, 2, 3, 4)])
    assert finding(rows, 0.25, "tense", "words", best=True) == (
        "Layers 1 to 4 all predict the tense of new verbs with 98% to 99% accuracy (95% intervals from 94% to 99%) and"
        " cannot be distinguished. Guessing gets 25%."
    )
    assert finding(rows.iloc[[1]], 0.25, "tense", "words", best=True).startswith("Layer 2 is the best: a probe on it")
    chance = finding(rows.assign(accuracy_low=[0.3, 0.3, 0.2, 0.3]), 0.25, "tense", "words", best=True)
    assert chance.endswith("That is not reliably better than guessing, which gets 25%.")
