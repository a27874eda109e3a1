from dataclasses import replace

import numpy as np
import pytest

from embtools.charts import probing as charts
from embtools.concepts import Probes
from embtools.probing import accuracy, codelength
from embtools.probing.description_length import LayerCodes, bits, describe_layers
from embtools.probing.features import read_features
from embtools.probing.items import built_in
from embtools.probing.layers import LayerProbes
from embtools.statistics.probe import MET, NEVER
from embtools.ui.probing import description_length as screen


@pytest.fixture(scope="module")
def found(items, features) -> LayerCodes:
    """The codes of sixty items: noise in layer 0, the labels in layer 1."""
    probes = accuracy.measure(items, features, features.combinations, strength=0.3)
    code = codelength.measure(items, features, features.combinations, strength=0.3)
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
    caption, row = screen._caption(found), found.table.iloc[1]
    assert "The portions end after 4, 8, 15 and 30 different words, in 5 random orders." in caption
    assert f"On layer 1: {bits(row['codelength'])} bits" in caption and f"accuracy of {row['accuracy']:.1%}" in caption
    assert (
        "takes 1.0 bits more" in caption and "As a check, a probe trained on [[control task|random labels]]" in caption
    )
    probes = replace(found.probes, chosen=1, folding=MET)
    other = screen._caption(replace(found, probes=probes))
    assert "bits more" not in other and "by memory alone" in other


@pytest.mark.slow
def test_the_bundled_model_holds_tense_in_few_bits(bundled):
    """The same as from the features, and shorter in context than from the static embeddings of the same words."""
    result = describe_layers(Probes("tense", "mean of tokens"), bundled, layer=4)
    assert result.layer == 4 and result.probes.chosen == 4
    items = built_in("tense")
    features = read_features(items, bundled, pooling="mean of tokens")
    expected = codelength.measure(items, features, ("layer 0", "layer 4")).table
    both = result.table.iloc[[0, 4]]
    assert np.allclose(both["codelength"], expected["codelength"])
    assert both["codelength_highest"].iloc[1] < both["codelength_lowest"].iloc[0] < both["control_codelength"].iloc[0]
    with pytest.raises(ValueError, match="There is no layer 9. Choose 0 to 6."):
        describe_layers(Probes("tense", "mean of tokens"), bundled, layer=9)
