"""The map of a word's occurrences, compared with scikit-learn, and their clusters, in a text and in a folder."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from embtools.charts import corpus as charts
from embtools.corpus import occurrence_map as numbers
from embtools.corpus.occurrence_map import CLOUDS, occurrence, word_map
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
    reported = []
    result = word_map(folder, bundled, word="bank", groups=3, space=space, progress=reported.append)
    found, count = result.clusters, result.count
    directions = unit(folder.in_space(space).occurrences("bank").vectors.astype(float))
    labels = result.points["sense"].to_numpy()
    assert count == len(result.points) == len(directions) and reported == sorted(reported)
    assert found.table["occurrences"].tolist() == sorted(found.table["occurrences"], reverse=True)
    assert found.table["occurrences"].sum() == count and found.table["share"].sum() == pytest.approx(1)
    assert found.silhouette == pytest.approx(
        silhouette(directions, np.unique(labels, return_inverse=True)[1], "cosine")
    )
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
        ("bank", 1, "1 clusters were asked for; choose 2 to 8"),
        ("bank", 9, "choose 2 to 8"),
        ("the bank", 2, "more than one word"),
    ],
)
def test_errors_for_words_and_numbers_of_clusters(folder, bundled, word, groups, message):
    with pytest.raises(ValueError, match=message):
        word_map(folder, bundled, word=word, groups=groups)
    with pytest.raises(ValueError, match="no projection"):
        word_map(folder, bundled, word="bank", groups=2, method="none")


def test_from_an_object_store_with_few_requests(store, bundled, tiny):
    uri, requests = store
    there = CorpusFolder.open(uri)
    requests()
    found = word_map(there, bundled, word="bank", groups=2)
    read = requests()
    assert any("GET" in request for request in read) and len(read) <= 4 + len(found.clusters.examples), read
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        word_map(there, tiny, word="bank")


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
