"""Edits that only replace a word by another one are told from those that make a new vector."""

import pytest

from embtools.mask_filling.edits import Change
from embtools.mask_filling.replaced import named, replaced, sentence


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
    assert bool(sentence(found, change)) == bool(found)


def test_the_sentence_says_what_is_not_the_same() -> None:
    def said(**options) -> str:  # type: ignore[no-untyped-def]
        return sentence([("rome", "paris")], Change.of(["rome = paris"], **options))

    same = "his edit is the same as writing paris instead of rome."
    assert said() == f"T{same}"
    assert said(strength=0.5) == f"At strength 1, t{same}"
    assert said(keep_length=True) == f"Except for the length of the vector, t{same}"
    assert said(scope="tied") == f"For what BERT reads, t{same}"
    two = Change.of(["rome = paris", "king = queen + man"])
    assert sentence([("rome", "paris")], two) == "One of the edits is the same as writing paris instead of rome."
