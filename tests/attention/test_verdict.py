"""The sentences about a look, against its numbers."""

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


def test_a_finding_names_the_head_and_what_was_exchanged() -> None:
    plain = made()
    assert verdict.finding(plain) == "In layer 1, head 2, “it” gives “dog” 50% of its attention."
    beside = made(**{looks.CONTROL: [0.3, 0.4, 0.1, 0.1, 0.1]})
    assert verdict.finding(beside).endswith("; with “cat” for “dog” 10%.")
    edited = made(**{looks.BEFORE: [0.3, 0.4, 0.034, 0.1, 0.1]})
    assert verdict.finding(edited).endswith(", before the edit 3.4%.")


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
    assert "at random gives “dog” 20% (the mean of all 4)" in said and "partly by luck" in said
    assert "Next: “the” 5.0%." in said and "[CLS] and [SEP] take 35%." in said
    assert said.endswith("In the control sentence “it” gains most: 10% → 60%.")
    assert "1 of 4 heads give it more." in verdict.doubts(made("2.1"))
    assert "at random" not in verdict.doubts(made(looks.ALL))


def test_alternatives_name_the_largest() -> None:
    assert "Most: dog 50%, [CLS] 30%, it 10%." in verdict.alt(made())
    assert verdict.cells_alt(made().cells).startswith(
        "4 heads: most in layer 1, head 2 (50%), least in layer 2, head 2"
    )
