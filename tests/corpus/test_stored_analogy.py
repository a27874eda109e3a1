"""Arithmetic in a folder, compared with the same computed directly on all of its rows."""

from itertools import product

import numpy as np
import pytest

from embtools.corpus.stored_analogy import analogy_in_folder, choices_in_folder
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.fitting import fit
from embtools.spaces.space import AS_IS, CENTRED, WHITENED, Space

WORDS, EXPECTED = ("bank", "bat", "spring"), "rock"


@pytest.fixture
def rows(folder):
    """Every word, and every vector in double precision."""
    found = folder.files.rows(0, len(folder))
    return found.table["word"].to_numpy(), found.vectors.astype(float)


def cosines(vectors, query):
    return vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)


@pytest.mark.parametrize("space", [AS_IS, Space(CENTRED), Space(WHITENED, shrinkage=0.1)], ids=lambda s: s.kind)
@pytest.mark.parametrize("numbers, most_stored", [((0, 0, 0), None), ((2, 1, 0), 10)])
def test_the_ranks_are_those_of_all_rows(folder, rows, bundled, numbers, most_stored, space):
    names, vectors = rows
    vectors = fit(vectors, space).apply(vectors)
    a, b, c = (
        vectors[names == word].mean(0) if not number else vectors[names == word][number - 1]
        for word, number in zip(WORDS, numbers, strict=True)
    )
    reported = []
    found = analogy_in_folder(
        folder,
        bundled,
        words=WORDS,
        expected=EXPECTED,
        numbers=numbers,
        space=space,
        most_stored=most_stored,
        progress=reported.append,
    )
    assert reported == sorted(reported) and found.how == ("kept" if most_stored is None else "files")
    assert found.four_words.counts["count"].tolist() == [int((names == word).sum()) for word in (*WORDS, EXPECTED)]
    own, target = np.isin(names, WORDS), names == EXPECTED
    for row, query in enumerate((a - b + c, a)):
        values = cosines(vectors, query)
        assert found.four_words.cosines["best"][row] == pytest.approx(values[target].max(), abs=1e-5)
        assert found.four_words.cosines["mean"][row] == pytest.approx(values[target].mean(), abs=1e-5)
        if row and numbers[0]:
            values[np.flatnonzero(names == WORDS[0])[numbers[0] - 1]] = -np.inf
        better = values > values[target].max()
        ranks = found.ranks.iloc[row]
        assert (ranks["with_inputs"], ranks["without_inputs"]) == (better.sum() + 1, (better & ~own).sum() + 1)
    values = np.where(own, -np.inf, cosines(vectors, a - b + c))
    best = np.argsort(-values, kind="stable")[:10]
    assert found.near["word"].tolist() == names[best].tolist()
    assert found.near["cosine"].to_numpy() == pytest.approx(values[best], abs=1e-5)
    assert found.four_words.moved == pytest.approx(cosines(a[None], a - b + c)[0])
    with_them = analogy_in_folder(
        folder, bundled, words=WORDS, expected=EXPECTED, numbers=numbers, inputs=True, k=3, space=space
    )
    assert with_them.near["word"].tolist() == names[np.argsort(-cosines(vectors, a - b + c))[:3]].tolist()


def test_the_words_alone_are_read_in_pages(folder, bundled, monkeypatch):
    whole = analogy_in_folder(folder, bundled, words=WORDS, expected=EXPECTED, whole=False)
    best, count = whole.four_words.cosines["best"][0], whole.four_words.counts["count"].sum()
    assert not whole.searched and whole.near.empty and whole.ranks.empty and not folder.is_stored()
    assert f"the nearest occurrence of rock has a cosine of {best:.2f}" in whole.headline
    assert f"only the {count} occurrences of the four words" in whole.compared
    monkeypatch.setattr(reading, "AT_ONCE", 3)
    pages = analogy_in_folder(folder, bundled, words=WORDS, expected=EXPECTED, whole=False)
    assert pages.four_words.cosines["mean"].to_numpy() == pytest.approx(
        whole.four_words.cosines["mean"].to_numpy(), abs=1e-6
    )
    assert pages.four_words.cosines["best"].to_numpy() == pytest.approx(
        whole.four_words.cosines["best"].to_numpy(), abs=1e-6
    )


def test_all_choices_are_tried_if_there_are_few(folder, rows, bundled):
    names, vectors = rows
    words = tuple(_rare(names))
    found = choices_in_folder(folder, bundled, words=words, expected=EXPECTED)
    picked = [vectors[names == word] for word in words]
    hidden = np.isin(names, words)
    first = {"with_inputs": [], "without_inputs": []}
    for a, b, c in product(*picked):
        values = cosines(vectors, a - b + c)
        first["with_inputs"].append(names[values.argmax()])
        first["without_inputs"].append(names[np.where(hidden, -np.inf, values).argmax()])
    assert found.every and found.shares["choices"][0] == np.prod([len(some) for some in picked])
    counted = found.winners.set_index("word")
    for name, won in first.items():
        assert found.shares[name][0] == pytest.approx(np.mean(np.array(won) == EXPECTED))
        assert {w: n for w, n in counted[name].items() if n} == {w: won.count(w) for w in set(won)}
    alone = []
    for row in np.flatnonzero(names == words[0]):
        values = cosines(vectors, vectors[row])
        values[row] = -np.inf
        alone.append(names[values.argmax()] == EXPECTED)
    assert found.shares["with_inputs"][1] == np.mean(alone) and found.shares["choices"][1] == len(alone)


def _rare(names):
    """Three words that occur two to four times each."""
    words, counts = np.unique(names.astype(str), return_counts=True)
    return [str(w) for w, n in zip(words, counts, strict=True) if 2 <= n <= 4 and w.isalpha() and len(w) > 3][:3]


def test_choices_are_sampled_if_there_are_many(folder, bundled):
    found = choices_in_folder(folder, bundled, words=("the", "a", "bank"), expected=EXPECTED, draws=20)
    assert not found.every and found.shares["choices"][0] == 20 and found.winners["with_inputs"].sum() == 20
    again = choices_in_folder(folder, bundled, words=("the", "a", "bank"), expected=EXPECTED, draws=20, most_stored=10)
    assert again.winners.equals(found.winners)


@pytest.mark.parametrize(
    ("words", "expected", "numbers", "message"),
    [
        (("bank", "bat", "xylophone"), "rock", (0, 0, 0), "'xylophone' does not occur in this folder"),
        (WORDS, "bank", (0, 0, 0), "is both part of the formula and the expected word"),
        (WORDS, "rock", (9_999, 0, 0), "times in this folder. Choose occurrence 1 to"),
        (("bat", "bank", "bank"), "rock", (0, 1, 1), None),
        (("bank", "bank", "bat"), "rock", (0, 0, 0), None),
    ],
)
def test_errors_for_words_and_occurrences_that_do_not_exist(folder, bundled, words, expected, numbers, message):
    if message is None:
        found = analogy_in_folder(folder, bundled, words=words, expected=expected, numbers=numbers)
        assert found.searched == len(folder)
        return
    with pytest.raises(ValueError, match=message):
        analogy_in_folder(folder, bundled, words=words, expected=expected, numbers=numbers)


def test_another_model_is_refused(folder, tiny):
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        analogy_in_folder(folder, tiny, words=WORDS, expected=EXPECTED)
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        choices_in_folder(folder, tiny, words=WORDS, expected=EXPECTED)


def test_from_an_object_store_with_few_requests(store, folder, bundled):
    uri, requests = store
    there = CorpusFolder.open(uri)
    requests()
    found = analogy_in_folder(there, bundled, words=WORDS, expected=EXPECTED, whole=False)
    read = requests()
    here = analogy_in_folder(folder, bundled, words=WORDS, expected=EXPECTED, whole=False)
    assert found.four_words.cosines.equals(here.four_words.cosines)
    assert any("GET" in request for request in read) and len(read) <= 4 * 4, (
        read
    )  # at most four requests for each of the four words
