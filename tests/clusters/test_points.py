"""The vectors of words: rows of the embedding matrix, means of tokens, hidden states in a sentence."""

from dataclasses import replace

import numpy as np
import pytest

from embtools import memory
from embtools.clusters import points
from embtools.clusters.points import Words
from embtools.words import groups, templates

GROUPS = (("places", ("rome", "italy", "france")), ("people", ("king", "queen")))
WORDS = Words(GROUPS)


def test_static_vectors_are_rows_of_the_matrix(tiny):
    found = points.read(WORDS, tiny)
    assert found.frame["word"].tolist() == ["rome", "italy", "france", "king", "queen"]
    assert found.frame["group"].tolist() == ["places"] * 3 + ["people"] * 2
    assert (found.vectors[3] == tiny.vector("king")).all() and found.left_out == ()
    assert len(found) == 5 and found.is_word.all() and found.words == WORDS


def test_words_of_several_tokens_are_left_out_averaged_or_cut(tiny):
    words = Words((("a", ("unable", "rome", "kings")),))
    found = points.read(words, tiny)
    assert found.frame["word"].tolist() == ["rome"] and found.left_out == ("unable", "kings")
    found = points.read(replace(words, pieces="mean"), tiny)
    assert found.frame["tokens"].tolist() == [2, 1, 2] and found.left_out == ()
    assert found.vectors[0] == pytest.approx((tiny.vector("un") + tiny.vector("##able")) / 2)
    found = points.read(replace(words, pieces="first"), tiny)
    assert (found.vectors[2] == tiny.vector("king")).all()


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_hidden_states_in_a_sentence(tiny, layer: int):
    words = Words((("a", ("rome", "unable")),), pieces="mean", template="The {word} is a river.", layer=layer)
    vectors = points.read(words, tiny).vectors
    assert vectors[0] == pytest.approx(tiny.hidden_states("The rome is a river.")[layer, 2], abs=1e-5)
    both = tiny.hidden_states("The unable is a river.")[layer, 2:4].mean(axis=0)
    assert vectors[1] == pytest.approx(both, abs=1e-5)


def test_a_formula_is_put_into_the_sentence(tiny):
    words = replace(
        WORDS, template="{word} is the capital.", layer=2, formulas=("1 * king", "rome = rome - italy + france")
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
    found = points.read(replace(WORDS, only=("king", "rome")), tiny)
    assert found.frame["word"].tolist() == ["rome", "king"]
    many = Words((("a", ("rome", "italy", "france", "paris")), ("b", ("king", "queen", "man", "woman"))), shuffled=1)
    mixed, plain = points.read(many, tiny), points.read(replace(many, shuffled=None), tiny)
    shuffled, given = mixed.frame["group"].tolist(), plain.frame["group"].tolist()
    assert sorted(shuffled) == sorted(given) and shuffled != given
    assert (mixed.vectors == plain.vectors).all()


def test_the_vocabulary_is_grouped_by_kind(tiny, bundled):
    found = points.read(Words(None), tiny)
    assert len(found) == int(tiny.rankable.sum()) == len(found.vectors)
    assert not found.frame["word"].str.contains(r"\[").any()
    kinds = found.frame.set_index("word")["group"]
    assert (
        kinds["rome"] == "whole word" and kinds["##ing"] == "part of a word (##)" and kinds["."] == "single character"
    )
    assert sum(len(words) for _, words in points.vocabulary(bundled)) <= 30_000


def test_frequency_ranks_begin_at_the_most_frequent_word(bundled):
    ranks = points.frequency_ranks(bundled)
    assert ranks["the"] == 1 and ranks["rome"] < ranks["lviv"] and "!" not in ranks


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pieces": "last"}, "Choose leave out"),
        ({"template": "no slot"}, "exactly once"),
        ({"template": "{word} {word}"}, "exactly once"),
        ({"template": "un{word} is a river"}, "must be a separate word"),
        ({"template": "{word} is", "layer": 3}, "no layer 3"),
        ({"template": "{word} " + "river " * 600}, "tokens"),
        ({"only": ("lyon",)}, "'lyon' is not in the groups"),
        ({"formulas": ("rome -",)}, "."),
        ({"formulas": ("rome - rome + king", "king")}, "equals one of the words"),
        ({"formulas": ("1000000 * rome",)}, "longer than (any|every) word's"),
        ({"formulas": ("unable - rome",)}, "not a single token"),
        ({"formulas": ("king",) * 21}, "at most 20"),
        ({"groups": None, "template": "{word} is"}, "by static embeddings only"),
        ({"groups": (("a", ("rome", "Rome")),)}, "same to this model"),
        ({"groups": (("a", ("☃☃",)),)}, "cannot be read"),
    ],
)
def test_invalid_words_are_reported(tiny, change: dict, message: str):
    with pytest.raises(ValueError, match=message):
        points.read(replace(WORDS, **change), tiny)


def test_progress_is_reported_and_can_stop(tiny):
    reported: list[float] = []
    points.read(replace(WORDS, template="{word} is"), tiny, progress=reported.append)
    assert reported[-1] == 1 and np.all(np.diff(reported) > 0)

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        points.read(replace(WORDS, template="the {word} is"), tiny, progress=stop)


def test_the_points_of_a_list_are_read_once(tiny, bundled):
    assert points.read(WORDS, tiny) is points.read(replace(WORDS), tiny)
    assert points.read(Words(None), bundled) is not points.read(Words(None), bundled)  # it would fill the cache


def test_words_say_what_they_are_and_can_be_written_as_python():
    words = Words(groups.preset("months"), shuffled=3)
    assert words.subject == "12 words in 4 groups" and Words(None).subject == "the whole vocabulary"
    assert words.code == "Words(groups=preset('months'), shuffled=3)"
    assert words.imports == {
        "from embtools.clusters import Words",
        "from embtools.words import preset",
    }
    assert WORDS.code == f"Words(groups={GROUPS!r})" and len(WORDS.imports) == 1


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
