"""A text in memory: which sentences it reads for a word and for everything."""

import numpy as np
import pytest

from embtools.occurrences import encoding, in_memory
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.in_memory import OpenText
from embtools.spaces.space import AS_IS, CENTRED, Space

TEXT = Corpus(("The bank of the river.", "The king is in France.", "A bank works in Paris."))


@pytest.fixture
def read(cold, monkeypatch):
    """The sentences that were read since the cache was emptied."""
    found, rows = [], encoding._read_rows
    monkeypatch.setattr(encoding, "_read_rows", lambda corpus, *more: found.append(corpus) or rows(corpus, *more))
    return found


def test_a_word_is_read_from_its_own_sentences(read, tiny):
    source = OpenText.in_space(TEXT, tiny, combination="layer 2", space=AS_IS)
    assert len(source.of("bank")) == 2 and not len(source.of("green"))
    assert read == [TEXT.having("bank")]
    tokens = [token for sentence in TEXT.sentences for token in tiny.tokenize(sentence)["token"]]
    assert len(source.all()) == sum(token.isalnum() for token in tokens) == 13
    assert read == [TEXT.having("bank"), TEXT]
    assert len(source.of("king")) == 1 and len(read) == 2  # the whole text is known now


def test_a_space_is_fitted_to_the_whole_text(read, tiny):
    source = OpenText.in_space(TEXT, tiny, combination="layer 2", space=Space(CENTRED))
    assert read == [TEXT]
    vectors = np.concatenate([block.vectors for block in source.all().blocks()])
    np.testing.assert_allclose(vectors.mean(0), 0, atol=1e-5)


def test_rows_come_in_blocks_and_report_progress(tiny, monkeypatch):
    source, reported = OpenText.in_space(TEXT, tiny, combination="layer 2", space=AS_IS), []
    (whole,) = source.all().blocks()
    monkeypatch.setattr(in_memory, "_AT_ONCE", 4)
    blocks = list(source.all().blocks(reported.append))
    assert [block.first for block in blocks] == [0, 4, 8, 12] and reported == sorted(reported) and len(reported) == 4
    np.testing.assert_array_equal(np.concatenate([block.vectors for block in blocks]), whole.vectors)
    with pytest.raises(ValueError, match="There is no occurrence"):
        source.of("green").one(0)
