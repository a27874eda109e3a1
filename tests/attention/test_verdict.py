"""The sentences about a look, against its numbers."""

from dataclasses import replace

import pandas as pd
import pytest

from embtools.attention import looks, verdict
from embtools.attention.looks import Look


def made(heads: str = "1.2", **columns: list[float]) -> Look:
    words = pd.DataFrame(
        {
            "word": ["[CLS]", "the", "dog", "it", "[SEP]"],
            "frame": [True, False, False, False, True],
            "share": [0.3, 0.05, 0.5, 0.1, 0.05],
            **columns,
        }
    )
    cells = pd.DataFrame({"layer": [1, 1, 2, 2], "head": [1, 2, 1, 2], "share": [0.1, 0.5, 0.2, 0.0]})
    return Look(("it",), ("dog",), heads, words, cells, ("[CLS]", "the", "cat", "it", "[SEP]"))


def against(look: Look) -> Look:
    """The same with a second target."""
    cells = look.cells.assign(**{looks.VERSUS: [0.2, 0.05, 0.1, 0.0]})
    return replace(look, cells=cells, versus=("the",))


def test_a_finding_names_the_head_and_what_was_exchanged() -> None:
    plain = made()
    assert verdict.finding(plain) == "In layer 1, head 2, “it” gives “dog” 50% of its attention."
    beside = made(**{looks.CONTROL: [0.3, 0.4, 0.1, 0.1, 0.1]})
    assert verdict.finding(beside).endswith("; with “cat” for “dog” 10%.")
    edited = made(**{looks.BEFORE: [0.3, 0.4, 0.034, 0.1, 0.1]})
    assert verdict.finding(edited).endswith("; before the edit 3.4%.")


@pytest.mark.parametrize(
    "heads, beginning",
    [
        (looks.ALL, "Averaged over all heads, “it” gives"),
        ("layer 2", "In layer 2, its heads averaged, “it” gives"),
        (looks.ROLLOUT, "Rolled out over all layers, 50% of “it” comes from “dog”"),
    ],
)
def test_several_heads_are_named(heads: str, beginning: str) -> None:
    assert verdict.finding(made(heads)).startswith(beginning)


def test_doubts_are_counted() -> None:
    said = verdict.doubts(made(**{looks.CONTROL: [0.2, 0.05, 0.05, 0.6, 0.1]}))
    assert "A random head gives “dog” 20% (mean of all 4)." in said and "of 4 heads is strong partly by chance" in said
    assert "Next: “the” 5.0%." in said and "[CLS] and [SEP] get 35%." in said
    assert said.endswith("In the control sentence “it” gains most: 10% → 60%.")
    assert "1 of 4 heads give it more." in verdict.doubts(made("2.1"))
    assert "A random head" not in verdict.doubts(made(looks.ALL))


def test_a_missing_control_is_named() -> None:
    """Your own sentence begins without a control sentence."""
    alone = replace(made(), control=())
    assert verdict.doubts(alone).endswith(
        "There is no control sentence: write the same sentence with one word changed."
    )
    assert "There is no control" not in verdict.doubts(made(**{looks.CONTROL: [0.2, 0.05, 0.05, 0.6, 0.1]}))
    without = verdict.doubts(made())  # the control sentence was read, but the attending word is not in it
    assert without.endswith("The control sentence does not have “it”, so it cannot be compared.")


def test_two_targets_stand_in_one_sentence_with_one_head() -> None:
    two = against(made(**{looks.CONTROL: [0.3, 0.4, 0.1, 0.1, 0.1]}))
    assert verdict.finding(two) == (
        "In layer 1, head 2, “it” gives “dog” 50% and “the” 5.0% of its attention; with “cat” for “dog” 10% and 40%."
    )
    rolled = verdict.finding(against(made(looks.ROLLOUT)))
    assert rolled == "Rolled out over all layers, 50% of “it” comes from “dog” and 5.0% of “it” comes from “the”."
    said = verdict.doubts(two)
    assert "A random head gives “dog” 20% and “the” 8.8% (mean of all 4)." in said
    assert "Of all 4 heads, 2 give more to “dog” and 1 to “the”." in said and "heads give it more" not in said
    alts = verdict.cells_alt(two)
    assert alts.count("4 heads, attention to") == 2 and "to “the”: most in layer 1, head 1 (20%)" in alts


def test_alternatives_name_the_largest() -> None:
    assert "Most: dog 50%, [CLS] 30%, it 10%." in verdict.alt(made())
    assert verdict.cells_alt(made()).startswith(
        "4 heads, attention to “dog”: most in layer 1, head 2 (50%), least in layer 2, head 2"
    )


def test_an_alternative_names_no_bar_that_is_hidden() -> None:
    hidden = verdict.alt(made(), hide_frame=True)
    assert "over 3 words. Most: dog 50%, it 10%, the 5.0%." in hidden
    assert hidden.endswith("[CLS] and [SEP], not shown, get 35%.")
