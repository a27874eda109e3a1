"""The search of a folder, compared with the same sentences encoded in memory; and its figure."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools.charts.corpus import stored as charts
from embtools.corpus import search, stored
from embtools.corpus.search import Query
from embtools.corpus.stored import nearest_in_folder
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.fitting import fit
from embtools.spaces.space import CENTRED, TOP, WHITENED, Space

SUM = "sum of last four"


@pytest.fixture(scope="module")
def text(stored_folder):
    """The sentences as the folder has them."""
    folder = CorpusFolder.open(str(stored_folder))
    return Corpus(tuple(folder.sentences(range(folder.about["sentences"]))))


def assert_similar(found, known):
    assert found["text"].tolist() == known["text"].tolist() and found["word"].tolist() == known["word"].tolist()
    assert found["cosine"].to_numpy() == pytest.approx(known["cosine"].to_numpy(), abs=2e-3)  # half precision
    for row in found.to_dict("records"):
        assert row["text"][row["start"] : row["end"]].lower() == row["word"]


@pytest.mark.parametrize("query", [Query("bank", 3), Query("bank", 1, "They sat on the bank of the stream.")])
@pytest.mark.parametrize("same_word", [True, False])
def test_the_search_agrees_with_the_search_in_memory(folder, text, bundled, query, same_word):
    known = search.nearest(text, bundled, query=query, recipe=SUM, k=5, same_word=same_word)
    reported = []
    found = nearest_in_folder(folder, bundled, query=query, k=5, same_word=same_word, progress=reported.append)
    assert_similar(found.near, known.near)
    assert_similar(found.others, known.others.head(5))
    assert found.others["number"].tolist() == known.others["number"].head(5).tolist()
    assert (found.rung, found.searched, found.word) == ("kept", known.searched, "bank") and reported == sorted(reported)
    assert found.query["text"].tolist() == known.query["text"].tolist()
    cosines = known.others["cosine"].to_numpy()
    counts, _ = np.histogram(cosines, [*found.spread["low"], found.spread["high"].iloc[-1]])
    assert np.abs(counts - found.spread["count"]).sum() <= 2 and found.spread["count"].sum() == len(cosines)
    files = nearest_in_folder(folder, bundled, query=query, k=5, same_word=same_word, most_kept=10)
    assert files.rung == "files"
    pd.testing.assert_frame_equal(files.near, found.near, atol=1e-6)


@pytest.mark.parametrize("space", [Space(CENTRED), Space(TOP, 3), Space(WHITENED, shrinkage=0.1)], ids=lambda s: s.kind)
@pytest.mark.parametrize("typed", ["", "They sat on the bank of the stream."])
def test_a_search_in_a_space_agrees_with_processing_all_rows_in_double_precision(folder, text, bundled, space, typed):
    query = Query("bank", 1 if typed else 3, typed)
    raw = folder.files.rows(0, len(folder))
    fitted = fit(raw.vectors.astype(float), space)
    vectors, names = fitted.apply(raw.vectors.astype(float)), raw.table["word"].to_numpy()
    own = np.flatnonzero(names == "bank")
    known = search.nearest(text, bundled, query=query, recipe=SUM, k=6, space=space)
    if typed:
        _, source, at = search.find(Corpus((typed,)), bundled, query=query, recipe=SUM)
        query_vector = fitted.apply(source.vectors[at].astype(float))
    else:
        query_vector = vectors[own[2]]
    exact = vectors @ query_vector / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query_vector)
    if not typed:
        exact[own[2]] = -np.inf
    for most_kept in (None, 10):
        found = nearest_in_folder(folder.seen(space), bundled, query=query, k=6, most_kept=most_kept)
        best = np.argsort(-exact, kind="stable")[:6]
        assert found.near["word"].tolist() == names[best].tolist()
        assert found.near["cosine"].to_numpy() == pytest.approx(exact[best], abs=1e-4)
        assert found.others["number"].tolist() == (np.argsort(-exact[own], kind="stable")[:6] + 1).tolist()
        assert found.others["cosine"].to_numpy() == pytest.approx(known.others["cosine"].head(6), abs=0.02)


def test_a_word_is_read_in_pages(folder, bundled, monkeypatch):
    whole = nearest_in_folder(folder, bundled, query=Query("bank", 3), k=4, whole=False)
    monkeypatch.setattr(reading, "AT_ONCE", 3)
    pages = nearest_in_folder(folder, bundled, query=Query("bank", 3), k=4, whole=False)
    pd.testing.assert_frame_equal(pages.others, whole.others)
    pd.testing.assert_frame_equal(pages.spread, whole.spread)
    assert whole.rung == "word" and whole.near.empty and whole.searched == whole.count - 1


def test_headlines_and_captions(folder, bundled):
    one = nearest_in_folder(folder, bundled, query=Query("bank", 3), whole=False)
    assert stored.finding(one).startswith(
        f"bank occurs {one.count} times in this folder. The occurrence nearest to this one has a cosine of"
    )
    assert f"the {one.count - 1} other occurrences of bank" in stored.answered_by(one)
    typed = nearest_in_folder(folder, bundled, query=Query("bank", 1, "The bank."), whole=False)
    assert f"the {typed.count} occurrences of bank" in stored.answered_by(typed)
    every = nearest_in_folder(folder, bundled, query=Query("bank", 3))
    assert "all belong to the word bank itself" in stored.finding(
        replace(every, near=every.near[every.near["word"] == "bank"])
    )
    assert "to the word bank itself" in stored.finding(every) and "stored on this server" in stored.answered_by(every)
    other = nearest_in_folder(folder, bundled, query=Query("bank", 3), same_word=False, most_kept=0)
    assert f"belongs to the word {other.near['word'].iloc[0]}." in stored.finding(other)
    assert "read from the files" in stored.answered_by(other)
    words = folder.words()
    (single, *_) = words[(words["count"] == 1) & words["word"].str.isalpha()]["word"]
    alone = nearest_in_folder(folder, bundled, query=Query(single), whole=False)
    assert stored.finding(alone) == f"{single} occurs only here." and alone.spread.empty
    assert charts.spread_alt(alone.spread, alone.near, single) == f"{single} does not occur again."


def test_errors_for_occurrences_that_do_not_exist(folder, bundled, tiny):
    for query, k, message in [
        (Query("xylophone"), 3, "does not occur in this folder"),
        (Query("bank", 5_000), 3, "in this folder. Choose occurrence 1 to"),
        (Query("the bank"), 3, "more than one word"),
        (Query("bank"), 0, "choose 1 to"),
        (Query("bank", 1, "x" * 1_001), 3, "at most 1,000"),
        (Query("bank", 1, "Nothing."), 3, "does not occur in your sentence"),
    ]:
        with pytest.raises(ValueError, match=message):
            nearest_in_folder(folder, bundled, query=query, k=k)
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        nearest_in_folder(folder, tiny, query=Query("bank"))


def test_estimated_seconds(folder, bundled):
    assert 0 < stored.seconds(folder) < 1
    nearest_in_folder(folder, bundled, query=Query("bank"))
    assert stored.seconds(folder) == 0 < stored.seconds(folder, most_kept=10)
    centred, whitened = (stored.seconds(folder.seen(Space(kind))) for kind in (CENTRED, WHITENED))
    assert 0 < centred < whitened < 1  # stored vectors are raw, so they are processed each time
    assert len(stored.frequent(folder, 3)) == 3 and folder.count(stored.frequent(folder)[0]) > 5


def test_the_bars_hold_every_occurrence():
    counts = pd.DataFrame({"low": [0.4, 0.42], "high": [0.42, 0.44], "count": [3, 9]})
    near = pd.DataFrame({"word": ["bank", "<b>shore</b>"], "cosine": [0.9, 0.7]})
    figure = charts.spread(counts, near, "bank")
    assert list(figure.data[0].y) == [3, 9] and figure.data[0].x == pytest.approx([0.41, 0.43])
    assert list(figure.data[1].x) == pytest.approx([0.7]) and "<b>" not in figure.data[1].hovertext[0]
    assert len(charts.spread(counts, near.head(1), "bank").data) == 1
    alt = charts.spread_alt(counts, near, "bank")
    assert (
        "12 other occurrences of bank" in alt
        and "Most of them (9) lie between 0.42 and 0.44." in alt
        and "cosine of 0.70" in alt
    )
