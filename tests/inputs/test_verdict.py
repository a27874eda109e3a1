"""The headlines of the Inputs page follow from the results."""

from embtools.inputs import arrangements, terms, verdict
from embtools.inputs.terms import Others

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
