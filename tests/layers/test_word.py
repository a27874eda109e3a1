"""One word compared in every layer, layer combination and with both segment ids; and its charts."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine

from embtools.charts import layers as charts
from embtools.layers import comparisons, trajectories, verdict, word
from embtools.layers import senses as layers_senses
from embtools.statistics.decimals import decimal
from tests.layers.lines import LINES


def test_one_word_is_its_comparison(tiny, compared):
    found = word.one_word("bank", tiny, lines=LINES, keep=(1, 2, 4), pooling="first token")
    moving = trajectories.trajectories(compared, "first token", keep=(1, 2, 4))
    pd.testing.assert_frame_equal(found.moving.points, moving.points)
    pd.testing.assert_frame_equal(found.layers, moving.layers)
    pd.testing.assert_frame_equal(found.pair_lines, layers_senses.pair_lines(compared, "first token", keep=(1, 2, 4)))
    assert found.headline == verdict.finding(moving, "bank") and found.has_senses
    assert found.test_caption == verdict.sense_test_caption(moving.test)
    states = tiny.hidden_states(LINES[0].split(" | ")[1])
    assert found.shape == f"3 × 1 × {states.shape[1]} × 16" and found.concatenated == 2 * 16  # it has only two layers


def test_occurrences_that_do_not_exist_are_ignored(tiny):
    every = word.one_word("bank", tiny, lines=LINES)
    for keep in ((3,), (7, 8), (2, 9)):
        pd.testing.assert_frame_equal(word.one_word("bank", tiny, lines=LINES, keep=keep).pair_lines, every.pair_lines)
    plain = [line.split(" | ")[1] for line in LINES]
    together = word.one_word("bank", tiny, lines=plain, together=(1, 2, 9))
    assert together.layers["auc"].tolist() == every.layers["auc"].tolist() and not together.has_senses
    assert word.one_word("bank", tiny, lines=plain, together=(9,)).layers["auc"].isna().all()
    written = word.one_word("bank", tiny, lines=LINES, together=(1, 3))
    assert written.layers["auc"].tolist() == every.layers["auc"].tolist()  # the senses in the lines count


def test_combinations_are_those_of_the_comparison(tiny, compared):
    found = word.combinations("bank", tiny, lines=LINES, combination="layer 1", pooling="first token")
    pd.testing.assert_frame_equal(found.scores, layers_senses.separation(compared))
    pd.testing.assert_frame_equal(found.pairs, layers_senses.pair_cosines(compared, "layer 1", "first token"))
    assert found.splits == layers_senses.splits_as_good(compared, "layer 1", "first token") and found.size == 16
    row = found.scores.query("combination == 'layer 1' and pooling == 'first token'")
    assert found.auc == row["auc"].item()
    with pytest.raises(ValueError, match="no layer combination 'layer 9'"):
        word.combinations("bank", tiny, lines=LINES, combination="layer 9")


def test_segment_ids_are_compared_by_the_cosines_of_the_network(tiny, tiny_distil):
    reported: list[float] = []
    found = word.segment_ids(
        "bank", tiny, lines=LINES, combination="layer 1", pooling="first token", progress=reported.append
    )
    for column, segment in ((word.SEGMENT_1, 1), (word.SEGMENT_0, 0)):
        vectors = []
        for line in LINES:
            sentence = line.split(" | ")[1]
            at = tiny.tokenize(sentence)["token"].tolist().index("bank")
            vectors.append(tiny.hidden_states(sentence, segment=segment)[1, at])
        expected = [1 - scipy_cosine(a, b) for a, b in combinations(vectors, 2)]
        assert sorted(found.frame[column]) == pytest.approx(sorted(expected), abs=1e-5)
        values = found.first_values[found.first_values["segment"] == str(segment)]
        np.testing.assert_allclose(values[list("12345")], [v[:5] for v in vectors], atol=1e-5)
    assert not found.has_published and reported == sorted(reported) and reported[-1] == 1
    with pytest.raises(ValueError, match="segment"):
        word.segment_ids("bank", tiny_distil, lines=LINES)


def test_lines_of_many_pairs_are_one_trace_with_gaps(tiny):
    many = comparisons.compare_word(LINES + LINES, tiny, word="bank")
    lines = layers_senses.pair_lines(many, "first token")
    figure = charts.pair_lines(lines).figure
    assert len(figure.data) == 4  # two kinds, each with its mean
    for trace, kind in zip(figure.data[::2], ("same sense", "different senses"), strict=True):
        group = lines[lines["kind"] == kind]
        assert np.allclose(np.array(trace.y)[~np.isnan(trace.y)], group["cosine"])
        shown = zip(trace.customdata[:, 0], trace.y, strict=True)
        assert [pair for pair, y in shown if not np.isnan(y)] == group["pair"].tolist()
    few = charts.pair_lines(layers_senses.pair_lines(many, "first token", keep=(1, 2, 3))).figure
    assert [t.name for t in few.data] == [
        "1 the bank works – 2 a bank works",
        "1 the bank works – 3 green bank",
        "2 a bank works – 3 green bank",
    ]


def test_the_pairs_of_a_combination_are_drawn_by_their_kind(compared):
    pairs = layers_senses.pair_cosines(compared, "layer 1", "first token")
    chart = charts.pair_cosines(pairs)
    assert chart.frame is pairs and chart.figure.layout.yaxis.ticktext == ("same<br>sense", "different<br>senses")
    for trace, kind in zip(chart.figure.data, ("same sense", "different senses"), strict=True):
        np.testing.assert_allclose(trace.x, pairs[pairs["kind"] == kind]["cosine"], atol=1e-6)
    best = pairs[pairs["kind"] == "same sense"]["cosine"]
    assert f"{decimal(best.min())} to {decimal(best.max())} for 2 pairs with the same sense" in chart.alt
