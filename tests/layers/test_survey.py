"""The survey on four words: the scores of each word, the geometry, and the bootstrap over words."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine
from scipy.stats import bootstrap, sem, t

from embtools.charts import layers as charts
from embtools.layers import comparisons, survey, verdict
from embtools.layers import senses as layers_senses
from embtools.statistics.decimals import decimal
from embtools.words import overlap


def by_hand(vectors: list[np.ndarray]) -> float:
    return float(np.mean([1 - scipy_cosine(a, b) for a, b in combinations(vectors, 2)]))


FOUR = pd.DataFrame(
    [
        (word, sense, text.format(word))
        for word in ("bank", "king", "red", "rome")
        for sense, text in (
            ("a", "The {} works as a man."),
            ("a", "She works as a {}!"),
            ("b", "The green {}, a blue river."),
            ("b", "A capital is the {} of paris."),
            ("b", "he is the {} of italy"),
        )
    ],
    columns=["word", "sense", "sentence"],
)


@pytest.fixture(scope="module")
def surveyed(tiny):
    reported: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(survey.wordlists, "load", lambda name: FOUR)
        result = survey.survey(model=tiny, progress=reported.append)
    assert reported == [0.25, 0.5, 0.75, 1.0]
    return result


def repeated(result, times):
    """The same scores for so many times as many words."""
    scores, control = (
        pd.concat([frame.assign(word=frame["word"] + str(n)) for n in range(times)], ignore_index=True)
        for frame in (result.scores, result.control)
    )
    return replace(result, scores=scores, control=control)


@pytest.fixture(scope="module")
def many(surveyed):
    return repeated(surveyed, 6)


def test_survey_scores_are_those_of_each_word(tiny, surveyed):
    for word, group in FOUR.groupby("word"):
        lines = tuple(f"{row.sense} | {row.sentence}" for row in group.itertuples())
        alone = layers_senses.separation(comparisons.compare_word(lines, tiny, word=word))["auc"]
        assert np.allclose(surveyed.scores.loc[surveyed.scores["word"] == word, "auc"], alone)


def test_the_first_words_alone(tiny, surveyed, monkeypatch):
    monkeypatch.setattr(survey.wordlists, "load", lambda name: FOUR)
    first = surveyed.scores["word"].iloc[0]
    alone = survey.survey(tiny, words=1)
    expected = surveyed.scores[surveyed.scores["word"] == first]
    assert alone.scores.equals(expected.reset_index(drop=True))
    assert survey.survey(tiny, words=4).geometry.equals(surveyed.geometry)


def test_survey_geometry_over_all_words(tiny, surveyed):
    words: dict[str, list[np.ndarray]] = {}
    for text in FOUR["sentence"]:
        tokens, states = tiny.tokenize(text), tiny.hidden_states(text)
        for position, token in zip(tokens["position"], tokens["token"], strict=True):
            if token.isalpha():
                words.setdefault(token, []).append(states[2, position])
    assert surveyed.words == len(words) and surveyed.occurrences == sum(map(len, words.values()))
    last = surveyed.geometry.iloc[2]
    often = np.mean([by_hand(v) for v in words.values() if len(v) >= 5])
    assert last["self_similarity"] == pytest.approx(often, abs=1e-4)
    cross = np.mean(
        [
            np.mean([1 - scipy_cosine(a, b) for a in one for b in other])
            for one, other in combinations(words.values(), 2)
        ]
    )
    assert last["anisotropy"] == pytest.approx(cross, abs=1e-4)
    assert last["adjusted"] == pytest.approx(often - cross, abs=1e-4)
    assert surveyed.similarity.shape == (3, 3) and np.allclose(np.diag(surveyed.similarity), 1)


def test_stability_is_a_bootstrap_over_words(many):
    frame = survey.stability(many)
    assert len(frame) == 7 * 5 + 1 and frame["combination"].iloc[-1] == overlap.CONTROL
    row = frame[(frame["combination"] == "layer 2") & (frame["pooling"] == "first token")].iloc[0]
    scores = many.scores.query("combination == 'layer 2' and pooling == 'first token'")["auc"].to_numpy()
    assert row["auc"] == pytest.approx(scores.mean())
    expected = bootstrap((scores,), np.mean, n_resamples=5_000, method="percentile", rng=0).confidence_interval
    assert (row["low"], row["high"]) == pytest.approx(tuple(expected), abs=0.03)
    assert row["wins"] == (scores > 0.5).sum()
    assert frame["best"].iloc[:-1].max() > 0 and frame["best"].iloc[:-1].sum() >= 1 - 1e-9
    assert frame.equals(survey.stability(many))
    assert survey.best(frame)["auc"] == frame["auc"].iloc[:-1].max()  # the control is not a layer combination
    # Equal combinations both count as best: each word here is a single token.
    pooled = frame.pivot(index="combination", columns="pooling", values="best")
    assert np.allclose(pooled["first token"], pooled["mean of tokens"], equal_nan=True)


def test_few_words_have_no_interval_and_some_have_students(surveyed):
    few, some = survey.stability(surveyed), survey.stability(repeated(surveyed, 2))
    assert few[["low", "high"]].isna().all(axis=None) and few["auc"].notna().all()
    row = some[(some["combination"] == "layer 2") & (some["pooling"] == "first token")].iloc[0]
    scores = surveyed.scores.query("combination == 'layer 2' and pooling == 'first token'")["auc"]
    values = np.tile(scores, 2)
    assert (row["low"], row["high"]) == pytest.approx(t.interval(0.95, 7, values.mean(), sem(values)))
    figure = charts.stability(survey.FiftyWords(surveyed, few, (0.9, np.nan, np.nan), 0.0)).figure
    assert all(" to " not in trace.hovertemplate for trace in figure.data)


def test_fifty_words_are_a_survey_with_its_stability(tiny, surveyed, monkeypatch):
    monkeypatch.setattr(survey.wordlists, "load", lambda name: FOUR)
    result = survey.fifty_words(tiny, words=4)
    assert result.by_word.equals(surveyed.scores) and result.scores.equals(survey.stability(surveyed))
    held_out = verdict.held_out_auc(surveyed.scores).mean()
    assert result.held_out == pytest.approx((held_out, np.nan, np.nan), nan_ok=True)
    assert result.headline == verdict.survey_finding(result.scores, result.held_out, 4) and result.seconds > 0
    assert result.count == 4
    best = result.best
    assert best.equals(survey.best(result.scores))
    own = surveyed.scores.query("combination == @best.combination and pooling == @best.pooling")
    assert result.hardest["auc"].tolist() == sorted(own["auc"])
    every = result.scores.iloc[:-1]
    assert len(result.equal) == int((every["auc"] >= best["auc"] - 1e-9).sum()) - 1
    with pytest.raises(ValueError, match="The number of words is 1. Choose at least 2."):
        survey.fifty_words(tiny, words=1)


# Charts


def test_combinations_are_drawn_with_their_intervals_chance_and_control(many):
    frame = survey.stability(many)
    result = survey.FiftyWords(many, frame, (0.9, 0.8, 1.0), 0.0)
    chart = charts.stability(result)
    figure = chart.figure
    assert chart.frame is frame and f"has {frame['auc'].iloc[-1]:.2f}." in chart.alt
    for trace, (pooling, group) in zip(figure.data, frame.iloc[:-1].groupby("pooling", sort=False), strict=True):
        assert trace.name == pooling
        np.testing.assert_allclose(trace.x, group["auc"], atol=1e-6)
    assert [line.x0 for line in figure.layout.shapes] == pytest.approx([0.5, frame.iloc[-1]["auc"]])


def test_geometry_is_drawn_layer_by_layer(surveyed):
    chart = charts.geometry(surveyed)
    for trace, column in zip(chart.figure.data, ("self_similarity", "anisotropy", "adjusted"), strict=True):
        np.testing.assert_allclose(trace.y, surveyed.geometry[column], atol=1e-6)
    first, last = surveyed.geometry["anisotropy"].iloc[[0, -1]]
    assert f"anisotropy from {decimal(first)} to {decimal(last)}" in chart.alt and chart.frame is surveyed.geometry


def test_the_heatmap_shows_the_similarity_of_the_layers(surveyed):
    values = surveyed.similarity
    chart = charts.layer_similarity(surveyed)
    np.testing.assert_allclose(chart.frame.drop(columns="layer"), values, atol=1e-4)
    assert chart.figure.data[0].hovertext[0][2] == f"layers 0 and 2: {values[0, 2]:.3f}"
    assert f"The first and the last layer have a similarity of {decimal(values[0, -1])}." in chart.alt
