"""What is said of the inputs: the right sentence for what was found."""

from dataclasses import replace

import pandas as pd

from embtools.inputs import lookup, masking, places, positions, terms, verdict
from embtools.inputs.masking import ALONE, KEPT, MASKED, RANDOM
from embtools.inputs.terms import Others

ROCK = ("I found a rock.", "I only listen to rock.")


def found(model, piece="rock", texts=ROCK, *, pair=False, **put):
    return terms.terms(terms.pieces(texts, model, pair=pair), piece, model, **put)


def test_the_finding(bundled):
    said = verdict.finding(found(bundled))
    assert said.startswith("“rock” enters as two different vectors (cosine 0.98): its position (4 and 5) alone makes")
    assert "very same vector both times" in verdict.finding(found(bundled, "i"))
    assert verdict.finding(found(bundled, position=4)).startswith("Put at position 4, “rock” is the same vector")
    assert "its position (4 and 11) and segment (0 and 1) make the difference" in verdict.finding(
        found(bundled, pair=True)
    )
    assert "its segment (0 and 1) alone makes" in verdict.finding(found(bundled, "i", segment=1))
    assert "a sum" in verdict.finding(found(bundled, "found"))


def test_the_yardstick(bundled):
    rock = found(bundled)
    assert "would do more" in verdict.yardstick(rock, terms.others(rock, bundled))
    assert "12 other pieces would be nearer" in verdict.yardstick(rock, Others(13, "pop", 0.99))


def test_places(bundled):
    frame = terms.pieces(("Rome is the capital of [MASK].",), bundled)
    table = places.guesses(frame, terms.terms(frame, "rome", bundled, position=5), bundled)
    best = table["answer_1"].iloc[0]
    said = verdict.places(table)
    assert said.startswith(f"As written: “{best}”, ") and "With the piece moved" in said
    other = table.assign(answer_1=["italy", "x", "x", "x", "x"])
    assert "now “x”" in verdict.places(other) and "still" not in verdict.places(other)
    assert "still “italy”" in verdict.places(other.assign(answer_1="italy"))


def test_the_way_back_and_the_entries(bundled):
    back = lookup.way_back("The [MASK] is bright today.", "sun", bundled)
    said = verdict.way_back("sun", 3103, 30522, back)
    assert said == (
        "“sun” is row 3,103 of 30,522, read on the way in; on the way out the same row gives it"
        f" {back.probability:.1%} (number {back.rank})."
    )
    assert verdict.entries(pd.DataFrame({"id": []}), 30522, "match “q*q”") == "None of 30,522 pieces match “q*q”."
    assert verdict.entries(pd.DataFrame({"id": [1]}), 1000, "x") == "1 of 1,000 pieces x."


def test_masking():
    drawn = pd.DataFrame(
        {
            "treatment": [ALONE, MASKED, MASKED, RANDOM, KEPT, ALONE],
            "token": list("xabcdx"),
            "guess": ["", "a", "q", "c", "q", ""],
        }
    )
    assert verdict.masking(drawn) == (
        "4 of 4 pieces must be guessed this time (2 hidden, 1 exchanged, 1 left standing): BERT gets 2 right."
    )


def test_the_check(bundled):
    many = masking.check("I found a rock.", bundled, draws=500)
    assert verdict.check(many, 500).startswith("In 500 draws 1 of 5 pieces each time; of these ")
    odd = many.treatments.assign(low=0.0, high=0.0)
    assert "outside what 95 of 100 such counts show: [MASK]" in verdict.check(replace(many, treatments=odd), 500)


def test_positions(bundled, tiny):
    assert verdict.positions(positions.positions(64, bundled)).startswith(
        "Neighbouring positions are alike: mean cosine 0.8"
    )
    assert "no more alike" in verdict.positions(positions.positions(64, tiny))  # random numbers know no order
