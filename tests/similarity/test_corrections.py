"""What is offered for a list that cannot be compared."""

import pytest

from embtools.similarity.corrections import Corrections, corrections, is_readable


@pytest.mark.parametrize(
    ("words", "options", "readable"),
    [
        (("red", "green"), {}, True),
        (("red", "gren"), {}, False),
        (("red",), {}, False),
        (("red", "green"), {"least": 3}, False),
        (("red", "rebeccapurple"), {}, False),
        (("red", "rebeccapurple"), {"pieces": "mean"}, True),
        (("red", "green"), {"layer": 2, "template": "It is {word}."}, True),
        (("red", "green"), {"layer": 2, "template": "no slot"}, False),
        (("red", "##ing"), {"layer": 2, "template": "It is {word}."}, False),
    ],
)
def test_a_list_is_readable_or_not(bundled, words, options, readable):
    assert is_readable(words, bundled, **options) is readable


@pytest.mark.parametrize(
    ("words", "options", "expected"),
    [
        (("red", "gren", "blue"), {}, Corrections(True, (("gren", "green"),))),
        (("red", "gren", "green"), {}, Corrections(True, ())),  # it would then be in the list twice
        (("red", "red", "rebeccapurple"), {}, Corrections(False, ())),  # the mean would not help
        (("red", "rebeccapurple"), {"pieces": "mean"}, Corrections(False, ())),
        (tuple(f"w{i}" for i in range(151)), {}, Corrections(False, ())),
    ],
)
def test_corrections_make_the_list_readable(bundled, words, options, expected):
    offered = corrections(words, bundled, **options)
    assert offered == expected
    if offered.mean:
        assert is_readable(words, bundled, pieces="mean")
    for word, other in offered.similar:
        assert is_readable([other if one == word else one for one in words], bundled)
