"""A visitor's own sentence, with the groups and the mask put in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.bias.own_sentence import Completed, complete, with_slot, words

GROUPS = ("He", "She")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{group} works as a [MASK].", Completed("{group} works as a [MASK].")),
        ("{Group} is ___", Completed("{group} is [MASK]")),
        ("{ group } is [ mask ].", Completed("{group} is [MASK].")),
        ("he said that He is [MASK].", Completed("{group} said that {group} is [MASK].", "he")),
        ("Niklas is [MASK].", Completed("{group} is [MASK].", "Niklas")),
        ("The neighbour is old.", Completed("The {group} is [MASK].", "neighbour", "old")),
        ("Everybody likes {group}.", Completed("Everybody [MASK] {group}.", "", "likes")),
        ("The hero is [MASK].", Completed("The {group} is [MASK].", "hero")),  # "he" is not in "hero"
        ("", Completed("")),
        ("…", Completed("…")),
        ("[MASK]", Completed("[MASK]")),
        ("[MASK] [MASK]", Completed("[MASK] [MASK]")),
        ("the", Completed("[MASK]", "", "the")),
    ],
)
def test_missing_groups_and_masks_are_added(text, expected):
    assert complete(text, GROUPS) == expected


def test_a_group_of_several_words_and_the_word_mask():
    assert complete("Here the nurse is [MASK].", ("a doctor", "the nurse")) == Completed(
        "Here {group} is [MASK].", "the nurse"
    )
    assert complete("[MASK] is old.", ("mask", "hat")) == Completed("[MASK] {group} old.", "is")
    assert with_slot("[MASK] mask", "mask") == "[MASK] {group}"


@given(st.text(max_size=80), st.lists(st.text(max_size=8), max_size=3))
def test_any_text_can_be_read_and_a_completed_sentence_stays_the_same(text, groups):
    once = complete(text, groups)
    again = complete(once.template, groups)
    if once.template.count("[MASK]") and "{group}" in once.template:
        assert again == Completed(once.template)
    assert "\x00" not in words(text)
