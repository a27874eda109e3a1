"""Arithmetic with occurrences and many choices of them, compared with plain loops over all rows of a text and of a folder."""

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest

from embtools.charts import corpus as charts
from embtools.corpus import choices
from embtools.corpus.analogy_results import Analogy, Choices, FourWords
from embtools.corpus.choices import all_choices
from embtools.corpus.occurrence_analogies import analogy
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder import reading
from embtools.occurrences.in_memory import MEMORY
from embtools.spaces.fitting import fit
from embtools.spaces.space import AS_IS, WHITENED, Space
from tests.corpus.conftest import cosines, ranked

WORDS = ("king", "man", "woman")
OWN, ROCK = ("bank", "bat", "spring"), "rock"  # in the folder


@pytest.mark.parametrize(("picks", "inputs"), [((0, 0, 0), True), ((2, 1, 1), False), ((1, 0, 1), False)])
def test_the_answers_agree_with_a_plain_loop(tiny, small, picks, inputs):
    found = encode_corpus(small, tiny, combination="layer 2")
    vectors = [
        found.vectors[found.of(w)].mean(0) if n == 0 else found.vectors[found.of(w)[n - 1]]
        for w, n in zip(WORDS, picks, strict=True)
    ]
    result = vectors[0] - vectors[1] + vectors[2]
    named = {"combination": "layer 2", "numbers": picks, "k": 5, "inputs": inputs}
    answer = analogy(small, tiny, words=WORDS, expected="queen", **named)
    expected = ranked(result, found, () if inputs else WORDS)
    assert answer.near["word"].tolist() == [word for word, _ in expected[:5]]
    both = ("formula", result), ("baseline", vectors[0])
    for row, (name, vector) in zip(answer.ranks.itertuples(), both, strict=True):
        itself = found.of("king")[picks[0] - 1] if name == "baseline" and picks[0] else None
        for column, hidden in ((row.with_inputs, ()), (row.without_inputs, WORDS)):
            order = [word for word, n in ranked(vector, found, hidden) if n != itself]
            assert column == order.index("queen") + 1, name


@pytest.mark.parametrize(
    "words, expected, picks, message",
    [
        (WORDS, "green", (0, 0, 0), "'green' does not occur in the text"),
        (WORDS, "King", (0, 0, 0), "is both part of the formula and the expected word"),
        (WORDS, "queen", (0, -1, 0), "'man' occurs 2 times in the text. Choose occurrence 1 to 2, or 0 for the mean."),
    ],
)
def test_errors_for_formulas_that_cannot_be_answered(tiny, small, words, expected, picks, message):
    with pytest.raises(ValueError, match=message):
        analogy(small, tiny, words=words, expected=expected, combination="layer 1", numbers=picks)
    with pytest.raises(ValueError, match="choose 1 to 50"):
        analogy(small, tiny, words=WORDS, expected="queen", combination="layer 1", k=51)


@pytest.mark.parametrize(
    ("space", "numbers", "most_stored"),
    [(AS_IS, (2, 1, 0), 10), (AS_IS, (0, 0, 0), None), (Space(WHITENED, shrinkage=0.1), (2, 1, 0), None)],
)
def test_the_ranks_are_those_of_all_rows(folder, rows, bundled, numbers, most_stored, space):
    names, vectors = rows
    vectors = fit(vectors, space).apply(vectors)
    a, b, c = (
        vectors[names == word].mean(0) if not number else vectors[names == word][number - 1]
        for word, number in zip(OWN, numbers, strict=True)
    )
    named = {"words": OWN, "expected": ROCK, "numbers": numbers, "space": space}
    found = analogy(folder, bundled, **named, most_stored=most_stored)
    assert found.how == ("kept" if most_stored is None else "files")
    assert found.four_words.counts["count"].tolist() == [int((names == word).sum()) for word in (*OWN, ROCK)]
    own, target = np.isin(names, OWN), names == ROCK
    for row, query in enumerate((a - b + c, a)):
        values = cosines(vectors, query)
        assert found.four_words.cosines["best"][row] == pytest.approx(values[target].max(), abs=1e-5)
        assert found.four_words.cosines["mean"][row] == pytest.approx(values[target].mean(), abs=1e-5)
        if row and numbers[0]:
            values[np.flatnonzero(names == OWN[0])[numbers[0] - 1]] = -np.inf
        better = values > values[target].max()
        ranks = found.ranks.iloc[row]
        assert (ranks["with_inputs"], ranks["without_inputs"]) == (better.sum() + 1, (better & ~own).sum() + 1)
    values = np.where(own, -np.inf, cosines(vectors, a - b + c))
    best = np.argsort(-values, kind="stable")[:10]
    assert found.near["word"].tolist() == names[best].tolist()
    assert found.near["cosine"].to_numpy() == pytest.approx(values[best], abs=1e-5)
    assert found.four_words.moved == pytest.approx(cosines(a[None], a - b + c)[0])
    with_them = analogy(folder, bundled, **named, inputs=True, k=3)
    assert with_them.near["word"].tolist() == names[np.argsort(-cosines(vectors, a - b + c))[:3]].tolist()


def test_the_words_alone_are_read_in_pages(folder, bundled, monkeypatch):
    whole = analogy(folder, bundled, words=OWN, expected=ROCK, whole=False)
    best, count = whole.four_words.cosines["best"][0], whole.four_words.counts["count"].sum()
    assert not whole.searched and whole.near.empty and whole.ranks.empty and not folder.is_stored()
    assert f"the nearest occurrence of rock has a cosine of {best:.2f}" in whole.headline
    assert f"only the {count} occurrences of the four words" in whole.compared
    monkeypatch.setattr(reading, "AT_ONCE", 3)
    pages, columns = analogy(folder, bundled, words=OWN, expected=ROCK, whole=False), ["mean", "best"]
    np.testing.assert_allclose(pages.four_words.cosines[columns], whole.four_words.cosines[columns], atol=1e-6)


def test_a_word_may_be_repeated_and_must_occur_in_the_folder(folder, bundled, tiny):
    for words, numbers in ((("bat", "bank", "bank"), (0, 1, 1)), (("bank", "bank", "bat"), (0, 0, 0))):
        found = analogy(folder, bundled, words=words, expected="rock", numbers=numbers)
        assert found.searched == len(folder)
    for words, numbers, model, message in (
        (("bank", "bat", "xylophone"), (0, 0, 0), bundled, "'xylophone' does not occur in this folder"),
        (OWN, (9_999, 0, 0), bundled, "times in this folder. Choose occurrence 1 to"),
        (OWN, (0, 0, 0), tiny, "encoded with the model 'bundled'"),
    ):
        with pytest.raises(ValueError, match=message):
            analogy(folder, model, words=words, expected="rock", numbers=numbers)


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
    monkeypatch.setattr(choices, "MAX_SCORES", 2 * n)
    found = all_choices(small, tiny, words=WORDS, expected="queen", combination="layer 1")
    assert not found.every and found.shares["choices"].iloc[0] == 2
    assert found.shares.equals(all_choices(small, tiny, words=WORDS, expected="queen", combination="layer 1").shares)


def test_the_figure_shows_every_share(tiny, small):
    found = all_choices(small, tiny, words=WORDS, expected="queen", combination="layer 2")
    chart = charts.choices(found)
    assert chart.frame is found.shares
    for bar, row in zip(chart.figure.data, found.shares.itertuples(), strict=True):
        assert bar.x.tolist() == pytest.approx([row.without_inputs, row.with_inputs])
    assert chart.alt.startswith("Share of choices in which queen ranks 1st. By the formula: ")


def test_a_folder_has_the_choices_of_its_text(folder, text, bundled):
    words = folder.words().query("2 <= count <= 4")["word"]
    words = tuple(words[words.str.isalpha() & (words.str.len() > 3)][:3])
    found, known = (all_choices(corpus, bundled, words=words, expected=ROCK) for corpus in (folder, text))
    assert found.every and known.every and found.shares.equals(known.shares) and found.winners.equals(known.winners)


def test_choices_are_sampled_if_there_are_many(folder, bundled):
    found = all_choices(folder, bundled, words=("the", "a", "bank"), expected=ROCK, draws=20)
    assert not found.every and found.shares["choices"][0] == 20 and found.winners["with_inputs"].sum() == 20
    again = all_choices(folder, bundled, words=("the", "a", "bank"), expected=ROCK, draws=20, most_stored=10)
    assert again.winners.equals(found.winners)


def test_analogy_and_choices():
    ranks = pd.DataFrame({"of": ["formula", "baseline"], "with_inputs": [3, 42], "without_inputs": [1, 2]})
    query = ("king", "man", "woman"), "queen"
    counts = pd.DataFrame({"word": ["king", "man", "woman", "queen"], "count": [40, 44, 34, 30]})
    cosines = pd.DataFrame({"of": ["formula", "baseline"], "best": [0.714, 0.652], "mean": [0.5, 0.4]})
    four = FourWords(counts, cosines, 0.9)
    assert Analogy(pd.DataFrame(), ranks, 9, *query, four, MEMORY).headline == (
        "king − man + woman: queen ranks 1st if the three words are excluded and 3rd if they are kept. By"
        " nearness to king alone, queen ranks 2nd (42nd if all occurrences of the three words are kept)."
    )
    same = ranks.assign(without_inputs=ranks["with_inputs"])
    assert Analogy(pd.DataFrame(), same, 9, *query, four, MEMORY).headline == (
        "king − man + woman: queen ranks 3rd, whether the three words are excluded or kept. By nearness to"
        " king alone, queen ranks 42nd in both cases."
    )
    quick = Analogy(pd.DataFrame(), ranks.head(0), 0, *query, four, MEMORY)
    assert quick.headline == (
        "king − man + woman: the nearest occurrence of queen has a cosine of 0.71 with the result and of 0.65 with king"
        " alone. The result itself has a cosine of 0.90 with king."
    )
    assert quick.compared == "This uses only the 148 occurrences of the four words."
    shares = ranks.assign(choices=[59_840, 40], with_inputs=[0.93, 0.0], without_inputs=[1.0, 0.65])
    assert Choices(shares, pd.DataFrame(), True, *query, pd.DataFrame()).headline == (
        "Of all 59,840 choices of sentences, queen ranks 1st in 100% if the three words are excluded, and in 93% if they"
        " are kept. By nearness to king alone, queen ranks 1st in 65% if they are excluded, and in 0% if they are kept."
    )
    drawn = Choices(shares, pd.DataFrame(), False, *query, pd.DataFrame())
    assert "Of 59,840 random choices of sentences" in drawn.headline
