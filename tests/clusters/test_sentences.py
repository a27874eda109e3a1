"""Clusters of sentences, compared with scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score, silhouette_score

from embtools.charts import clusters as charts
from embtools.clusters import sentences as clusters
from embtools.layer_combinations import sentence_vectors
from embtools.models.vectors_as_model import CONTEXT
from embtools.ui.clusters.sentences import UNRELATED
from embtools.ui.corpora.text_vectors import FOUR_TOPICS
from embtools.vectors import unit

CELL = {"combination": "second-to-last layer", "pooling": "sentence: mean"}
LINES = FOUR_TOPICS.splitlines()
FEW = ("the king of rome", "a queen of paris", "the green river", "a blue river bank", "he works", "she works")


@pytest.fixture(scope="module")
def found(bundled):
    return clusters.cluster_sentences(LINES, bundled, **CELL)


def test_four_topics_form_four_clusters(found):
    assert (found.count, found.by_silhouette, found.agreement) == (4, True, 1.0)
    assert found.silhouette > max(found.shuffled, found.cloud) and found.words_alone < 0.5
    assert found.headline == (
        "k-means divides 24 sentences (weather, food, football, money) into 4 clusters with a silhouette of 0.38, which"
        f" is more than expected by chance. Over all the numbers of clusters tried, shuffled words reach at most {found.shuffled:.2f},"
        f" and clouds of points without clusters at most {found.cloud:.2f}"
        " (p ≤ 0.048, the smallest possible with 20 shuffles and clouds)."
    )
    assert found.table["share"].tolist() == [1] * 4 and found.table["sentences"].tolist() == [6] * 4


def test_the_numbers_equal_those_of_scikit_learn(found, bundled):
    sentences = [line.split(" | ")[1] for line in LINES]
    vectors = unit(sentence_vectors(sentences, bundled, **CELL))
    labels = found.sentences["cluster"].to_numpy()
    assert found.silhouette == pytest.approx(silhouette_score(vectors, labels, metric="cosine"), abs=1e-6)
    assert found.agreement == adjusted_rand_score([line.split(" | ")[0] for line in LINES], labels)
    pca = PCA(2).fit(vectors)
    assert found.explained == pytest.approx(pca.explained_variance_ratio_.sum())
    assert np.abs(pca.transform(vectors)) == pytest.approx(np.abs(found.sentences[["x", "y"]].to_numpy()), abs=1e-6)
    for cluster, rows in found.sentences.groupby("cluster"):
        centre = vectors[labels == cluster].mean(0)
        nearest = np.linalg.norm(vectors[labels == cluster] - centre, axis=1).argmin()
        assert rows["sentence"].iloc[nearest] == rows.loc[rows["rank_in_cluster"] == 1, "sentence"].item()


@pytest.mark.slow
def test_unrelated_sentences_are_no_finding(bundled):
    result = clusters.cluster_sentences(UNRELATED.splitlines(), bundled, **CELL)
    assert max(result.p_shuffled, result.p_cloud) >= 0.05
    assert result.headline.startswith("k-means divides 12 sentences into 2 clusters with")
    assert "more than expected by chance" not in result.headline


@pytest.mark.slow
def test_controls_use_the_number_of_clusters_that_suits_them_best(bundled, monkeypatch):
    """p against the silhouettes of scikit-learn for the same clouds, searched over the same numbers of clusters."""
    from itertools import islice

    from sklearn.cluster import KMeans

    from embtools.statistics import partitions

    made = []
    clouds = partitions.clouds

    def recorded(vectors, rng):
        for cloud in islice(clouds(vectors, rng), clusters.CLOUDS):
            made.append(cloud)
            yield cloud

    monkeypatch.setattr(partitions, "clouds", recorded)
    lines = UNRELATED.splitlines()
    result = clusters.cluster_sentences(lines, bundled, **CELL)
    best = [
        max(silhouette_score(rows, KMeans(k, n_init=16, random_state=0).fit_predict(rows), metric="cosine")
            for k in range(2, 9))
        for rows in map(unit, made)
    ]  # fmt: skip
    reached = sum(value >= result.silhouette for value in best)
    assert result.p_cloud == pytest.approx((1 + reached) / (1 + clusters.CLOUDS), abs=2 / (1 + clusters.CLOUDS))
    assert result.cloud == pytest.approx(max(best), abs=0.03)


def test_the_number_of_clusters_can_be_chosen(tiny):
    result = clusters.cluster_sentences(FEW, tiny, **CELL, count=3)
    assert (result.count, result.by_silhouette, len(result.curve), len(result.table)) == (3, False, 1, 3)
    assert np.isnan(result.agreement) and "group" not in result.table
    assert np.isnan(clusters.cluster_sentences([f"a | {line}" for line in FEW], tiny, **CELL).agreement)
    for count in (1, 6, 13):
        with pytest.raises(ValueError, match=rf"6 sentences cannot be divided into {count} clusters. Choose 2 to 5"):
            clusters.cluster_sentences(FEW, tiny, **CELL, count=count)


def test_sentences_with_equal_vectors_form_one_cluster(tiny):
    result = clusters.cluster_sentences(FEW, tiny, combination="layer 0", pooling="sentence: cls", count=2)
    assert result.silhouette == 0 and result.p_shuffled == 1 and "could be chance" in result.headline


def test_the_same_words_are_shuffled(tiny):
    rng = np.random.default_rng(0)
    found = list(clusters.shuffled_words(["the king works.", "a river", "rome is red!"], tiny, rng=rng))
    words = " ".join(found).replace(".", "").replace("!", "").split()
    assert sorted(words) == sorted("the king works a river rome is red".split())
    assert [len(text.split()) for text in found] == [3, 2, 3] and [text[-1] in ".!" for text in found] == [
        True,
        False,
        True,
    ]
    long = list(clusters.shuffled_words(["x " * 30, "qqqqqqqqqqqqqqqq " * 30], tiny, rng=rng))
    assert all(len(tiny.pieces(text)) <= 61 for text in long)


def test_the_finding_names_the_control_that_reaches_it(found):
    shuffled, cloud = (replace(found, **{p: 0.05}).headline for p in ("p_shuffled", "p_cloud"))
    assert (
        "of 0.38, which could be chance. Over all the numbers of clusters tried, shuffled words" in shuffled
        and shuffled.endswith(" (p = 0.050).")
    )
    assert (
        "of 0.38, which a single elongated cloud could also give. Over all the numbers of clusters tried, shuffled words"
        in cloud
    )
    assert cloud.endswith(" (p = 0.050).")
    unnamed = replace(found, sentences=found.sentences.assign(group=""))
    assert unnamed.headline.startswith("k-means divides 24 sentences into 4 clusters")
    many = replace(found, sentences=found.sentences.assign(group=[f"n{i}" for i in range(24)]))
    assert many.headline.startswith("k-means divides 24 sentences (n0, n1, n2, n3, n4, n5 …) into 4 clusters")


def test_a_sentence_that_occurs_before_is_left_out() -> None:
    assert clusters.read_sentences((*FEW, "x | he works")) == clusters.read_sentences(FEW)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (FEW[:3], "At least 4 sentences"),
        ((*FEW, "food | "), "no sentence after the bar"),
        (tuple(f"king {n}" for n in range(301)), "301 sentences, but at most 300"),
        (("king " * 63, *FEW), "reads 64"),
        (tuple(f"{'king ' * 50}{n}" for n in range(280)), "tokens, but at most 12,000"),
    ],
)
def test_sentences_that_cannot_be_clustered(lines, message, tiny):
    with pytest.raises(ValueError, match=message):
        clusters.cluster_sentences(lines, tiny, **CELL)


def test_effort_grows_with_the_sentences(tiny):
    assert 0 < clusters.effort(FEW, tiny) < clusters.effort([f"{text} {n}" for n in range(9) for text in FEW], tiny)


def test_sentences_as_vectors_are_named_by_their_first_words(bundled):
    found = clusters.mapped_sentences(bundled, lines=LINES, **CELL)
    sentences = [line.split(" | ")[1] for line in LINES]
    np.testing.assert_array_equal(found.matrix, sentence_vectors(sentences, bundled, **CELL).astype(np.float32))
    assert found.names[:2] == ("1 It will rain all day tomorrow", "2 A cold wind is blowing from…")
    assert dict(found.labels) == {"group": tuple(line.split(" | ")[0] for line in LINES), CONTEXT: tuple(sentences)}
    assert dict(clusters.mapped_sentences(bundled, lines=sentences, **CELL).labels) == {CONTEXT: tuple(sentences)}


def test_a_ring_marks_the_number_of_clusters(found):
    chart = charts.silhouettes(found)
    ring = chart.figure.data[-1]
    assert (ring.x.tolist(), ring.y.tolist()) == ([4], [pytest.approx(found.silhouette)])
    assert "With this number of clusters, shuffled words reach up to" in chart.alt
