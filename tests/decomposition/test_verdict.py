"""Headlines and captions, from frames made by hand."""

import numpy as np
import pandas as pd
import pytest

from embtools.decomposition import verdict
from embtools.decomposition.controls import CLOUD, NEAREST, NEAREST_WORDS, OTHERS, OWN, RANDOM_PARTS, SHUFFLED
from embtools.decomposition.parts import Parts
from embtools.decomposition.patching import NOTHING, ORIGINAL, PARTS, RANDOM


def parts(*shares: float, gap: float = 0.0) -> Parts:
    words = pd.DataFrame({"word": [f"w{i}" for i in range(len(shares))], "share": shares, "parts": 1})
    return Parts(words, words, words, np.arange(len(shares)), 0.3, 0.7, gap, gap < 1e-6)


def compared(own: float = 0.7, cloud: int = 0, random: int = 0, shuffled: int = 0, near: float = 0.6) -> pd.DataFrame:
    """Controls of which this many reach the target; the other words are explained better by their parts than by words."""
    rows = [(OWN, own, near), (NEAREST_WORDS, near, np.nan), (NEAREST, near - 0.1, np.nan)]
    rows += [(OTHERS, value, value - 0.05) for value in np.linspace(0.6, 0.8, 19)]
    for kind, draws, reached in ((CLOUD, 39, cloud), (RANDOM_PARTS, 59, random), (SHUFFLED, 39, shuffled)):
        rows += [(kind, own if number < reached else 0.1, np.nan) for number in range(draws)]
    return pd.DataFrame(rows, columns=["kind", "explained", "nearest_explained"])


def test_the_headline_names_the_heaviest_word_and_compares_with_the_nearest_ones():
    text = verdict.finding("cold", parts(0.5, 0.3, 0.1, 0.1), compared())
    assert text == ("4 words together come close to cold (70%). Its 4 nearest words explain less (60%).")
    mostly = verdict.finding("casino", parts(0.86, 0.1, 0.04), compared(near=0.69))
    assert mostly == ("3 words together come close to casino (70%), mostly “w0”. Its 3 nearest words do as well (69%).")
    one = verdict.finding("cold", parts(1.0), compared())
    assert one == "One word, “w0”, comes close to cold (70%). Its nearest word explains less (60%)."
    assert verdict.finding("cold", parts(), compared()) == (
        "The mix for cold is empty: with this penalty, no word gets a positive weight. Lower the penalty."
    )


def test_only_a_gap_below_the_tolerance_is_called_exact():
    assert verdict.optimum(parts(1.0, gap=1e-9)) == "This mix is the exact optimum."
    assert verdict.optimum(parts(1.0, gap=0.034)) == (
        "This mix is not the exact optimum: its objective can be up to 3.40% above the minimum."
    )
    assert "0.01% above the minimum" in verdict.optimum(parts(1.0, gap=2e-6))


def test_the_whole_verdict():
    assert verdict.trust(compared()) == (
        "Better than chance: with the same number of parts, this vector is explained better than all 39 random vectors"
        " (p ≤ 0.025, the smallest possible with 39 draws) and all 39 shuffled vectors (p ≤ 0.025, the smallest possible"
        " with 39 draws), and the mix explains it better than all 59 sets of random parts (p ≤ 0.017, the smallest"
        " possible with 59 draws; the best set explains 10%).\nThe nearest words explain 60% of this vector"
        " and the nearest occurrences 50%. For all 20 words, this one included, the mix explains more than the nearest words do"
        " (sign test, ties excluded: p < 0.001).\nThe mixes of 19 other words"
        " explain 60% to 80% of those words’ vectors. 9 of these words are explained better than this one."
    )
    assert verdict.trust(compared().iloc[:0]) == ""


@pytest.mark.parametrize(
    ("frame", "start"),
    [
        (compared(cloud=1), "Better than chance: "),  # p = 2/40
        (
            compared(cloud=2),
            "Not clearly better than chance: with the same number of parts, this vector is explained"
            " better than 37 of 39 random vectors (p = 0.075)",
        ),
        (compared(shuffled=2), "Not clearly better than chance: "),
        (compared(random=2), "Better than chance: "),  # p = 3/60
        (compared(random=3), "Not clearly better than chance: "),
    ],
)
def test_better_than_chance_needs_every_test_at_five_per_cent(frame, start):
    assert verdict.trust(frame).startswith(start)


def test_the_nearest_words_are_named_whatever_wins():
    equal = compared()
    equal.loc[equal["kind"] == OTHERS, "nearest_explained"] += [0.1] * 10 + [0.0] * 9
    assert (
        "For 10 of 20 words, this one included, the mix explains more than the nearest words do (sign test, ties excluded: p = 1.000), which"
        " could be chance." in verdict.trust(equal)
    )
    static = compared()
    static = static[static["kind"] != NEAREST]
    assert (
        "The nearest words explain 60% of this vector. For all 20 words, this one included, the mix"
        in verdict.trust(static)
    )
    assert verdict.trust(compared(own=0.9)).endswith("None of these words is explained better than this one.")
    assert verdict.trust(compared(own=0.1)).endswith("All 19 of these words are explained better than this one.")


def runs(mixes: list[str], kept: list[int], zeros: str = "snow", draws: int = 19) -> pd.DataFrame:
    """Top answers of the mixes with 1, 2, … words; in `kept` of the draws random words keep wind."""
    rows = [(ORIGINAL, 0, "wind"), (NOTHING, 0, zeros), *((PARTS, k, a) for k, a in enumerate(mixes, 1))]
    rows += [(RANDOM, k, "wind" if draw < many else "sun") for draw in range(draws) for k, many in enumerate(kept, 1)]
    frame = pd.DataFrame(rows, columns=["run", "k", "answer"])
    return frame.assign(probability=[0.4, *[0.2] * (len(rows) - 1)], same_answer=frame["answer"] == "wind")


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (runs(["wind"] * 3, [0, 9, 9]), "With cold replaced by the strongest part of its mix, BERT still answers wind "
         "(20% instead of 40%). With zeros it answers snow, and with 1 random word it keeps its answer in 0 of 19 draws "
         "(highest probability: 20%; p ≤ 0.05, the smallest possible with 19 draws), so the mix contains what BERT needs for this answer."),
        (runs(["wind"] * 3, [1, 0, 0]), "With cold replaced by the strongest part of its mix, BERT still answers wind "
         "(20% instead of 40%). With zeros it answers snow, but with 1 random word it keeps its answer in 1 of 19 draws "
         "(highest probability: 20%; p = 0.100), so other words may be as good as the mix."),
        (runs(["wind", "snow", "wind"], [9, 9, 0]), "With cold replaced by the 3 strongest parts of its mix, BERT still "
         "answers wind (20% instead of 40%). With zeros it answers snow, and with 3 random words it keeps its answer in "
         "0 of 19 draws (highest probability: 20%; p ≤ 0.05, the smallest possible with 19 draws), so the mix contains what BERT needs for this answer."),
        (runs(["snow", "wind", "ice"], [0, 0, 0]), "With cold replaced by the 2 strongest parts of its mix, BERT still "
         "answers wind (20% instead of 40%), but with all 3 parts it answers ice. With zeros it answers snow, and with "
         "2 random words it keeps its answer in 0 of 19 draws (highest probability: 20%; p ≤ 0.05, the smallest possible with 19 draws), so the mix contains what BERT needs for this "
         "answer."),
        (runs(["snow", "ice"], [0, 0]), "No mix in place of cold keeps BERT’s top answer, wind (40%). With both parts of "
         "the mix, BERT answers ice. With zeros, it answers snow."),
        (runs(["snow"], [0], "wind"), "No mix in place of cold keeps BERT’s top answer, wind (40%). With the only "
         "part of the mix, BERT answers snow. With zeros, it still answers wind."),
        (runs(["wind"], [0], "wind"), "With cold replaced by the strongest part of its mix, BERT still answers wind "
         "(20% instead of 40%). BERT also answers wind if cold is replaced by zeros. So BERT does not need "
         "cold for this answer, and the answer cannot be used to test the mix."),
    ],
)  # fmt: skip
def test_what_survives_is_credited_only_if_the_controls_allow_it(frame, said):
    assert verdict.patching_finding("cold", frame) == said


def test_the_distance_of_all_answers_is_compared_with_the_draws():
    rows = [(NOTHING, 0, 2.0), (PARTS, 1, 1.2), (PARTS, 2, 0.4), *[(RANDOM, 2, 0.5 + n / 10) for n in range(19)]]
    frame = pd.DataFrame(rows, columns=["run", "k", "kl_bits"])
    assert verdict.distance(frame) == (
        "The distribution over all answers changes by 0.40 bits (KL divergence) with both parts of the mix, by 2.00 bits"
        " with zeros and by 0.50 to 2.30 bits with 2 random words. In all 19 draws, the mix changes the"
        " distribution less than the random words do (p ≤ 0.05, the smallest possible with 19 draws)."
    )
    frame.loc[2, "kl_bits"] = 0.6
    assert verdict.distance(frame).endswith(
        "In 17 of 19 draws, the mix changes the distribution less than the random words do (p = 0.150), which could be"
        " chance."
    )
    one = pd.DataFrame([(NOTHING, 0, 2.0), (PARTS, 1, 0.1), (RANDOM, 1, 1.0)], columns=["run", "k", "kl_bits"])
    assert "by 0.10 bits (KL divergence) with the only part of the mix" in verdict.distance(one)
