"""The nearest occurrences and words, compared with a plain loop over the hidden states and scipy's cosine, in a text and a folder."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine

from embtools import memory
from embtools.charts import corpus as charts
from embtools.corpus import all_choices, analogy, search, similar_sentences
from embtools.corpus.near_occurrences import Nearest, SenseHits
from embtools.corpus.search import Query, contexts, nearest, sense_hits, static_neighbours
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder import reading
from embtools.spaces.space import AS_IS, TOP, Space


def by_hand(sentences, model, layer):
    """Every word of one piece: (word, sentence, its vector)."""
    for sentence in sentences:
        states = model.hidden_states(sentence)[layer]
        for token, vector in zip(model.tokenize(sentence)["token"], states, strict=True):
            if token.isalnum():
                yield token, sentence, vector


@pytest.mark.parametrize(("layer", "same_word"), [(0, True), (2, False)])
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


def test_how_many_of_the_nearest_have_the_sense(tiny, small, bundled, banks):
    found = nearest(banks, bundled, query=Query("bank", 5), combination="layer 6", k=5)
    hits = sense_hits(found)
    assert (hits.sense, hits.hits, hits.of, hits.chance) == ("river", 3, 3, pytest.approx(9 / 7))
    base = nearest(banks, bundled, query=Query("bank", 5), combination="layer 0", whole=False)
    assert found.layer_0 == sense_hits(base)
    directions = [bundled.hidden_states(s)[6] for s in banks.having("bank").sentences]
    places = [bundled.tokenize(s)["token"].tolist().index("bank") for s in banks.having("bank").sentences]
    vectors = [d[p] for d, p in zip(directions, places, strict=True)]
    order = sorted((n for n in range(8) if n != 4), key=lambda n: cosine(vectors[n], vectors[4]))
    assert hits.hits == sum(n >= 4 for n in order[:3])
    # Without a second sense, or without another occurrence of the same sense, there is nothing to count.
    for query in (Query("king"), Query("bank", 1)):  # there is no other river bank
        assert sense_hits(nearest(small, tiny, query=query, combination="layer 1")) is None


def test_a_list_without_known_words_and_contexts_are_in_the_order_of_the_text(tiny, small):
    found = contexts(small, tiny, word="BANK", combination="layer 0")
    assert found["rank"].tolist() == [1, 2, 3] and found["sense"].tolist() == ["river", "money", "money"]
    assert static_neighbours("bank", tiny, words=pd.Series(["unable"]), k=3)["word"].tolist() == ["bank"]


@pytest.mark.parametrize(
    "query, message",
    [
        (Query("un"), "'un' does not occur in the text"),
        (Query(""), "no word to look for"),
        (Query("the bank"), "more than one word"),
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
    with pytest.raises(ValueError, match="choose 1 to 50"):
        nearest(small, tiny, query=Query("bank"), combination="layer 1", k=51)
    alone = nearest(Corpus(("bank",)), tiny, query=Query("bank"), combination="layer 1")
    assert alone.near.empty and alone.others.empty and alone.searched == 0
    assert search.model_spelling("Unable", tiny) == "unable"


def test_the_strip_shows_every_other_occurrence(tiny, small):
    found = nearest(small, tiny, query=Query("bank", 2), combination="layer 2")
    drawn = charts.cosines(found)
    figure = drawn.figure
    own = figure.data[:-1]
    assert all(row[0] is None for row in figure.data[-1].customdata)  # a click on another word chooses nothing
    assert sorted(row[0] for trace in own for row in trace.customdata) == sorted(found.others["number"])
    assert sorted(np.concatenate([trace.x for trace in own])) == pytest.approx(sorted(found.others["cosine"]))
    rest = found.near[found.near["word"] != "bank"]
    assert figure.data[-1].x.tolist() == pytest.approx(rest["cosine"].tolist())
    assert "money: 1 at" in drawn.alt and drawn.frame is found.others


# A folder, compared with the same sentences in memory

SUM = "sum of last four"


def assert_similar(found, known):
    assert found["text"].tolist() == known["text"].tolist() and found["word"].tolist() == known["word"].tolist()
    assert found["cosine"].to_numpy() == pytest.approx(known["cosine"].to_numpy(), abs=2e-3)  # half precision
    for row in found.to_dict("records"):
        assert row["text"][row["start"] : row["end"]].lower() == row["word"]


TYPED = Query("bank", 1, "They sat on the bank of the stream.")


@pytest.mark.parametrize(
    ("query", "same_word", "space"),
    [(Query("bank", 3), True, AS_IS), (TYPED, False, AS_IS), (TYPED, True, Space(TOP, 3))],
)
def test_the_search_agrees_with_the_search_in_memory(folder, text, bundled, query, same_word, space):
    known = nearest(text, bundled, query=query, combination=SUM, k=5, same_word=same_word, space=space)
    found = nearest(folder, bundled, query=query, k=5, same_word=same_word, space=space)
    assert_similar(found.near, known.near)
    assert_similar(found.others, known.others.head(5))
    assert found.others["number"].tolist() == known.others["number"].head(5).tolist()
    assert (found.how, found.searched, found.word) == ("kept", known.searched, "bank")
    assert found.query["text"].tolist() == known.query["text"].tolist()
    cosines = known.others["cosine"].to_numpy()
    counts, _ = np.histogram(cosines, [*found.spread["bin_start"], found.spread["bin_end"].iloc[-1]])
    assert np.abs(counts - found.spread["count"]).sum() <= 2 and found.spread["count"].sum() == len(cosines)
    files = nearest(folder, bundled, query=query, k=5, same_word=same_word, space=space, most_kept=10)
    assert files.how == "files"
    pd.testing.assert_frame_equal(files.near, found.near, atol=1e-6)


def test_a_word_is_read_in_pages(folder, bundled, monkeypatch):
    whole = nearest(folder, bundled, query=Query("bank", 3), k=4, whole=False)
    monkeypatch.setattr(reading, "AT_ONCE", 3)
    pages = nearest(folder, bundled, query=Query("bank", 3), k=4, whole=False)
    pd.testing.assert_frame_equal(pages.others, whole.others)
    pd.testing.assert_frame_equal(pages.spread, whole.spread)
    assert whole.how == "word" and whole.near.empty and whole.searched == whole.count - 1


def test_errors_for_occurrences_that_a_folder_does_not_have(folder, bundled, tiny):
    for query, message in [
        (Query("xylophone"), "does not occur in this folder"),
        (Query("bank", 5_000), "in this folder. Choose occurrence 1 to"),
    ]:
        with pytest.raises(ValueError, match=message):
            nearest(folder, bundled, query=query)
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        nearest(folder, tiny, query=Query("bank"))


def test_progress_rises_while_a_folder_is_read(folder, bundled):
    for read in (
        partial(nearest, query=Query("bank", 3)),
        partial(analogy, words=("bank", "bat", "spring"), expected="rock"),
        partial(all_choices, words=("bank", "bat", "spring"), expected="rock", draws=3),
        partial(similar_sentences, sentence="The bank lent money."),
    ):
        memory.forget()
        reported: list[float] = []
        read(folder, bundled, progress=reported.append)
        assert reported and reported == sorted(reported) and 0 <= reported[0] <= reported[-1] <= 1


def test_the_bars_hold_every_occurrence():
    counts = pd.DataFrame({"bin_start": [0.4, 0.42], "bin_end": [0.42, 0.44], "count": [3, 9]})
    near = pd.DataFrame({"word": ["bank", "<b>shore</b>"], "cosine": [0.9, 0.7]})
    result = Nearest("bank", 13, near, near, counts, near, near, 12, "word", lists_all=False)
    drawn = charts.cosines(result)
    figure, alt = drawn.figure, drawn.alt
    assert list(figure.data[0].y) == [3, 9] and figure.data[0].x == pytest.approx([0.41, 0.43])
    assert list(figure.data[1].x) == pytest.approx([0.7]) and "&lt;b&gt;" in str(figure.data[1].customdata)
    assert len(charts.cosines(replace(result, near=near.head(1))).figure.data) == 1
    for part in ("12 other occurrences of bank", "bar, from 0.42 to 0.44, has 9 of them.", "cosine of 0.70"):
        assert part in alt


def near(words, others=(), static=("banker", "money"), hits=None, layer_0=None):
    cosines = [0.8 - 0.1 * number for number in range(len(words))]
    frame = pd.DataFrame({"word": list(words), "sense": "", "cosine": cosines})
    senses, without = pd.DataFrame({"sense": list(others)}, dtype=str), pd.DataFrame({"word": list(static)})
    return Nearest("bank", 8, frame, senses, pd.DataFrame(), frame, without, 9, "memory", True, hits, layer_0)


@pytest.mark.parametrize(
    "hits, base, expected",
    [
        ((3, 3, 9 / 7), (2, 3, 9 / 7), "The three nearest other occurrences of bank all have the sense river. In layer 0, before any context, two of the three nearest do. Expected by chance: 1.3."),
        ((1, 3, 1.3), (1, 3, 1.3), "Of the three nearest other occurrences of bank, one means river. In layer 0, before any context, one of the three nearest does. Expected by chance: 1.3."),
        ((0, 2, 0.5), None, "Of the two nearest other occurrences of bank, none means river. Expected by chance: 0.5."),
        ((1, 1, 0.5), None, "The nearest other occurrence of bank means river. Expected by chance: 0.5."),
        ((1, 1, 0.5), (0, 1, 0.5), "The nearest other occurrence of bank means river. In layer 0, before any context, the nearest one does not. Expected by chance: 0.5."),
    ],
)  # fmt: skip
def test_nearest_with_senses(hits, base, expected):
    layer_0 = SenseHits("river", *base) if base else None
    assert near(["bank"], hits=SenseHits("river", *hits), layer_0=layer_0).headline == expected


def test_nearest_without_a_sense_of_its_own():
    typed = near(["bank"], ["river", "", "river", "money", "money", "money"])
    assert typed.headline == (
        "Of the three nearest occurrences of bank with a known sense, two mean river. Of all 5 with a known sense, 2 do."
    )
    assert near(["shore", "bank", "road", "shore"]).headline == (
        "In this sentence the words nearest to bank are shore and road (cosines up to 0.80). Without a sentence they are banker and money."
    )
    both = near(["bank", "bank"]).headline
    assert both == "The two nearest occurrences all belong to the word bank itself (cosines up to 0.80)."
    assert near(["bank"]).headline == "The nearest occurrence belongs to the word bank itself (cosine 0.80)."
    assert near(["shore"], static=("banker",)).headline == (
        "In this sentence the word nearest to bank is shore (cosine 0.80). Without a sentence it is banker."
    )
    assert near(["shore"], static=()).headline == "In this sentence the word nearest to bank is shore (cosine 0.80)."
    assert near([]).headline == "The text contains no other word."
    quick = replace(near(["shore"]), how="word")
    assert quick.headline == "" and quick.compared == "So far, only the sentences with this word have been compared."
    assert near(["shore"]).compared == "9 occurrences were compared."
    assert replace(near(["shore"]), searched=1).compared == "1 occurrence was compared."


def test_headlines_and_captions(folder, bundled):
    one = nearest(folder, bundled, query=Query("bank", 3), whole=False)
    assert one.headline.startswith(
        f"bank occurs {one.count} times in this folder. The occurrence nearest to this one has a cosine of"
    )
    assert f"the {one.count - 1} other occurrences of bank" in one.compared
    typed = nearest(folder, bundled, query=Query("bank", 1, "The bank."), whole=False)
    assert f"the {typed.count} occurrences of bank" in typed.compared
    every = nearest(folder, bundled, query=Query("bank", 3))
    alone = replace(every, near=every.near[every.near["word"] == "bank"])
    assert "all belong to the word bank itself" in alone.headline
    alone = replace(alone, near=alone.near.head(1), searched=1)
    assert alone.headline == "The nearest of 1 occurrence belongs to the word bank itself."
    assert "an exact search of 1 occurrence, stored" in alone.compared
    assert "to the word bank itself" in every.headline and "stored on this server" in every.compared
    other = nearest(folder, bundled, query=Query("bank", 3), same_word=False, most_kept=0)
    assert f"belongs to the word {other.near['word'].iloc[0]}." in other.headline
    assert "read from the files" in other.compared
    words = folder.words()
    (single, *_) = words[(words["count"] == 1) & words["word"].str.isalpha()]["word"]
    alone = nearest(folder, bundled, query=Query(single), whole=False)
    assert alone.headline == f"{single} occurs only here." and alone.spread.empty
    assert charts.cosines(replace(alone, lists_all=False)).alt == f"{single} does not occur again."


WORDS = pd.Series(["bank", "king", "river", "rome", "unable", "red"])  # "unable" has two tokens


def ranked_by_hand(model, vector, left_out):
    known = [word for word in WORDS if word in model.ids and word != left_out]
    return sorted(((1 - cosine(model.vector(word), vector), word) for word in known), reverse=True)


def test_words_of_the_list_are_ranked_by_cosine(tiny):
    expected = ranked_by_hand(tiny, tiny.vector("bank"), "bank")
    found = static_neighbours("bank", tiny, words=WORDS, k=3)
    assert list(found.columns) == ["rank", "word", "cosine"] and found["rank"].tolist() == [1, 2, 3]
    assert found["word"].tolist() == ["bank", *(word for _, word in expected[:2])]
    assert found["cosine"].tolist() == pytest.approx([1, *(value for value, _ in expected[:2])], abs=1e-6)
    without = static_neighbours("bank", tiny, words=WORDS, k=9, same_word=False)
    assert without["word"].tolist() == [word for _, word in expected]


def test_a_word_of_several_tokens_is_the_mean_of_them_and_is_not_listed_for_others(tiny):
    vector = tiny.matrix[[tiny.ids[token] for token in ("un", "##able")]].mean(0)
    expected = ranked_by_hand(tiny, vector, "unable")
    found = static_neighbours("unable", tiny, words=WORDS, k=4, same_word=False)
    assert found["word"].tolist() == [word for _, word in expected[:4]]
    assert found["cosine"].tolist() == pytest.approx([value for value, _ in expected[:4]], abs=1e-6)
