"""Maps and senses of a word's occurrences, compared with scikit-learn, in a text and in a folder."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier

from embtools.charts import corpus as charts
from embtools.corpus import occurrence_map as numbers
from embtools.corpus import senses
from embtools.corpus.occurrence_map import CLOUDS, occurrence, word_map
from embtools.corpus.senses import Recovery, labelled_words, measure, recovery, recovery_of_all
from embtools.layer_combinations import combination_names
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.files import Block
from embtools.occurrences.folder.opened import WordRows
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import AS_IS, TOP, Space
from embtools.statistics.partitions import silhouette
from embtools.vectors import unit
from tests.corpus.conftest import directions_at


def test_the_map_agrees_with_scikit_learn(bundled, banks):
    found = word_map(banks, bundled, word="bank", combination="layer 5")
    directions = directions_at(5, "bank", banks, bundled)
    reference = PCA(2).fit(directions)
    expected = reference.transform(directions)
    for axis in range(2):
        shown = found.points["xy"[axis]].to_numpy()
        assert abs(shown @ expected[:, axis]) == pytest.approx(expected[:, axis] @ expected[:, axis], abs=1e-4)
    assert found.kept == pytest.approx(reference.explained_variance_ratio_.sum(), abs=1e-5)
    assert found.count == 8 and found.points["rank"].tolist() == list(range(1, 9))
    near = word_map(banks, bundled, word="bank", combination="layer 5", method="t-SNE")
    again = word_map(banks, bundled, word="bank", combination="layer 5", method="t-SNE")
    assert near.kept is None and near.points.equals(again.points)


def test_a_map_of_many_occurrences_shows_a_random_sample(tiny, monkeypatch):
    monkeypatch.setattr(numbers, "MAX_POINTS", 5)
    text = Corpus(tuple(f"{'a ' * n}king" for n in range(1, 13)))
    found = word_map(text, tiny, word="king", combination="layer 1")
    assert found.count == 12 and len(found.points) == 5
    for row in found.points.itertuples():
        assert row.text == text.sentences[row.rank - 1]


@pytest.mark.parametrize("space", [AS_IS, Space(TOP, 2)], ids=lambda s: s.kind)
def test_clusters_are_those_of_k_means_and_examples_are_near_their_centres(folder, bundled, space):
    result = word_map(folder, bundled, word="bank", groups=3, space=space)
    found, count = result.clusters, result.count
    directions = unit(folder.in_space(space).occurrences("bank").vectors.astype(float))
    labels = result.points["sense"].to_numpy()
    assert count == len(result.points) == len(directions)
    assert found.table["occurrences"].tolist() == sorted(found.table["occurrences"], reverse=True)
    assert found.table["occurrences"].sum() == count and found.table["share"].sum() == pytest.approx(1)
    numbered = np.unique(labels, return_inverse=True)[1]
    assert found.silhouette == pytest.approx(silhouette(directions, numbered, "cosine"))
    for name, own in found.examples.groupby("sense"):
        members = np.flatnonzero(labels == name)
        near = directions[members] @ unit(directions[members].mean(0))  # the final centre of k-means
        best = members[np.argsort(-near, kind="stable")[: len(own)]]
        assert own["number"].tolist() == (best + 1).tolist()
        assert own["cosine"].to_numpy() == pytest.approx(np.sort(near)[::-1][: len(own)], abs=1e-6)
    for row in found.examples.to_dict("records"):
        assert row["text"][row["start"] : row["end"]].lower() == "bank"
        own = occurrence(folder, bundled, word="bank", number=row["number"])
        assert own["text"].tolist() == [row["text"]] and own["start"].tolist() == [row["start"]]
    assert 0 < result.kept < 1 and len(charts.word_map(result).figure.data) == 3


def test_a_frequent_word_is_read_in_pages_and_drawn_from(folder, bundled, monkeypatch):
    whole = word_map(folder, bundled, word="the", groups=2)
    monkeypatch.setattr(reading, "AT_ONCE", 7)
    monkeypatch.setattr(numbers, "MAX_POINTS", 20)
    found = word_map(folder, bundled, word="the", groups=2, method="t-SNE")
    assert len(found.points) == 20 < found.count == whole.count and found.kept is None
    assert found.points["rank"].is_monotonic_increasing and found.points["rank"].max() <= found.count
    row = found.clusters.examples.iloc[0]
    assert occurrence(folder, bundled, word="the", number=row["number"])["text"][0] == row["text"]


def test_the_headline_says_whether_the_clusters_are_real(folder, bundled):
    rng = np.random.default_rng(0)
    cloud = rng.normal(size=(60, 384)) + 1
    separate = np.concatenate([cloud[:30], cloud[30:] + 3 * rng.normal(size=384)])

    def clusters_of(vectors):
        with pytest.MonkeyPatch.context() as patch:
            occ = np.repeat(folder.occurrences("bank").table["occ"].to_numpy()[:1], 60)
            block = Block(0, occ, np.linalg.norm(vectors, axis=1), vectors)
            patch.setattr(WordRows, "blocks", lambda *_: iter([block]))
            patch.setattr(CorpusFolder, "count", lambda *_: 60)
            return word_map(folder, bundled, word="bank", groups=2)

    none, two = clusters_of(cloud), clusters_of(separate)
    assert "so nothing shows that the clusters are real." in none.headline and len(none.clusters.cloud) == CLOUDS
    assert two.headline.startswith(
        "k-means divides the occurrences of bank into 2 clusters of 30 and 30, with a silhouette of"
    )
    assert "Random points without clusters reach at most" in two.headline


@pytest.mark.parametrize(
    ("word", "groups", "message"),
    [
        ("xylophone", 2, "occurs 0 times in this folder; 2 clusters need at least 4 occurrences"),
        ("bank", 9, "9 clusters were asked for; choose 2 to 8"),
        ("the bank", 2, "more than one word"),
    ],
)
def test_errors_for_words_and_numbers_of_clusters(folder, bundled, word, groups, message):
    with pytest.raises(ValueError, match=message):
        word_map(folder, bundled, word=word, groups=groups)


def test_the_map_of_a_store_needs_few_requests(store, bundled):
    uri, requests = store
    there = CorpusFolder.open(uri)
    requests()
    found = word_map(there, bundled, word="bank", groups=2)
    read = requests()
    assert any("GET" in request for request in read) and len(read) <= 4 + len(found.clusters.examples), read


def test_a_text_and_a_folder_of_the_same_sentences_have_the_same_map(folder, bundled, banks):
    for space in (AS_IS, Space(TOP, 2)):
        text, there = (word_map(corpus, bundled, word="bank", groups=2, space=space) for corpus in (banks, folder))
        assert text.count == there.count and text.kept == pytest.approx(there.kept, abs=1e-3)
        assert text.points["sense"].tolist() == there.points["sense"].tolist()
        assert text.clusters.silhouette == pytest.approx(there.clusters.silhouette, abs=1e-3)
        assert text.clusters.examples["text"].tolist() == there.clusters.examples["text"].tolist()
    plain = word_map(folder, bundled, word="bank")
    assert plain.clusters is None and set(plain.points["sense"]) == {""} and not plain.has_senses
    own = occurrence(banks, bundled, word="bank", number=3)
    assert own["text"].tolist() == occurrence(folder, bundled, word="bank", number=3)["text"].tolist()
    with pytest.raises(ValueError, match="Choose occurrence 1 to"):
        occurrence(banks, bundled, word="bank", number=99)


def test_the_headline_counts_the_labelled_senses(banks, bundled, monkeypatch):
    found = word_map(banks, bundled, word="bank")
    assert found.headline == "bank occurs 8 times in this text. Its labelled senses: money (4), river (4)."
    assert found.has_senses and found.senses == (("money", 4), ("river", 4))
    plain = word_map(Corpus(banks.sentences), bundled, word="bank")
    assert plain.headline == "bank occurs 8 times in this text. Its senses are not labelled." and not plain.has_senses
    monkeypatch.setattr(numbers, "MAX_POINTS", 3)  # the senses of all occurrences are counted
    assert word_map(banks, bundled, word="bank").senses == found.senses


def test_errors_for_words_that_are_too_rare_for_a_map(small, tiny, banks, bundled):
    with pytest.raises(ValueError, match="a map needs three occurrences"):
        word_map(small, tiny, word="river", combination="layer 1")
    with pytest.raises(ValueError, match="'xylophone' does not occur in the text"):
        word_map(banks, bundled, word="xylophone")
    with pytest.raises(ValueError, match="no projection 'UMAP'"):
        word_map(small, tiny, word="bank", combination="layer 1", method="UMAP")


def test_the_figure_has_the_number_of_each_occurrence(bundled, banks):
    found = word_map(banks, bundled, word="bank", combination="layer 5")
    drawn = charts.word_map(found)
    assert [trace.name for trace in drawn.figure.data] == ["money", "river"]
    assert sorted(n for trace in drawn.figure.data for n, _ in trace.customdata) == list(range(1, 9))
    assert drawn.alt == "Map of 8 occurrences of bank: 4 money, 4 river." and drawn.frame is found.points


@pytest.mark.parametrize("layer", [1, 4, 6])  # layer 0 has ties: occurrences differ only by position
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
    monkeypatch.setattr("embtools.corpus.senses.MAX_LABELLED", 4)
    text = Corpus(
        ("a bank", "the bank", "red bank", "blue bank", "green bank"), (("bank", "a"),) * 2 + (("bank", "b"),) * 3
    )
    assert "of the first 4 of 5 labelled occurrences of bank" in recovery(text, tiny, word="bank").headline
    every = recovery_of_all(text, tiny)
    assert every.is_cut and "first" not in every.headline
