"""What is remembered between reruns."""

import numpy as np

from embtools.clusters import maps
from embtools.clusters.points import Words
from embtools.clusters.view import View

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


def places(drawn: maps.Map) -> np.ndarray:
    return drawn.points[[a for a in "xyz" if a in drawn.points]].to_numpy()


def test_figures_of_large_maps_are_not_kept(monkeypatch, tiny):
    from embtools.charts.clusters import maps as charts
    from embtools.ui import cached

    drawn = maps.compute(WORDS, View("PCA"), tiny)
    assert cached.figure(charts.word_map, drawn) is cached.figure(charts.word_map, drawn)
    monkeypatch.setattr(cached, "SMALL", len(WORDS.groups) * 4 - 1)
    assert cached.figure(charts.word_map, drawn) is not cached.figure(charts.word_map, drawn)
