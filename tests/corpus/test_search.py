"""The nearest occurrences, compared with a plain loop over the hidden states and scipy's cosine; those of a folder with
the same sentences in memory."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine

from embtools import memory
from embtools.charts import corpus as charts
from embtools.corpus import search
from embtools.corpus.near_occurrences import Nearest
from embtools.corpus.search import Query, contexts, nearest, sense_hits
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder import reading
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.fitting import fit
from embtools.spaces.space import CENTRED, TOP, WHITENED, Space


def by_hand(sentences, model, layer):
    """Every word of one piece: (word, sentence, its vector)."""
    for sentence in sentences:
        states = model.hidden_states(sentence)[layer]
        for token, vector in zip(model.tokenize(sentence)["token"], states, strict=True):
            if token.isalnum():
                yield token, sentence, vector


@pytest.mark.parametrize("layer", [0, 2])
@pytest.mark.parametrize("same_word", [True, False])
def test_nearest_agrees_with_a_plain_loop(tiny, small, layer, same_word):
    found = nearest(small, tiny, query=Query("Bank", 2), combination=f"layer {layer}", k=8, same_word=same_word)
    everything = list(by_hand(small.sentences, tiny, layer))
    (query,) = [v for word, sentence, v in everything if word == "bank" and sentence.startswith("A bank")]
    others = [(w, s, 1 - cosine(v, query)) for w, s, v in everything if v is not query and (same_word or w != "bank")]
    expected = sorted(others, key=lambda row: -row[2])[:8]
    assert found.near["cosine"].tolist() == pytest.approx([row[2] for row in expected], abs=1e-5)
    assert list(zip(found.near["word"], found.near["text"], strict=True)) == [row[:2] for row in expected]
    assert found.searched == len(others) and found.whole
    for row in found.near.itertuples():
        assert row.text[row.start : row.end].lower() == row.word
    assert found.query["text"].item() == "A bank works in Paris." and found.query["sense"].item() == "money"
    own = sorted(((1 - cosine(v, query), s) for w, s, v in everything if w == "bank" and v is not query), reverse=True)
    assert list(found.others["text"]) == [s for _, s in own]
    assert sorted(found.others["number"]) == [1, 3]


def test_the_quick_search_reads_only_the_sentences_with_the_word(tiny, small):
    quick, whole = (nearest(small, tiny, query=Query("bank"), combination="layer 2", whole=w) for w in (False, True))
    assert not quick.whole and quick.searched < whole.searched
    assert quick.others.drop(columns="cosine").equals(whole.others.drop(columns="cosine"))
    assert quick.others["cosine"].tolist() == pytest.approx(whole.others["cosine"].tolist(), abs=1e-5)


def test_a_typed_sentence_is_not_added_to_the_text(tiny, small):
    found = nearest(small, tiny, query=Query("bank", 1, "He is in the bank."), combination="layer 1", k=20)
    assert len(found.others) == 3 and found.query["text"].item() == "He is in the bank."
    vector = tiny.hidden_states("He is in the bank.")[1, 5]
    best = max(by_hand(small.sentences, tiny, 1), key=lambda row: 1 - cosine(row[2], vector))
    assert (found.near["word"].iloc[0], found.near["text"].iloc[0]) == best[:2]
    # A word that the text does not have: its sentence is read, and other words are near.
    alone = nearest(small, tiny, query=Query("red", 1, "The red king."), combination="layer 1", k=3)
    assert alone.others.empty and len(alone.near) == 3
    quick = nearest(small, tiny, query=Query("red", 1, "The red king."), combination="layer 1", whole=False)
    assert "red" not in set(quick.near["word"])


def test_static_neighbours_are_words_of_the_text(tiny, small):
    found = nearest(small, tiny, query=Query("bank"), combination="layer 2", k=4)
    words = set(by_hand_words(small.sentences, tiny)) - {"bank"}
    expected = sorted(((1 - cosine(tiny.vector(w), tiny.vector("bank")), w) for w in words), reverse=True)
    assert found.static["word"].tolist() == ["bank", *(w for _, w in expected[:3])]
    assert found.static["cosine"].tolist() == pytest.approx([1, *(c for c, _ in expected[:3])], abs=1e-6)
    without = nearest(small, tiny, query=Query("bank"), combination="layer 2", k=4, same_word=False).static
    assert without["word"].tolist() == [w for _, w in expected[:4]]


def by_hand_words(sentences, model):
    return [word for word, _, _ in by_hand(sentences, model, 0)]


def test_how_many_of_the_nearest_have_the_sense(tiny, small, bundled, banks):
    found = nearest(banks, bundled, query=Query("bank", 5), combination="layer 6", k=5)
    hits = sense_hits(found)
    assert (hits.sense, hits.hits, hits.of, hits.chance) == ("river", 3, 3, pytest.approx(9 / 7))
    directions = [bundled.hidden_states(s)[6] for s in banks.having("bank").sentences]
    places = [bundled.tokenize(s)["token"].tolist().index("bank") for s in banks.having("bank").sentences]
    vectors = [d[p] for d, p in zip(directions, places, strict=True)]
    order = sorted((n for n in range(8) if n != 4), key=lambda n: cosine(vectors[n], vectors[4]))
    assert hits.hits == sum(n >= 4 for n in order[:3])
    # Without a second sense, or without another occurrence of the same sense, there is nothing to count.
    assert sense_hits(nearest(small, tiny, query=Query("king"), combination="layer 1")) is None
    assert (
        sense_hits(nearest(small, tiny, query=Query("bank", 1), combination="layer 1")) is None
    )  # no other river bank


def test_contexts_are_numbered_in_the_order_of_the_text(tiny, small):
    found = contexts(small, tiny, word="BANK", combination="layer 0")
    assert found["rank"].tolist() == [1, 2, 3] and found["sense"].tolist() == ["river", "money", "money"]


@pytest.mark.parametrize(
    "query, message",
    [
        (Query("green"), "'green' does not occur in the text"),
        (Query("un"), "does not occur in the text"),
        (Query(""), "no word to look for"),
        (Query("the bank"), "more than one word"),
        (Query("bank", 4), "occurs 3 times in the text. Choose occurrence 1 to 3."),
        (Query("bank", 0), "occurs 3 times in the text. Choose occurrence 1 to 3."),
        (Query("bank", 2, "the bank"), "occurs once in your sentence. Choose occurrence 1."),
        (Query("bank", 1, "the king"), "does not occur in your sentence"),
        (Query("bank", 1, "the king " * 200), "at most 1,000"),
        (Query("☃"), "does not know"),
    ],
)
def test_errors_for_occurrences_that_do_not_exist(tiny, small, query, message):
    with pytest.raises(ValueError, match=message):
        nearest(small, tiny, query=query, combination="layer 1")


def test_limits_and_a_text_of_one_word(tiny, small):
    for k in (0, 51):
        with pytest.raises(ValueError, match="choose 1 to 50"):
            nearest(small, tiny, query=Query("bank"), combination="layer 1", k=k)
    alone = nearest(Corpus(("bank",)), tiny, query=Query("bank"), combination="layer 1")
    assert alone.near.empty and alone.others.empty and alone.searched == 0
    assert search.model_spelling("Unable", tiny) == "unable"


def test_the_strip_shows_every_other_occurrence(tiny, small):
    found = nearest(small, tiny, query=Query("bank", 2), combination="layer 2")
    drawn = charts.cosines(found)
    figure = drawn.figure
    own = [trace for trace in figure.data if trace.customdata is not None]
    assert sorted(row[0] for trace in own[:-1] for row in trace.customdata) == sorted(found.others["number"])
    assert sorted(np.concatenate([trace.x for trace in own[:-1]])) == pytest.approx(sorted(found.others["cosine"]))
    rest = found.near[found.near["word"] != "bank"]
    assert figure.data[-1].x.tolist() == pytest.approx(rest["cosine"].tolist())
    assert "money: 1 at" in drawn.alt and drawn.frame is found.others


# A folder, compared with the same sentences in memory

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
    known = nearest(text, bundled, query=query, combination=SUM, k=5, same_word=same_word)
    reported = []
    found = nearest(folder, bundled, query=query, k=5, same_word=same_word, progress=reported.append)
    assert_similar(found.near, known.near)
    assert_similar(found.others, known.others.head(5))
    assert found.others["number"].tolist() == known.others["number"].head(5).tolist()
    assert (found.how, found.searched, found.word) == ("kept", known.searched, "bank") and reported == sorted(reported)
    assert found.query["text"].tolist() == known.query["text"].tolist()
    cosines = known.others["cosine"].to_numpy()
    counts, _ = np.histogram(cosines, [*found.spread["bin_start"], found.spread["bin_end"].iloc[-1]])
    assert np.abs(counts - found.spread["count"]).sum() <= 2 and found.spread["count"].sum() == len(cosines)
    files = nearest(folder, bundled, query=query, k=5, same_word=same_word, most_kept=10)
    assert files.how == "files"
    pd.testing.assert_frame_equal(files.near, found.near, atol=1e-6)


@pytest.mark.parametrize("space", [Space(CENTRED), Space(TOP, 3), Space(WHITENED, shrinkage=0.1)], ids=lambda s: s.kind)
@pytest.mark.parametrize("typed", ["", "They sat on the bank of the stream."])
def test_a_search_in_a_space_agrees_with_processing_all_rows_in_double_precision(folder, text, bundled, space, typed):
    query = Query("bank", 1 if typed else 3, typed)
    raw = folder.files.rows(0, len(folder))
    fitted = fit(raw.vectors.astype(float), space)
    vectors, names = fitted.apply(raw.vectors.astype(float)), raw.table["word"].to_numpy()
    own = np.flatnonzero(names == "bank")
    known = nearest(text, bundled, query=query, combination=SUM, k=6, space=space)
    if typed:
        _, source, at = search.find(Corpus((typed,)), bundled, query=query, combination=SUM)
        query_vector = fitted.apply(source.vectors[at].astype(float))
    else:
        query_vector = vectors[own[2]]
    exact = vectors @ query_vector / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query_vector)
    if not typed:
        exact[own[2]] = -np.inf
    for most_kept in (None, 10):
        found = nearest(folder.in_space(space), bundled, query=query, k=6, most_kept=most_kept)
        best = np.argsort(-exact, kind="stable")[:6]
        assert found.near["word"].tolist() == names[best].tolist()
        assert found.near["cosine"].to_numpy() == pytest.approx(exact[best], abs=1e-4)
        assert found.others["number"].tolist() == (np.argsort(-exact[own], kind="stable")[:6] + 1).tolist()
        assert found.others["cosine"].to_numpy() == pytest.approx(known.others["cosine"].head(6), abs=0.02)


def test_a_word_is_read_in_pages(folder, bundled, monkeypatch):
    whole = nearest(folder, bundled, query=Query("bank", 3), k=4, whole=False)
    monkeypatch.setattr(reading, "AT_ONCE", 3)
    pages = nearest(folder, bundled, query=Query("bank", 3), k=4, whole=False)
    pd.testing.assert_frame_equal(pages.others, whole.others)
    pd.testing.assert_frame_equal(pages.spread, whole.spread)
    assert whole.how == "word" and whole.near.empty and whole.searched == whole.count - 1


def test_errors_for_occurrences_that_a_folder_does_not_have(folder, bundled, tiny):
    for query, k, message in [
        (Query("xylophone"), 3, "does not occur in this folder"),
        (Query("bank", 5_000), 3, "in this folder. Choose occurrence 1 to"),
        (Query("the bank"), 3, "more than one word"),
        (Query("bank"), 0, "choose 1 to"),
        (Query("bank", 1, "x" * 1_001), 3, "at most 1,000"),
        (Query("bank", 1, "Nothing."), 3, "does not occur in your sentence"),
    ]:
        with pytest.raises(ValueError, match=message):
            nearest(folder, bundled, query=query, k=k)
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        nearest(folder, tiny, query=Query("bank"))


def test_the_bars_hold_every_occurrence():
    counts = pd.DataFrame({"bin_start": [0.4, 0.42], "bin_end": [0.42, 0.44], "count": [3, 9]})
    near = pd.DataFrame({"word": ["bank", "<b>shore</b>"], "cosine": [0.9, 0.7]})
    result = Nearest("bank", 13, near, near, counts, near, near, 12, "word", lists_all=False)
    drawn = charts.cosines(result)
    figure, alt = drawn.figure, drawn.alt
    assert list(figure.data[0].y) == [3, 9] and figure.data[0].x == pytest.approx([0.41, 0.43])
    assert list(figure.data[1].x) == pytest.approx([0.7]) and "&lt;b&gt;" in str(figure.data[1].customdata)
    assert len(charts.cosines(replace(result, near=near.head(1))).figure.data) == 1
    assert "12 other occurrences of bank" in alt and "cosine of 0.70" in alt
    assert "Most of them (9) lie between 0.42 and 0.44." in alt


@pytest.mark.parametrize("space", [Space(), Space(CENTRED)], ids=lambda space: space.kind)
def test_progress_goes_from_0_to_1(folder, text, bundled, space):
    for corpus in (folder, text):
        for whole in (False, True):
            memory.forget()
            reported: list[float] = []
            query = Query("bank", 3)
            nearest(corpus, bundled, query=query, space=space, whole=whole, progress=reported.append)
            assert reported == sorted(reported) and reported[0] < 0.2 and reported[-1] <= 1
