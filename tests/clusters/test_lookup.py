"""Single points of a map: found by name, with their neighbours in the space."""

import re
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import pairwise_distances

from embtools.clusters import lookup, maps
from embtools.clusters.points import Words
from embtools.clusters.view import View

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


PCA = View("PCA")


@pytest.fixture(scope="module")
def drawn(tiny) -> pd.DataFrame:
    return maps.word_map(WORDS, tiny, view=PCA).points


def test_neighbours_in_the_original_space(tiny):
    frame = lookup.nearest(("king", "rome"), tiny, words=WORDS, view=PCA, k=2)
    words = [w for _, members in WORDS.groups for w in members if w != "king"]
    king = tiny.vector("king")
    cosines = {w: king @ tiny.vector(w) / np.linalg.norm(king) / np.linalg.norm(tiny.vector(w)) for w in words}
    best = sorted(cosines, key=cosines.get, reverse=True)[:2]
    own = frame[frame["word"] == "king"]
    assert own["neighbour"].tolist() == best
    assert own["cosine"].tolist() == pytest.approx([cosines[w] for w in best], abs=1e-6)
    assert own["group"].tolist() == [next(g for g, members in WORDS.groups if w in members) for w in best]
    assert frame["word"].tolist() == ["king", "king", "rome", "rome"]


def test_ranks_among_the_neighbours_on_the_map(tiny, drawn):
    frame = lookup.nearest(("king",), tiny, words=WORDS, view=PCA, k=9)
    row = drawn.index[drawn["word"] == "king"][0]
    away = pairwise_distances(drawn[["x", "y"]])[row]
    order = [drawn["word"][i] for i in np.argsort(away) if i != row]
    assert [order[rank - 1] for rank in frame["rank_on_map"]] == frame["neighbour"].tolist()


def test_euclidean_distances_replace_cosines(tiny):
    frame = lookup.nearest(("king",), tiny, words=WORDS, view=View("PCA", metric="euclidean"), k=1)
    away = np.linalg.norm(tiny.vector("king") - tiny.vector(frame["neighbour"].item()))
    assert frame["distance"].item() == pytest.approx(away, abs=1e-5)


def test_neighbours_in_the_vocabulary_are_not_the_word_itself(tiny):
    frame = lookup.nearest_in_vocabulary(("king", "rome"), tiny, words=WORDS, k=3)
    assert frame["word"].tolist() == ["king"] * 3 + ["rome"] * 3 and "king" not in frame["neighbour"][:3].tolist()
    with_formula = replace(WORDS, formulas=("1 * king",))
    found = lookup.nearest_in_vocabulary(("1 * king",), tiny, words=with_formula, k=1)
    assert found["neighbour"].item() == "king" and found["cosine"].item() == pytest.approx(1, abs=1e-5)
    inside = replace(WORDS, template="{word} is")
    with pytest.raises(ValueError, match="Hidden states cannot be compared with the vocabulary"):
        lookup.nearest_in_vocabulary(("king",), tiny, words=inside)


def test_nothing_picked_gives_empty_frames(tiny):
    assert lookup.nearest((), tiny, words=WORDS, view=PCA).empty
    assert lookup.nearest_in_vocabulary((), tiny, words=WORDS).empty


@pytest.mark.parametrize(
    ("picked", "k", "message"),
    [
        (("lyon",), 5, "not on the map"),
        (("king",) * 101, 5, "101 points are selected; at most 100 are allowed"),
        (("king",), 0, "choose 1 to 99"),
        (("king",), 100, "choose 1 to 99"),
    ],
)
def test_invalid_selections_are_reported(tiny, picked, k: int, message: str):
    with pytest.raises(ValueError, match=message):
        lookup.nearest(picked, tiny, words=WORDS, view=PCA, k=k)
    with pytest.raises(ValueError, match=message):
        lookup.nearest_in_vocabulary(picked, tiny, words=WORDS, k=k)


def test_search_with_wildcards():
    words = ["London", "lyon", "rome", "a[b]"]
    assert lookup.search(words, "LON") == [0]
    assert lookup.search(words, "l*n") == [0, 1]
    assert lookup.search(words, "rom, [b]") == [2, 3]
    assert lookup.search(words, " ") == []
    assert lookup.search(["a" * 60], "*a" * 90 + "b") == []  # no exponential search


def test_matches_are_points_of_the_map(tiny):
    words = replace(WORDS, formulas=("king - man",))
    assert lookup.matches("king, r*", tiny, words=words) == ("rome", "river", "king", "king - man")
    assert lookup.matches("x", tiny, words=words) == ()


def test_search_with_a_regular_expression():
    words = ["united", "unused", "used", "bank", "rivers"]
    assert lookup.search(words, "/^un.*ed$/") == lookup.search(words, " /^UN.*ED$/ ") == [0, 1]
    assert lookup.search(words, "/e{1,1}d|k/") == [0, 1, 2, 3]  # the comma is part of it
    assert lookup.search(words, "/us") == lookup.search(words, "//") == []  # no expression


@pytest.mark.filterwarnings("ignore::FutureWarning")
@given(st.text(max_size=12), st.text("ab.*+?()[]|^$\\", max_size=8))
def test_a_regular_expression_finds_what_pythons_own_finds(word, pattern):
    """Where both read it: they have the same meaning for what visitors type."""
    try:
        own = re.compile(pattern, re.IGNORECASE)
        found = lookup.search([word], f"/{pattern}/") if pattern else []
    except (re.error, ValueError):
        return
    assert found == ([0] if pattern and own.search(word) else [])


@pytest.mark.parametrize("pattern", ["(a", "[z-a]", "*", "(a{1000}){1000}", "\\", "(?=a)"])
def test_a_regular_expression_with_a_mistake_is_refused(pattern):
    with pytest.raises(ValueError, match="The regular expression has a mistake: .+ Correct it"):
        lookup.search(["aaa"], f"/{pattern}/")


def test_no_regular_expression_keeps_the_server_busy():
    began = time.perf_counter()
    assert lookup.search(["a" * 3_000] * 50, "/(a+)+b$/") == []  # for ever in Python
    assert time.perf_counter() - began < 5


def test_patterns_are_capped():
    with pytest.raises(ValueError, match="21 parts; at most 20"):
        lookup.search(["a"], "a," * 21)
    with pytest.raises(ValueError, match="201 characters; at most 200"):
        lookup.search(["a"], "a" * 201)
