"""The recovery of senses, compared with scikit-learn, and its headline, word by word."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier

from embtools.charts import corpus as charts
from embtools.corpus import senses
from embtools.corpus.senses import Recovery, labelled_words, measure, recovery, recovery_of_all
from embtools.layer_combinations import combination_names
from embtools.occurrences.corpus import Corpus
from tests.corpus.conftest import directions_at


@pytest.mark.parametrize("layer", [1, 4, 6])  # layer 0 has ties: occurrences differ only by position
def test_recovery_agrees_with_scikit_learn(bundled, banks, layer):
    frame = recovery(banks, bundled, word="bat").frame.set_index("combination")
    directions = directions_at(layer, "bat", banks, bundled)
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
    assert list(frame.index) == list(combination_names(bundled.layers))


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


@pytest.mark.slow
def test_all_words_are_the_mean_of_each(bundled, banks):
    found = recovery_of_all(banks, bundled)
    frame = found.frame
    each = [recovery(banks, bundled, word=word).frame for word in ("bank", "bat", "rock", "spring")]
    assert found.words == 4 == len(labelled_words(banks)) and "of the labelled occurrences of 4 words" in found.headline
    for column in ("neighbours", "kmeans", "neighbours_shuffled"):
        assert frame[column].tolist() == pytest.approx(
            np.mean([one[column] for one in each], axis=0).tolist(), abs=1e-6
        )
    assert (frame["neighbours_shuffled_95"] > frame["neighbours_shuffled"]).all()


def test_errors_for_texts_without_enough_senses(tiny, small):
    with pytest.raises(
        ValueError, match="A test needs at least two senses of 'king' that are labelled at least twice each"
    ):
        recovery(small, tiny, word="king")
    with pytest.raises(ValueError, match="has two senses that are labelled at least twice each"):
        recovery_of_all(small, tiny)  # one river bank alone
    with pytest.raises(ValueError, match="No senses are labelled"):
        recovery_of_all(Corpus(("The king.",)), tiny)
    with pytest.raises(ValueError, match="layer 99"):
        recovery(small, tiny, word="bank", combination="layer 99")
    reported = []
    found = recovery_of_all(Corpus(("a bank", "the bank", "red bank", "blue bank"), (("bank", "a"),) * 2 + (("bank", "b"),) * 2), tiny, progress=reported.append)  # fmt: skip
    assert reported == sorted(reported) and len(found.frame) == len(combination_names(2))


def test_the_figure_shows_both_measures(bundled, banks):
    found = recovery(banks, bundled, word="bank", combination="layer 2")
    drawn = charts.recovery(found)
    lines = [trace for trace in drawn.figure.data if trace.mode == "lines+markers"]
    for line, column in zip(lines, ("neighbours", "kmeans"), strict=True):
        values = [v for v in line.y if not np.isnan(v)]
        assert values == pytest.approx(found.frame[column].tolist(), abs=1e-6)
    assert "; with shuffled labels " in drawn.alt and drawn.frame is found.frame


RECOVERED = pd.DataFrame(
    [
        {"combination": "layer 0", "neighbours": 0.5, "neighbours_shuffled": 0.42, "neighbours_shuffled_95": 0.74},
        {"combination": "layer 6", "neighbours": 0.9, "neighbours_shuffled": 0.43, "neighbours_shuffled_95": 0.75},
        {
            "combination": "sum of last four",
            "neighbours": 0.7,
            "neighbours_shuffled": 0.44,
            "neighbours_shuffled_95": 0.76,
        },
    ]
)


@pytest.mark.parametrize(
    ("combination", "expected"),
    [
        (
            "layer 6",
            "In layer 6, 90% of the labelled occurrences of bank have a nearest neighbour with the same sense. In layer"
            " 0, before any context, the share is 50%. With shuffled labels, the share in this combination is 43% on average.",
        ),
        (
            "sum of last four",
            "With the layer combination “sum of last four”, 70% of the labelled occurrences of bank have a nearest"
            " neighbour with the same sense. In layer 0, before any context, the share is 50%. Shuffled labels often"
            " reach as much (76% or more in 1 of 20 shuffles), so this can be chance.",
        ),
        (
            "layer 0",
            "In layer 0, 50% of the labelled occurrences of bank have a nearest neighbour with the same sense."
            " Shuffled labels often reach as much (74% or more in 1 of 20 shuffles), so this can be chance.",
        ),
    ],
)
def test_recovery_is_reported_for_the_chosen_layers_and_compared_with_chance(combination, expected):
    assert Recovery(RECOVERED, "bank", 1, combination).headline == expected


def test_a_word_with_more_occurrences_than_are_compared_says_so(tiny, monkeypatch):
    monkeypatch.setattr("embtools.corpus.senses.MAX_LABELLED", 4)
    text = Corpus(
        ("a bank", "the bank", "red bank", "blue bank", "green bank"), (("bank", "a"),) * 2 + (("bank", "b"),) * 3
    )
    assert "of the first 4 of 5 labelled occurrences of bank" in recovery(text, tiny, word="bank").headline
    every = recovery_of_all(text, tiny)
    assert every.is_cut and "first" not in every.headline
