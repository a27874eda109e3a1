"""Arithmetic with occurrences, compared with a plain loop over all rows of a text and of a folder."""

import numpy as np
import pytest

from embtools.corpus.occurrence_analogies import analogy
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.fitting import fit
from embtools.spaces.space import AS_IS, CENTRED, WHITENED, Space
from tests.corpus.conftest import cosines, ranked

WORDS = ("king", "man", "woman")
OWN, ROCK = ("bank", "bat", "spring"), "rock"  # in the folder


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


@pytest.mark.parametrize("space", [AS_IS, Space(CENTRED), Space(WHITENED, shrinkage=0.1)], ids=lambda s: s.kind)
@pytest.mark.parametrize("numbers, most_stored", [((0, 0, 0), None), ((2, 1, 0), 10)])
def test_the_ranks_are_those_of_all_rows(folder, rows, bundled, numbers, most_stored, space):
    names, vectors = rows
    vectors = fit(vectors, space).apply(vectors)
    a, b, c = (
        vectors[names == word].mean(0) if not number else vectors[names == word][number - 1]
        for word, number in zip(OWN, numbers, strict=True)
    )
    reported = []
    found = analogy(
        folder,
        bundled,
        words=OWN,
        expected=ROCK,
        numbers=numbers,
        space=space,
        most_stored=most_stored,
        progress=reported.append,
    )
    assert reported == sorted(reported) and found.how == ("kept" if most_stored is None else "files")
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
    with_them = analogy(folder, bundled, words=OWN, expected=ROCK, numbers=numbers, inputs=True, k=3, space=space)
    assert with_them.near["word"].tolist() == names[np.argsort(-cosines(vectors, a - b + c))[:3]].tolist()


def test_the_words_alone_are_read_in_pages(folder, bundled, monkeypatch):
    whole = analogy(folder, bundled, words=OWN, expected=ROCK, whole=False)
    best, count = whole.four_words.cosines["best"][0], whole.four_words.counts["count"].sum()
    assert not whole.searched and whole.near.empty and whole.ranks.empty and not folder.is_stored()
    assert f"the nearest occurrence of rock has a cosine of {best:.2f}" in whole.headline
    assert f"only the {count} occurrences of the four words" in whole.compared
    monkeypatch.setattr(reading, "AT_ONCE", 3)
    pages = analogy(folder, bundled, words=OWN, expected=ROCK, whole=False)
    assert pages.four_words.cosines["mean"].to_numpy() == pytest.approx(
        whole.four_words.cosines["mean"].to_numpy(), abs=1e-6
    )
    assert pages.four_words.cosines["best"].to_numpy() == pytest.approx(
        whole.four_words.cosines["best"].to_numpy(), abs=1e-6
    )


@pytest.mark.parametrize(
    ("words", "expected", "numbers", "message"),
    [
        (("bank", "bat", "xylophone"), "rock", (0, 0, 0), "'xylophone' does not occur in this folder"),
        (OWN, "bank", (0, 0, 0), "is both part of the formula and the expected word"),
        (OWN, "rock", (9_999, 0, 0), "times in this folder. Choose occurrence 1 to"),
        (("bat", "bank", "bank"), "rock", (0, 1, 1), None),
        (("bank", "bank", "bat"), "rock", (0, 0, 0), None),
    ],
)
def test_errors_for_words_and_occurrences_that_do_not_exist(folder, bundled, words, expected, numbers, message):
    if message is None:
        found = analogy(folder, bundled, words=words, expected=expected, numbers=numbers)
        assert found.searched == len(folder)
        return
    with pytest.raises(ValueError, match=message):
        analogy(folder, bundled, words=words, expected=expected, numbers=numbers)


def test_another_model_is_refused(folder, tiny):
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        analogy(folder, tiny, words=OWN, expected=ROCK)


def test_from_an_object_store_with_few_requests(store, folder, bundled):
    uri, requests = store
    there = CorpusFolder.open(uri)
    requests()
    found = analogy(there, bundled, words=OWN, expected=ROCK, whole=False)
    read = requests()
    here = analogy(folder, bundled, words=OWN, expected=ROCK, whole=False)
    assert found.four_words.cosines.equals(here.four_words.cosines)
    assert any("GET" in request for request in read) and len(read) <= 4 * 4, (
        read
    )  # at most four requests for each of the four words
