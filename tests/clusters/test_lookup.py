"""Single points of a map: found by name, with their neighbours in the space."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import pairwise_distances

from embtools.clusters import lookup, maps, points
from embtools.clusters.points import Words
from embtools.clusters.view import View

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


@pytest.fixture(scope="module")
def read(tiny) -> points.Points:
    return points.read(WORDS, tiny)


@pytest.fixture(scope="module")
def drawn(read, tiny) -> pd.DataFrame:
    return maps.compute(read, tiny, view=View("PCA")).points


def test_neighbours_in_the_original_space(read, drawn, tiny):
    frame = lookup.nearest(("king", "rome"), read, drawn, View(), k=2)
    words = [w for _, members in WORDS.groups for w in members if w != "king"]
    king = tiny.vector("king")
    cosines = {w: king @ tiny.vector(w) / np.linalg.norm(king) / np.linalg.norm(tiny.vector(w)) for w in words}
    best = sorted(cosines, key=cosines.get, reverse=True)[:2]
    own = frame[frame["word"] == "king"]
    assert own["neighbour"].tolist() == best
    assert own["cosine"].tolist() == pytest.approx([cosines[w] for w in best], abs=1e-6)
    assert own["group"].tolist() == [next(g for g, members in WORDS.groups if w in members) for w in best]
    assert frame["word"].tolist() == ["king", "king", "rome", "rome"]


def test_ranks_among_the_neighbours_on_the_map(read, drawn):
    frame = lookup.nearest(("king",), read, drawn, View(), k=9)
    row = drawn.index[drawn["word"] == "king"][0]
    away = pairwise_distances(drawn[["x", "y"]])[row]
    order = [drawn["word"][i] for i in np.argsort(away) if i != row]
    assert [order[rank - 1] for rank in frame["rank_on_map"]] == frame["neighbour"].tolist()


def test_euclidean_distances_replace_cosines(read, drawn, tiny):
    frame = lookup.nearest(("king",), read, drawn, View(metric="euclidean"), k=1)
    away = np.linalg.norm(tiny.vector("king") - tiny.vector(frame["neighbour"].item()))
    assert frame["distance"].item() == pytest.approx(away, abs=1e-5)


def test_neighbours_in_the_vocabulary_are_not_the_word_itself(read, tiny):
    frame = lookup.nearest_in_vocabulary(("king", "rome"), tiny, points=read, view=View(), k=3)
    assert frame["word"].tolist() == ["king"] * 3 + ["rome"] * 3 and "king" not in frame["neighbour"][:3].tolist()
    with_formula = points.read(replace(WORDS, formulas=("1 * king",)), tiny)
    found = lookup.nearest_in_vocabulary(("1 * king",), tiny, points=with_formula, view=View(), k=1)
    assert found["neighbour"].item() == "king" and found["cosine"].item() == pytest.approx(1, abs=1e-5)
    inside = points.read(replace(WORDS, template="{word} is"), tiny)
    with pytest.raises(ValueError, match="Hidden states cannot be compared with the vocabulary"):
        lookup.nearest_in_vocabulary(("king",), tiny, points=inside, view=View())


def test_nothing_picked_gives_empty_frames(read, drawn, tiny):
    assert lookup.nearest((), read, drawn, View()).empty
    assert lookup.nearest_in_vocabulary((), tiny, points=read, view=View()).empty


@pytest.mark.parametrize(
    ("picked", "k", "message"),
    [
        (("lyon",), 5, "not on the map"),
        (("king",) * 101, 5, "101 points are selected; at most 100 are allowed"),
        (("king",), 0, "choose 1 to 99"),
        (("king",), 100, "choose 1 to 99"),
    ],
)
def test_invalid_selections_are_reported(read, drawn, tiny, picked, k: int, message: str):
    with pytest.raises(ValueError, match=message):
        lookup.nearest(picked, read, drawn, View(), k)
    with pytest.raises(ValueError, match=message):
        lookup.nearest_in_vocabulary(picked, tiny, points=read, view=View(), k=k)


def test_search_with_wildcards():
    words = ["London", "lyon", "rome", "a[b]"]
    assert lookup.search(words, "LON") == [0]
    assert lookup.search(words, "l*n") == [0, 1]
    assert lookup.search(words, "rom, [b]") == [2, 3]
    assert lookup.search(words, " ") == []
    assert lookup.search(["a" * 60], "*a" * 90 + "b") == []  # no exponential search


def test_patterns_are_capped():
    with pytest.raises(ValueError, match="21 parts; at most 20"):
        lookup.search(["a"], "a," * 21)
    with pytest.raises(ValueError, match="201 characters; at most 200"):
        lookup.search(["a"], "a" * 201)
