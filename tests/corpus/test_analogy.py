"""Arithmetic with occurrences, compared with a plain loop over every choice."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from embtools.charts.corpus import analogy as charts
from embtools.corpus import analogy as numbers
from embtools.corpus.analogy import all_choices, analogy
from embtools.occurrences.encoding import encode_corpus

WORDS = ("king", "man", "woman")


def ranked(vector, found, hidden=()):
    """The words of all occurrences, nearest first, by a plain loop."""
    words = found.table["word"].tolist()
    cosines = [float(v @ vector) / np.linalg.norm(v) / np.linalg.norm(vector) for v in found.vectors.astype(np.float64)]
    order = sorted(range(len(words)), key=lambda n: -cosines[n])
    return [(words[n], n) for n in order if words[n] not in hidden]


@pytest.mark.parametrize("picks", [(0, 0, 0), (2, 1, 1), (1, 0, 1)])
@pytest.mark.parametrize("inputs", [True, False])
def test_the_answers_agree_with_a_plain_loop(tiny, small, picks, inputs):
    found = encode_corpus(small, tiny, combination="layer 2")
    vectors = [
        found.vectors[found.of(w)].mean(0) if n == 0 else found.vectors[found.of(w)[n - 1]]
        for w, n in zip(WORDS, picks, strict=True)
    ]
    result = vectors[0] - vectors[1] + vectors[2]
    answer = analogy(
        small, tiny, words=WORDS, expected="queen", combination="layer 2", numbers=picks, k=5, inputs=inputs
    )
    expected = ranked(result, found, () if inputs else WORDS)
    assert answer.near["word"].tolist() == [word for word, _ in expected[:5]]
    for row, (name, vector) in zip(
        answer.ranks.itertuples(), (("formula", result), ("baseline", vectors[0])), strict=True
    ):
        itself = found.of("king")[picks[0] - 1] if name == "baseline" and picks[0] else None
        for column, hidden in ((row.with_inputs, ()), (row.without_inputs, WORDS)):
            order = [word for word, n in ranked(vector, found, hidden) if n != itself]
            assert column == order.index("queen") + 1, name


@pytest.mark.parametrize("combination", ["layer 0", "layer 2"])
def test_every_choice_is_counted(tiny, small, combination):
    found = encode_corpus(small, tiny, combination=combination)
    a, b, c = (found.vectors[found.of(word)] for word in WORDS)
    first = {False: Counter(), True: Counter()}
    for x, y, z in product(a, b, c):
        for hide in (False, True):
            first[hide][ranked(x - y + z, found, WORDS if hide else ())[0][0]] += 1
    answer = all_choices(small, tiny, words=WORDS, expected="queen", combination=combination)
    total = len(a) * len(b) * len(c)
    assert answer.every and answer.shares["choices"].tolist() == [total, len(a)] == [4, 2]
    assert answer.shares.loc[0, "with_inputs"] == first[False]["queen"] / total
    assert answer.shares.loc[0, "without_inputs"] == first[True]["queen"] / total
    winners = answer.winners.set_index("word")
    assert {w: n for w, n in winners["with_inputs"].items() if n} == dict(first[False])
    assert {w: n for w, n in winners["without_inputs"].items() if n} == dict(first[True])
    kings = found.of("king")
    alone = [[(w, n) for w, n in ranked(x, found) if n != own] for x, own in zip(a, kings, strict=True)]
    assert answer.shares.loc[1, "with_inputs"] == np.mean([order[0][0] == "queen" for order in alone])
    outside = [next(w for w, _ in order if w not in WORDS) for order in alone]
    assert answer.shares.loc[1, "without_inputs"] == np.mean([word == "queen" for word in outside])


def test_too_many_choices_are_drawn_at_random(tiny, small, monkeypatch):
    n = len(encode_corpus(small, tiny, combination="layer 1").table)
    monkeypatch.setattr(numbers, "MAX_SCORES", 2 * n)
    reported = []
    found = all_choices(small, tiny, words=WORDS, expected="queen", combination="layer 1", progress=reported.append)
    assert not found.every and found.shares["choices"].iloc[0] == 2
    assert reported == sorted(reported)
    assert found.shares.equals(all_choices(small, tiny, words=WORDS, expected="queen", combination="layer 1").shares)


@pytest.mark.parametrize(
    "words, expected, picks, message",
    [
        (("king", "man", "green"), "queen", (0, 0, 0), "'green' does not occur in the text"),
        (WORDS, "green", (0, 0, 0), "'green' does not occur in the text"),
        (WORDS, "King", (0, 0, 0), "is both part of the formula and the expected word"),
        (WORDS, "queen", (9, 0, 0), "'king' occurs 2 times in the text. Choose occurrence 1 to 2, or 0 for the mean."),
        (WORDS, "queen", (0, -1, 0), "'man' occurs 2 times in the text. Choose occurrence 1 to 2, or 0 for the mean."),
        (("king", "", "woman"), "queen", (0, 0, 0), "no word to look for"),
    ],
)
def test_errors_for_formulas_that_cannot_be_answered(tiny, small, words, expected, picks, message):
    with pytest.raises(ValueError, match=message):
        analogy(small, tiny, words=words, expected=expected, combination="layer 1", numbers=picks)
    for k in (0, 51):
        with pytest.raises(ValueError, match="choose 1 to 50"):
            analogy(small, tiny, words=WORDS, expected="queen", combination="layer 1", k=k)


def test_the_figure_shows_every_share(tiny, small):
    found = all_choices(small, tiny, words=WORDS, expected="queen", combination="layer 2")
    chart = charts.shares(found)
    assert chart.frame is found.shares
    for bar, row in zip(chart.figure.data, found.shares.itertuples(), strict=True):
        assert bar.x.tolist() == pytest.approx([row.without_inputs, row.with_inputs])
    assert chart.alt.startswith("Share of choices in which queen ranks 1st. By the formula: ")
