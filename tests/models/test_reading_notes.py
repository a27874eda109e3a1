"""What a model cannot read: signs with a plain form, unknown signs, and sentences in other languages."""

import pytest

from embtools.mask_filling.answers import fill_mask
from embtools.models.reading_notes import reading_notes
from embtools.pairs.questions import compare_answers

STYLED = "The ﬁre in the oﬃce was very [MASK]."


def test_ligatures_and_styled_letters_are_read_as_plain_ones(bundled) -> None:  # type: ignore[no-untyped-def]
    plain = fill_mask("The fire in the office was very [MASK].", bundled)
    assert fill_mask(STYLED, bundled).equals(plain) and plain["token"][0] == "intense"
    assert "ﬃ as ffi" in reading_notes(STYLED, bundled)[0]
    assert [STYLED[start:end] for *_, start, end in bundled.words(STYLED)[1]][4] == "oﬃce"
    assert bundled.pieces("𝐛𝐨𝐥𝐝") == bundled.pieces("bold") and bundled.pieces("ｒｏｍｅ") == ("rome",)


def test_signs_that_are_tokens_stay_and_unknown_ones_are_named(bundled) -> None:  # type: ignore[no-untyped-def]
    assert bundled.pieces("½") == ("½",) and bundled.pieces("…") == ("…",)
    assert reading_notes("It is ½ of it …", bundled) == ()
    assert "🍕" in reading_notes("I love 🍕.", bundled)[0]


def test_unknown_is_never_an_answer(bundled) -> None:  # type: ignore[no-untyped-def]
    assert "[UNK]" not in set(fill_mask("北京是[MASK]的首都。", bundled, k=20)["token"])


def test_equal_answers_have_no_winner(bundled) -> None:  # type: ignore[no-untyped-def]
    answers = ("It is 🐶.", "It is 🐱.", "It is 🍕.")
    found = compare_answers(("Which animal is it?",), answers, bundled)
    assert found.headline(found.combinations[-1], "sentence: mean").startswith("All 3 answers are equally similar")


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("Москва — столица [MASK].", True),
        ("北京是[MASK]的首都。", True),
        ("Η Αθήνα είναι πόλη.", True),
        ("Giuseppe Verdi met Francesca in Bologna.", False),
        ("Nguyen and Oluwaseun went to Reykjavik.", False),
        ("Rome is the capital of ___.", False),
    ],
)
def test_sentences_in_other_languages_get_a_note(text: str, foreign: bool, bundled) -> None:  # type: ignore[no-untyped-def]
    assert any("This model reads English" in note for note in reading_notes(text, bundled)) == foreign
