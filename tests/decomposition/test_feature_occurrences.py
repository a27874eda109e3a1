"""Where a feature is active in a text: the strongest occurrences, the sample, words and senses; the charts."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools.charts import decomposition as charts
from embtools.decomposition.feature_table import read_features
from embtools.decomposition.feature_uses import QUANTILES, feature_occurrences
from embtools.occurrences.corpus import Corpus
from tests.decomposition.conftest import SENTENCES

NAME = "layer 1, small"
CORPUS = Corpus(SENTENCES, tuple(("bank", "river") if "river" in each else ("", "") for each in SENTENCES))


@pytest.fixture
def feature(tiny, small):
    table = read_features(CORPUS, tiny, dictionary=NAME)
    return 1 + max(range(24), key=lambda number: len(table.of(number)[0]))


def test_lists_are_those_of_the_table(tiny, small, feature):
    result = feature_occurrences(CORPUS, tiny, dictionary=NAME, feature=feature)
    table = read_features(CORPUS, tiny, dictionary=NAME)
    rows, values = table.of(feature - 1)
    own = table.occurrences.table
    assert (result.active, result.count) == (len(rows), len(own))
    assert result.best["text"].is_unique and result.best["activation"].is_monotonic_decreasing
    assert result.best["activation"].iloc[0] == values[0] and len(result.best) == own.loc[rows, "sentence"].nunique()
    for row in (*result.best.to_dict("records"), *result.spread.to_dict("records")):
        assert row["text"][row["start"] : row["end"]].lower() == row["word"]
    np.testing.assert_allclose(result.spread["share"], QUANTILES)
    assert result.spread["activation"].iloc[0] == values[0] and result.spread["activation"].iloc[-1] == values[-1]
    for row in result.words.to_dict("records"):
        assert row["count"] == (own["word"] == row["word"]).sum()
        assert row["active"] == (own.loc[rows, "word"] == row["word"]).sum() > 0
        assert row["share"] == row["active"] / row["count"]
    assert result.words["active"].sum() == len(rows)
    assert set(result.senses["sense"]) <= {"river"}
    assert f"{len(rows)} of {len(own)} words" in result.headline
    several = replace(result, words=pd.DataFrame({"word": list("abcde")}))
    assert several.headline.endswith("5 different words, above all “a”, “b”, “c” and “d”.")
    assert replace(several, words=several.words.head(1)).headline.endswith("%). These are occurrences of “a”.")


def test_a_feature_that_is_never_active_has_empty_lists(tiny, small):
    table = read_features(Corpus(SENTENCES[:1]), tiny, dictionary=NAME)
    dead = next(number for number in range(24) if not len(table.of(number)[0]))
    result = feature_occurrences(Corpus(SENTENCES[:1]), tiny, dictionary=NAME, feature=dead + 1)
    assert result.active == 0 and result.best.empty and result.spread.empty and result.words.empty
    assert "is not active at any of the 7 words" in result.headline
    assert "at no word" in charts.feature_words(result).alt


def test_the_charts_show_words(tiny, small, feature):
    result = feature_occurrences(CORPUS, tiny, dictionary=NAME, feature=feature)
    chart = charts.feature_words(result)
    np.testing.assert_allclose(chart.figure.data[0].x, result.words["share"].head(12), rtol=1e-6)
    assert result.words["word"].iloc[0] in chart.alt
    promoted = charts.promoted(result)
    np.testing.assert_allclose(promoted.figure.data[0].x, result.promoted["along"], rtol=1e-6)
    assert result.promoted["word"].iloc[0] in promoted.alt


def test_a_feature_must_exist(tiny, small):
    with pytest.raises(ValueError, match="Choose 1 to 24"):
        feature_occurrences(CORPUS, tiny, dictionary=NAME, feature=25)
