"""Where a word stands in sentences."""

import pytest

from embtools.words import occurrences


@pytest.mark.parametrize(
    "line, expected",
    [
        ("a | b", (("a",), "b")),
        ("a, b ,c|d, e", (("a", "b", "c"), "d, e")),
        ("no bar, here", ((), "no bar, here")),
        (" | d | e", ((), "d | e")),
    ],
)
def test_split_line(line, expected):
    assert occurrences.split_line(line) == expected


def test_positions_want_the_whole_word():
    tokens = ["[CLS]", "work", "##ing", "work", "re", "##work", "work"]
    assert occurrences.positions(tokens, ["work"]) == [(3,), (6,)]
    assert occurrences.positions(tokens, ["work", "##ing"]) == [(1, 2)]
