"""The vectors of words, and single points of a map: found by name, with their neighbours in the space."""

import re
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.metrics import pairwise_distances

from embtools import memory
from embtools.clusters import lookup, maps, points
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.words import groups, templates
from tests.clusters.test_maps import WORDS

GROUPS = (("places", ("rome", "italy", "france")), ("people", ("king", "queen")))
FIVE = Words(GROUPS)


def test_static_vectors_are_rows_of_the_matrix(tiny):
    found = points.read(FIVE, tiny)
    assert found.frame["word"].tolist() == ["rome", "italy", "france", "king", "queen"]
    assert found.frame["group"].tolist() == ["places"] * 3 + ["people"] * 2
    assert (found.vectors[3] == tiny.vector("king")).all() and found.left_out == ()
    assert len(found) == 5 and found.is_word.all() and found.words == FIVE


def test_words_of_several_tokens_are_left_out_averaged_or_cut(tiny):
    words = Words((("a", ("unable", "rome", "kings")),))
    found = points.read(words, tiny)
    assert found.frame["word"].tolist() == ["rome"] and found.left_out == ("unable", "kings")
    found = points.read(replace(words, pieces="mean"), tiny)
    assert found.frame["tokens"].tolist() == [2, 1, 2] and found.left_out == ()
    assert found.vectors[0] == pytest.approx((tiny.vector("un") + tiny.vector("##able")) / 2)
    found = points.read(replace(words, pieces="first"), tiny)
    assert (found.vectors[2] == tiny.vector("king")).all()


@pytest.mark.parametrize("layer", [0, 2])
def test_hidden_states_in_a_sentence(tiny, layer: int):
    words = Words((("a", ("rome", "unable")),), pieces="mean", template="The {word} is a river.", layer=layer)
    vectors = points.read(words, tiny).vectors
    assert vectors[0] == pytest.approx(tiny.hidden_states("The rome is a river.")[layer, 2], abs=1e-5)
    both = tiny.hidden_states("The unable is a river.")[layer, 2:4].mean(axis=0)
    assert vectors[1] == pytest.approx(both, abs=1e-5)


def test_a_formula_is_put_into_the_sentence(tiny):
    words = replace(
        FIVE, template="{word} is the capital.", layer=2, formulas=("1 * king", "rome = rome - italy + france")
    )
    found = points.read(words, tiny)
    vectors = found.vectors
    assert found.frame["kind"].tolist()[-2:] == ["formula"] * 2 and found.is_word.tolist() == [True] * 5 + [False] * 2
    assert found.frame["edited_word"].tolist()[-1] == "rome"
    assert vectors[5] == pytest.approx(vectors[3], abs=1e-5)  # the formula is the word itself
    ids = tiny.tokenize("rome is the capital.")["id"].to_numpy()
    inputs = tiny.matrix[ids].copy()
    inputs[1] = tiny.vector("rome") - tiny.vector("italy") + tiny.vector("france")
    assert vectors[6] == pytest.approx(tiny.encode(inputs[None])[2, 0, 1], abs=1e-5)


def test_only_some_of_the_words_and_shuffled_groups(tiny):
    found = points.read(replace(FIVE, only=("king", "ROME")), tiny)
    assert found.frame["word"].tolist() == ["rome", "king"]
    many = Words((("a", ("rome", "italy", "france", "paris")), ("b", ("king", "queen", "man", "woman"))), shuffled=1)
    mixed, plain = points.read(many, tiny), points.read(replace(many, shuffled=None), tiny)
    shuffled, given = mixed.frame["group"].tolist(), plain.frame["group"].tolist()
    assert sorted(shuffled) == sorted(given) and shuffled != given
    assert (mixed.vectors == plain.vectors).all()


def test_the_vocabulary_is_grouped_by_kind_and_ranked_by_frequency(tiny, bundled):
    found = points.read(Words(None), tiny)
    assert len(found) == int(tiny.rankable.sum()) == len(found.vectors)
    assert not found.frame["word"].str.contains(r"\[").any()
    kinds = found.frame.set_index("word")["group"]
    assert [kinds[each] for each in ("rome", "##ing", ".")] == ["whole word", "part of a word (##)", "single character"]
    assert sum(len(words) for _, words in points.vocabulary(bundled)) <= 30_000
    ranks = points.frequency_ranks(bundled)
    assert ranks["the"] == 1 and ranks["rome"] < ranks["lviv"] and "!" not in ranks


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pieces": "last"}, "Choose leave out"),
        ({"template": "{word} {word}"}, "exactly once"),
        ({"template": "{word} is", "layer": 3}, "no layer 3"),
        ({"only": ("lyon",)}, "'lyon' is not in the groups"),
        ({"formulas": ("rome -",)}, "."),
        ({"formulas": ("rome - rome + king", "king")}, "equals one of the words"),
        ({"formulas": ("1000000 * rome",)}, "longer than (any|every) word's"),
        ({"formulas": ("king",) * 21}, "at most 20"),
        ({"groups": None, "template": "{word} is"}, "by static embeddings only"),
        ({"groups": (("a", ("rome", "Rome")),)}, "same to this model"),
    ],
)
def test_invalid_words_are_reported(tiny, change: dict, message: str):
    with pytest.raises(ValueError, match=message):
        points.read(replace(FIVE, **change), tiny)


def test_words_say_what_they_are_and_can_be_written_as_python():
    words = Words(groups.preset("months"), shuffled=3)
    assert words.subject == "12 words in 4 groups" and Words(None).subject == "the whole vocabulary"
    assert words.code == "Words(groups=preset('months'), shuffled=3)"
    assert words.imports == {"from embtools.clusters import Words", "from embtools.words import preset"}
    assert FIVE.code == f"Words(groups={GROUPS!r})" and len(FIVE.imports) == 1


def test_effort_counts_the_tokens_of_the_sentences(tiny, monkeypatch):
    words = Words((("a", ("rome", "unable", "king")),), pieces="mean", template="the {word} is a river")
    total = sum(len(tiny.tokenize(words.template.replace("{word}", w))) for w in ("rome", "unable", "king"))
    count, seconds = points.effort(words, tiny)
    assert count == 3 and seconds == pytest.approx(total * 2 * 16**2 / (1_000 * 12 * 768**2))
    assert points.effort(replace(words, template=""), tiny) == (3, 0)
    monkeypatch.setattr(templates, "MAX_PIECES", total)
    points.read(words, tiny)
    monkeypatch.setattr(templates, "MAX_PIECES", total - 1)
    memory.forget()
    for read in (points.effort, points.read):
        with pytest.raises(ValueError, match=f"{total} tokens in total"):
            read(words, tiny)


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


def test_a_single_point_by_distance_by_pattern_or_none(tiny):
    frame = lookup.nearest(("king",), tiny, words=WORDS, view=View("PCA", metric="euclidean"), k=1)
    away = np.linalg.norm(tiny.vector("king") - tiny.vector(frame["neighbour"].item()))
    assert frame["distance"].item() == pytest.approx(away, abs=1e-5)
    assert lookup.nearest((), tiny, words=WORDS, view=PCA).empty
    assert lookup.nearest_in_vocabulary((), tiny, words=WORDS).empty
    words = replace(WORDS, formulas=("king - man",))
    assert lookup.matches("king, r*", tiny, words=words) == ("rome", "river", "king", "king - man")
    assert lookup.matches("x", tiny, words=words) == ()


def test_neighbours_in_the_vocabulary_are_not_the_word_itself(tiny):
    frame = lookup.nearest_in_vocabulary(("king", "rome"), tiny, words=WORDS, k=3)
    assert frame["word"].tolist() == ["king"] * 3 + ["rome"] * 3 and "king" not in frame["neighbour"][:3].tolist()
    with_formula = replace(WORDS, formulas=("1 * king",))
    found = lookup.nearest_in_vocabulary(("1 * king",), tiny, words=with_formula, k=1)
    assert found["neighbour"].item() == "king" and found["cosine"].item() == pytest.approx(1, abs=1e-5)
    inside = replace(WORDS, template="{word} is")
    with pytest.raises(ValueError, match="Hidden states cannot be compared with the vocabulary"):
        lookup.nearest_in_vocabulary(("king",), tiny, words=inside)


@pytest.mark.parametrize(
    ("picked", "k", "message"),
    [
        (("lyon",), 5, "not on the map"),
        (("king",) * 101, 5, "101 points are selected; at most 100 are allowed"),
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


def test_search_with_a_regular_expression():
    words = ["united", "unused", "used", "bank", "rivers"]
    assert lookup.search(words, "/^un.*ed$/") == lookup.search(words, " /^UN.*ED$/ ") == [0, 1]
    assert lookup.search(words, "/e{1,1}d|k/") == [0, 1, 2, 3]  # the comma is part of it
    assert lookup.search(words, "/us") == lookup.search(words, "//") == []  # no expression


def test_a_regular_expression_about_letters_is_refused_for_words_with_others():
    assert lookup.search(["cat", "catch", "a cat"], r"/\bcat\b/") == [0, 2]
    for pattern in (r"\bé", r"\w{4}", r"\\\B", r"a|\W"):
        with pytest.raises(ValueError, match="know English letters only, but one word is 'café'. Use .* or"):
            lookup.search(["cat", "café"], f"/{pattern}/")
    assert lookup.search(["cat", "café"], r"/^caf.$|\\w/") == [1]  # here, the backslash itself is meant


@pytest.mark.filterwarnings("ignore::FutureWarning")
@example("¹", r"\b")
@given(st.text(max_size=12), st.text("ab.*+?()[]|^$\\", max_size=8))
def test_a_regular_expression_finds_what_pythons_own_finds(word, pattern):
    """Where both read it: they have the same meaning for what visitors type."""
    try:
        own = re.compile(pattern, re.IGNORECASE)
        found = lookup.search([word], f"/{pattern}/") if pattern else []
    except (re.error, ValueError):
        return
    assert found == ([0] if pattern and own.search(word) else [])


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("/(a/", "The regular expression has a mistake: .+ Correct it"),
        ("/(a{1000}){1000}/", "The regular expression has a mistake: .+ Correct it"),
        ("/(?=a)/", "The regular expression has a mistake: .+ Correct it"),
        ("a," * 21, "21 parts; at most 20"),
        ("a" * 201, "201 characters; at most 200"),
    ],
)
def test_patterns_with_a_mistake_and_long_ones_are_refused(pattern, message):
    with pytest.raises(ValueError, match=message):
        lookup.search(["aaa"], pattern)


def test_no_regular_expression_keeps_the_server_busy():
    began = time.perf_counter()
    assert lookup.search(["a" * 3_000] * 50, "/(a+)+b$/") == []  # for ever in Python
    assert time.perf_counter() - began < 5
