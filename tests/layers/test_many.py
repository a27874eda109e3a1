"""The survey of fifty words, and the similarity of layers on sentences of the visitor."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine
from scipy.stats import bootstrap, sem, t

from embtools import load_model
from embtools.charts import layers as charts
from embtools.charts import layers as similarity_charts
from embtools.layers import comparisons, survey, verdict
from embtools.layers import senses as layers_senses
from embtools.layers import similar_layers as layers
from embtools.layers.similar_layers import effort, layer_similarity
from embtools.statistics import geometry
from embtools.statistics.decimals import decimal
from embtools.words import overlap
from tests.conftest import make_tiny

# The survey on four words: the scores of each word, the geometry, and the bootstrap over words


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


def test_stability_is_a_bootstrap_over_words(many):
    frame = survey.stability(many)
    assert len(frame) == 7 * 5 + 1 and frame["combination"].iloc[-1] == overlap.CONTROL
    row = frame[(frame["combination"] == "layer 2") & (frame["pooling"] == "first token")].iloc[0]
    scores = many.scores.query("combination == 'layer 2' and pooling == 'first token'")["auc"].to_numpy()
    assert row["auc"] == pytest.approx(scores.mean())
    expected = bootstrap((scores,), np.mean, n_resamples=5_000, method="percentile", rng=0).confidence_interval
    assert (row["low"], row["high"]) == pytest.approx(tuple(expected), abs=0.03)
    wins = (many.scores.set_index(["combination", "pooling"])["auc"] > 0.5).groupby(level=[0, 1]).sum()
    assert frame.iloc[:-1].set_index(["combination", "pooling"])["wins"].to_dict() == wins.to_dict()
    assert frame["best"].iloc[:-1].max() > 0 and frame["best"].iloc[:-1].sum() >= 1 - 1e-9
    assert frame.equals(survey.stability(many))
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
    assert best["auc"] == result.scores["auc"].iloc[:-1].max()  # the control is not a layer combination
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


# The similarity of layers on sentences of the visitor: the vectors, the measure, the control and two models

SENTENCES = (
    "The king works as a man in rome.",
    "She is the queen of italy, unable - and red!",
    "A green river works in the capital of france?",
    "He is a blue bank of paris",
    "the man and the woman is a queen of the river in france",
    "a red bank works as the capital of italy",
)


@pytest.fixture(scope="module")
def result(tiny):
    return layer_similarity(SENTENCES, tiny)


def hsic(k: np.ndarray, m: np.ndarray) -> float:
    """The unbiased HSIC of two Gram matrices: Song et al. 2012, equation 5."""
    n = len(k)
    k, m = (gram - np.diag(np.diag(gram)) for gram in (k, m))
    one = np.ones(n)
    parts = (
        np.trace(k @ m) + (one @ k @ one) * (one @ m @ one) / ((n - 1) * (n - 2)) - 2 / (n - 2) * (one @ k @ m @ one)
    )
    return float(parts / (n * (n - 3)))


def by_formula(x: np.ndarray, y: np.ndarray) -> float:
    k, m = x.astype(np.float64) @ x.T, y.astype(np.float64) @ y.T
    return hsic(k, m) / np.sqrt(hsic(k, k) * hsic(m, m))


def test_every_word_has_the_mean_of_its_tokens(tiny, result):
    states = dict(tiny.hidden_states_many(SENTENCES))
    assert len(result.keys) == len(set(result.keys)) >= 20 and result.sentences == 6
    at = result.keys.index("2.8 unable")
    frame = tiny.tokenize(SENTENCES[1])
    tokens = frame.index[frame["token"].isin(["un", "##able"])]
    assert len(tokens) == 2
    np.testing.assert_allclose(result.vectors[:, at], states[1][:, tokens].mean(1), rtol=1e-6)
    assert not [key for key in result.keys if not key.split()[1].isalnum()]


def test_the_heatmap_shows_the_similarity_of_the_layers(result):
    values, chart = result.similarity, similarity_charts.layer_similarity(result)
    np.testing.assert_allclose(chart.frame.drop(columns="layer"), values, atol=1e-4)
    assert chart.figure.data[0].hovertext[0][2] == f"layers 0 and 2: {values[0, 2]:.3f}"
    assert chart.alt.endswith(result.headline)


def test_similarity_is_the_formula_on_these_vectors(result):
    for a, x in enumerate(result.vectors):
        for b, y in enumerate(result.vectors):
            assert result.similarity[a, b] == pytest.approx(by_formula(x, y), abs=2e-4)
    assert np.diag(result.similarity) == pytest.approx(1)


def test_neighbours_that_are_almost_the_same_are_not_distinguished(result):
    rows = np.ones((3, 3)) - 0.3
    rows[0, 1], rows[1, 2] = 0.996, 0.94
    assert (
        "; of all pairs of neighbouring layers, layers 1 and 2 differ most (0.94)."
        in replace(result, similarity=rows).headline
    )
    rows[1, 2] = 0.997
    assert replace(result, similarity=rows).headline == (
        "The first and the last layer have a CKA of 0.70; neighbouring layers hardly differ: the CKA of any two of them"
        " rounds to 1.00."
    )


def test_the_most_similar_layers_are_above_layer_0():
    found = layers.Between(np.array([[0.9, 0.8, 0.1], [0.8, 0.2, 0.3], [0.1, 0.4, 0.35]]), 0.0, 20)
    assert found.most_similar == (2, 1)


def test_shuffled_words_are_unrelated(bundled):
    found = layer_similarity((), bundled)
    assert len(found.keys) == layers.MOST_WORDS and found.sentences == layers.BUILT_IN
    assert 0 < found.shuffled < 0.05 < found.similarity.min()
    last, random = found.vectors[-1:], np.random.default_rng(0)
    orders = [random.permutation(len(found.keys)) for _ in range(layers.SHUFFLES)]
    assert found.shuffled == pytest.approx(
        np.mean([abs(geometry.cka(last, last[:, order]).item()) for order in orders])
    )


def test_two_models_are_compared_on_the_words_that_both_have(result, tmp_path):
    other = layer_similarity(SENTENCES, load_model(str(make_tiny(tmp_path, seed=3, cased=True))))
    found = layers.between(result, other)
    common = set(result.keys) & set(other.keys)
    assert found.words == len(common) > 20
    rows = sorted(common)
    x = result.vectors[1, [result.keys.index(key) for key in rows]]
    y = other.vectors[2, [other.keys.index(key) for key in rows]]
    assert found.similarity.shape == (3, 3)
    assert found.similarity[1, 2] == pytest.approx(by_formula(x, y), abs=2e-4)
    sentence = layers.two_similarities(result, other, ("A", "B"))
    inner = found.similarity[1:, 1:]
    row, column = np.argwhere(inner == inner.max())[0] + 1
    assert f"Of the layers above layer 0, layer {row} of A and layer {column} of B are the most similar" in sentence
    assert f"most similar ({inner.max():.2f}; shuffled" in sentence
    chart = similarity_charts.similarity_of_both(result, other, ("A", "B"))
    assert f"above layer 0, layers {row} and {column} are the most similar ({inner.max():.2f})." in chart.alt
    assert chart.figure.layout.xaxis.title.text == "layer of B" and chart.figure.layout.yaxis.title.text == "layer of A"
    np.testing.assert_allclose(chart.frame.drop(columns="layer"), found.similarity, atol=1e-4)


def test_cka_of_two_models_does_not_depend_on_rotation_and_scale():
    random = np.random.default_rng(0)
    x = random.normal(size=(1, 50, 8)).astype(np.float32)
    turned, _ = np.linalg.qr(random.normal(size=(12, 12)))
    wide = np.concatenate([x, np.zeros((1, 50, 4), np.float32)], axis=2) @ turned.astype(np.float32) * 3
    assert geometry.cka(x, wide)[0, 0] == pytest.approx(1, abs=1e-4)
    with pytest.raises(ValueError, match="There are 50 first and 40 second"):
        geometry.cka(x, wide[:, :40])


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        (("the king",), "There are 2 words, but at least 20"),
        (("king",), "There is 1 word, but at least 20"),
        (("the king is a man .",) * 201, "There are 201 sentences; at most 200"),
        (("the king " * 200, "the king"), "Sentence 1"),
        (("the king is a man of rome " * 5,) * 200, "tokens; at most 6,000"),
    ],
)
def test_the_limits_are_stated(tiny, sentences, message):
    with pytest.raises(ValueError, match=message):
        layer_similarity(sentences, tiny)


def test_the_effort_grows_with_the_sentences_and_the_model(tiny, bundled):
    assert 0 < effort(SENTENCES, tiny) < effort(SENTENCES * 3, tiny)
    assert effort((), tiny) < effort((), bundled) < 4  # the bundled model needs no button
    assert effort(SENTENCES * 3, bundled) == pytest.approx(3 * effort(SENTENCES, bundled))


def test_models_without_common_words_cannot_be_compared(result, tiny):
    other = layer_similarity(SENTENCES[::-1], tiny)
    with pytest.raises(ValueError, match="in common"):
        layers.between(result, other)
