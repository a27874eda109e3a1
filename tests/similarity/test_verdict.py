"""Sentences that follow their numbers."""

import numpy as np
import pandas as pd
import pytest

from embtools.similarity import matrix, verdict
from embtools.similarity.pair import Pair
from embtools.statistics.permutations import Mantel


def similarity(words: str, values: list[list[float]], metric: str = "cosine") -> matrix.Similarity:
    n = len(words.split())
    return matrix.Similarity(
        tuple(words.split()), np.array(values), metric, np.zeros((n - 1, 4)), tuple(range(n)), 1.0, {}
    )


def test_the_reading_of_a_list():
    three = [[1, 0.5, -0.1], [0.5, 1, 0.2], [-0.1, 0.2, 1]]
    assert verdict.reading(similarity("a b c", three)) == (
        "Of 3 words, BERT finds a and b most alike (cosine 0.50), a and c least (−0.10)."
    )
    distances = [[0, 2, 1], [2, 0, 3], [1, 3, 0]]
    assert verdict.reading(similarity("a b c", distances, "euclidean")) == (
        "Of 3 words, a and c lie nearest (distance 1.00), b and c farthest (3.00)."
    )
    assert verdict.reading(similarity("a b", [[1, 0.25], [0.25, 1]])) == "a and b: cosine 0.25."


def test_a_pair_among_others():
    pair = Pair("a", "b", 0.5, 1, 1200, 5000, pd.DataFrame(), 0)
    assert verdict.pair_sentence(pair, 0.4567) == (
        "More alike than 45.7% of random pairs. To a, b is the nearest of 5,000 words; to b, a is number 1,200."
    )
    assert verdict.pair_sentence(pair, 1.0).startswith("More alike than 99.9%")  # 10,000 draws prove no more


@pytest.mark.parametrize(
    ("rho", "p", "expected"),
    [
        (0.9, 0.05, "No link found"),
        (0.29, 0.049, "A weak link: colours that look alike"),
        (0.3, 0.01, "A moderate link: colours that look alike"),
        (0.6, 0.01, "A strong link: colours that look alike"),
        (-0.7, 0.01, "A strong link: colours that look unlike"),
    ],
)
def test_sight_and_spaces(rho, p, expected):
    assert verdict.sight(Mantel(rho, p, 999)).startswith(expected)
    spaces = verdict.spaces(Mantel(rho, p, 999))
    assert spaces.startswith(expected.partition(":")[0])
    if p < verdict.SURE:
        assert spaces.endswith("the pairs alike." if rho > 0 else "against each other.")


def test_answers_beside_cosine_and_eye():
    sure, unsure, against = Mantel(0.5, 0.001, 9), Mantel(0.1, 0.4, 9), Mantel(-0.5, 0.001, 9)
    assert verdict.answers(sure, unsure) == "BERT's answers follow its own cosines, and do not clearly follow the eye."
    assert verdict.answers(against, sure) == "BERT's answers run against its own cosines, and follow the eye."


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        ([0.4, 9.0, 0.1], "The effect is absent here: black is 0.4 times as likely as white for sheep."),
        ([1.0, 0.1], "The effect is absent here: black is 1.0 times"),
        ([0.04], "The effect is absent here: black is 0.04 times"),
        ([2.5, 1.0, 0.5], "The effect is there: black is 2.5 times as likely as white for sheep, and 0 of 2 other"),
        ([25.0, *[1.0] * 9, 26.0], "The effect is there: black is 25 times as likely as white for sheep, and 1 of 10"),
        ([2.5, 3.0, 0.5], "A hint of the effect: black is 2.5 times as likely as white for sheep, but 1 of 2 other"),
        ([2.5, 3.0, 4.0], "black is 2.5 times as likely as white for sheep, but 2 of 2 other subjects have as high a"),
        ([2.5], "black is 2.5 times as likely as white for sheep. Whether that is the subject's doing"),
    ],
)
def test_the_sheep(ratios, expected):
    frame = pd.DataFrame({"subject": ["sheep", *[f"s{i}" for i in range(len(ratios) - 1)]], "ratio": ratios})
    assert verdict.sheep(frame, "black", "white").startswith(expected)


def test_the_bundled_models_sheep_is_white(bundled):
    from embtools.similarity.answers import SUBJECTS, black_sheep

    table = black_sheep(SUBJECTS, bundled)
    assert table["ratio"][0] < 1
    assert verdict.sheep(table, "black", "white").startswith("The effect is absent here")


@pytest.mark.parametrize(
    ("guess", "odd", "expected"),
    [
        ("a", None, "BERT picks a too."),
        ("b", None, "BERT picks a, you picked b."),
        ("a", "a", "Right: a. BERT picks it too."),
        ("b", "b", "Right: b. BERT is wrong and picks a."),
        ("b", "a", "The odd one is a, as BERT says. You picked b."),
        ("a", "c", "The odd one is c. You and BERT both picked a."),
        ("b", "c", "The odd one is c. You picked b, BERT a."),
    ],
)
def test_a_guess_beside_berts(guess, odd, expected):
    frame = pd.DataFrame({"word": ["a", "b", "c"], "cosine": [0.1, 0.2, 0.3]})
    assert verdict.guessed(frame, guess, odd) == expected


def test_two_models_have_the_figure_behind_the_words():
    said = verdict.two_models(Mantel(0.42, 0.001, 999))
    assert said == f"{verdict.spaces(Mantel(0.42, 0.001, 999))} Over all pairs ρ = +0.42, p = 0.001 (Mantel test)."
