"""The sentences about attention, compared with their numbers."""

from dataclasses import replace

import pandas as pd
import pytest

from embtools.attention import attended_words, verdict
from embtools.attention.attended_words import AttendedWords


def made(heads: str = "1.2", **columns: list[float]) -> AttendedWords:
    words = pd.DataFrame(
        {
            "word": ["[CLS]", "the", "dog", "it", "[SEP]"],
            "special": [True, False, False, False, True],
            "share": [0.3, 0.05, 0.5, 0.1, 0.05],
            **columns,
        }
    )
    cells = pd.DataFrame({"layer": [1, 1, 2, 2], "head": [1, 2, 1, 2], "share": [0.1, 0.5, 0.2, 0.0]})
    return AttendedWords(("it",), ("dog",), heads, words, cells, ("[CLS]", "the", "cat", "it", "[SEP]"))


def against(result: AttendedWords) -> AttendedWords:
    """Return the same result with a second target."""
    cells = result.cells.assign(**{attended_words.VERSUS: [0.2, 0.05, 0.1, 0.0]})
    return replace(result, cells=cells, versus=("the",))


def test_the_headline_names_the_head_and_what_was_replaced() -> None:
    plain = made()
    assert verdict.finding(plain) == "In layer 1, head 2, “it” gives “dog” 50% of its attention."
    control = made(**{attended_words.CONTROL: [0.3, 0.4, 0.1, 0.1, 0.1]})
    assert verdict.finding(control).endswith(" of its attention. With “cat” instead of “dog”, the share is 10%.")
    edited = made(**{attended_words.BEFORE: [0.3, 0.4, 0.034, 0.1, 0.1]})
    assert verdict.finding(edited).endswith(" of its attention. Before the edit, the share was 3.4%.")
    several = replace(plain, source=("it", "the"), target=("dog", "[SEP]"))
    assert verdict.finding(several) == (
        "In layer 1, head 2, “it” and “the” give “dog” and “[SEP]” together 55% of their attention."
    )


@pytest.mark.parametrize(
    "heads, beginning",
    [
        (attended_words.ALL, "Averaged over all heads, “it” gives"),
        ("layer 2", "Averaged over the heads of layer 2, “it” gives"),
        (attended_words.ROLLOUT, "By rollout over all layers, 50% of “it” comes from “dog”."),
    ],
)
def test_several_heads_are_named(heads: str, beginning: str) -> None:
    assert verdict.finding(made(heads)).startswith(beginning)


def test_limits_of_the_headline_are_counted() -> None:
    text = verdict.doubts(made(**{attended_words.CONTROL: [0.2, 0.05, 0.05, 0.6, 0.1]}))
    assert "A random head gives “dog” 20% (mean of all 4 heads)." in text
    assert "The strongest of 4 heads is strong partly by chance." in text
    assert "Among the other words, “the” (5.0%) gets the most. [CLS] and [SEP] together get 35%." in text
    assert text.endswith("In the control sentence, “it” gains most (from 10% to 60%).")
    assert "1 of 4 heads gives it more." in verdict.doubts(made("2.1"))
    assert "A random head" not in verdict.doubts(made(attended_words.ALL))


def test_a_missing_control_is_named() -> None:
    """Your own sentence begins without a control sentence."""
    alone = replace(made(), control=())
    assert verdict.doubts(alone).endswith(
        "There is no control sentence. To add one, write the same sentence with one word changed."
    )
    assert "There is no control" not in verdict.doubts(made(**{attended_words.CONTROL: [0.2, 0.05, 0.05, 0.6, 0.1]}))
    without = verdict.doubts(made())  # the control sentence was read, but the attending word is not in it
    assert without.endswith("The control sentence does not contain “it”, so it cannot be compared.")


def test_two_targets_are_named_in_one_sentence_with_one_head() -> None:
    two = against(made(**{attended_words.CONTROL: [0.3, 0.4, 0.1, 0.1, 0.1]}))
    assert verdict.finding(two) == (
        "In layer 1, head 2, “it” gives “dog” 50% and “the” 5.0% of its attention. With “cat” instead of “dog”, the"
        " shares are 10% and 40%."
    )
    rolled = verdict.finding(against(made(attended_words.ROLLOUT)))
    assert rolled == "By rollout over all layers, 50% of “it” comes from “dog” and 5.0% from “the”."
    text = verdict.doubts(two)
    assert "A random head gives “dog” 20% and “the” 8.8% (mean of all 4 heads)." in text
    assert "In 2 of all 4 heads “dog” gets more than “the”; in 1 it gets less." in text
    assert "it more." not in text
    alts = verdict.cells_alt(two)
    assert alts.count("Heatmap of 4 heads. Attention to") == 2
    assert "Attention to “the” is highest in layer 1, head 1 (20%)" in alts


def test_alt_texts_name_the_largest() -> None:
    assert "Most goes to dog 50%, [CLS] 30%, it 10%." in verdict.alt(made())
    assert verdict.cells_alt(made()) == (
        "Heatmap of 4 heads. Attention to “dog” is highest in layer 1, head 2 (50%) and lowest in layer 2, head 2 (0.0%);"
        " the mean is 20%."
    )


def test_an_alt_text_names_no_bar_that_is_hidden() -> None:
    hidden = verdict.alt(made(), hide_special=True)
    assert "to 3 words. Most goes to dog 50%, it 10%, the 5.0%." in hidden
    assert hidden.endswith("[CLS] and [SEP], which are not shown, get 35%.")
