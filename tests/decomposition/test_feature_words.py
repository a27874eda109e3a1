"""Words that describe features, and the search for the features of a word."""

import numpy as np
import pytest

from embtools.decomposition.feature_table import read_features
from embtools.decomposition.feature_words import (
    features_of_word,
    promoted_words,
    strongest_words,
    within_dictionary,
)
from embtools.models.output_head import scores_along
from embtools.occurrences.corpus import Corpus
from tests.decomposition.conftest import SENTENCES

NAME = "layer 1, small"
CORPUS = Corpus(SENTENCES)


def test_the_features_of_a_word_are_counted(tiny, small):
    table = read_features(CORPUS, tiny, dictionary=NAME)
    found = features_of_word("king", tiny, corpus=CORPUS, dictionary=NAME)
    rows = np.flatnonzero(table.occurrences.table["word"] == "king")
    for row in found.to_dict("records"):
        active, values = table.of(row["feature"] - 1)
        own = np.isin(active, rows)
        assert row["share"] == pytest.approx(own.sum() / len(rows)) and row["share"] > 0
        assert row["activation"] == pytest.approx(values[own].mean(), abs=1e-5)
        words = table.occurrences.table["word"].to_numpy()[active]
        assert row["words"] == ", ".join(list(dict.fromkeys(words))[:3])
    assert found["share"].is_monotonic_decreasing


def test_a_word_that_is_not_in_the_text_is_refused(tiny, small):
    for word in ("queens", "king, queen", "<b>"):
        with pytest.raises(ValueError, match="does not contain .* Write one word that occurs in it, for example"):
            features_of_word(word, tiny, corpus=CORPUS, dictionary=NAME)
    with pytest.raises(ValueError, match="There is no word to search for"):
        features_of_word(" ", tiny, corpus=CORPUS, dictionary=NAME)


def test_promoted_words_have_the_highest_scores(tiny):
    direction = np.random.default_rng(0).normal(size=(1, tiny.dimensions)).astype(np.float32)
    (found,) = promoted_words(direction, tiny, n=5)
    whole = np.flatnonzero(tiny.whole_words)
    scores = scores_along(direction, tiny)[0, whole]
    order = np.argsort(-scores)[:5]
    assert list(found["word"]) == [tiny.vocabulary[whole[i]] for i in order]
    np.testing.assert_allclose(found["along"], (scores[order] - scores.mean()) / scores.std(), rtol=1e-4)


def test_numbers_have_limits(tiny, small):
    within_dictionary(24, 24)
    with pytest.raises(ValueError, match="Choose 1 to 24"):
        within_dictionary(0, 24)
    table = read_features(CORPUS, tiny, dictionary=NAME)
    with pytest.raises(ValueError, match="words"):
        strongest_words(table, np.array([0]), n=0)
