"""Vectors to decompose, against plain forward passes."""

import numpy as np
import pytest

from embtools.decomposition import targets


def test_an_occurrence_is_its_hidden_state(found, tiny):
    target = targets.occurrence(found, tiny, word=" Queen ", number=2)
    assert (target.name, target.words, target.sentence) == ("queen", ("queen",), "she is the queen of rome")
    assert target.sentence[target.start : target.end] == "queen"
    np.testing.assert_allclose(target.vector, tiny.hidden_states(target.sentence)[2, 4], atol=1e-5)
    assert found.table["word"][target.row] == "queen"
    assert targets.occurrence(found, tiny, word="queen", number=99).row == target.row  # the last there is


def test_a_typed_word_is_the_first_of_its_occurrences(tiny):
    target = targets.from_sentence("the  king is\nthe king", tiny, word="king", combination="layer 1")
    assert target.row == -1 and target.sentence == "the king is the king" and target.start == 4
    np.testing.assert_allclose(target.vector, tiny.hidden_states("the king is the king")[1, 2], atol=1e-5)


def test_a_word_of_several_tokens_is_the_mean_of_them(tiny):
    assert tiny.pieces("works") == ("works",) and tiny.pieces("unable") == ("un", "##able")
    target = targets.from_sentence("he is unable", tiny, word="Unable", combination="layer 1")
    assert target.name == "unable"
    np.testing.assert_allclose(target.vector, tiny.hidden_states("he is unable")[1, 3:5].mean(0), atol=1e-5)


def test_a_formula_is_its_value_and_names_its_words(tiny):
    target = targets.formula("king - man + woman", tiny)
    right = tiny.vector("king") - tiny.vector("man") + tiny.vector("woman")
    np.testing.assert_allclose(target.vector, right, atol=1e-6)
    assert target.words == ("king", "man", "woman") and target.row == -1
    assert targets.formula("king", tiny).row == tiny.ids["king"]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda found, tiny: targets.occurrence(found, tiny, word=" "), "The word is missing"),
        (lambda found, tiny: targets.occurrence(found, tiny, word="spain"), "does not know"),
        (lambda found, tiny: targets.occurrence(found, tiny, word="un"), "does not occur in the built-in sentences"),
        (
            lambda found, tiny: targets.from_sentence("she is a queen", tiny, word="king", combination="layer 2"),
            "is not a separate word in your sentence",
        ),
        (
            lambda found, tiny: targets.from_sentence("she is a queen", tiny, word="queen", combination="layer 9"),
            "no layer combination",
        ),
        (lambda found, tiny: targets.formula("king - king", tiny), "The result is zero"),
        (lambda found, tiny: targets.formula("king -", tiny), "formula|word|king"),
    ],
)
def test_what_is_no_target_is_refused(found, tiny, ask, message):
    with pytest.raises(ValueError, match=message):
        ask(found, tiny)


def test_an_occurrence_of_a_folder_is_its_row(folder, bundled, tiny):
    target = targets.from_folder(folder, bundled, word=" Cold ", number=2)
    rows = folder.occurrences("cold")
    assert np.array_equal(target.vector, rows.vectors[1]) and target.row == -1 and target.words == ("cold",)
    assert target.sentence == folder.sentences([int(rows.table["sentence"][1])])[0]
    last = targets.from_folder(folder, bundled, word="cold", number=9_999)
    assert np.array_equal(last.vector, rows.vectors[-1])
    for word, model, message in (("xylophone", bundled, "does not occur in this folder"), ("cold", tiny, "'bundled'")):
        with pytest.raises(ValueError, match=message):
            targets.from_folder(folder, model, word=word)
