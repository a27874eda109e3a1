"""Clusters of a word's occurrences in a folder."""

import numpy as np
import pytest

from embtools.charts.corpus import senses as charts
from embtools.corpus import stored_senses
from embtools.corpus.stored_senses import CLOUDS, groups_in_folder, occurrence
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.files import Rows
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import AS_IS, TOP, Space
from embtools.statistics.partitions import silhouette
from embtools.vectors import unit


@pytest.mark.parametrize("space", [AS_IS, Space(TOP, 2)], ids=lambda s: s.kind)
def test_clusters_are_those_of_k_means_and_examples_are_near_their_centres(folder, bundled, space):
    folder, reported = folder.seen(space), []
    found = groups_in_folder(folder, bundled, word="bank", groups=3, progress=reported.append)
    directions = unit(folder.occurrences("bank").vectors.astype(float))
    labels = found.points["sense"].to_numpy()
    assert found.count == len(found.points) == len(directions) and reported == sorted(reported)
    assert found.table["occurrences"].tolist() == sorted(found.table["occurrences"], reverse=True)
    assert found.table["occurrences"].sum() == found.count and found.table["share"].sum() == pytest.approx(1)
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
    assert 0 < found.kept < 1 and len(charts.word_map(found.points).data) == 3


def test_a_frequent_word_is_read_in_pages_and_drawn_from(folder, bundled, monkeypatch):
    whole = groups_in_folder(folder, bundled, word="the")
    monkeypatch.setattr(reading, "AT_ONCE", 7)
    monkeypatch.setattr(stored_senses, "MAX_POINTS", 20)
    found = groups_in_folder(folder, bundled, word="the", method="t-SNE")
    assert len(found.points) == 20 < found.count == whole.count and found.kept is None
    assert found.points["rank"].is_monotonic_increasing and found.points["rank"].max() <= found.count
    row = found.examples.iloc[0]
    assert occurrence(folder, bundled, word="the", number=row["number"])["text"][0] == row["text"]


def test_the_headline_says_whether_the_clusters_are_real(folder, bundled):
    rng = np.random.default_rng(0)
    cloud = rng.normal(size=(60, 384)) + 1
    separate = np.concatenate([cloud[:30], cloud[30:] + 3 * rng.normal(size=384)])

    def clusters_of(vectors):
        with pytest.MonkeyPatch.context() as patch:
            table = folder.occurrences("bank").table.iloc[np.zeros(60, int)]
            patch.setattr(stored_senses, "numbered", lambda *_: Rows(table, vectors))
            patch.setattr(CorpusFolder, "count", lambda *_: 60)
            return groups_in_folder(folder, bundled, word="bank")

    none, two = clusters_of(cloud), clusters_of(separate)
    assert "so nothing shows that the clusters are real." in stored_senses.finding(none) and len(none.cloud) == CLOUDS
    assert stored_senses.finding(two).startswith(
        "k-means divides the occurrences of bank into 2 clusters of 30 and 30, with a silhouette of"
    )
    assert "Random points without clusters reach at most" in stored_senses.finding(two)


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
        groups_in_folder(folder, bundled, word=word, groups=groups)
    with pytest.raises(ValueError, match="no projection"):
        groups_in_folder(folder, bundled, word="bank", method="none")


def test_from_an_object_store_with_few_requests(store, bundled, tiny):
    uri, requests = store
    there = CorpusFolder.open(uri)
    requests()
    found = groups_in_folder(there, bundled, word="bank")
    read = requests()
    assert any("GET" in request for request in read) and len(read) <= 4 + len(found.examples), read
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        groups_in_folder(there, tiny, word="bank")
