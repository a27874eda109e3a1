"""Edits that are suggested: what is built or completed can be read again, and means what was asked for."""

import pytest
from hypothesis import given, strategies

from embtools import fill_mask, nearest
from embtools.arithmetic import drafts
from embtools.formula.expression import coefficients
from embtools.formula.parser import parse_equation

TEXT = "The doctor in Rome said that [MASK] was tired."
WORD = strategies.text("abcdé -'9", min_size=1, max_size=6).map(str.strip).filter(lambda word: word.strip(" -'"))


def test_an_edit_is_built_as_it_is_typed() -> None:
    assert drafts.built("amazon", ["river"], ["company"]) == "amazon = amazon - river + company"
    assert drafts.built("amazon", [], ["company", "new york"]) == 'amazon = amazon + company + "new york"'
    assert drafts.built("amazon", [], []) == drafts.built("", ["river"], []) == ""


@given(word=WORD, less=strategies.lists(WORD, max_size=2), more=strategies.lists(WORD, max_size=2))
def test_what_is_built_is_read_as_it_was_meant(word: str, less: list[str], more: list[str]) -> None:
    line = drafts.built(word, less, more)
    if line:
        edit = parse_equation(line)
        expected: dict[str, float] = {word: 1.0}
        for words, sign in ((less, -1), (more, 1)):
            for other in words:
                expected[other] = expected.get(other, 0) + sign
        assert edit.target == word and coefficients(edit.expression) == expected


def test_the_words_of_a_sentence_that_can_be_edited(bundled) -> None:  # type: ignore[no-untyped-def]
    words = drafts.editable("The unabled doctor, the [MASK] doctor!", bundled)
    assert words == ("the", "doctor")  # neither punctuation marks, nor the mask, nor a word of several tokens
    assert drafts.rarest(words, bundled) == "doctor"


def test_words_to_subtract_are_the_answers_and_words_to_add_their_neighbours(bundled) -> None:  # type: ignore[no-untyped-def]
    two = "[MASK] is the capital of [MASK]."
    answers = fill_mask(two, bundled, k=drafts.SUGGESTIONS)
    assert list(drafts.to_subtract(two, bundled)) == answers[answers["mask"] == 1]["token"].tolist()
    near = nearest("italy", bundled, k=drafts.SUGGESTIONS, inputs=False, whole_words=True)
    assert list(drafts.to_add("Italy", bundled)) == near["token"].tolist()
    for word in ("unabled", "☃", "new york", ""):
        assert drafts.to_add(word, bundled) == ()


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("doctor - man + woman", ("doctor = doctor - man + woman",)),
        ("king - doctor + Rome", ("Rome = king - doctor + Rome",)),  # subtracted words are no targets
        ("doctor + rome", ("doctor = doctor + rome", "rome = doctor + rome")),
        ("king - man + woman", ("king = king - man + woman",)),  # none in the text: it will be set aside
        ("reject(doctor, she - he)", ("doctor = reject(doctor, she - he)",)),
        ("man is to doctor as woman is to ?", ("doctor = doctor - man + woman",)),
        ("doctor -", ()),
        ("2", ()),
        ("", ()),
        ("rome = italy", ()),
    ],
)
def test_a_formula_without_a_left_side_is_completed(bundled, line, completed) -> None:  # type: ignore[no-untyped-def]
    assert drafts.completed(line, bundled, text=TEXT) == completed
    for edit in completed:
        parse_equation(edit)


def test_an_edit_that_is_added_replaces_those_of_its_word_and_those_that_do_not_apply(bundled) -> None:  # type: ignore[no-untyped-def]
    lines = ("king = queen", "Doctor = nurse", "tired = happy", "not an edit")
    new = "doctor = doctor - man"
    assert drafts.merged(lines, bundled, line=new, text=TEXT) == ("tired = happy", "not an edit", new)
    assert drafts.merged((), bundled, line=new, text=TEXT) == (new,)


def test_the_builder_offers_words_of_the_sentence_and_the_top_answers(bundled):
    options = drafts.edit_options("Amazon is a river.", bundled)
    assert options.words == ("amazon", "is", "a") and options.first == "amazon"  # "river" is masked
    assert options.to_subtract == drafts.to_subtract("Amazon is a [MASK].", bundled)
    assert drafts.edit_options("?! [MASK]", bundled).words == ()
