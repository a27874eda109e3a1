import numpy as np
import pytest

from embtools.probing.codelength import measure
from embtools.probing.items import Item
from embtools.probing.online_code import frequency_bits, online_bits, shuffled
from embtools.statistics.probe import MET, random_labels


def test_the_table_has_mean_and_range_of_the_orders(items, features):
    found = measure(items, features, features.combinations, orders=3, seed=7, strength=0.1)
    labels, types = [i.label for i in items], [i.type for i in items]
    plain = []
    for number, row in enumerate(found.table.itertuples()):
        own, control = [], []
        for seed in (7, 8, 9):
            order, ends = shuffled(types, labels=3, seed=seed)
            for given, bits in ((labels, own), (random_labels(labels, types, seed=seed), control)):
                sent = [given[i] for i in order]
                vectors = features.vectors[number][order]
                bits.append(online_bits(vectors, sent, ends, choices=3, strength=0.1).sum())
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


def test_labels_in_the_vectors_are_compressed_and_noise_is_not(items, features):
    found = measure(items, features, features.combinations, strength=0.3)
    table = found.table
    assert found.shortest == 1 and table["codelength_highest"][1] < table["codelength_lowest"][0]
    assert table["compression_lowest"][1] > 1.1 > 0.9 > table["compression_highest"][0]
    assert (table["control_compression_highest"] < 0.9).all() and found.frequencies > found.uniform


def test_memory_shortens_the_code_of_random_labels_if_words_are_divided(items, features):
    """A word has the same vector in both of its sentences, so the second occurrence is known."""
    same = type(features)(("layer 0",), (np.repeat(features.vectors[0][::2], 2, axis=0),))
    never = measure(items, same, ("layer 0",), strength=1.0).table["control_codelength"][0]
    found = measure(items, same, ("layer 0",), strength=1.0, folding=MET)
    assert found.table["control_codelength"][0] < never and found.units == "words" and found.portions[-1] == 60


def test_units_are_named(features):
    def units(items):
        return measure(items, features, ("layer 0",), orders=1).units

    assert units(tuple(Item(f"s{n}", "ab"[n % 2], f"w{n}") for n in range(60))) == "words"
    assert units(tuple(Item(f"s{n}", "ab"[n % 2]) for n in range(60))) == "sentences"


def test_progress_can_stop_it_and_limits_are_checked(items, features):
    reported: list[float] = []
    measure(items, features, features.combinations, orders=1, progress=reported.append)
    assert reported == [0.0, 0.5]
    with pytest.raises(ValueError, match="101 orders were asked for; choose 1 to 100"):
        measure(items, features, features.combinations, orders=101)
    with pytest.raises(ValueError, match="At least 2 different labels"):
        measure(tuple(Item(f"s{n}", "a", f"w{n}") for n in range(60)), features, features.combinations)
