"""Single points of a map: found by name, with their neighbours in the space."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.clusters import lookup
from embtools.clusters.points import Words
from embtools.clusters.view import View

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


def test_neighbours_in_the_original_space(tiny):
    frame = lookup.nearest(("king",), WORDS, View(), tiny, k=2)
    words = [w for _, members in WORDS.groups for w in members if w != "king"]
    king = tiny.vector("king")
    cosines = {w: king @ tiny.vector(w) / np.linalg.norm(king) / np.linalg.norm(tiny.vector(w)) for w in words}
    best = sorted(cosines, key=cosines.get, reverse=True)[:2]
    assert frame["nearest_here"].item() == ", ".join(f"{w} {cosines[w]:.2f}" for w in best)
    assert not frame["nearest_in_vocabulary"].item().startswith("king ")
    assert "nearest_in_vocabulary" not in lookup.nearest(("king",), replace(WORDS, template="{word} is"), View(), tiny)
    assert len(lookup.nearest((), WORDS, View(), tiny)) == 0
    with pytest.raises(ValueError, match="not on the map"):
        lookup.nearest(("lyon",), WORDS, View(), tiny)
    with pytest.raises(ValueError, match="101 points were picked; at most 100"):
        lookup.nearest(("king",) * 101, WORDS, View(), tiny)
    for k in (0, 100):
        with pytest.raises(ValueError, match="choose 1 to 99"):
            lookup.nearest(("king",), WORDS, View(), tiny, k=k)


def test_search_with_wildcards():
    words = ["London", "lyon", "rome", "a[b]"]
    assert lookup.search(words, "LON") == [0]
    assert lookup.search(words, "l*n") == [0, 1]
    assert lookup.search(words, "rom, [b]") == [2, 3]
    assert lookup.search(words, " ") == []
    assert lookup.search(["a" * 60], "*a" * 90 + "b") == []  # no exponential search
