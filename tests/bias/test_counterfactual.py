"""Counterfactual sentences: capitals, ambiguous pronouns, and sentences that cannot be swapped."""

import time

import pandas as pd
import pytest

from embtools import fill_mask, wordlists
from embtools.bias import counterfactual, likelihood, verdict

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


def test_a_sentence_is_compared_with_its_swapped_version(bundled):
    text = "He loves his [mask]."
    found = counterfactual.compare(text, bundled)
    both = "He loves his [MASK].", "She loves her [MASK]."
    assert (found.first, found.second) == both and found.uncertain
    pd.testing.assert_frame_equal(found.words, likelihood.swapped_words(*both, bundled))
    answers, bits = likelihood.swapped_answers(*both, bundled)
    pd.testing.assert_frame_equal(found.answers, answers)
    assert found.distance == bits
    assert (found.headline, found.together) == verdict.swapped(found.words)
    first, second = (fill_mask(sentence, bundled, k=5).set_index("token")["probability"] for sentence in both)
    shown = found.answers.set_index("token")
    assert shown.loc[first.index, "first"].to_numpy() == pytest.approx(first.to_numpy(), rel=1e-5)
    assert shown.loc[second.index, "second"].to_numpy() == pytest.approx(second.to_numpy(), rel=1e-5)


def test_own_pairs_an_own_sentence_and_words_that_are_left_out(bundled):
    found = counterfactual.compare("The king is here.", bundled, pairs=(("king", "queen"),))
    assert found.second == "The queen is here." and found.answers is None and not found.uncertain
    found = counterfactual.compare("She lost her keys.", bundled, swapped="They lost their keys.")
    assert found.second == "They lost their keys." and not found.uncertain
    first = counterfactual.compare("He is a [MASK].", bundled).answers["token"]
    hidden = counterfactual.compare("He is a [MASK].", bundled, leave_out=(first[0],)).answers["token"]
    assert first[0] not in set(hidden)
    with pytest.raises(ValueError, match="exactly one"):
        counterfactual.compare("He is a [MASK] [MASK].", bundled)


def test_built_in_pairs_are_of_one_group_each():
    rows = wordlists.load("groups")
    male, female = (set(rows.loc[rows["group"] == sex, "word"]) for sex in ("male", "female"))
    pairs = counterfactual.builtin_pairs()
    assert ("he", "she") in pairs and len(set(pairs)) == len(pairs)
    assert all(one in male and other in female for one, other in pairs)
