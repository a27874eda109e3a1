"""Similarity of two texts, compared with scipy and with random pairs of the same length."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine
from scipy.stats import percentileofscore

from embtools import wordlists
from embtools.charts import pairs as charts
from embtools.layer_combinations import SENTENCE_POOLINGS
from embtools.pairs import random_pairs, text_similarity

TWO = "The dog bit the man.", "The man bit the dog."
CELL = "second-to-last layer", "sentence: mean"


@pytest.fixture(scope="module")
def pairs_of_15(bundled):
    return random_pairs.random_pairs(bundled)


def test_texts_too_long_to_share_nothing_are_not_compared_on_one_topic(tiny):
    """In a model that reads 64 tokens, too, the texts fit; without pairs on one topic their mean is missing."""
    pairs_of_15 = random_pairs.random_pairs(tiny, lengths=(62, 62))
    assert pairs_of_15.same.shape[-1] > 0
    empty = replace(pairs_of_15, same=pairs_of_15.same[..., :0])
    assert text_similarity.compare("the king", "a queen", tiny, pairs=empty)["same_topic"].isna().all()


def unrelated(source: str, sentences: int, pairs: int, model) -> list[tuple[str, str]]:
    """Pairs of texts of this many sentences, each about one topic (or one word in one sense), the two about different ones.

    Of four times this number of pairs, those with the most frequent lengths: each pair of lengths needs a comparison of its own.
    """
    frame = wordlists.load(source)
    keys = ["topic"] if source == "corpus" else ["word", "sense"]
    groups = [(key[0], rows["sentence"].to_numpy()) for key, rows in frame.groupby(keys, sort=False)]
    rng = np.random.default_rng(3)
    found: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for _ in range(4 * pairs):
        (one, first), (other, second) = (groups[i] for i in rng.choice(len(groups), 2, replace=False))
        if one != other:
            texts = tuple(" ".join(rng.choice(rows, sentences, replace=False)) for rows in (first, second))
            found.setdefault(random_pairs.lengths(*texts, model), []).append(texts)
    return [pair for texts in sorted(found.values(), key=len, reverse=True) for pair in texts][:pairs]


def called_similar(pairs: list[tuple[str, str]], model) -> np.ndarray:
    """Which pairs are called more similar than 95% under which combination and pooling: (pairs, cells)."""
    by_lengths: dict[tuple[int, int], random_pairs.RandomPairs] = {}
    rows = []
    for pair in pairs:
        lengths = random_pairs.lengths(*pair, model)
        if lengths not in by_lengths:
            by_lengths[lengths] = random_pairs.random_pairs(model, lengths=lengths)
        rows.append(
            text_similarity.compare(*pair, model, pairs=by_lengths[lengths])["above"].to_numpy()
            > 1 - text_similarity.SPREAD
        )
    return np.array(rows)


@pytest.mark.slow
@pytest.mark.parametrize("sentences", [1, 2, 4])
def test_about_five_of_a_hundred_unrelated_texts_of_any_length_are_called_more_similar_than_95_percent(
    sentences, bundled, pairs_of_15
):
    """Compared with single sentences, as before, a third of those with two were, and most of those with four."""
    called = called_similar(unrelated("corpus", sentences, 100, bundled), bundled)
    cell = pairs_of_15.combinations.index(CELL[0]) * len(SENTENCE_POOLINGS) + SENTENCE_POOLINGS.index(CELL[1])
    assert called[:, cell].mean() <= 0.11  # at 5%, more of a hundred are rarer than one in a hundred
    assert 0.02 < called.mean() < 0.08


@pytest.mark.slow
def test_texts_of_another_source_are_not_called_similar_either(bundled):
    """Sentences with one word in one sense are closer to each other than those on a topic, and farther from others."""
    assert called_similar(unrelated("senses", 4, 50, bundled), bundled).mean() < 0.05


@pytest.mark.slow
def test_single_sentences_as_a_comparison_would_call_long_texts_similar(bundled, pairs_of_15):
    """The reason for comparisons of the same length."""
    pairs = unrelated("corpus", 4, 20, bundled)
    cells = [
        text_similarity.compare(*pair, bundled, pairs=pairs_of_15)["above"].to_numpy() > 1 - text_similarity.SPREAD
        for pair in pairs
    ]
    assert np.mean(cells) > 0.4


def test_two_sentences_are_compared_with_random_pairs(pairs_of_15, bundled):
    frame = text_similarity.compare(*TWO, bundled, pairs=pairs_of_15)
    assert len(frame) == len(pairs_of_15.combinations) * len(SENTENCE_POOLINGS)
    found = frame.set_index(["combination", "pooling"])
    first, second = (bundled.hidden_states(text).astype(float) for text in TWO)
    for combination, pooling, vectors in (
        (*CELL, [first[-2].mean(0), second[-2].mean(0)]),
        ("layer 3", "sentence: max", [first[3].max(0), second[3].max(0)]),
        ("sum of last four", "sentence: cls", [first[-4:].sum(0)[0], second[-4:].sum(0)[0]]),
    ):
        row = found.loc[(combination, pooling)]
        assert row["cosine"] == pytest.approx(1 - scipy_cosine(*vectors), abs=1e-5)
        others = pairs_of_15.others[pairs_of_15.combinations.index(combination), SENTENCE_POOLINGS.index(pooling)]
        assert row["above"] == pytest.approx(percentileofscore(others, row["cosine"], "mean") / 100, abs=1e-3)
        assert row["random"] == pytest.approx(others.mean())
    # Before the first layer every [CLS] is the same, so all pairs are equally similar.
    assert found.loc[("layer 0", "sentence: cls"), "above"] == 0.5
    assert (
        found["above"] > 0.9
    ).mean() > 0.5  # the same words in another order: nearly the same for every layer combination


def test_the_finding_compares_with_random_pairs(pairs_of_15, bundled):
    frame = text_similarity.compare(*TWO, bundled, pairs=pairs_of_15)
    for above, words in ((0.999, "more similar than over 99% of"), (0.97, "more similar than 97% of"), (0.4, "is not unusual: 60% of random pairs of about the same length are at least as similar"), (0.02, "less similar than 98%")):  # fmt: skip
        assert words in text_similarity.finding(frame.assign(above=above), *CELL)
    row = frame.set_index(["combination", "pooling"]).loc[CELL]
    assert f"(cosine {row['cosine']:.2f}; mean of random pairs {row['random']:.2f})" in text_similarity.finding(
        frame, *CELL
    )


def test_progress_is_reported_and_unreadable_texts_are_refused(tiny):
    reported: list[float] = []
    pairs_of_15 = random_pairs.random_pairs(tiny, progress=reported.append)
    assert reported == sorted(reported) and reported[-1] == 1
    with pytest.raises(ValueError, match="empty"):
        text_similarity.compare("", "a king", tiny, pairs=pairs_of_15)


def test_the_chart_is_a_histogram_of_each_kind(pairs_of_15):
    rows = random_pairs.random_cosines(pairs_of_15, *CELL)
    frame = pd.DataFrame([(*CELL, 0.9)], columns=["combination", "pooling", "cosine"])
    result = text_similarity.Similarity(pairs_of_15, frame, 0.0)
    chart = charts.random_cosines(result, *CELL)
    figure = chart.figure
    assert [trace.name for trace in figure.data] == ["random pairs: different topics", "random pairs: same topic"]
    for trace, kind in zip(figure.data, ("different topics", "same topic"), strict=True):
        assert trace.y.sum() == pytest.approx(1, abs=1e-5)
        mean = rows.loc[rows["pair"] == kind, "cosine"].mean()
        assert float(np.dot(trace.x, trace.y)) == pytest.approx(mean, abs=0.02)
    assert figure.layout.shapes[0].x0 == 0.9
    far = replace(result, frame=frame.assign(cosine=-0.5))
    drawn = [charts.random_cosines(result, *CELL, far), charts.random_cosines(far, *CELL, result)]
    np.testing.assert_array_equal(*(each.figure.data[0].x for each in drawn))
    low, high = drawn[0].figure.layout.xaxis.range
    assert (low, high) == drawn[1].figure.layout.xaxis.range and low < -0.5 and high > max(0.9, rows["cosine"].max())
    assert chart.alt.startswith(
        "The two texts have a cosine of 0.90. Random pairs (different topics) have a mean cosine of "
    )
