"""The features of a sentence, computed again by hand; the heatmap."""

import numpy as np
import pytest

from embtools.charts import decomposition as charts
from embtools.decomposition.features_of_text import sentence_features
from embtools.decomposition.offered_dictionaries import open_dictionary
from tests.features import SENTENCE

NAME = "layer 1, small"


def test_active_features_are_the_highest_scores(tiny, small):
    result = sentence_features(SENTENCE, tiny, dictionary=NAME)
    found, states = open_dictionary(NAME, tiny), tiny.hidden_states(SENTENCE)[1]
    sums = []
    for number, vector in enumerate(states[1:6], 1):
        scores = found.directions @ (vector - found.centre) + found.offsets
        order = np.argsort(-scores)[: found.k]
        own = result.active[result.active["number"] == number]
        expected = [feature for feature in order if scores[feature] > 0]
        assert list(own["feature"] - 1) == expected
        np.testing.assert_allclose(own["activation"], scores[expected], atol=1e-5)
        sums.append(found.centre + scores[expected] @ found.directions[expected])
    errors = ((states[1:6] - sums) ** 2).sum() / ((states[1:6] - found.centre) ** 2).sum()
    assert result.explained == pytest.approx(1 - errors, abs=1e-5)
    top = result.active.loc[result.active["activation"].idxmax()]
    assert result.feature == top["feature"] == result.strongest["feature"].iloc[0]
    assert f"feature {result.feature}" in result.headline and result.words == ("rome", "is", "the", "capital", "of")
    assert set(result.of_feature()["word"]) <= set(result.words)
    assert result.quality["dictionary"].tolist() == ["learned", "random directions"]


def test_the_heatmap_shows_the_strongest_features(tiny, small):
    result = sentence_features(SENTENCE, tiny, dictionary=NAME)
    chart = charts.features(result)
    heatmap, cells = chart.figure.data
    assert heatmap.z.shape == (len(result.strongest), 5)
    assert chart.figure.layout.coloraxis.cmax == pytest.approx(result.active["activation"].max())
    assert np.count_nonzero(heatmap.z) == len(cells.x) == len(result.active)
    for x, y, feature in zip(cells.x, cells.y, cells.customdata, strict=True):
        row = result.active[(result.active["feature"] == feature) & (result.active["number"] == x + 1)]
        assert heatmap.z[int(y), int(x)] == pytest.approx(row["activation"].iloc[0])
    assert f"{result.strongest['activation'].iloc[0]:.1f}" in chart.alt and chart.frame is result.active


def test_a_feature_must_exist(tiny, small):
    assert sentence_features(SENTENCE, tiny, dictionary=NAME, feature=7).feature == 7
    for feature in (-1, 25):
        with pytest.raises(ValueError, match="Choose 1 to 24"):
            sentence_features(SENTENCE, tiny, dictionary=NAME, feature=feature)
