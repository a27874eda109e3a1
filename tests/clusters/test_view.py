"""Vectors centred and normalised by the settings of a view."""

import numpy as np
import pytest

from embtools.clusters import points
from embtools.clusters import view as clusters_view
from embtools.clusters.points import Words
from embtools.clusters.view import View

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


def test_centred_and_normalised(tiny):
    raw = points.read(WORDS, tiny).vectors
    is_word = np.ones(len(raw), bool)
    done = clusters_view.prepared(raw, is_word, View(centre=True, normalise=True))
    assert np.linalg.norm(done, axis=1) == pytest.approx(np.ones(len(raw)), abs=1e-5)
    centred = clusters_view.prepared(raw, is_word, View(centre=True))
    assert centred.mean(axis=0) == pytest.approx(np.zeros(16), abs=1e-5)


def test_a_view_is_written_as_python_without_its_defaults():
    assert View().code == "View()"
    view = View("axes", axes=("king - man", "rome - paris"), centre=True)
    assert eval(view.code) == view and "metric" not in view.code
