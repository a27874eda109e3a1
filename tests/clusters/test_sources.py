"""Maps of vectors that are not a model's static embeddings: those of a visitor's file."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize

from embtools.charts import maps as charts
from embtools.clusters import lookup, points
from embtools.clusters.maps import MAX_TSNE, word_map
from embtools.clusters.points import Words
from embtools.clusters.two_models import matched
from embtools.clusters.view import View
from embtools.models.vectors_as_model import CONTEXT, Vectors
from embtools.spaces.of_model import in_space
from embtools.spaces.space import CENTRED, TOP, Space
from tests.named_vectors import GROUPS, made

EVERYTHING = Words(None)
UNIT_PCA = View("PCA", normalise=True)
Page = Callable[..., Any]


@pytest.fixture(scope="module")
def table() -> Vectors:
    """Fifteen words of three groups in 12 dimensions."""
    return made()


def random_words(n: int, labels: tuple[str, ...] = ()) -> Vectors:
    rows = np.random.default_rng(0).normal(size=(n, 4)).astype(np.float32)
    return Vectors([f"w{i}" for i in range(n)], rows, (("kind", labels),) if labels else ())


# A file: against scikit-learn


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_all_words_of_a_file_are_placed_and_tested_as_scikit_learn_does(metric, table):
    drawn = word_map(EVERYTHING, table, view=View("PCA", metric=metric, normalise=metric == "cosine"))
    vectors = normalize(table.matrix.astype(float)) if metric == "cosine" else table.matrix.astype(float)
    fitted = PCA(2, svd_solver="full").fit(vectors)
    expected = fitted.transform(vectors)
    np.testing.assert_allclose(drawn.points[["x", "y"]], expected, atol=1e-5)
    assert drawn.axes[0] == f"component 1 ({fitted.explained_variance_ratio_[0]:.1%} of the variance)"
    labels = np.array(table.labels[0][1])
    assert drawn.points["word"].tolist() == list(table.names) and drawn.points["group"].tolist() == labels.tolist()
    index = NearestNeighbors(n_neighbors=1, metric=metric).fit(vectors).kneighbors(return_distance=False)[:, 0]
    assert drawn.neighbour_test is not None and drawn.neighbour_test.share == (labels[index] == labels).mean()
    near = NearestNeighbors(n_neighbors=7, metric=metric).fit(vectors).kneighbors(return_distance=False)
    there = NearestNeighbors(n_neighbors=7).fit(expected).kneighbors(return_distance=False)
    kept = [len(set(one) & set(other)) / 7 for one, other in zip(near, there, strict=True)]
    assert f"keeps {np.mean(kept):.0%} of a word's 7 nearest neighbours (50% by chance)" in drawn.reading


def test_labels_are_chosen_by_name_and_sentences_group_nothing(table):
    told = tuple(f"{name} <b> stands in a sentence" for name in table.names)
    labels = ((CONTEXT, told), *table.labels, ("half", ("a", "b") * 7 + ("",)))
    two = Vectors(table.names, table.matrix, labels)
    drawn = word_map(EVERYTHING, two, view=UNIT_PCA)
    assert drawn.points["group"].tolist() == list(table.labels[0][1]) and drawn.points[CONTEXT].tolist() == list(told)
    half = word_map(Words(None, label="half"), two, view=UNIT_PCA)
    assert half.points["group"].tolist() == [*("a", "b") * 7, "no label"]
    cosines = normalize(table.matrix[:14].astype(float)) @ normalize(table.matrix[:14].astype(float)).T
    nearest = (cosines - 2 * np.eye(14)).argmax(axis=1)
    assert half.neighbour_test is not None and half.neighbour_test.share == (nearest % 2 == np.arange(14) % 2).mean()
    assert "of the labelled points, the nearest labelled point is in the same group" in half.headline
    with pytest.raises(ValueError, match="no column of labels 'nothing'. Choose one of: kind, half"):
        word_map(Words(None, label="nothing"), two, view=UNIT_PCA)
    hovered = charts.word_map(drawn).figure.data[-1 if len(drawn.points) < 3 else 3].hovertext
    assert all("stands in a sentence" in text and "<b> stands" not in text for text in hovered)


def test_a_file_without_labels_has_no_groups_to_test_and_no_ranks(table):
    drawn = word_map(EVERYTHING, Vectors(table.names, table.matrix), view=UNIT_PCA)
    assert drawn.neighbour_test is None and drawn.headline == "A map of 15 points"
    assert drawn.points["frequency_rank"].isna().all() and "frequency" not in charts._hover(drawn.points, "")


def test_many_words_are_sampled_and_rare_labels_share_a_group():
    many = random_words(200, tuple(f"g{i // 2}" for i in range(200)))
    drawn = word_map(Words(None, sample=150), many, view=UNIT_PCA)
    assert len(drawn) == 150 and drawn.points["word"].is_unique and drawn.words.sample == 150
    assert drawn.points["group"].nunique() == 55 and (drawn.points["group"] == "other labels").any()
    few = word_map(EVERYTHING, random_words(2001, (*"aabb", *[""] * 1997)), view=UNIT_PCA)
    assert few.measured == 1000 and few.neighbour_test is not None  # all labelled points are tested
    rows = [int(word[1:]) for word in drawn.points["word"]]
    assert rows == sorted(rows)


def test_words_of_a_file_that_a_model_has(table, tiny):
    known = ((name, tuple(w for w in words if w in tiny.ids)) for name, words in GROUPS.items())
    assert points.words_of_file(table, tiny) == tuple(known)
    twice = Vectors(("rome", "Rome", "King", "king", "queen"), np.eye(5))
    assert points.words_of_file(twice, tiny) == (("no label", ("rome", "King", "queen")),)
    with pytest.raises(ValueError, match="Fewer than three words of the file"):
        points.words_of_file(random_words(5), tiny)


def test_vectors_that_are_all_the_same_have_no_map():
    with pytest.raises(ValueError, match="All vectors are the same"):
        word_map(EVERYTHING, Vectors(("a", "b", "c", "d"), np.ones((4, 4), np.float32)), view=UNIT_PCA)
    with pytest.raises(ValueError, match="Each vector has 2 numbers, so the map cannot have 3 dimensions"):
        word_map(EVERYTHING, Vectors(("a", "b", "c", "d"), np.eye(4)[:, :2]), view=View("PCA", 3, "euclidean"))


def test_a_file_in_a_processed_space_and_its_neighbours(table):
    centred = in_space(table, space=Space(CENTRED))
    drawn = word_map(EVERYTHING, centred, view=View("PCA"))
    assert drawn.points["group"].tolist() == list(table.labels[0][1]) and "15 points · Your file" in drawn.settings
    near = lookup.nearest(("red",), centred, words=EVERYTHING, view=View("PCA"))
    assert len(near) == 5 and set(near["neighbour"]) <= set(table.names)


# A file on the page


def as_csv(vectors: Vectors) -> bytes:
    frame = pd.DataFrame(vectors.matrix.astype(float)).rename(columns="d{}".format)
    frame.insert(0, "word", vectors.names)
    return frame.assign(**dict(vectors.labels)).to_csv(index=False).encode()


@pytest.fixture
def page(visit) -> Page:
    """Open the page with a file."""

    def opened(vectors: Vectors, of: str = "file", **fields: Any) -> Any:
        test = visit("clusters", **{"clusters_of": of, "open": "vectors-file"}, **fields)
        assert test.says("Upload a file. Until then,") and test.charts
        test.test.file_uploader[0].upload("mine.csv", as_csv(vectors), "text/csv").run()
        return test.run()

    return opened


def drawn_words(test: Any, number: int = 0) -> list[str]:
    return [t for t in test.tables if {"word", "group", "x"} <= set(t.columns)][number]["word"].tolist()


def test_a_file_is_mapped_with_all_its_words_and_its_labels(page, table):
    two = Vectors(table.names, table.matrix, (*table.labels, ("half", ("a", "b") * 7 + ("a",))))
    test = page(two)
    assert drawn_words(test) == list(two.names) and not test.problems and test.says("Not this model’s")
    assert test.says("mine.csv: 15 words, 12 numbers each", "15 points · mine.csv · not centred")
    before = test.finding
    test.put("clusters_labels", "half")
    assert test.finding != before and not test.problems
    test.press("Remove")
    assert "rome" in drawn_words(test) and test.session_state["clusters_list"] == "cities of Figure 1"


def test_groups_that_are_typed_replace_the_labels(page, table):
    test = page(table)
    test.put("clusters_list", "own words").put("clusters_words_own", "a: red, green\nb: rome, paris")
    assert drawn_words(test) == ["red", "green", "rome", "paris"] and not test.problems
    test.put("clusters_words_own", "a: red, gren\nb: rome, paris")
    assert "'gren' is not among the 15 words. Did you mean green" in test.problems[0]


def test_a_file_and_the_model_are_compared_by_the_words_that_both_have(page, table):
    test = page(table, "both")
    assert drawn_words(test) == drawn_words(test, 1) == list(table.names) and not test.problems
    assert "nearest in mine.csv" in test.finding and "15 words compared" in test.finding


def test_more_words_than_t_sne_can_place_are_sampled_or_projected(page):
    test = page(random_words(MAX_TSNE + 100), clusters_method="pca")
    assert len(drawn_words(test)) == 1_000 and not test.problems
    test.put("clusters_sample", False)
    assert not test.problems and test.says("2,100 points")
    test.put("clusters_method", "t-SNE")
    assert "t-SNE is available for at most 2,000" in test.problems[0]


# Occurrences and sentences on the page


@pytest.mark.parametrize("word", ["bank", "cold"])
def test_occurrences_are_mapped_with_their_sentences_and_their_senses(visit, word):
    test = visit("clusters", clusters_of="occurrences", corpus_word=word)
    words = drawn_words(test)
    assert not test.problems and words[:2] == [f"{word} 1", f"{word} 2"]
    assert test.says("of a point's ") and f"-SNE map of {len(words)} points in " in test.charts[0].alt
    assert test.says(f"{word} occurs {len(words)} times in the text.", f"{len(words)} points · occurrences of {word}")
    assert (word == "bank") == test.says("of the labelled occurrences of bank have a nearest neighbour")


def test_sentences_are_mapped_while_their_clusters_wait_for_a_button(visit, monkeypatch):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    test = visit("clusters", clusters_of="sentences", clusters_method="pca", clusters_label="nothing")
    assert not test.problems and drawn_words(test)[0] == "1 It will rain all day tomorrow"
    assert [b.label for b in test.button if b.label.startswith("Cluster ")] == ["Cluster 24 sentences"]


@pytest.mark.slow
def test_the_clusters_of_sentences_are_tested_and_colour_the_map(visit, bundled):
    test = visit("clusters", clusters_of="sentences", clusters_colour="found", run="clusters-sentences")
    assert not test.problems
    assert test.says("k-means divides 24 sentences (weather, food, football, money) into 4 clusters")
    assert test.says("an adjusted Rand index of 1.00") and len(test.charts) == 2
    assert "of the points, the nearest point is in the same group" in test.finding
    assert test.finding in test.copied(bundled).sentences


# Raw and processed vectors side by side


def test_a_processed_map_is_rotated_to_match_the_raw_one(table):
    raw, centred = (
        word_map(EVERYTHING, each, view=View("PCA")) for each in (table, in_space(table, space=Space(TOP, 2)))
    )
    turned = matched(centred, raw)
    places = [each.points[["x", "y"]].to_numpy(float) for each in (raw, centred, turned)]
    np.testing.assert_allclose(places[2] @ places[2].T, places[1] @ places[1].T, atol=1e-4)
    assert np.linalg.norm(places[2] - places[0]) <= np.linalg.norm(places[1] - places[0])
    np.testing.assert_allclose(charts.word_map(centred, like=raw).frame[["x", "y"]], turned.points[["x", "y"]])
    other = word_map(Words((("a", ("red", "green", "rome", "king")),)), table)
    assert matched(other, raw) is other


def test_raw_and_processed_vectors_are_shown_side_by_side(visit, bundled):
    test = visit("clusters", clusters_list="months", clusters_method="pca", clusters_space="centred", clusters_raw=True)
    assert not test.problems and len(test.charts) == 2 and drawn_words(test) == drawn_words(test, 1)
    assert test.says("nearest in processed vectors (centred)", "This map is rotated to match the raw one.")
    copied = test.copied(bundled)
    assert "processed = in_space(model, space=Space('centred'))" in copied.code and test.finding in copied.sentences
