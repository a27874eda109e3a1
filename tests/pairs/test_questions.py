"""Answers ranked by cosine, against scipy; and their bars."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine
from scipy.stats import rankdata

from embtools import layer_combinations, wordlists
from embtools.charts import pairs as charts
from embtools.pairs import questions as pairs_questions
from embtools.pairs.questions import Answers
from tests.drawn import HOSTILE
from tests.stopping import Stopped, stopping

QUESTIONS = ("he is a king", "she is a queen", "the river is green")

KNOWN = ("a man of rome", "a woman of paris", "the red bank works")


def test_answers_are_ranked_by_cosine(tiny):
    result = pairs_questions.compare_answers(QUESTIONS, KNOWN, tiny)
    frame = pairs_questions.ranked(result, 1, "second-to-last layer", "sentence: mean")
    question = tiny.hidden_states(QUESTIONS[1])[-2].mean(0)
    expected = {a: 1 - scipy_cosine(question, tiny.hidden_states(a)[-2].mean(0)) for a in KNOWN}
    assert frame["answer"].tolist() == sorted(expected, key=expected.__getitem__, reverse=True)
    assert dict(zip(frame["answer"], frame["cosine"], strict=True)) == pytest.approx(expected, abs=1e-5)
    with pytest.raises(ValueError, match="no layer combination"):
        pairs_questions.ranked(result, 0, "layer 9", "sentence: mean")
    with pytest.raises(ValueError, match="no sentence pooling"):
        pairs_questions.ranked(result, 0, "layer 1", "first token")


def test_comparing_answers_reports_progress_and_can_be_stopped(tiny):
    reported: list[float] = []
    texts = (("the bank?",), ("a bank", "a king", "the river", "a green bank", "the blue river"))
    result = pairs_questions.compare_answers(*texts, tiny, progress=reported.append)
    assert np.array_equal(result.cosines, pairs_questions.compare_answers(*texts, tiny).cosines)
    assert len(reported) == 6 and reported == sorted(reported) and reported[-1] == 1
    with pytest.raises(Stopped):
        pairs_questions.compare_answers(*texts, tiny, progress=stopping([], 2))


def test_answers_that_share_no_word_get_their_mean_rank(tiny):
    result = pairs_questions.compare_answers(("the king",), ("red king", "green", "blue"), tiny)
    frame = pairs_questions.ranked(result, 0, "layer 1", "sentence: mean").set_index("answer")
    assert frame["control_rank"].to_dict() == {"red king": 1, "green": 2.5, "blue": 2.5}
    # Nothing to share at all: punctuation marks and single letters.
    result = pairs_questions.compare_answers(("?",), ("a", "a a"), tiny)
    assert not result.control.any()
    assert pairs_questions.ranked(result, 0, "layer 1", "sentence: mean")["control_rank"].tolist() == [1.5, 1.5]


def test_quality_is_scipys_rank(tiny):
    result = pairs_questions.compare_answers(QUESTIONS, KNOWN, tiny)
    frame = pairs_questions.quality(result).set_index(["combination", "pooling"])
    for i, combination in enumerate(result.combinations):
        for j, pooling in enumerate(layer_combinations.SENTENCE_POOLINGS):
            ranks = np.diag(rankdata(-result.cosines[i, j].round(6), axis=1))  # equal cosines: their middle
            row = frame.loc[(combination, pooling)]
            assert row["mrr"] == pytest.approx((1 / ranks).mean())
            assert (row["share_first"], row["mean_rank"]) == ((ranks == 1).mean(), ranks.mean())
    # Layer 0 knows no context: [CLS] is the same in every sentence, so nothing is ranked.
    assert frame.loc[("layer 0", "sentence: cls"), "mean_rank"] == 2
    with pytest.raises(ValueError, match="one answer for each"):
        pairs_questions.quality(pairs_questions.compare_answers(QUESTIONS[:1], KNOWN, tiny))


@pytest.mark.parametrize(
    "questions, known, message",
    [
        ((), KNOWN, "no question"),
        (QUESTIONS, KNOWN[:1], "at least two answers"),
        (QUESTIONS, KNOWN * 40, "at most 100"),
        (("",), KNOWN, "text is empty"),
        (("king " * 62,) * 49, ("king " * 30,) * 2, "tokens in total"),
    ],
)
def test_errors_say_what_is_wrong(tiny, questions, known, message):
    with pytest.raises(ValueError, match=message):
        pairs_questions.compare_answers(questions, known, tiny)


def test_bars_of_the_answers():
    question, right = "Why is the sky blue?", pairs_questions.right_answer("Why is the sky blue?")
    cosines = np.array([0.9, 0.8, 0.1]).reshape(1, 1, 1, 3).repeat(3, axis=1)
    result = Answers((question,), (HOSTILE, right, "Last"), ("layer 1",), cosines, np.array([[0.0, 0.5, 0.2]]))
    chart = charts.answers(result, "layer 1", "sentence: mean")
    figure = chart.figure
    others, right, control = figure.data
    assert others.y.tolist() == [0, 2] and others.x.tolist() == pytest.approx([0.9, 0.1])
    assert right.y.tolist() == [1] and right.x.tolist() == pytest.approx([0.8]) and right.text == "★"
    assert control.x.tolist() == pytest.approx([0.0, 0.5, 0.2])
    assert list(figure.layout.yaxis.ticktext)[::2] == ["&lt;img src=x&gt;", "Last"]
    assert chart.frame["cosine"].tolist() == [0.9, 0.8, 0.1] and chart.alt.startswith("Bar chart of the 3 answers")
    assert result.headline("layer 1", "sentence: mean") == (
        "The right answer has rank 2 of 3. Based on shared words alone, its rank is 1."
    )
    unknown = replace(result, questions=("Who?",))
    assert not len(charts.answers(unknown, "layer 1", "sentence: mean").figure.data[1].x)
    headline = unknown.headline("layer 1", "sentence: mean")
    assert headline.startswith(f"The most similar answer is “{HOSTILE[:120]}” (cosine ")
    assert headline.endswith(f" {unknown.ranked('layer 1', 'sentence: mean')['cosine'].iloc[0]:.2f}).")


def test_quality_of_the_built_in_questions(bundled):
    known = wordlists.load("questions")
    compared = pairs_questions.compare_answers(known["question"].tolist(), known["answer"].tolist(), bundled)
    pd.testing.assert_frame_equal(pairs_questions.built_in_quality(bundled), pairs_questions.quality(compared))
    assert pairs_questions.right_answer("Who wrote nothing?") is None
