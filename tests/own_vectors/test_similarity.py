"""Cosines against scikit-learn, the agreement with a model against scipy, and the heatmaps."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics.pairwise import cosine_similarity

from embtools.charts import own_vectors as charts
from embtools.own_vectors.similarity import similar_words
from embtools.own_vectors.word_vectors import WordVectors

WORDS = ("red", "green", "rome", "king", "queen", "zzz")


def test_cosines_pairs_and_words_that_are_missing(table, tiny):
    found = similar_words(WORDS, tiny, table=table)
    assert found.words == WORDS[:5] and found.left_out == ("zzz",)
    np.testing.assert_allclose(found.cosines, cosine_similarity(table.of(WORDS[:5]).astype(float)), atol=1e-9)
    assert len(found.pairs) == 10 and found.pairs["cosine"].is_monotonic_decreasing
    first = found.pairs.iloc[0]
    i, j = found.words.index(first["first"]), found.words.index(first["second"])
    assert first["cosine"] == found.cosines[i, j] and f"“{first['first']}” and “{first['second']}”" in found.headline


def test_the_agreement_with_the_model_is_that_of_scipy(table, tiny):
    found = similar_words(WORDS[:5], tiny, table=table)
    own = cosine_similarity(np.array([tiny.vector(word) for word in WORDS[:5]], float))
    np.testing.assert_allclose(found.in_model, own, atol=1e-6)
    upper = np.triu_indices(5, 1)
    assert found.agreement.rho == pytest.approx(spearmanr(found.cosines[upper], own[upper]).statistic)
    assert "Both rank the pairs of the 5 words" in found.comparison


def test_words_that_are_no_token_of_the_model_have_no_value_there(table, tiny):
    from dataclasses import replace

    odd = replace(table, words=("unheardof", *table.words[1:]))
    found = similar_words(("unheardof", "green", "rome", "king"), tiny, table=odd)
    assert np.isnan(found.in_model[0]).all() and np.isfinite(found.in_model[1:, 1:]).all()
    assert found.agreement is None and "fewer than four" in found.comparison
    chart = charts.heatmap_in_model(found)
    assert "3 of the 4 words" in chart.alt


def test_lists_that_cannot_be_compared(table, tiny):
    for words, message in ((("zzz",), "have none of these words"), (("red",), "have only one of these words")):
        with pytest.raises(ValueError, match=message):
            similar_words(words, tiny, table=table)
    with pytest.raises(ValueError, match="at most 60"):
        similar_words(("red",) * 61, tiny, table=table)


def test_the_alt_text_names_a_single_pair_once(table, bundled):
    found = similar_words(("red", "dog"), bundled)
    cosine = f"{found.pairs['cosine'][0]:.2f}".replace("-", "−")
    assert charts.heatmap(found).alt == f"Cosines of 2 words: red and dog ({cosine})."
    assert "Most similar: " in charts.heatmap(similar_words(("red", "dog", "cat"), bundled)).alt


def test_the_heatmap_shows_the_cosines(table, bundled):
    found = similar_words(("red", "blue", "dog"), bundled)
    assert found.in_model is None and found.comparison == "" and "model_cosine" not in found.pairs
    shown = charts.heatmap(found).figure.data[0].z
    assert np.isnan(np.diag(shown)).all()
    np.testing.assert_allclose(shown[0, 1:], found.cosines[0, 1:], atol=1e-6)
    assert charts.heatmap(found).figure.layout.coloraxis.cmax == found.pairs["cosine"].abs().max()
    with pytest.raises(ValueError, match="nothing to compare"):
        charts.heatmap_in_model(found)
    many = similar_words(table.words, bundled, table=table)
    own, model = charts.heatmap(many), charts.heatmap_in_model(many)
    reach = many.pairs[["cosine", "model_cosine"]].abs().max().max()
    assert own.figure.layout.coloraxis.cmax == model.figure.layout.coloraxis.cmax == reach
    assert own.figure.data[0].texttemplate is None


def test_few_words_have_cells_of_a_limited_height(table, bundled):
    few = (similar_words(table.words[:n], bundled, table=table) for n in (2, 5, 6, 15))
    assert [charts.heatmap(found).figure.layout.height for found in few] == [242, 410, None, 490]


def test_equally_similar_pairs_have_no_winner(tiny) -> None:
    vectors = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], np.float32)
    table = WordVectors(("rome", "red", "blue", "king"), vectors, (), "four()")
    found = similar_words(("rome", "red", "blue"), tiny, table=table)
    assert found.headline == "3 pairs are equally similar (cosine 1.00), so none is the most similar one."
