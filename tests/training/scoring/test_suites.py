"""Analogies, senses and associations of the bundled model."""

import numpy as np
import pytest

from embtools import wordlists
from training.scoring import suites
from training.scoring.measures import COLUMNS


def test_the_association_tests_are_those_of_the_bias_page(bundled) -> None:
    from embtools.bias.published_tests import battery

    table, expected = suites.associations(bundled), battery(bundled).frame
    assert list(table.columns) == COLUMNS
    assert list(table["value"]) == list(expected["effect"].dropna())
    assert table["measure"].iloc[0] == "WEAT 1. flowers and insects, pleasant and unpleasant (GloVe 1.50)"
    known = table["low"].notna()
    assert 0 < known.sum() < len(table), "groups of few words have no interval"
    np.testing.assert_array_equal(known, table["high"].notna())
    assert (table["low"] < table["value"])[known].all() and (table["value"] < table["high"])[known].all()


@pytest.mark.slow
def test_senses_and_analogies_are_better_than_chance(bundled, monkeypatch) -> None:
    senses = wordlists.load("senses").head(8 * 25)  # half of its words
    load = wordlists.load
    monkeypatch.setattr(wordlists, "load", lambda name: senses if name == "senses" else load(name))
    assert (suites.senses(bundled)["value"] > 3 / 7).all()
    values = suites.analogies(bundled).set_index("measure")["value"]
    assert values["analogy first: inputs left out"] > values["analogy first: inputs kept"]
