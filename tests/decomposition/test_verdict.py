"""What is said about parts, from frames made by hand."""

import numpy as np
import pandas as pd
import pytest

from embtools.decomposition import verdict
from embtools.decomposition.controls import CLOUD, OTHERS, OWN, RANDOM_PARTS, SHUFFLED
from embtools.decomposition.parts import Parts
from embtools.decomposition.put_back import NOTHING, ORIGINAL, PARTS, RANDOM


def parts(*shares: float) -> Parts:
    words = pd.DataFrame({"word": [f"w{i}" for i in range(len(shares))], "share": shares, "parts": 1})
    return Parts(words, words, words, np.arange(len(shares)), 0.3, 0.7)


def compared(own: float, cloud: float, random: float = 0.1, shuffled: float = 0.1) -> pd.DataFrame:
    kinds = {OWN: [own], OTHERS: [0.6, 0.8], CLOUD: [cloud, cloud], RANDOM_PARTS: [random], SHUFFLED: [shuffled]}
    return pd.DataFrame(
        [(kind, value) for kind, values in kinds.items() for value in values], columns=["kind", "explained"]
    )


def test_three_words_are_named_and_the_others_told_of():
    said = verdict.finding("cold", parts(0.5, 0.3, 0.1, 0.1), compared(0.7, 0.4))
    assert said == (
        "cold = 50% w0 + 30% w1 + 10% w2 + others: 4 parts explain 70% of it, 4 parts of a random vector 40%."
    )
    assert "w0: 1 part explains 70%" in verdict.finding("cold", parts(1.0), compared(0.7, 0.4))
    assert verdict.finding("cold", parts(), compared(0, 0)).startswith("Nothing is left of cold")


@pytest.mark.parametrize(
    ("frame", "start"),
    [
        (
            compared(0.7, 0.4),
            "More than every control. As many parts explain 60% to 80% of 2 other words; 1 is explained better.",
        ),
        (compared(0.5, 0.5), "Not more than the parts of a random vector do: chance"),
        (compared(0.05, 0.01), "Not more than a set of random parts does and those of shuffled numbers do: chance"),
        (compared(0.9, 0.4), "of 2 other words; none is explained better."),
    ],
)
def test_a_mix_that_chance_gives_as_well_is_called_so(frame, start):
    assert start in verdict.trust(frame)
    assert verdict.trust(frame.iloc[:0]) == ""


def runs(mixes: list[str], drawn: list[list[str]], zeros: str = "snow") -> pd.DataFrame:
    """First answers of the mixes with 1, 2, … words and of the draws; the original says wind."""
    rows = [(ORIGINAL, 0, "wind"), (NOTHING, 0, zeros), *((PARTS, k, a) for k, a in enumerate(mixes, 1))]
    rows += [(RANDOM, k, a) for draw in drawn for k, a in enumerate(draw, 1)]
    frame = pd.DataFrame(rows, columns=["run", "k", "answer"])
    return frame.assign(probability=[0.4, *[0.2] * (len(rows) - 1)], first=frame["answer"] == "wind")


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (runs(["wind"] * 3, [["snow"] * 3, ["wind"] * 3]), "With 1 word in the place of cold BERT still says wind (20% "
         "instead of 40%); 1 random word does so in 1 of 2 draws."),
        (runs(["wind", "snow", "wind"], [["snow"] * 3]), "With 3 words in the place of cold BERT still says wind (20% "
         "instead of 40%); 3 random words do so in 0 of 1 draw."),
        (runs(["snow", "wind", "ice"], [["snow"] * 3]), "With 2 words in the place of cold BERT still says wind (20% "
         "instead of 40%), but no longer with all 3 (ice); 2 random words do so in 0 of 1 draw."),
        (runs(["snow", "ice"], [["snow", "wind"]]), "No mix keeps BERT's wind (40%) in the place of cold: with all 2 "
         "words it says ice; as many random words keep it in 1 of 1 draw."),
        (runs(["wind"], [["wind"]], "wind"), "With 1 word in the place of cold BERT still says wind (20% instead of "
         "40%); 1 random word does so in 1 of 1 draw. So do zeros: wind does not hang on cold."),
    ],
)  # fmt: skip
def test_what_survives_is_said_with_what_chance_keeps(frame, said):
    assert verdict.survival("cold", frame) == said
