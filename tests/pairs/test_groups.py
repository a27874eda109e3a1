"""Groups of sentences, against scikit-learn."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score, silhouette_score

from embtools.charts.pairs import groups as charts
from embtools.pairs import groups
from embtools.recipes import sentence_vectors
from embtools.ui.pairs.groups import FOUR_TOPICS, PRESETS, SENTENCES
from embtools.vectors import unit
from tests.drawn import HOSTILE, shows_no_markup

CELL = "second-to-last layer", "sentence: mean"
LINES = FOUR_TOPICS.splitlines()
FEW = ("the king of rome", "a queen of paris", "the green river", "a blue river bank", "he works", "she works")


@pytest.fixture(scope="module")
def found(bundled):
    return groups.find(LINES, bundled, *CELL)


def test_four_topics_are_four_groups(found):
    assert (found.count, found.by_silhouette, found.agreement) == (4, True, 1.0)
    assert found.silhouette > max(found.dealt, found.cloud) and found.words_alone < 0.5
    assert groups.finding(found) == (
        "24 sentences (weather, food, football, money): 4 groups, silhouette 0.41, more than by chance (p = 0.048;"
        f" shuffled words reach {found.dealt:.2f}, clouds without groups {found.cloud:.2f})."
    )
    assert found.table["share"].tolist() == [1] * 4 and found.table["sentences"].tolist() == [6] * 4


def test_the_figures_are_those_of_scikit_learn(found, bundled):
    sentences = [line.split(" | ")[1] for line in LINES]
    vectors = unit(sentence_vectors(sentences, bundled, *CELL))
    labels = found.sentences["group"].to_numpy()
    assert found.silhouette == pytest.approx(silhouette_score(vectors, labels, metric="cosine"), abs=1e-6)
    assert found.agreement == adjusted_rand_score([line.split(" | ")[0] for line in LINES], labels)
    pca = PCA(2).fit(vectors)
    assert found.kept == pytest.approx(pca.explained_variance_ratio_.sum())
    assert np.abs(pca.transform(vectors)) == pytest.approx(np.abs(found.sentences[["x", "y"]].to_numpy()), abs=1e-6)
    for group, rows in found.sentences.groupby("group"):
        middle = vectors[labels == group].mean(0)
        nearest = np.linalg.norm(vectors[labels == group] - middle, axis=1).argmin()
        assert rows["sentence"].iloc[nearest] == rows.loc[rows["typical"] == 1, "sentence"].item()


def test_where_there_is_nothing_to_find_it_says_so(bundled):
    result = groups.find(PRESETS["Without groups"][SENTENCES.key].splitlines(), bundled, *CELL)
    assert max(result.p_dealt, result.p_cloud) >= 0.05 and groups.finding(result).startswith("12 sentences: 2 groups,")
    assert "more than by chance" not in groups.finding(result)


def test_controls_are_counted_in_the_number_of_groups_that_suits_them_best(bundled, monkeypatch):
    """p against the silhouettes of scikit-learn for the same clouds, searched over the same numbers of groups."""
    from itertools import islice

    from sklearn.cluster import KMeans

    from embtools.statistics import partitions

    made = []
    clouds = partitions.clouds

    def kept(vectors, rng):
        for cloud in islice(clouds(vectors, rng), groups.CLOUDS):
            made.append(cloud)
            yield cloud

    monkeypatch.setattr(partitions, "clouds", kept)
    lines = PRESETS["Without groups"][SENTENCES.key].splitlines()
    result = groups.find(lines, bundled, *CELL)
    best = [
        max(silhouette_score(rows, KMeans(k, n_init=16, random_state=0).fit_predict(rows), metric="cosine")
            for k in range(2, 9))
        for rows in map(unit, made)
    ]  # fmt: skip
    reached = sum(value >= result.silhouette for value in best)
    assert result.p_cloud == pytest.approx((1 + reached) / (1 + groups.CLOUDS), abs=2 / (1 + groups.CLOUDS))
    assert result.cloud == pytest.approx(max(best), abs=0.03)


def test_the_number_may_be_chosen(tiny):
    result = groups.find(FEW, tiny, *CELL, count=3)
    assert (result.count, result.by_silhouette, len(result.curve), len(result.table)) == (3, False, 1, 3)
    assert np.isnan(result.agreement) and "named" not in result.table
    for count in (1, 6, 13):
        with pytest.raises(ValueError, match=rf"6 sentences cannot be divided into {count} groups. Choose 2 to 5"):
            groups.find(FEW, tiny, *CELL, count=count)


def test_sentences_that_are_all_the_same_to_a_layer_are_one_group(tiny):
    result = groups.find(FEW, tiny, "layer 0", "sentence: cls", count=2)
    assert result.silhouette == 0 and result.p_dealt == 1 and "could be chance" in groups.finding(result)


def test_the_same_words_are_dealt(tiny):
    rng = np.random.default_rng(0)
    found = list(groups.dealt(["the king works.", "a river", "rome is red!"], rng, tiny))
    words = " ".join(found).replace(".", "").replace("!", "").split()
    assert sorted(words) == sorted("the king works a river rome is red".split())
    assert [len(text.split()) for text in found] == [3, 2, 3] and [text[-1] in ".!" for text in found] == [
        True,
        False,
        True,
    ]
    long = list(groups.dealt(["x " * 30, "qqqqqqqqqqqqqqqq " * 30], rng, tiny))
    assert all(len(tiny.pieces(text)) <= 61 for text in long)


def test_the_verdict_names_what_does_as_well(found):
    from dataclasses import replace

    assert "0.41, which could be chance (p = 0.050; shuffled words" in groups.finding(replace(found, p_dealt=0.05))
    assert "0.41, which one long cloud could give, too (p = 0.050;" in groups.finding(replace(found, p_cloud=0.05))
    unnamed = replace(found, sentences=found.sentences.assign(named=""))
    assert groups.finding(unnamed).startswith("24 sentences: 4 groups")
    many = replace(found, sentences=found.sentences.assign(named=[f"n{i}" for i in range(24)]))
    assert groups.finding(many).startswith("24 sentences (n0, n1, n2, n3, n4, n5 …): 4 groups")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (FEW[:3], "at least 4 sentences"),
        ((*FEW, "food | "), "no sentence behind the bar"),
        ((*FEW, "x | he works"), "'he works' stands twice"),
        (tuple(f"king {n}" for n in range(301)), "301 sentences; at most 300"),
        (("king " * 63, *FEW), "reads 64"),
        (tuple(f"{'king ' * 50}{n}" for n in range(280)), "pieces; at most 12,000"),
    ],
)
def test_sentences_that_cannot_be_divided(lines, said, tiny):
    with pytest.raises(ValueError, match=said):
        groups.find(lines, tiny, *CELL)


def test_effort_grows_with_the_sentences(tiny):
    assert 0 < groups.effort(FEW, tiny) < groups.effort([f"{text} {n}" for n in range(9) for text in FEW], tiny)


def test_it_tells_of_its_progress_and_refuses_other_recipes(tiny):
    told: list[float] = []
    groups.find(FEW, tiny, *CELL, progress=told.append)
    assert told == sorted(told) and told[-1] < 1 and len(told) > 20
    with pytest.raises(ValueError, match="no layer combination"):
        groups.find(FEW, tiny, "layer 9", CELL[1])
    with pytest.raises(ValueError, match="no sentence pooling"):
        groups.find(FEW, tiny, CELL[0], "first piece")


def test_the_map_holds_every_sentence_in_its_group(found):
    figure = charts.places(found.sentences, found.kept)
    assert [trace.name for trace in figure.data] == [f"group {n}" for n in range(1, 5)]
    assert sorted(x for trace in figure.data for x in trace.x.tolist()) == pytest.approx(
        sorted(found.sentences["x"]), abs=1e-6
    )
    assert all(sum(text != "" for text in trace.text) <= 2 for trace in figure.data)
    assert charts.places_alt(found.sentences, found.kept).startswith("24 sentences as points in 4 groups of 6, 6, 6, 6")
    assert shows_no_markup(charts.places(found.sentences.assign(sentence=HOSTILE, named=HOSTILE), found.kept))


def test_the_silhouettes_have_a_ring_at_the_number(found):
    figure = charts.silhouettes(found.curve, found.count)
    ring = figure.data[-1]
    assert (ring.x.tolist(), ring.y.tolist()) == ([4], [pytest.approx(found.silhouette)])
    assert "The same words dealt anew: up to" in charts.silhouettes_alt(found.curve, found.count)
