"""A text in memory: its rows, in a processed space and searched as a folder is."""

import numpy as np
import pytest

from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences import encoding, in_memory
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.in_memory import OpenText
from embtools.occurrences.in_space import fitted_space
from embtools.occurrences.opened import opened
from embtools.occurrences.rows import read as read_rows
from embtools.occurrences.rows import spelling
from embtools.spaces.fitting import fit
from embtools.spaces.space import AS_IS, BY_CLUSTER, CENTRED, WHITENED, Space
from tests.store import encoded

# Sentences as rows, and words as the means of their pieces


def test_a_sentence_is_one_row_with_its_words(tiny):
    ((row, left_out),) = read_rows("Works unable , the xylophone!", tiny, label=("works", "labour"))
    assert row.text == "Works unable , the xylophone!" and row.label == ("works", "labour") and left_out == 3
    assert [row.text[start:end] for _, _, start, end in row.places] == ["Works", "unable", "the"]
    assert row.numbers == (0, 1, 3)
    assert [spelling(row.ids[p : p + n], tiny) for p, n, _, _ in row.places] == ["works", "unable", "the"]
    assert row.places[1][:2] == (2, 2)  # un ##able


def test_a_long_sentence_is_split_into_rows_with_consecutive_word_numbers(tiny):
    rows = [row for row, _ in read_rows("king queen " * 50, tiny)]
    assert len(rows) == 2 and [n for row in rows for n in row.numbers] == list(range(100))
    assert all(len(row.ids) <= tiny.max_tokens for row in rows)
    assert rows[1].text[rows[1].places[0][2] : rows[1].places[0][3]] in ("king", "queen")


# Occurrences in a processed space

TEXT = Corpus(("The bank was closed.", "A boat lay at the bank.", "It rained all day.", "He read the paper."))


def test_a_text_of_one_word_has_no_space(bundled):
    with pytest.raises(ValueError, match="There is one vector"):
        OpenText.in_space(Corpus(("Bank.",)), bundled, combination="layer 2", space=Space(CENTRED))


@pytest.mark.parametrize("shuffled", [None, 1])
def test_a_space_of_clusters_and_its_control_are_fitted_to_the_text(bundled, shuffled):
    space = Space(BY_CLUSTER, 1, clusters=2, shuffled=shuffled)
    found = fitted_space(TEXT, bundled, combination="layer 2", space=space)
    vectors = encode_corpus(TEXT, bundled, combination="layer 2").vectors
    np.testing.assert_allclose(found.apply(vectors), fit(vectors, space).apply(vectors), atol=1e-6)


# A text in memory: which sentences it reads for a word and for everything

THREE = Corpus(("The bank of the river.", "The king is in France.", "A bank works in Paris."))


@pytest.fixture
def read(cold, monkeypatch):
    """The sentences that were read since the cache was emptied."""
    found, rows = [], encoding._read_rows
    monkeypatch.setattr(encoding, "_read_rows", lambda corpus, *more: found.append(corpus) or rows(corpus, *more))
    return found


def test_a_word_is_read_from_its_own_sentences(read, tiny):
    source = OpenText.in_space(THREE, tiny, combination="layer 2", space=AS_IS)
    assert len(source.of("bank")) == 2 and not len(source.of("green"))
    assert read == [THREE.having("bank")]
    tokens = [token for sentence in THREE.sentences for token in tiny.tokenize(sentence)["token"]]
    assert len(source.all()) == sum(token.isalnum() for token in tokens) == 13
    assert read == [THREE.having("bank"), THREE]
    assert len(source.of("king")) == 1 and len(read) == 2  # the whole text is known now


def test_a_space_is_fitted_to_the_whole_text(read, tiny):
    source = OpenText.in_space(THREE, tiny, combination="layer 2", space=Space(CENTRED))
    assert read == [THREE]
    vectors = np.concatenate([block.vectors for block in source.all().blocks()])
    np.testing.assert_allclose(vectors.mean(0), 0, atol=1e-5)


def test_rows_come_in_blocks_and_report_progress(tiny, monkeypatch):
    source, reported = OpenText.in_space(THREE, tiny, combination="layer 2", space=AS_IS), []
    (whole,) = source.all().blocks()
    monkeypatch.setattr(in_memory, "_AT_ONCE", 4)
    blocks = list(source.all().blocks(reported.append))
    assert [block.first for block in blocks] == [0, 4, 8, 12] and reported == sorted(reported) and len(reported) == 4
    np.testing.assert_array_equal(np.concatenate([block.vectors for block in blocks]), whole.vectors)
    with pytest.raises(ValueError, match="There is no occurrence"):
        source.of("green").one(0)


# A text and a folder of the same sentences, opened: every search gets the same from both

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
