"""The similarity of layers on sentences of the visitor: the vectors, the measure, the control and two models."""

from dataclasses import replace

import numpy as np
import pytest

from embtools import load_model
from embtools.charts import layers as charts
from embtools.layers import similar_layers as layers
from embtools.layers.similar_layers import effort, layer_similarity
from embtools.statistics import geometry
from tests.conftest import make_tiny
from tests.visit import Visit

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


def test_a_model_compared_with_itself_has_its_own_similarity(result):
    found = layers.between(result, result)
    np.testing.assert_allclose(found.similarity, result.similarity, atol=1e-5)
    assert found.words == len(result.keys)


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
    chart = charts.similarity_of_both(result, other, ("A", "B"))
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
    with pytest.raises(ValueError, match="201 sentences"):
        effort(("the king",) * 201, tiny)


def test_long_work_waits_for_its_button(bundled, cold, monkeypatch):
    monkeypatch.setattr(layers, "_PACE", 1e7)
    page = Visit("layers", layers_tab="similarity", layers_similarity_text="The cat sat on the mat.\n" * 6)
    assert not page.charts and page.says("seconds on this server.") and not page.problems
    page.press("Compare the layers")
    assert page.charts and page.says(layer_similarity(("The cat sat on the mat.",) * 6, bundled).headline)


def test_models_without_common_words_cannot_be_compared(result, tiny):
    other = layer_similarity(SENTENCES[::-1], tiny)
    with pytest.raises(ValueError, match="in common"):
        layers.between(result, other)


def test_the_page_shows_own_sentences(bundled):
    page = Visit("layers", layers_tab="similarity", layers_similarity_text="The cat sat on the mat.\n" * 6)
    found = layer_similarity(("The cat sat on the mat.",) * 6, bundled)
    assert page.says(found.headline)
    short = Visit("layers", layers_tab="similarity", layers_similarity_text="Too short.")
    assert any("at least 20" in problem for problem in short.problems)
    assert short.charts  # the first answer stays
    page.links_to_itself()
