"""Pairs of words, compared with plain computations."""

import itertools

import numpy as np
import pandas as pd
import pytest

from embtools.charts import similarity as charts
from embtools.similarity import matrix, path_search
from embtools.similarity import word_pairs as similarity_pair
from embtools.similarity.path_search import rows_between
from embtools.statistics.ranks import share_below


def _neighbours(model, word):  # type: ignore[no-untyped-def]
    """All candidates by cosine, computed directly."""
    allowed = [i for i in np.flatnonzero(similarity_pair.candidates(model)) if model.vocabulary[i] != word]
    rows = model.matrix[allowed] / np.linalg.norm(model.matrix[allowed], axis=1, keepdims=True)
    cosines = rows @ model.vector(word) / np.linalg.norm(model.vector(word))
    return [model.vocabulary[allowed[i]] for i in np.argsort(-cosines, kind="stable")]


def test_a_pair_equals_a_direct_computation(bundled):
    found = similarity_pair.pair("silver", "gold", bundled, k=15)
    near_silver, near_gold = (_neighbours(bundled, w) for w in ("silver", "gold"))
    assert found.rank_ab == near_silver.index("gold") + 1 and found.rank_ba == near_gold.index("silver") + 1
    assert found.shared == len(set(near_silver[:15]) & set(near_gold[:15]))
    frame = found.neighbours.set_index("token")
    assert set(frame.index) == set(near_silver[:15]) | set(near_gold[:15])
    assert frame["rank_a"].dropna().sort_values().index.tolist() == near_silver[:15]
    assert frame["rank_b"].dropna().sort_values().index.tolist() == near_gold[:15]
    both = frame["rank_a"].notna() & frame["rank_b"].notna()
    assert both.iloc[: found.shared].all() and not both.iloc[found.shared :].any()  # shared ones first
    assert found.cosine == pytest.approx(matrix.similarity_matrix(("silver", "gold"), bundled)[0, 1])
    assert found.candidates == len(near_silver)


def test_a_pair_with_a_word_of_several_tokens(tiny):
    found = similarity_pair.pair("red", "unable", tiny, k=5, pieces="mean")
    assert 1 <= found.rank_ab <= found.candidates + 1
    with pytest.raises(ValueError, match="not a single token"):
        similarity_pair.pair("red", "unable", tiny)
    with pytest.raises(ValueError, match="choose 1 to"):
        similarity_pair.pair("red", "green", tiny, k=0)


def test_a_share_and_a_histogram_of_cosines():
    from scipy.stats import percentileofscore

    cosines = np.sort(np.random.default_rng(0).normal(size=500)).astype(np.float32)
    for cosine in (-9.0, 0.1, float(cosines[7]), 9.0):
        expected = percentileofscore(cosines, np.float32(cosine), kind="mean") / 100  # ties count half
        assert share_below(np.array([cosine]), cosines) == pytest.approx([expected])
    frame = similarity_pair.histogram(cosines, bins=7)
    assert frame["count"].sum() == 500 and len(frame) == 7
    assert np.allclose(frame["bin_end"][:-1], frame["bin_start"][1:]) and frame["bin_start"][0] == pytest.approx(
        cosines[0]
    )
    row = frame.iloc[2]
    assert row["count"] == ((cosines >= row["bin_start"]) & (cosines < row["bin_end"])).sum()


def test_a_path_has_the_words_of_the_search_and_their_cosines(bundled):
    frame = similarity_pair.path("navy", "beige", bundled)
    unit = bundled.matrix * bundled.inverse_norms[:, None]
    allowed = similarity_pair.candidates(bundled)
    rows = rows_between(bundled.ids["navy"], bundled.ids["beige"], vectors=unit, allowed=allowed, k=20)
    assert frame["word"].tolist() == [bundled.vocabulary[row] for row in rows] and np.isnan(frame["cosine"][0])
    for step, pair in enumerate(itertools.pairwise(frame["word"]), 1):
        assert frame["cosine"][step] == pytest.approx(matrix.similarity_matrix(pair, bundled)[0, 1], abs=1e-5)


def test_words_that_no_path_joins_are_named(tiny, monkeypatch):
    monkeypatch.setattr(path_search, "MAX_VISITED", 0)
    with pytest.raises(ValueError, match="There is no path from 'red' to 'green' by steps to one of the 1 nearest"):
        similarity_pair.path("red", "green", tiny, k=1)


def test_a_path_needs_two_different_words_of_one_token(tiny):
    with pytest.raises(ValueError, match="not a single token"):
        similarity_pair.path("red", "unable", tiny)

    with pytest.raises(ValueError, match="list twice"):
        similarity_pair.path("red", "red", tiny)


# Charts


def drawn_pair(first: str, cosine: float, random: list[float]) -> similarity_pair.Pair:
    return similarity_pair.Pair(first, "b", cosine, 1, 1, 9, pd.DataFrame(), 0, np.array(random))


def test_a_pair_is_marked_in_the_histogram_of_random_pairs():
    random = [0.0, 0.03, 0.05, 0.17, 0.2]
    chart = charts.background(drawn_pair("<i>a</i>", 0.18, random))
    counts, _ = np.histogram(random, 60)
    (bars,) = chart.figure.data
    assert list(bars.y) == list(chart.frame["count"]) == list(counts)
    assert chart.figure.layout.shapes[0].x0 == 0.18
    (note,) = chart.figure.layout.annotations
    assert note.text == "&lt;i&gt;a&lt;/i&gt; – b 0.18" and note.xanchor == "right"  # inside the figure
    assert chart.alt == (
        "Histogram of the cosines of 5 random pairs of equally common words. Half of them are below 0.05; <i>a</i> and b"
        " have 0.18."
    )
    assert charts.background(drawn_pair("a", 0.02, random)).figure.layout.annotations[0].xanchor == "left"


def test_the_steps_of_a_path_are_drawn_in_order():
    path = pd.DataFrame({"word": ["a", "b", "c"], "cosine": [np.nan, 0.5, 0.25]})
    chart = charts.chain(path)
    (bars,) = chart.figure.data
    assert chart.alt.startswith("Path in 2 steps: a, ") and chart.frame is path
    assert list(bars.x) == [0.5, 0.25] and chart.y.names == ["1. a → b", "2. b → c"]
