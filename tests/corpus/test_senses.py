"""The map and the recovery of senses, compared with scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier

from embtools.charts.corpus import senses as charts
from embtools.corpus import senses
from embtools.corpus.senses import labelled_words, measure, recovery, recovery_of_all, word_map
from embtools.occurrences.corpus import Corpus
from embtools.recipes import recipe_names
from tests.drawn import HOSTILE, shows_no_markup


def banks_at(layer, word, corpus, model):
    vectors = []
    for sentence in corpus.having(word).sentences:
        place = model.tokenize(sentence)["token"].tolist().index(word)
        vectors.append(model.hidden_states(sentence)[layer][place])
    vectors = np.array(vectors, np.float64)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_the_map_agrees_with_scikit_learn(bundled, banks):
    found = word_map(banks, bundled, word="bank", recipe="layer 5")
    directions = banks_at(5, "bank", banks, bundled)
    reference = PCA(2).fit(directions)
    expected = reference.transform(directions)
    for axis in range(2):
        shown = found.points["xy"[axis]].to_numpy()
        assert abs(shown @ expected[:, axis]) == pytest.approx(expected[:, axis] @ expected[:, axis], abs=1e-4)
    assert found.kept == pytest.approx(reference.explained_variance_ratio_.sum(), abs=1e-5)
    assert found.count == 8 and found.points["rank"].tolist() == list(range(1, 9))
    near = word_map(banks, bundled, word="bank", recipe="layer 5", method="t-SNE")
    again = word_map(banks, bundled, word="bank", recipe="layer 5", method="t-SNE")
    assert near.kept is None and near.points.equals(again.points)


def test_a_map_of_many_occurrences_shows_a_random_sample(tiny, monkeypatch):
    monkeypatch.setattr(senses, "MAX_POINTS", 5)
    text = Corpus(tuple(f"{'a ' * n}king" for n in range(1, 13)))
    found = word_map(text, tiny, word="king", recipe="layer 1")
    assert found.count == 12 and len(found.points) == 5
    for row in found.points.itertuples():
        assert row.text == text.sentences[row.rank - 1]


@pytest.mark.parametrize("layer", [1, 4, 6])  # layer 0 has ties: occurrences differ only by position
def test_recovery_agrees_with_scikit_learn(bundled, banks, layer):
    frame = recovery(banks, bundled, word="bat").set_index("recipe")
    directions = banks_at(layer, "bat", banks, bundled)
    labels = np.repeat([0, 1], 4)
    right = 0
    for n in range(8):
        rest = np.arange(8) != n
        guess = (
            KNeighborsClassifier(1, metric="cosine").fit(directions[rest], labels[rest]).predict(directions[n : n + 1])
        )
        right += guess[0] == labels[n]
    clusters = KMeans(2, n_init=10, random_state=0).fit_predict(directions)
    assert frame.loc[f"layer {layer}", "neighbours"] == pytest.approx(right / 8)
    assert frame.loc[f"layer {layer}", "kmeans"] == pytest.approx(adjusted_rand_score(labels, clusters))
    assert list(frame.index) == list(recipe_names(bundled.layers))


def test_shuffled_labels_are_recovered_at_chance_level():
    random = np.random.default_rng(1)
    vectors = np.concatenate([random.normal(3, 1, (20, 5)), random.normal(-3, 1, (20, 5))])
    labels = np.repeat(["a", "b"], 20)
    found = measure(vectors, labels)
    assert found.neighbours == 1 and found.kmeans == 1
    assert found.neighbours_shuffled.mean() == pytest.approx(19 / 39, abs=0.01)
    assert found.kmeans_shuffled.mean() == pytest.approx(0, abs=0.01)
    mixed = measure(random.normal(size=(40, 5)), labels)
    assert mixed.neighbours < 0.8 and mixed.kmeans < 0.3
    same = measure(np.ones((4, 3)), np.array(["a", "a", "b", "b"]))  # identical vectors carry no information
    assert same.kmeans == pytest.approx(0)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=20))
def test_the_rand_index_agrees_with_scikit_learn(pairs):
    labels, clusters = np.array(pairs).T
    _, labels = np.unique(labels, return_inverse=True)
    _, clusters = np.unique(clusters, return_inverse=True)
    (found,) = senses._rand_index(labels[None], clusters)
    assert found == pytest.approx(adjusted_rand_score(labels, clusters))


def test_all_words_are_the_mean_of_each(bundled, banks):
    frame, count = recovery_of_all(banks, bundled)
    each = [recovery(banks, bundled, word=word) for word in ("bank", "bat", "rock", "spring")]
    assert count == 4 == len(labelled_words(banks))
    for column in ("neighbours", "kmeans", "neighbours_shuffled"):
        assert frame[column].tolist() == pytest.approx(
            np.mean([one[column] for one in each], axis=0).tolist(), abs=1e-6
        )
    assert (frame["neighbours_95"] > frame["neighbours_shuffled"]).all()


def test_errors_for_texts_without_enough_senses(tiny, small):
    with pytest.raises(
        ValueError, match="A test needs at least two senses of 'king' that are labelled at least twice each"
    ):
        recovery(small, tiny, word="king")
    with pytest.raises(ValueError, match="has two senses that are labelled at least twice each"):
        recovery_of_all(small, tiny)  # one river bank alone
    with pytest.raises(ValueError, match="No senses are labelled"):
        recovery_of_all(Corpus(("The king.",)), tiny)
    with pytest.raises(ValueError, match="a map needs three occurrences"):
        word_map(small, tiny, word="river", recipe="layer 1")
    with pytest.raises(ValueError, match="no projection 'UMAP'"):
        word_map(small, tiny, word="bank", recipe="layer 1", method="UMAP")
    reported = []
    frame, _ = recovery_of_all(Corpus(("a bank", "the bank", "red bank", "blue bank"), (("bank", "a"),) * 2 + (("bank", "b"),) * 2), tiny, progress=reported.append)  # fmt: skip
    assert reported == sorted(reported) and len(frame) == len(recipe_names(2))


def test_figures(bundled, banks):
    found = word_map(banks, bundled, word="bank", recipe="layer 5")
    figure = charts.word_map(found.points)
    assert [trace.name for trace in figure.data] == ["money", "river"]
    assert sorted(n for trace in figure.data for n in trace.customdata) == list(range(1, 9))
    assert charts.map_alt(found.points, "bank") == "Map of 8 occurrences of bank: 4 money, 4 river."
    assert shows_no_markup(charts.word_map(found.points.assign(text=HOSTILE, sense=HOSTILE)))
    frame = recovery(banks, bundled, word="bank")
    drawn = charts.recovery(frame, "layer 2")
    lines = [trace for trace in drawn.data if trace.mode == "lines+markers"]
    for line, column in zip(lines, ("neighbours", "kmeans"), strict=True):
        values = [v for v in line.y if not np.isnan(v)]
        assert values == pytest.approx(frame[column].tolist(), abs=1e-6)
    assert "; with shuffled labels " in charts.recovery_alt(frame)
