"""The vectors of words: rows of the matrix, means of pieces, hidden states in a sentence."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.clusters import points as clusters_points
from embtools.clusters.points import Words
from embtools.words import templates

GROUPS = (("places", ("rome", "italy", "france")), ("people", ("king", "queen")))
WORDS = Words(GROUPS)


def test_static_vectors_are_rows_of_the_matrix(tiny):
    points, vectors, left_out = clusters_points.vectors(WORDS, tiny)
    assert points["word"].tolist() == ["rome", "italy", "france", "king", "queen"]
    assert points["group"].tolist() == ["places"] * 3 + ["people"] * 2
    assert (vectors[3] == tiny.vector("king")).all() and left_out == ()


def test_words_of_several_pieces_by_visible_choice(tiny):
    words = Words((("a", ("unable", "rome", "kings")),))
    points, _, left_out = clusters_points.vectors(words, tiny)
    assert points["word"].tolist() == ["rome"] and left_out == ("unable", "kings")
    points, vectors, left_out = clusters_points.vectors(replace(words, pieces="mean"), tiny)
    assert points["pieces"].tolist() == [2, 1, 2] and left_out == ()
    assert vectors[0] == pytest.approx((tiny.vector("un") + tiny.vector("##able")) / 2)
    _, vectors, _ = clusters_points.vectors(replace(words, pieces="first"), tiny)
    assert (vectors[2] == tiny.vector("king")).all()


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_hidden_states_in_a_sentence(tiny, layer: int):
    words = Words((("a", ("rome", "unable")),), pieces="mean", template="The {word} is a river.", layer=layer)
    _, vectors, _ = clusters_points.vectors(words, tiny)
    assert vectors[0] == pytest.approx(tiny.hidden_states("The rome is a river.")[layer, 2], abs=1e-5)
    both = tiny.hidden_states("The unable is a river.")[layer, 2:4].mean(axis=0)
    assert vectors[1] == pytest.approx(both, abs=1e-5)


def test_a_formula_is_put_into_the_sentence(tiny):
    words = replace(
        WORDS, template="{word} is the capital.", layer=2, formulas=("1 * king", "rome = rome - italy + france")
    )
    points, vectors, _ = clusters_points.vectors(words, tiny)
    assert points["kind"].tolist()[-2:] == ["formula"] * 2
    assert points["of"].tolist()[-1] == "rome"
    assert vectors[5] == pytest.approx(vectors[3], abs=1e-5)  # the formula is the word itself
    ids = tiny.tokenize("rome is the capital.")["id"].to_numpy()
    inputs = tiny.matrix[ids].copy()
    inputs[1] = tiny.vector("rome") - tiny.vector("italy") + tiny.vector("france")
    assert vectors[6] == pytest.approx(tiny.encode(inputs[None])[2, 0, 1], abs=1e-5)


def test_only_some_of_the_words_and_shuffled_groups(tiny):
    points, _, _ = clusters_points.vectors(replace(WORDS, only=("king", "rome")), tiny)
    assert points["word"].tolist() == ["rome", "king"]
    many = Words((("a", ("rome", "italy", "france", "paris")), ("b", ("king", "queen", "man", "woman"))), shuffled=1)
    mixed, vectors, _ = clusters_points.vectors(many, tiny)
    plain, same, _ = clusters_points.vectors(replace(many, shuffled=None), tiny)
    assert sorted(mixed["group"]) == sorted(plain["group"]) and mixed["group"].tolist() != plain["group"].tolist()
    assert (vectors == same).all()


def test_the_vocabulary_in_kinds(tiny, bundled):
    points, vectors, _ = clusters_points.vectors(Words(None), tiny)
    assert len(points) == int(tiny.rankable.sum()) == len(vectors)
    assert not points["word"].str.contains(r"\[").any()
    kinds = points.set_index("word")["group"]
    assert kinds["rome"] == "whole word" and kinds["##ing"] == "piece of a word (##)" and kinds["."] == "single sign"
    assert sum(len(words) for _, words in clusters_points.vocabulary(bundled)) <= 30_000


def test_frequency_ranks_begin_at_the_most_frequent_word(bundled):
    ranks = clusters_points.frequency_ranks(bundled)
    assert ranks["the"] == 1 and ranks["rome"] < ranks["lviv"] and "!" not in ranks


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pieces": "last"}, "Choose leave out"),
        ({"template": "no slot"}, "exactly once"),
        ({"template": "{word} {word}"}, "exactly once"),
        ({"template": "un{word} is a river"}, "stand alone"),
        ({"template": "{word} is", "layer": 3}, "no layer 3"),
        ({"template": "{word} " + "river " * 600}, "pieces"),
        ({"only": ("lyon",)}, "'lyon' is not in the groups"),
        ({"formulas": ("rome -",)}, "."),
        ({"formulas": ("rome - rome + king", "king")}, "just one of the words"),
        ({"formulas": ("1000000 * rome",)}, "longer than (any|every) word's"),
        ({"formulas": ("unable - rome",)}, "not one word piece"),
        ({"formulas": ("king",) * 21}, "at most 20"),
        ({"groups": None, "template": "{word} is"}, "static embeddings only"),
        ({"groups": (("a", ("rome", "Rome")),)}, "same to this model"),
        ({"groups": (("a", ("☃☃",)),)}, "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_told(tiny, change: dict, said: str):
    with pytest.raises(ValueError, match=said):
        clusters_points.vectors(replace(WORDS, **change), tiny)


def test_progress_is_told_and_can_stop(tiny):
    told: list[float] = []
    clusters_points.vectors(replace(WORDS, template="{word} is"), tiny, told.append)
    assert told[-1] == 1 and np.all(np.diff(told) > 0)

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        clusters_points.vectors(replace(WORDS, template="{word} is"), tiny, stop)


def test_effort_counts_the_pieces_of_the_sentences(tiny, monkeypatch):
    words = Words((("a", ("rome", "unable", "king")),), pieces="mean", template="the {word} is a river")
    total = sum(len(tiny.tokenize(words.template.replace("{word}", w))) for w in ("rome", "unable", "king"))
    count, seconds = clusters_points.effort(words, tiny)
    assert count == 3 and seconds == pytest.approx(total * 2 * 16**2 / (1_000 * 12 * 768**2))
    assert clusters_points.effort(replace(words, template=""), tiny) == (3, 0)
    monkeypatch.setattr(templates, "MAX_PIECES", total)
    clusters_points.vectors(words, tiny)
    monkeypatch.setattr(templates, "MAX_PIECES", total - 1)
    for read in (clusters_points.effort, clusters_points.vectors):
        with pytest.raises(ValueError, match=f"{total} pieces together"):
            read(words, tiny)
