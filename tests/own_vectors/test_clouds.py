"""All vectors of a file: the map and the measures of isotropy, against scikit-learn and plain formulas."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize

from embtools.charts import own_vectors as charts
from embtools.charts import own_vectors as isotropy_charts
from embtools.models.vectors_as_model import Vectors
from embtools.own_vectors import word_map
from embtools.own_vectors.isotropy import (
    CENTRED,
    GIVEN,
    IN_MODEL,
    RANDOM,
    RANDOM_IN_MODEL,
    effort,
    measure_isotropy,
    participation,
)
from embtools.own_vectors.word_map import own_map, seconds

# The map against scikit-learn, its measures by hand, and the chart


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_pca_is_that_of_scikit_learn(metric, table, tiny):
    drawn = own_map(tiny, table=table, metric=metric)
    vectors = table.matrix.astype(float)
    fitted = PCA(2, svd_solver="full").fit(normalize(vectors) if metric == "cosine" else vectors)
    expected = fitted.transform(normalize(vectors) if metric == "cosine" else vectors)
    np.testing.assert_allclose(drawn.points[["x", "y"]], expected, atol=1e-5)
    assert drawn.axes[0] == f"component 1 ({fitted.explained_variance_ratio_[0]:.1%} of the variance)"
    index = NearestNeighbors(n_neighbors=1, metric=metric).fit(vectors).kneighbors(return_distance=False)[:, 0]
    labels = np.array(table.labels[0][1])
    assert drawn.test.share == pytest.approx((labels[index] == labels).mean())
    near = NearestNeighbors(n_neighbors=7, metric=metric).fit(vectors).kneighbors(return_distance=False)
    there = NearestNeighbors(n_neighbors=7).fit(expected).kneighbors(return_distance=False)
    kept = [len(set(one) & set(other)) / 7 for one, other in zip(near, there, strict=True)]
    assert drawn.kept == pytest.approx(np.mean(kept)) and drawn.by_chance == 0.5
    assert f"keeps {np.mean(kept):.0%} of a word's 7 nearest neighbours (50% by chance)" in drawn.reading


def test_t_sne_is_that_of_scikit_learn_with_a_possible_perplexity(table, tiny):
    drawn = own_map(tiny, table=table, method="t-SNE", seed=3)
    vectors = normalize(table.matrix.astype(float)).astype(np.float32)
    expected = TSNE(2, perplexity=14 / 3, metric="cosine", init="pca", random_state=3).fit_transform(vectors)
    np.testing.assert_array_equal(drawn.points[["x", "y"]], expected)
    assert drawn.axes == ()


def test_labels_are_chosen_by_name(table, tiny):
    two = replace(table, labels=(*table.labels, ("half", ("a", "b") * 7 + ("a",))))
    assert own_map(tiny, table=two).points["group"].tolist() == list(table.labels[0][1])
    assert own_map(tiny, table=two, label="half").points["group"].tolist()[:2] == ["a", "b"]
    plain = own_map(tiny, table=replace(table, labels=()))
    assert plain.test is None and plain.headline == plain.reading and set(plain.points["group"]) == {""}
    alone = own_map(tiny, table=replace(table, labels=(("all", ("x",) * 15),)))
    assert alone.test is None


def test_many_words_are_sampled(tiny, monkeypatch):
    monkeypatch.setattr(word_map, "MAX_POINTS", 10)
    rng = np.random.default_rng(0)
    many = Vectors(tuple(f"w{i}" for i in range(30)), rng.normal(size=(30, 4)).astype(np.float32))
    drawn = own_map(tiny, table=many, seed=1)
    assert len(drawn.points) == 10 and drawn.words == 30 and drawn.points["word"].is_unique
    assert drawn.points["word"].tolist() != own_map(tiny, table=many, seed=2).points["word"].tolist()
    assert 0 < seconds(tiny, table=many) < seconds(tiny, table=many, method="t-SNE")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "UMAP"}, "The method is 'UMAP'; choose PCA or t-SNE"),
        ({"metric": "x"}, "choose cosine or euclidean"),
        ({"label": "nothing"}, "no column of labels 'nothing'. Choose one of: kind"),
        ({"method": "t-SNE", "perplexity": 0}, "Choose one above 0"),
    ],
)
def test_settings_that_are_impossible(options, message, table, tiny):
    with pytest.raises(ValueError, match=message):
        own_map(tiny, table=table, **options)


def test_vectors_that_are_all_the_same_have_no_map(tiny):
    with pytest.raises(ValueError, match="All vectors are the same"):
        own_map(tiny, table=Vectors(("a", "b", "c"), np.ones((3, 4), np.float32)))


def test_every_word_is_drawn_once_and_rare_labels_share_a_colour(table, tiny):
    drawn = own_map(tiny, table=table)
    chart = charts.word_map(drawn)
    assert [trace.name for trace in chart.figure.data[:-2]] == ["colours", "places", "people"]
    assert sum(len(trace.x) for trace in chart.figure.data[:-2]) == 15 and chart.frame is drawn.points
    assert chart.alt.startswith("Map of 15 words. ") and drawn.headline in chart.alt
    rng = np.random.default_rng(0)
    words = tuple(f"w{i}" for i in range(40))
    labels = (("kind", tuple(f"g{i // 2}" for i in range(40))),)
    many = charts.word_map(own_map(tiny, table=Vectors(words, rng.normal(size=(40, 4)).astype(np.float32), labels)))
    assert len(many.figure.data) == 16 + 2 and many.figure.data[-3].name == charts.OTHERS
    drawn_as = [trace.marker for trace in many.figure.data[:15]]
    colours = [np.array([int(mark.color[at : at + 2], 16) for at in (1, 3, 5)]) for mark in drawn_as]
    for (one, mark), (other, next_mark) in combinations(zip(colours, drawn_as, strict=True), 2):
        assert mark.symbol != next_mark.symbol or np.linalg.norm(one - other) > 75  # of 441


def test_the_words_that_have_room_on_a_phone_are_named_in_a_trace_of_their_own(bundled):
    chart = charts.word_map(own_map(bundled))
    phone, larger = chart.figure.data[-2:]
    words = set(chart.frame["word"])
    assert 10 < len(phone.text) < len(set(phone.text) | set(larger.text)) == len(phone.text) + len(larger.text)
    assert {*phone.text, *larger.text} <= words and not any(trace.text for trace in chart.figure.data[:-2])
    places = chart.frame.set_index("word").loc[list(phone.text), ["x", "y"]].to_numpy()
    np.testing.assert_array_equal(places, np.column_stack([phone.x, phone.y]))


# Measures of isotropy against plain formulas, and their controls


def test_the_measures_by_plain_formulas(table, tiny):
    found = measure_isotropy(tiny, table=table)
    rows = found.table.set_index("space")
    assert list(rows.index) == [GIVEN, CENTRED, RANDOM]  # the tiny model has too few of the words
    upper = np.triu_indices(len(table), 1)
    vectors = table.matrix.astype(float)
    assert rows.loc[GIVEN, "mean_cosine"] == pytest.approx(cosine_similarity(vectors)[upper].mean())
    centred = vectors - vectors.mean(0)
    assert rows.loc[CENTRED, "mean_cosine"] == pytest.approx(cosine_similarity(centred)[upper].mean())
    variances = np.linalg.svd(centred, compute_uv=False) ** 2
    assert rows.loc[GIVEN, "participation"] == pytest.approx(variances.sum() ** 2 / (variances**2).sum())
    assert rows.loc[GIVEN, "top_share"] == pytest.approx(variances[0] / variances.sum())
    assert rows.loc[GIVEN, "isoscore"] == pytest.approx(rows.loc[CENTRED, "isoscore"])
    assert f"IsoScore is {rows.loc[GIVEN, 'isoscore']:.2f}" in found.headline


def test_no_measure_depends_on_the_unit(table, tiny):
    """Vectors of any length are measured, also very short and very long ones."""
    one = measure_isotropy(tiny, table=table).table.drop(columns="space")
    for factor in (1e-4, 1e4):
        other = measure_isotropy(tiny, table=replace(table, vectors=table.matrix * np.float32(factor)))
        np.testing.assert_allclose(other.table.drop(columns="space"), one, rtol=1e-4, atol=1e-6)


def test_random_vectors_are_the_most_even_and_depend_on_the_seed(table, tiny):
    found, other = (measure_isotropy(tiny, table=table, seed=seed).table.set_index("space") for seed in (0, 1))
    assert found.loc[RANDOM, "isoscore"] > found.loc[GIVEN, "isoscore"] and abs(found.loc[RANDOM, "mean_cosine"]) < 0.1
    assert found.loc[RANDOM, "isoscore"] != other.loc[RANDOM, "isoscore"]
    assert found.loc[GIVEN, "isoscore"] == other.loc[GIVEN, "isoscore"]


def test_the_same_words_in_the_model_are_measured_if_there_are_enough(bundled):
    words = tuple(
        "red blue green dog cat horse rome paris king queen man woman he she bank river one two three four".split()
    )
    rng = np.random.default_rng(0)
    found = measure_isotropy(bundled, table=Vectors(words, rng.normal(size=(20, 6)).astype(np.float32)))
    own = np.array([bundled.vector(word) for word in words], float)
    upper = np.triu_indices(20, 1)
    assert found.table.set_index("space").loc[IN_MODEL, "mean_cosine"] == pytest.approx(
        cosine_similarity(own)[upper].mean(), abs=1e-6
    )
    control = found.measures[RANDOM_IN_MODEL]  # equally many vectors in the model's dimensions are no more even
    assert control.count == found.measures[IN_MODEL].count and len(control.variances) == bundled.dimensions
    assert found.measures[IN_MODEL].isoscore < control.isoscore < found.measures[RANDOM].isoscore
    assert not {IN_MODEL, RANDOM_IN_MODEL} & set(measure_isotropy(bundled).measures)


def test_the_effort_grows_with_the_dimensions_and_progress_ends_at_one(table, tiny):
    wide = Vectors(("a", "b", "c"), np.random.default_rng(0).normal(size=(3, 2_048)).astype(np.float32))
    assert effort(tiny, table=table) < 1 < 8 < effort(tiny, table=wide) < 20
    done: list[float] = []
    measure_isotropy(tiny, table=table, progress=done.append)
    assert done == sorted(done) and done[-1] == 1


def test_vectors_that_are_all_the_same_are_refused(tiny):
    same = Vectors(("a", "b", "c"), np.ones((3, 4), np.float32))
    with pytest.raises(ValueError, match="All vectors are the same"):
        measure_isotropy(tiny, table=same)
    with pytest.raises(ValueError, match="All vectors are the same"):
        participation(np.zeros(3))
    assert participation(np.ones(7)) == 7


def test_the_histogram_counts_every_pair_once(table, tiny):
    found = measure_isotropy(tiny, table=table)
    counts = found.histogram.groupby("space")["count"].sum()
    assert counts.to_dict() == {name: len(values) for name, values in found.cosines.items()}
    chart = isotropy_charts.cosines(found)
    assert [trace.name for trace in chart.figure.data] == list(found.measures) and chart.frame is found.histogram
    assert all(np.sum(trace.y) == pytest.approx(1, abs=1e-5) for trace in chart.figure.data)
    assert chart.figure.layout.xaxis.range == (found.histogram["bin_start"].min(), found.histogram["bin_end"].max())
