"""Labels as a code: its bits, its length over orders, and its headline."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler

from embtools.charts import concepts as charts
from embtools.concepts import Probes, accuracy
from embtools.concepts.description_length import (
    LayerCodes,
    _bits,
    bits,
    describe_layers,
    frequency_bits,
    measure_codelength,
    online_bits,
    portions,
    shuffled,
)
from embtools.concepts.items import Item, built_in
from embtools.concepts.layer_probes import LayerProbes
from embtools.concepts.probes import read_features
from embtools.statistics.probe import FOLDINGS, MET, NEVER, random_labels
from embtools.ui.concepts import probe as screen

# One order, portion by portion


def test_portions_are_the_fractions_of_the_article_in_whole_units():
    """By hand: 100,000 items as in the article, and the 120 words of a task of this app with four labels."""
    assert portions(100_000, 2) == (100, 200, 400, 800, 1_600, 3_200, 6_250, 12_500, 25_000, 50_000, 100_000)
    assert portions(120, 4) == (4, 8, 15, 30, 60, 120)  # 3.2, 6.25, 12.5, 25, 50 and 100%
    assert portions(134, 2) == (2, 4, 8, 17, 34, 67, 134)  # 16.75 and 33.5 are rounded up
    assert portions(3, 5) == (3,) and portions(1, 1) == (1,)


@pytest.mark.parametrize("folding", FOLDINGS)
def test_an_order_has_every_item_once_and_words_never_seen_are_not_divided(items, folding):
    types = [item.type for item in items]
    order, ends = shuffled(types, folding=folding, labels=3, seed=4)
    assert sorted(order) == list(range(60)) and ends[-1] == 60
    parts = [{types[i] for i in part} for part in np.split(order, ends[:-1])]
    shared = any(one & other for n, one in enumerate(parts) for other in parts[:n])
    assert shared == (folding == MET)
    assert ends == (tuple(2 * end for end in portions(30, 3)) if folding == NEVER else portions(60, 3))
    assert order.tolist() == shuffled(types, folding=folding, labels=3, seed=4)[0].tolist()
    assert order.tolist() != shuffled(types, folding=folding, labels=3, seed=5)[0].tolist()
    with pytest.raises(ValueError, match="no folding 'x'"):
        shuffled(types, folding="x")


def test_bits_are_the_cross_entropy_of_scikit_learn(items, features):
    """An independent implementation: logistic regression and `log_loss` of scikit-learn, portion by portion."""
    labels = np.array([item.label for item in items])
    order, ends = shuffled([item.type for item in items], labels=3, seed=1)
    for vectors in features.vectors:
        x, y = vectors[order].astype(np.float64), labels[order]
        assert len(set(y[: ends[0]])) == 3  # the probe knows every label, so no probability is set aside
        expected = [ends[0] * np.log2(3)]
        x = StandardScaler().fit_transform(x)
        for start, end in pairwise(ends):
            probe = LogisticRegression(C=0.1, max_iter=1_000).fit(x[:start], y[:start])
            probabilities = probe.predict_proba(x[start:end])
            nats = log_loss(y[start:end], probabilities, labels=["a", "b", "c"], normalize=False)
            expected.append(nats / np.log(2))
        found = online_bits(vectors[order], y.tolist(), ends, choices=3, strength=0.1)
        assert found == pytest.approx(expected, rel=1e-5)


def test_labels_that_were_not_sent_yet_by_hand():
    """After “a a” one of two labels is new: it has 1/3, and a has 2/3; after “a a b” the probe knows both."""
    vectors = np.array([[0.0], [0.0], [0.0], [0.0]])  # no feature: the probe gives the shares of the labels
    bits = online_bits(vectors, ["a", "a", "b", "a"], (2, 3, 4), choices=2)
    assert bits == pytest.approx([2, np.log2(3), -np.log2(2 / 3)], abs=1e-3)
    # Of four labels that can be expected, three are new after “a”: each has 1/4, and a has 1/4 as well.
    assert online_bits(vectors[:2], ["a", "c"], (1, 2), choices=4).tolist() == pytest.approx([2, 2])
    assert online_bits(vectors[:2], ["a", "a"], (1, 2), choices=4).tolist() == pytest.approx([2, 2])


@pytest.mark.parametrize("seed", range(2))
def test_the_probabilities_of_all_labels_sum_to_one(features, seed):
    """Kraft: whatever is sent next, the code lengths of the possible labels belong to one distribution."""
    known = ["a", "b", "a", "b", "a"]
    for choices in (2, 3, 5):
        names = "abcde"[:choices]
        vectors = features.vectors[1][seed : seed + 6]
        lengths = [online_bits(vectors, [*known, name], (5, 6), choices=choices)[1] for name in names]
        assert sum(2.0**-bits for bits in lengths) == pytest.approx(1)


def test_first_portions_that_hardly_differ_do_not_spoil_the_code():
    """On the scale of the first two items alone, the third is millions of deviations away and would take 1,000 bits."""
    vectors = np.array([[0.0], [1e-6], [1.0], [0.0]])
    bits = online_bits(vectors, ["a", "b", "a", "b"], (2, 4), choices=2)
    assert bits[1] < 4


def test_frequencies_by_hand():
    bits = frequency_bits(["a", "a", "b", "a"], (1, 2, 4), choices=2)
    # after “a”: a has 2/3; after “a a”: b has 1/4 and a 3/4
    assert bits == pytest.approx([1, -np.log2(2 / 3), -np.log2(1 / 4) - np.log2(3 / 4)])


def test_a_probability_of_zero_takes_finitely_many_bits():
    assert _bits(np.array(["a"]), np.array(["a", "b"]), np.array([[0.0, 1.0]]), 5, 2) == 1_022


def test_what_cannot_be_sent_is_explained():
    with pytest.raises(ValueError, match="must rise to the number of labels, 2"):
        online_bits(np.zeros((2, 1)), ["a", "b"], (1, 1), choices=2)
    with pytest.raises(ValueError, match="2 different labels, but only 1 choices"):
        frequency_bits(["a", "b"], (2,), choices=1)


# Several orders


def test_the_table_has_mean_and_range_of_the_orders(items, features):
    found = measure_codelength(items, features, features.combinations, orders=3, seed=7, strength=0.1)
    labels, types = [i.label for i in items], [i.type for i in items]
    plain = []
    for number, row in enumerate(found.table.itertuples()):
        own, control = [], []
        for seed in (7, 8, 9):
            order, ends = shuffled(types, labels=3, seed=seed)
            for given, sums in ((labels, own), (random_labels(labels, types, seed=seed), control)):
                sent = [given[i] for i in order]
                vectors = features.vectors[number][order]
                sums.append(online_bits(vectors, sent, ends, choices=3, strength=0.1).sum())
            if not number:
                plain.append(frequency_bits([labels[i] for i in order], ends, choices=3).sum())
        assert (row.codelength, row.codelength_lowest, row.codelength_highest) == pytest.approx(
            (np.mean(own), min(own), max(own))
        )
        assert (row.control_codelength, row.control_codelength_lowest, row.control_codelength_highest) == pytest.approx(
            (np.mean(control), min(control), max(control))
        )
        assert row.compression == pytest.approx(60 * np.log2(3) / np.mean(own))
        assert row.compression_lowest == pytest.approx(60 * np.log2(3) / max(own))
        assert row.control_compression_highest == pytest.approx(60 * np.log2(3) / min(control))
    assert found.uniform == pytest.approx(60 * np.log2(3)) and found.frequencies == pytest.approx(np.mean(plain))
    assert found.portions == (4, 8, 15, 30) and found.units == "different words" and found.orders == 3


def test_units_are_named(features):
    def units(items):
        return measure_codelength(items, features, ("layer 0",), orders=1).units

    assert units(tuple(Item(f"s{n}", "ab"[n % 2], f"w{n}") for n in range(60))) == "words"
    assert units(tuple(Item(f"s{n}", "ab"[n % 2]) for n in range(60))) == "sentences"


def test_progress_can_stop_it_and_limits_are_checked(items, features):
    reported: list[float] = []
    measure_codelength(items, features, features.combinations, orders=1, progress=reported.append)
    assert reported == [0.0, 0.5]
    with pytest.raises(ValueError, match="101 orders were asked for; choose 1 to 100"):
        measure_codelength(items, features, features.combinations, orders=101)


# All layers


@pytest.fixture(scope="module")
def found(items, features) -> LayerCodes:
    """The codes of sixty items: noise in layer 0, the labels in layer 1."""
    probes = accuracy.measure(items, features, features.combinations, strength=0.3)
    code = measure_codelength(items, features, features.combinations, strength=0.3)
    return LayerCodes(LayerProbes("", "words", 60, NEVER, probes, None), code)


def with_row(found: LayerCodes, layer: int, **values: float) -> LayerCodes:
    """The same codes with other numbers in a layer's row."""
    table = found.code.table.assign(
        **{
            name: [*found.code.table[name][:layer], value, *found.code.table[name][layer + 1 :]]
            for name, value in values.items()
        }
    )
    return replace(found, code=replace(found.code, table=table))


def test_the_table_has_the_accuracy_of_the_same_probes(found):
    assert found.table["accuracy"].tolist() == found.probes.table["accuracy"].tolist()
    assert found.table["codelength"].tolist() == found.code.table["codelength"].tolist()
    assert found.layer == 1 and replace(found, probes=replace(found.probes, chosen=0)).layer == 0
    assert found.naming == 1  # which of two layers


def test_the_headline_compares_with_equal_codes_and_both_controls(found):
    row = found.table.iloc[1]
    begin = (
        f"With a probe on layer 1 (the best), sending your labels of 60 words takes"
        f" {bits(row['codelength'])} bits instead of 95.1: compression {row['compression']:.2f}."
    )
    control = f"{bits(row['control_codelength'])} bits (compression {row['control_compression']:.2f})"
    assert found.headline == f"{begin} Random labels take {control}."
    unclear = with_row(found, 1, control_codelength_lowest=float(row["codelength_highest"]))
    assert unclear.headline == f"{begin} That is not reliably shorter than for random labels: {control}."
    few = replace(found, code=replace(found.code, frequencies=50.0))
    assert few.headline.endswith("a code that only uses the frequencies of the labels (50.0 bits).")
    chosen = replace(found, probes=replace(found.probes, chosen=0, task="tense"))
    assert chosen.headline.startswith("With a probe on layer 0, sending the tense of 60 verbs takes ")


def test_a_compression_can_be_checked_with_few_bits(found):
    small = replace(found, code=replace(found.code, uniform=12.0))
    few = with_row(small, 1, codelength=9.38, compression=1.28)
    assert "takes 9.4 bits instead of 12.0: compression 1.28." in few.headline and "9.4 in layer 1" in (
        charts.codelengths(few).alt
    )


def test_the_chart_draws_the_table(found):
    drawn, table = charts.codelengths(found), found.table
    lines = {trace.name: trace for trace in drawn.figure.data if trace.mode != "none"}
    one, other = table["compression"]
    assert list(lines["true labels"].text) == [f"{one:.1f}×", f"<br>{other:.1f}×"]  # the ring is at layer 1
    assert lines["true labels"].y.tolist() == pytest.approx(table["codelength"].tolist())
    assert lines["random labels (control)"].y.tolist() == pytest.approx(table["control_codelength"].tolist())
    for name, length in (("equal codes", found.uniform), ("frequencies alone", found.frequencies)):
        assert lines[name].y.tolist() == pytest.approx([length, length])
    assert lines[""].x == (1,)  # the ring
    assert f"and {bits(table['codelength'][1])} in layer 1, the shortest" in drawn.alt and drawn.frame.equals(table)


def test_the_caption_says_how_the_labels_are_sent(found):
    caption, row = screen._bits_caption(found), found.table.iloc[1]
    assert "The portions end after 4, 8, 15 and 30 different words, in 5 random orders." in caption
    assert f"On layer 1: {bits(row['codelength'])} bits" in caption and f"accuracy of {row['accuracy']:.1%}" in caption
    assert (
        "takes 1.0 bits more" in caption and "As a check, a probe trained on [[control task|random labels]]" in caption
    )
    probes = replace(found.probes, chosen=1, folding=MET)
    other = screen._bits_caption(replace(found, probes=probes))
    assert "bits more" not in other and "by memory alone" in other


@pytest.mark.slow
def test_the_bundled_model_holds_tense_in_few_bits(bundled):
    """The same as from the features, and shorter in context than from the static embeddings of the same words."""
    result = describe_layers(Probes("tense", "mean of tokens"), bundled, layer=4)
    assert result.layer == 4 and result.probes.chosen == 4
    items = built_in("tense")
    features = read_features(items, bundled, pooling="mean of tokens")
    expected = measure_codelength(items, features, ("layer 0", "layer 4")).table
    both = result.table.iloc[[0, 4]]
    assert np.allclose(both["codelength"], expected["codelength"])
    assert both["codelength_highest"].iloc[1] < both["codelength_lowest"].iloc[0] < both["control_codelength"].iloc[0]
