"""What a visitor typed: masks, sentences without one, and edits that only replace a word."""

import pytest
from hypothesis import given, settings, strategies

from embtools import fill_mask
from embtools.attention import attended_words, whole_layer
from embtools.formula.parser import parse_equation
from embtools.inputs import rearrange, round_trip
from embtools.layers import layer_similarity, one_word
from embtools.mask_filling.controls import named, replaced, sentence_of
from embtools.mask_filling.edits import Change
from embtools.mask_filling.typed_input import (
    applicable,
    mask_last_word,
    mask_note,
    normalise_masks,
    retargeted,
    unknown_gap,
)
from embtools.tracing import attribute, trace_positions, two_runs

# A visitor's own sentence: other spellings of the mask, none at all, edits whose word is not there

EDIT = "rome = rome - italy + france"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Rome is in __", "Rome is in [MASK]"),
        ("Rome is in [mask] and [ Mask ].", "Rome is in [MASK] and [MASK]."),
        ("a snake_case__name", "a snake_case__name"),
        ("Rome_ is _ in", "Rome_ is _ in"),
        ("", ""),
    ],
)
def test_other_spellings_of_the_mask(text: str, read: str) -> None:
    assert normalise_masks(text) == read


CAPITAL = "Rome is the capital of [MASK]."


@pytest.mark.parametrize(
    "ask",
    [
        lambda text, model: attribute(text, model, steps=1),
        lambda text, model: trace_positions(text, model, edits=(EDIT,)),
        lambda text, model: whole_layer(text, model, layer=1),
        lambda text, model: round_trip(text, model, word="italy"),
        lambda text, model: rearrange([text], model, piece="rome"),
    ],
)
def test_a_line_is_a_mask_for_every_function_that_needs_one(tiny, ask) -> None:  # type: ignore[no-untyped-def]
    lined, masked = (ask(text, tiny) for text in ("Rome is the capital of ___.", CAPITAL))
    assert lined.headline == masked.headline


@pytest.mark.parametrize(
    "gap",
    ["<mask>.", "[ Blank ].", "(blank).", "...", "…", ". . . .", "--.", "–––.", "＿＿.", "_1_.", "__(1)__.", "_ _ _."],
)
def test_other_gaps_are_masks_in_a_sentence_without_a_mask(gap: str) -> None:
    text = f"Rome is the capital of {gap}"
    assert normalise_masks(text) == CAPITAL and mask_last_word(text) == (CAPITAL, "")
    assert not normalise_masks(text, gaps=False).endswith("of [MASK].") or "_" in gap
    both = f"{CAPITAL} So {gap}"
    assert normalise_masks(both).startswith(both[: len(CAPITAL) + 3])


@pytest.mark.parametrize(
    "text", ["I was thinking...", "A well-known fact – or not.", "He is 3-4 – no, 5.", "Wait... what?"]
)
def test_ordinary_dots_and_dashes_are_no_gaps(text: str) -> None:
    assert normalise_masks(text) == text and not unknown_gap(text)


@pytest.mark.parametrize("sign", ["[...]", "{}", "<blank>", "(?)", "****", "□", "???"])
def test_a_sign_that_may_be_a_gap_is_asked_about(sign: str) -> None:
    text = f"Rome is the capital of {sign}."
    assert mask_last_word(text) == (text, "")
    assert f"“{sign}” looks like a gap. Write ___" in mask_note([text])
    assert not unknown_gap("The {group} (or Rome) is a [MASK].") and not unknown_gap("Is {a} old (or not)?")


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: fill_mask(CAPITAL, model, edits="rome = italy"),
        lambda model: fill_mask(CAPITAL, model, leave_out="italy"),
        lambda model: two_runs(CAPITAL, model, edits=[EDIT], answers="it"),
        lambda model: attended_words(CAPITAL, model, source="rome", target=["capital"]),
        lambda model: layer_similarity("The river is wide.", model),
        lambda model: one_word("bank", model, lines="The bank of the river bank."),
        lambda model: rearrange(CAPITAL, model, piece="rome"),
    ],
)
def test_a_text_is_not_read_letter_by_letter_where_a_list_is_needed(tiny, ask) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"^Give a list of .*, not one text\.$"):
        ask(tiny)


@settings(max_examples=30)
@given(strategies.text(max_size=60))
def test_normalising_a_text_twice_changes_nothing_more(text: str) -> None:
    assert normalise_masks(normalise_masks(text)) == normalise_masks(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Don't", ("[MASK]", "Don't")),
        ("Rome is [MASK] old.", ("Rome is [MASK] old.", "")),
        ("?!", ("?!", "")),
        ("", ("", "")),
        ("Das ist schön!", ("Das ist [MASK]!", "schön")),
        ("It’s John’s", ("It’s [MASK]", "John’s")),
        ("They met at a 'cafe\u0301'.", ("They met at a '[MASK]'.", "cafe\u0301")),
        ("It costs $5,000.50m.", ("It costs $[MASK].", "5,000.50m")),
    ],
)
def test_without_a_mask_the_last_word_is_masked(text: str, read: tuple[str, str]) -> None:
    assert mask_last_word(text) == read


def test_a_text_that_is_too_long_keeps_its_length() -> None:
    """Its number of characters is part of the error, which a mask would change."""
    assert mask_last_word("word " * 2_000) == ("word " * 2_000, "")


def test_a_word_that_is_asked_about_is_not_masked() -> None:
    assert mask_last_word("Cold hands are cold.", but="cold") == ("Cold hands [MASK] cold.", "are")
    assert mask_last_word("cold", but="Cold") == ("cold", "")


def test_edits_whose_word_is_missing_are_set_aside(tiny) -> None:  # type: ignore[no-untyped-def]
    edits = tuple(map(parse_equation, (EDIT, "king = king - man + woman")))
    assert applicable(edits, tiny, text="Rome is in [MASK].") == (edits[:1], edits[1:])
    assert applicable(edits, tiny, text="The king is in [MASK].") == (edits[1:], edits[:1])
    assert applicable(edits, tiny, text="[MASK]") == ((), edits)
    assert applicable(edits, tiny, text="[MASK]", scope="tied") == (edits, ())
    assert applicable((), tiny, text="[MASK]") == ((), ())


def test_what_cannot_be_read_is_an_error(tiny) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="is empty"):
        applicable((parse_equation(EDIT),), tiny, text="")
    with pytest.raises(ValueError, match="not a single token"):
        applicable((parse_equation("unable = rome"),), tiny, text="Rome is in [MASK].")


@pytest.mark.parametrize(
    ("edit", "word", "changed"),
    [
        (EDIT, "berlin", "berlin = berlin - italy + france"),
        ("Rome = (ROME + he) / 2", "paris", "paris = (paris + he) / 2"),
        ("rome = italy", "don't", "don't = italy"),
        ("rome = reject(rome, italy - rome)", "##ing", "##ing = reject(##ing, italy - ##ing)"),
        ("rome = rome", "new york", '"new york" = "new york"'),
    ],
)
def test_an_edit_is_made_about_another_word(edit: str, word: str, changed: str) -> None:
    assert str(retargeted(parse_equation(edit), word)) == changed
    assert parse_equation(changed).target == word


def test_a_note_says_which_word_was_masked_and_which_mask_is_used():
    assert mask_note(["It is [MASK]."]) == mask_note([]) == mask_note(["!"]) == ""
    assert mask_note(["no mask here"]) == "The sentence has no mask, so its last word, “here”, was masked."
    assert mask_note(["[MASK] is [MASK]."]) == "The sentence has 2 masks; only the first is used."
    several = ["It is cold.", "It is [MASK].", "He ran.", "[MASK] [MASK]", "[MASK] [MASK] [MASK]"]
    assert mask_note(several) == (
        "2 sentences have no mask, so the last word of each was masked."
        " 2 sentences have several masks; only the first of each is used."
    )


# Edits that only replace a word by another one are told from those that make a new vector


@pytest.mark.parametrize(
    ("edits", "found"),
    [
        (["rome = paris"], [("rome", "paris")]),
        (["rome = rome - rome + paris"], [("rome", "paris")]),
        (["rome = italy + paris - italy"], [("rome", "paris")]),  # but for rounding
        (["rome = 1 * paris", "king = queen + man"], [("rome", "paris")]),
        (["rome = rome + king - king"], [("rome", "rome")]),
        (["rome = rome - italy + france"], []),
        (["rome = 2 * paris"], []),
    ],
)
@pytest.mark.parametrize("options", [{}, {"strength": 0.5, "keep_length": True}])
def test_only_an_edit_that_ends_at_a_word_replaces_it(tiny, edits, found, options) -> None:  # type: ignore[no-untyped-def]
    change = Change.of(edits, **options)
    assert named(replaced(change, tiny), tiny) == tuple(found)
    assert bool(sentence_of(found, change)) == bool(found)


def test_the_sentence_says_what_is_not_the_same() -> None:
    def said(**options) -> str:  # type: ignore[no-untyped-def]
        return sentence_of([("rome", "paris")], Change.of(["rome = paris"], **options))

    same = "his edit is the same as writing paris instead of rome."
    assert said() == f"T{same}"
    assert said(strength=0.5) == f"At strength 1, t{same}"
    assert said(keep_length=True) == f"Except for the length of the vector, t{same}"
    assert said(scope="tied") == f"For what BERT reads, t{same}"
    two = Change.of(["rome = paris", "king = queen + man"])
    assert sentence_of([("rome", "paris")], two) == "One of the edits is the same as writing paris instead of rome."
