"""The headlines of the Inputs page follow from the results."""

from dataclasses import replace

import pandas as pd

from embtools.inputs import arrangements, lookup, masking, terms, verdict
from embtools.inputs.masking import ALONE, KEPT, MASKED, RANDOM
from embtools.inputs.terms import Others
from embtools.statistics.ranks import ordinal

ROCK = ("I found a rock.", "I only listen to rock.")


def found(model, piece="rock", texts=ROCK, *, pair=False, **put):
    return terms.terms(terms.pieces(texts, model, pair=pair), model, piece=piece, **put)


def test_the_finding(bundled):
    assert verdict.finding(found(bundled)) == (
        "“rock” enters the encoder as two different vectors (cosine 0.98). Only its position (4 and 5) differs."
    )
    assert verdict.finding(found(bundled, "i")) == (
        "“i” enters the encoder as the same vector both times, because its token, segment and position are the same."
    )
    assert verdict.finding(found(bundled, position=4)).startswith("Moved to position 4, “rock” is the same vector")
    assert verdict.finding(found(bundled, pair=True)).endswith("Its position (4 and 11) and segment (0 and 1) differ.")
    assert verdict.finding(found(bundled, "i", segment=1)).endswith("Only its segment (0 and 1) differs.")
    assert "as the sum of its token, segment and position embeddings" in verdict.finding(found(bundled, "found"))


def test_the_yardstick(bundled):
    rock = found(bundled)
    assert verdict.yardstick(rock, terms.others(rock, bundled)).startswith(
        "Changing the word would make a bigger difference: of all tokens put at the second position, “rock” is still"
    )
    assert verdict.yardstick(rock, Others(13, "pop", 0.99)) == (
        "Changing the word could make a smaller difference: at the second position, 12 other tokens would be nearer than"
        " “rock” (cosine 0.98) to the vector at the first. Nearest is “pop” (0.99)."
    )
    assert "1 other token would" in verdict.yardstick(rock, Others(2, "pop", 0.99))


def test_arrangements(bundled):
    frame = terms.pieces(("Rome is the capital of [MASK].",), bundled)
    table = arrangements.answers(frame, bundled, found=terms.terms(frame, bundled, piece="rome", position=5))
    best = table["answer_1"].iloc[0]
    text = verdict.arrangements(table)
    assert text.startswith(f"For the text as written, BERT answers “{best}” (") and "With the token moved, it" in text
    other = table.assign(answer_1=["italy", "x", "x", "x", "x"])
    assert "it answers “x”" in verdict.arrangements(other) and "still" not in verdict.arrangements(other)
    assert "it still answers “italy”" in verdict.arrangements(other.assign(answer_1="italy"))


def test_the_output(bundled):
    back = lookup.output("The [MASK] is bright today.", bundled, word="sun")
    assert verdict.output("sun", 3103, 30522, back) == (
        "In the input, “sun” is row 3,103 of 30,522. In the output, the same row gives it a probability of"
        f" {back.probability:.1%}, so it ranks {ordinal(back.rank)}."
    )


def test_masking():
    drawn = pd.DataFrame(
        {
            "treatment": [ALONE, MASKED, MASKED, RANDOM, KEPT, ALONE],
            "token": list("xabcdx"),
            "top_answer": ["", "a", "q", "c", "q", ""],
        }
    )
    assert verdict.masking(drawn) == (
        "In this draw, BERT must predict 4 of 4 tokens (2 masked, 1 replaced, 1 unchanged). It gets 2 right."
    )


def test_the_check(bundled):
    many = masking.check("I found a rock.", bundled, draws=500)
    assert verdict.check(many, 500).startswith("Each of 500 draws selects 1 of 5 tokens. Of these, ")
    odd = many.treatments.assign(expected_low=0.0, expected_high=0.0)
    assert verdict.check(replace(many, treatments=odd), 500).endswith(
        "Outside the 95% interval expected by chance: [MASK], random token, unchanged."
    )
