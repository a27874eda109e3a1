"""Headlines and sentences follow their numbers."""

import numpy as np
import pandas as pd
import pytest

from embtools.mask_filling.edited_models import edited_model
from embtools.similarity import matrix, verdict
from embtools.similarity.answers import ComparedAnswers
from embtools.similarity.colours import ColourComparison
from embtools.similarity.random_words import random_level
from embtools.similarity.spaces import TwoSpaces
from embtools.similarity.word_pairs import Pair
from embtools.statistics.permutations import Mantel, mantel
from embtools.words.frequency import Level, compared_pairs, finding


def similarity(words: str, values: list[list[float]], metric: str = "cosine") -> matrix.Similarity:
    n = len(words.split())
    return matrix.Similarity(
        tuple(words.split()), np.array(values), metric, np.zeros((n - 1, 4)), tuple(range(n)), 1.0, {}
    )


def compared(values: list[list[float]], metric: str = "cosine") -> pd.DataFrame:
    """Three words, or two, compared with 100 random pairs with the values 0.00, 0.01 … 0.99."""
    return compared_pairs(
        np.array(values), "abc"[: len(values)], (0,) * len(values), lambda *_: np.arange(100) / 100, metric=metric
    )


def test_the_reading_of_a_list():
    three = [[1, 0.955, -0.1], [0.955, 1, 0.2], [-0.1, 0.2, 1]]
    assert finding(compared(three), 3) == (
        "Of 3 words, BERT finds a and b most similar: more similar than 96% of random pairs of equally common words"
        " (cosine 0.96). Least similar are a and c: less similar than all of them (−0.10)."
    )
    distances = [[0, 0.5, 0.1], [0.5, 0, 0.9], [0.1, 0.9, 0]]
    assert finding(compared(distances, "euclidean"), 3) == (
        "Of 3 words, BERT finds a and c most similar: more similar than 90% of random pairs of equally common words"
        " (distance 0.10). Least similar are b and c: less similar than 91% of them (0.90)."
    )
    assert finding(compared([[1, 0.25], [0.25, 1]]), 2) == (
        "a and b: cosine 0.25, less similar than 75% of random pairs of equally common words."
    )


def test_equal_shares_are_ordered_by_the_distance_from_the_mean_of_their_random_pairs():
    near, far = np.linspace(0.6, 0.8, 11), np.linspace(0.0, 0.2, 11)
    values = np.array([[1, 0.9, 0], [0.9, 1, 0.85], [0, 0.85, 1]])
    pairs = compared_pairs(values, "abc", (0, 0, 1), lambda first, second: far if second else near)
    assert pairs["second"].tolist() == ["c", "b", "c"] and pairs["above"].tolist() == [1, 1, 0.5 / 11]


def test_the_level_of_random_pairs():
    assert "cosine of −0.02 (marked" in random_level(Level(-0.02, -0.1, 0.3, 435), "cosine")
    assert random_level(Level(1.31, 1.31, 1.31, 2000), "euclidean") == (
        "Random pairs of words that are as common as these have a mean distance of 1.31 (marked on the scale). Each pair"
        " was compared with 2,000 random pairs."
    )


@pytest.mark.parametrize(
    ("ranks", "below", "expected"),
    [
        ((1, 1200), 0.4567,
         "The two words are less similar than 54% of random pairs of equally common words. For a, b is the nearest word."
         " For b, 1,199 words are nearer than a. 5,000 words were compared. B has more close neighbours than a."),
        ((3, 2), 0.9,
         "The two words are more similar than 90% of random pairs of equally common words. For a, 2 words are nearer than"
         " b. For b, one word is nearer than a. 5,000 words were compared. A has more close neighbours than b."),
        ((1, 1), 1.0,  # equal ranks need no explanation
         "The two words are more similar than all random pairs of equally common words. For a, b is the nearest word. For"
         " b, a is the nearest word. 5,000 words were compared."),
    ],
)  # fmt: skip
def test_a_pair_and_why_its_two_ranks_differ(ranks, below, expected):
    random = np.repeat([0.0, 1.0], [round(below * 10_000), round((1 - below) * 10_000)])
    assert Pair("a", "b", 0.5, *ranks, 5000, pd.DataFrame(), 0, random).sentence == expected


def test_the_explanation_of_two_ranks_is_true(bundled):
    """Counted by hand: more words have at least this cosine with turquoise than with indigo."""
    from embtools.similarity.word_pairs import pair
    from embtools.words.frequency import candidates

    found = pair("turquoise", "indigo", bundled)
    rows = bundled.matrix[candidates(bundled)] * bundled.inverse_norms[candidates(bundled)][:, None]
    near = {w: int((rows @ (v / np.linalg.norm(v)) > found.cosine + 1e-6).sum())
            for w in ("turquoise", "indigo") for v in [bundled.vector(w)]}  # fmt: skip
    assert (near["turquoise"] > near["indigo"]) == (found.rank_ab > found.rank_ba) and found.rank_ab != found.rank_ba
    dense = max(near, key=near.__getitem__)
    assert f"{dense.capitalize()} has more close neighbours than" in found.sentence


LINKS = [
    (0.9, 0.05, "no clear correlation"),
    (0.29, 0.049, "a weak correlation"),
    (0.3, 0.01, "a moderate correlation"),
    (0.6, 0.01, "a strong correlation"),
    (-0.7, 0.01, "a strong negative correlation"),
]


@pytest.mark.parametrize(("rho", "p", "link"), LINKS)
def test_all_rank_correlations_are_judged_by_one_rule_and_in_the_same_words(rho, p, link):
    test, figures = Mantel(rho, p, 999), f"(ρ = {rho:+.2f}, p = {p:.3f})".replace("-", "−")
    comparison = ColourComparison((), (), pd.DataFrame(), test)
    for sentence in (comparison.headline, TwoSpaces(None, None, test).headline):
        assert sentence.startswith(f"There is {link} between ") and sentence.endswith(f"{figures}.")
    weak = Mantel(0.1, 0.4, 9)
    assert ComparedAnswers(None, {}, (), test, weak).headline == (
        f"BERT's answers show {link} with its own cosines {figures}, and no clear correlation with how similar the colours"
        " look (ρ = +0.10, p = 0.400)."
    )
    other = ComparedAnswers(None, {}, (), weak, test).headline
    assert other.endswith(f"and {link} with how similar the colours look {figures}.")


def test_the_sentence_about_two_models(bundled):
    first = matrix.compare_words(("red", "green", "gold", "silver", "piano"), bundled)
    second = matrix.compare_words(first.words, bundled, layer=3, template="This is {word}.")
    test = mantel(first.values, second.values, permutations=999)
    assert verdict.two_lists(first, second, ("A", "B")) == (
        f"There is {verdict.strength(test)} between the rankings of the pairs by A and by B {verdict.numbers(test)}."
    )
    few = matrix.compare_words(("red", "green", "gold"), bundled)
    assert verdict.two_lists(few, few, ("A", "B")) == "A and B can be compared for four or more words."


def test_the_pair_that_an_edit_changes_most(bundled):
    words = ("rome", "paris", "italy", "madrid")
    edited = edited_model(["rome = rome - italy + paris"], bundled)
    for metric, measure in (("cosine", "cosine"), ("euclidean", "distance")):
        before, after = (matrix.compare_words(words, model, metric=metric) for model in (bundled, edited))
        gaps = {
            (a, b): abs(before.value(a, b) - after.value(a, b)) for n, a in enumerate(words) for b in words[n + 1 :]
        }
        a, b = max(gaps, key=gaps.__getitem__)
        numbers = [f"{table.value(a, b):.2f}".replace("-", "−") for table in (before, after)]
        assert verdict.largest_change(before, after, ("A", "B")) == (
            f"{a} and {b} change most: their {measure} is {numbers[0]} in A and {numbers[1]} in B."
        )
    same = verdict.largest_change(before, before, ("A", "B"))
    assert same == "In A and in B, all pairs have the same distance to two digits."
