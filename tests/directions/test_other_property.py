"""Probes for another property, against scikit-learn on the words of the Probing page."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from embtools.directions.other_property import PROPERTIES, check_property, labelled_states, probes_after
from embtools.probing.features import read_features
from embtools.probing.items import TASKS, built_in
from embtools.spaces.erasers import LEACE, fit_eraser


def test_words_and_states_are_those_of_the_probing_page(bundled):
    assert set(PROPERTIES) < set(TASKS)
    read, items = labelled_states("tense", bundled), built_in("tense")
    assert read.labels == tuple(item.label for item in items) and read.words == tuple(item.type for item in items)
    features = read_features(items, bundled, pooling="mean")
    for layer in (0, 3):
        np.testing.assert_allclose(read.states[layer], features.of(f"layer {layer}"), atol=1e-5)


def test_a_probe_is_tested_on_words_that_it_has_not_seen(bundled):
    read = labelled_states("tense", bundled)
    x, labels, expected = read.states[2].astype(float), np.array(read.labels), np.zeros(len(read.words))
    for learn, test in StratifiedGroupKFold(5, shuffle=True, random_state=0).split(x, labels, read.words):
        assert not {read.words[i] for i in learn} & {read.words[i] for i in test}
        probe = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=1_000)).fit(x[learn], labels[learn])
        expected[test] = probe.predict(x[test]) == labels[test]
    found = probes_after(read, changes=[lambda states: states], layer=2)
    assert found.shape == (1, len(labels)) and abs(found[0] - expected).sum() <= 1 and found.mean() > 0.8


def test_an_erased_property_is_not_found_any_more(bundled):
    read = labelled_states("tense", bundled)
    eraser = fit_eraser(read.states[2], np.array(read.labels) == "past", method=LEACE)
    before, after = probes_after(read, changes=[lambda states: states, eraser], layer=2)
    assert before.mean() > 0.8 and after.mean() < 0.6


def test_a_model_must_be_able_to_read_the_words(tiny_cased):
    with pytest.raises(ValueError, match="cannot read enough of the built-in words for the property 'number'"):
        labelled_states("number", tiny_cased)


def test_wrong_arguments_are_refused(bundled):
    with pytest.raises(ValueError, match="no property 'colour'"):
        check_property("colour")
    with pytest.raises(ValueError, match="no property 'topic'"):
        labelled_states("topic", bundled)
    read = labelled_states("tense", bundled)
    with pytest.raises(ValueError, match="no layer 9"):
        probes_after(read, changes=[lambda states: states], layer=9)
    with pytest.raises(ValueError, match="changes"):
        probes_after(read, changes=[], layer=1)
