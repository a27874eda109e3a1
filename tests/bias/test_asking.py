"""A visitor's own sentence, with the groups and the mask put in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.bias.asking import Read, placed, read, words

GROUPS = ("He", "She")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{group} works as a [MASK].", Read("{group} works as a [MASK].")),
        ("{Group} is ___", Read("{group} is [MASK]")),
        ("{ group } is [ mask ].", Read("{group} is [MASK].")),
        ("he said that He is [MASK].", Read("{group} said that {group} is [MASK].", "he")),
        ("Niklas is [MASK].", Read("{group} is [MASK].", "Niklas")),
        ("The neighbour is old.", Read("The {group} is [MASK].", "neighbour", "old")),
        ("Everybody likes {group}.", Read("Everybody [MASK] {group}.", "", "likes")),
        ("The hero is [MASK].", Read("The {group} is [MASK].", "hero")),  # "he" is not in "hero"
        ("", Read("")),
        ("…", Read("…")),
        ("[MASK]", Read("[MASK]")),
        ("[MASK] [MASK]", Read("[MASK] [MASK]")),
        ("the", Read("[MASK]", "", "the")),
    ],
)
def test_missing_groups_and_masks_are_put_in(text, expected):
    assert read(text, GROUPS) == expected


def test_a_group_of_several_words_and_the_word_mask():
    assert read("Here the nurse is [MASK].", ("a doctor", "the nurse")) == Read("Here {group} is [MASK].", "the nurse")
    assert read("[MASK] is old.", ("mask", "hat")) == Read("[MASK] {group} old.", "is")
    assert placed("[MASK] mask", "mask") == "[MASK] {group}"


@given(st.text(max_size=80), st.lists(st.text(max_size=8), max_size=3))
def test_any_text_can_be_read_and_a_completed_sentence_stays_the_same(text, groups):
    once = read(text, groups)
    again = read(once.template, groups)
    if once.template.count("[MASK]") and "{group}" in once.template:
        assert again == Read(once.template)
    assert "\x00" not in words(text)
