"""Counterfactual sentences: capitals, ambiguous pronouns, and sentences that cannot be swapped."""

import time

import pandas as pd
import pytest

from embtools.bias import counterfactual
from embtools.charts.bias import counterfactual as charts
from tests.drawn import HOSTILE, shows_no_markup

PAIRS = (("he", "she"), ("him", "her"), ("man", "woman"), ("king", "queen"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She lost her keys.", "He lost his keys."),
        ("He saw her.", "She saw him."),
        ("The book is his.", "The book is hers."),
        ("THE KING and his queen!", "THE QUEEN and her king!"),
        ("The [MASK] man", "The [MASK] woman"),
        ("[he] man", "[he] woman"),
        ("He loves his [MASK].", "She loves her [MASK]."),
    ],
)
def test_swap_keeps_capitals_and_knows_possessives(text, expected):
    assert counterfactual.swap(text, PAIRS) == expected


@pytest.mark.parametrize(
    ("her", "him"),
    [
        ("They asked her about it.", "They asked him about it."),
        ("I told her that it rained.", "I told him that it rained."),
        ("We gave it to her yesterday.", "We gave it to him yesterday."),
        ("Give her a book and her own pen.", "Give him a book and his own pen."),
        ("We saw her when she came with her mother.", "We saw him when he came with his mother."),
        ("Call her if you wait for her for an hour.", "Call him if you wait for him for an hour."),
        ("Nobody likes her, her in-laws say.", "Nobody likes him, his in-laws say."),
        ("This is hers to keep.", "This is his to keep."),
        ("The choice was hers and not ours.", "The choice was his and not ours."),
        ("Her work speaks for itself.", "His work speaks for itself."),
        ("She hurt herself.", "He hurt himself."),
    ],
)
@pytest.mark.parametrize("pairs", [PAIRS, (("he", "she"),), (("she", "he"),)])
def test_ambiguous_pronouns_depend_on_the_next_word(her, him, pairs):
    assert counterfactual.swap(her, pairs) == him
    assert counterfactual.swap(him, pairs) == her


def test_swap_of_other_pairs_leaves_pronouns_alone():
    assert counterfactual.swap("A monk and her book", (("monk", "nun"),)) == "A nun and her book"
    assert counterfactual.swap("She saw him and them.", (("he", "she"), ("him", "them"))) == "He saw them and him."


@pytest.mark.parametrize(("text", "message"), [("The sky is blue.", "no word of the pairs"), (" ", "is empty")])
def test_a_text_without_a_word_of_the_pairs_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        counterfactual.swap(text, PAIRS)


def test_long_texts_are_refused_and_the_longest_is_fast():
    with pytest.raises(ValueError, match="5,001 characters, but at most 5,000"):
        counterfactual.swap("she [".ljust(5_001, "h"), PAIRS)
    began = time.process_time()
    assert counterfactual.swap("her " * 1_250, PAIRS).startswith("him him")
    assert time.process_time() - began < 0.5


def test_the_work_grows_with_the_length(monkeypatch):
    monkeypatch.setattr(counterfactual, "MAX_CHARACTERS", 10**6)
    began = time.process_time()
    counterfactual.swap("she and her dog " * 40_000, PAIRS)  # a quadratic rule would take a minute
    assert time.process_time() - began < 5


def test_changes_are_in_the_order_of_the_sentence():
    words = pd.DataFrame(
        {"word": [HOSTILE, "b", "c"], "first": [-1.0, -2, -3], "second": [-2.0, -1, -3], "change": [-1.0, 1, 0]}
    )
    figure = charts.changes(words)
    first, swapped = figure.data
    assert (list(first.x), list(first.y)) == ([0], [-1])
    assert (list(swapped.x), list(swapped.y)) == ([1, 2], [1, 0])
    assert list(figure.layout.xaxis.ticktext) == ["&lt;img src=x&gt;", "b", "c"]
    assert shows_no_markup(figure)
    assert "Their sum is +0.00 nats" in charts.changes_alt(words)
