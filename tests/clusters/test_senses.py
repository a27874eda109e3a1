"""Occurrences of a word as vectors, and how well they recover its senses, compared with scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier

from embtools.charts import clusters as charts
from embtools.clusters import occurrences as numbers
from embtools.clusters import senses
from embtools.clusters.kmeans import find_clusters
from embtools.clusters.maps import word_map
from embtools.clusters.occurrences import occurrence, word_occurrences
from embtools.clusters.points import Words
from embtools.clusters.senses import Recovery, measure, recovery, recovery_of_all
from embtools.clusters.view import View
from embtools.layer_combinations import combination_names
from embtools.models.vectors_as_model import CONTEXT
from embtools.occurrences.corpus import Corpus, built_in_corpus, labelled_words
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import AS_IS, TOP, Space
from embtools.statistics.partitions import silhouette
from embtools.vectors import unit
from tests.corpus.conftest import SENSES, SENTENCES, directions_at
from tests.store import encoded

PLACED = {"words": Words(None), "view": View("PCA", normalise=True)}


@pytest.fixture(scope="module")
def small():
    """Eight sentences that the tiny model can read."""
    return Corpus(SENTENCES, SENSES)


@pytest.fixture(scope="module")
def banks():
    """The built-in sentences of four words with senses."""
    text = built_in_corpus()
    return text.part([n for n, (word, _) in enumerate(text.senses) if word in ("bank", "bat", "rock", "spring")])


@pytest.fixture(scope="module")
def stored(banks, bundled, tmp_path_factory):
    """The same sentences as a corpus folder."""
    return CorpusFolder.open(str(encoded(banks.sentences, tmp_path_factory.mktemp("folders") / "banks", bundled)))


def test_the_map_of_occurrences_agrees_with_scikit_learn(bundled, banks):
    found = word_occurrences(bundled, corpus=banks, word="bank", combination="layer 5")
    drawn = word_map(PLACED["words"], found, view=PLACED["view"])
    directions = directions_at(5, "bank", banks, bundled)
    reference = PCA(2).fit(directions)
    expected = reference.transform(directions)
    for axis in range(2):
        shown = drawn.points["xy"[axis]].to_numpy()
        assert abs(shown @ expected[:, axis]) == pytest.approx(expected[:, axis] @ expected[:, axis], abs=1e-4)
    assert drawn.points["word"].tolist() == [f"bank {n}" for n in range(1, 9)]
    assert drawn.points["group"].tolist() == ["money"] * 4 + ["river"] * 4
    assert drawn.points[CONTEXT].tolist() == list(banks.having("bank").sentences)


def test_a_map_of_many_occurrences_shows_a_random_sample(tiny, monkeypatch):
    monkeypatch.setattr(numbers, "MAX_POINTS", 5)
    text = Corpus(tuple(f"{'a ' * n}king" for n in range(1, 13)))
    found = word_occurrences(tiny, corpus=text, word="king", combination="layer 1")
    assert len(found) == 5 and found.notes == ("king occurs 12 times in the text. Its senses are not labelled.",)
    for name, sentence in zip(found.names, dict(found.labels)[CONTEXT], strict=True):
        assert sentence == text.sentences[int(name.split()[1]) - 1]


@pytest.mark.parametrize("space", [AS_IS, Space(TOP, 2)], ids=lambda s: s.kind)
def test_a_folder_has_the_same_vectors_in_every_space_and_is_divided_into_clusters(stored, banks, bundled, space):
    text, there = (word_occurrences(bundled, corpus=c, word="bank", space=space) for c in (banks, stored))
    assert text.names == there.names and not there.labels
    np.testing.assert_allclose(unit(text.matrix), unit(there.matrix), atol=2e-3)
    found = find_clusters(PLACED["words"], there, k=3, view=PLACED["view"])
    directions = unit(stored.in_space(space).occurrences("bank").vectors.astype(float))
    labels = np.unique(found.names, return_inverse=True)[1]
    assert found.silhouette == pytest.approx(silhouette(directions, labels, "cosine"), abs=1e-5)
    assert found.table["count"].sum() == len(directions) == 8
    own = occurrence(banks, bundled, word="bank", number=3)
    assert own["text"].tolist() == occurrence(stored, bundled, word="bank", number=3)["text"].tolist()
    with pytest.raises(ValueError, match="Choose occurrence 1 to"):
        occurrence(banks, bundled, word="bank", number=99)


def test_the_notes_count_the_labelled_senses_of_all_occurrences(banks, bundled, monkeypatch):
    note = "bank occurs 8 times in the text. Its labelled senses: money (4), river (4)."
    assert word_occurrences(bundled, corpus=banks, word="bank").notes == (note,)
    monkeypatch.setattr(numbers, "MAX_POINTS", 3)
    assert word_occurrences(bundled, corpus=banks, word="bank").notes == (note,)


def test_errors_for_words_that_are_too_rare_for_a_map(small, tiny, banks, bundled, stored):
    with pytest.raises(ValueError, match="three occurrences are needed"):
        word_occurrences(tiny, corpus=small, word="river", combination="layer 1")
    with pytest.raises(ValueError, match="'xylophone' does not occur in the text"):
        word_occurrences(bundled, corpus=banks, word="xylophone")
    with pytest.raises(ValueError, match="'xylophone' does not occur in this folder"):
        word_occurrences(bundled, corpus=stored, word="xylophone")
    with pytest.raises(ValueError, match="more than one word"):
        word_occurrences(bundled, corpus=banks, word="the bank")


@pytest.mark.parametrize("layer", [1, 6])  # layer 0 has ties: occurrences differ only by position
def test_recovery_agrees_with_scikit_learn(bundled, banks, layer):
    frame = recovery(banks, bundled, word="bat").frame.set_index("combination")
    directions = directions_at(layer, "bat", banks, bundled)
    labels = np.repeat([0, 1], 4)
    right = 0
    for n in range(8):
        rest = np.arange(8) != n
        near = KNeighborsClassifier(1, metric="cosine").fit(directions[rest], labels[rest])
        right += near.predict(directions[n : n + 1])[0] == labels[n]
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
        np.testing.assert_allclose(frame[column], np.mean([one[column] for one in each], axis=0), atol=1e-6)
    assert (frame["neighbours_shuffled_95"] > frame["neighbours_shuffled"]).all()


def test_errors_for_texts_without_enough_senses(tiny, small):
    message = "A test needs at least two senses of 'king' that are labelled at least twice each"
    with pytest.raises(ValueError, match=message):
        recovery(small, tiny, word="king")
    with pytest.raises(ValueError, match="has two senses that are labelled at least twice each"):
        recovery_of_all(small, tiny)  # one river bank alone
    with pytest.raises(ValueError, match="No senses are labelled"):
        recovery_of_all(Corpus(("The king.",)), tiny)


def test_the_figure_shows_both_measures(bundled, banks):
    found = recovery(banks, bundled, word="bank", combination="layer 2")
    drawn = charts.recovery(found)
    lines = [trace for trace in drawn.figure.data if trace.mode == "lines+markers"]
    for line, column in zip(lines, ("neighbours", "kmeans"), strict=True):
        values = [v for v in line.y if not np.isnan(v)]
        assert values == pytest.approx(found.frame[column].tolist(), abs=1e-6)
    assert "; with shuffled labels " in drawn.alt and drawn.frame is found.frame


RECOVERED = pd.DataFrame(
    {
        "combination": ["layer 0", "layer 6", "sum of last four"],
        "neighbours": [0.5, 0.9, 0.7],
        "neighbours_shuffled": [0.42, 0.43, 0.44],
        "neighbours_shuffled_95": [0.74, 0.75, 0.76],
    }
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
    monkeypatch.setattr("embtools.clusters.senses.MAX_LABELLED", 4)
    texts = tuple(f"{word} bank" for word in ("a", "the", "he", "she", "red", "blue", "green", "king"))
    text = Corpus(texts, (("bank", "a"),) * 4 + (("bank", "b"),) * 4)  # in the order of the senses, as in many tables
    found, every = recovery(text, tiny, word="bank"), recovery_of_all(text, tiny)
    assert "of a random sample of 4 of the 8 labelled occurrences of bank" in found.headline
    assert (found.frame["neighbours_shuffled"] < 1).all() and found.frame.equals(every.frame)
    assert every.is_cut and "sample" not in every.headline
