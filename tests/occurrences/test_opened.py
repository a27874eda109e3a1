"""A text and a folder of the same sentences, opened: every search gets the same from both."""

import numpy as np
import pytest

from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.opened import opened
from embtools.spaces.fitting import fit
from embtools.spaces.space import AS_IS, CENTRED, WHITENED, Space
from tests.store import encoded

SENTENCES = (
    "the bank of the river", "a bank works in paris", "the king is in france", "the queen of france works",
    "she works in the bank", "the river is blue",
)  # fmt: skip
SPACES = (AS_IS, Space(CENTRED), Space(WHITENED, shrinkage=0.5))


@pytest.fixture(scope="module")
def folder(tiny, tmp_path_factory):
    place = tmp_path_factory.mktemp("opened")
    return CorpusFolder.open(str(encoded(SENTENCES, place / "folder", tiny)))


@pytest.fixture
def both(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
    return Corpus(SENTENCES), folder


def by_hand(model, space):
    """The words in alphabetical order and the text's order within a word, their sentences, and their vectors."""
    found = encode_corpus(Corpus(SENTENCES), model, combination=SUM_FOUR)
    vectors = found.vectors.astype(float)
    rows = sorted(range(len(vectors)), key=lambda row: (found.table["word"][row], row))
    words = [found.table["word"][row] for row in rows]
    texts = [found.sentences[found.table["sentence"][row]] for row in rows]
    return words, texts, fit(vectors, space).apply(vectors)[rows] if space != AS_IS else vectors[rows]


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_all_rows_are_sorted_by_word_and_searched_exactly(both, tiny, space):
    words, texts, vectors = by_hand(tiny, space)
    for corpus in both:
        rows = opened(corpus, tiny, space=space).all()
        assert len(rows) == len(words) and list(rows.words()) == sorted(set(words))
        assert list(rows.word_of(np.arange(len(rows)))) == words
        begin, end = rows.span("works")
        assert words[begin:end] == ["works"] * 3 and rows.span("xylophone") in ((0, 0),)
        cosines = vectors @ vectors[begin] / np.linalg.norm(vectors, axis=1) / np.linalg.norm(vectors[begin])
        cosines[begin:end] = -np.inf
        best, occ = rows.nearest(vectors[begin].astype(np.float32), 4, ((begin, end),))
        expected = np.argsort(-cosines, kind="stable")[:4]
        assert best.cosines == pytest.approx(cosines[expected], abs=5e-3)  # a folder stores half precision
        described = rows.described(occ, rows.word_of(best.rows), cosine=best.cosines)
        assert list(zip(described["word"], described["text"], strict=True)) == [
            (words[row], texts[row]) for row in best.rows
        ]
        assert described["rank"].tolist() == [1, 2, 3, 4] and set(described["sense"]) == {""}


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_the_rows_of_a_word(both, tiny, space):
    words, texts, vectors = by_hand(tiny, space)
    begin = words.index("bank")
    for corpus in both:
        source = opened(corpus, tiny, space=space)
        rows = source.of("bank")
        (block,) = rows.blocks()
        assert len(rows) == 3 and block.first == 0 and not len(source.of("xylophone"))
        np.testing.assert_allclose(block.vectors, vectors[begin : begin + 3], atol=2e-2)
        np.testing.assert_allclose(block.norms, np.linalg.norm(block.vectors, axis=1), rtol=1e-3)
        occ, vector = rows.one(1)
        np.testing.assert_allclose(vector, block.vectors[1], atol=1e-6)
        row = rows.described(np.array([occ]), "bank").iloc[0]
        assert row["text"] == texts[begin + 1] and row["text"][row["start"] : row["end"]] == "bank"


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_a_typed_sentence_is_read_in_the_same_way(both, tiny, space):
    text, folder = (opened(corpus, tiny, space=space).typed("the bank is green").of("bank") for corpus in both)
    assert len(text) == len(folder) == 1
    np.testing.assert_allclose(text.one(0)[1], folder.one(0)[1], atol=2e-2)


def test_a_sentence_is_compared_with_all_others(both, tiny):
    for corpus in both:
        source = opened(corpus, tiny)
        found = source.compare_sentences("she works in the bank")
        assert found.numbers.tolist() == [0, 1, 2, 3, 5] and source.sentences([0, 5]) == [SENTENCES[0], SENTENCES[5]]
        assert found.meaning.shape == found.shared.shape == (5,) and (np.abs(found.meaning) <= 1 + 1e-6).all()
        assert found.shared[0] > found.shared[4] > 0  # the and bank, only the


def test_each_declares_what_it_can_do(both):
    text, folder = both
    assert text.combination == folder.combination == SUM_FOUR
    for name in ("any_layers", "any_model", "any_space", "lists_all", "labels_senses"):
        assert getattr(text, name) and not getattr(folder, name)
    assert folder.is_encoded and not text.is_encoded
    assert (text.where, folder.where) == ("the text", "this folder")
