"""What the nearest occurrences say in sentences, word by word."""

from dataclasses import replace

import pandas as pd
import pytest

from embtools.charts import corpus as charts
from embtools.corpus.near_occurrences import Nearest, SenseHits
from embtools.corpus.search import Query, nearest


def near(words, others=(), static=("banker", "money"), hits=None, layer_0=None):
    cosines = [0.8 - 0.1 * number for number in range(len(words))]
    frame = pd.DataFrame({"word": list(words), "sense": "", "cosine": cosines})
    return Nearest(
        "bank",
        8,
        frame,
        pd.DataFrame({"sense": list(others)}, dtype=str),
        pd.DataFrame(),
        frame,
        pd.DataFrame({"word": list(static)}),
        9,
        "memory",
        True,
        hits,
        layer_0,
    )


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
    assert near(["bank", "bank"]).headline == (
        "The two nearest occurrences all belong to the word bank itself (cosines up to 0.80)."
    )
    assert near(["bank"]).headline == "The nearest occurrence belongs to the word bank itself (cosine 0.80)."
    assert near(["shore"], static=("banker",)).headline == (
        "In this sentence the word nearest to bank is shore (cosine 0.80). Without a sentence it is banker."
    )
    assert near(["shore"], static=()).headline == "In this sentence the word nearest to bank is shore (cosine 0.80)."
    assert near([]).headline == "The text contains no other word."
    quick = replace(near(["shore"]), how="word")
    assert quick.headline == "" and quick.compared == "So far, only the sentences with this word have been compared."
    assert near(["shore"]).compared == "9 occurrences were compared."


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
    assert "to the word bank itself" in every.headline and "stored on this server" in every.compared
    other = nearest(folder, bundled, query=Query("bank", 3), same_word=False, most_kept=0)
    assert f"belongs to the word {other.near['word'].iloc[0]}." in other.headline
    assert "read from the files" in other.compared
    words = folder.words()
    (single, *_) = words[(words["count"] == 1) & words["word"].str.isalpha()]["word"]
    alone = nearest(folder, bundled, query=Query(single), whole=False)
    assert alone.headline == f"{single} occurs only here." and alone.spread.empty
    assert charts.cosines(replace(alone, lists_all=False)).alt == f"{single} does not occur again."
