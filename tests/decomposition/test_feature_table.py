"""The features of all occurrences of a text, computed once."""

import numpy as np
import pytest

from embtools import memory
from embtools.decomposition.feature_table import effort, read_features
from embtools.decomposition.offered_dictionaries import open_dictionary
from embtools.occurrences.corpus import Corpus
from tests.decomposition.conftest import SENTENCES

NAME = "layer 1, small"


def test_a_feature_is_where_its_score_is_among_the_highest(tiny, small):
    table = read_features(Corpus(SENTENCES), tiny, dictionary=NAME)
    found, vectors = open_dictionary(NAME, tiny), table.occurrences.vectors
    scores = (vectors - found.centre) @ found.directions.T + found.offsets
    ranks = (-scores).argsort(axis=1).argsort(axis=1)
    for feature in range(len(found)):
        rows, values = table.of(feature)
        assert set(rows) == set(np.flatnonzero((ranks[:, feature] < found.k) & (scores[:, feature] > 0)))
        np.testing.assert_allclose(values, -np.sort(-scores[rows, feature]), atol=1e-5)


def test_the_time_is_stated_until_the_text_is_read(tiny, small):
    memory.forget()
    corpus = Corpus(SENTENCES)
    assert effort(corpus, tiny, dictionary=NAME) > 0
    read_features(corpus, tiny, dictionary=NAME)
    assert effort(corpus, tiny, dictionary=NAME) == 0
    with pytest.raises(ValueError, match="no dictionary"):
        effort(corpus, tiny, dictionary="layer 9")
