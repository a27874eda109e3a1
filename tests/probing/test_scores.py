import numpy as np
import pandas as pd
import pytest

from embtools.charts import probing as charts
from embtools.probing.items import Item
from embtools.probing.scores import confusion, mistakes, per_label

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
