"""Two texts against random pairs of the same length, and answers ranked by cosine, compared with scipy."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine
from scipy.stats import percentileofscore, rankdata

from embtools import layer_combinations, wordlists
from embtools.charts import pairs as answer_charts
from embtools.charts import pairs as charts
from embtools.layer_combinations import SENTENCE_POOLINGS
from embtools.pairs import questions as pairs_questions
from embtools.pairs import text_similarity
from embtools.pairs.questions import Answers
from tests.drawn import HOSTILE

# Similarity of two texts, compared with scipy and with random pairs of the same length

TWO = "The dog bit the man.", "The man bit the dog."
CELL = "second-to-last layer", "sentence: mean"


@pytest.fixture(scope="module")
def pairs_of_15(bundled):
    return text_similarity.random_pairs(bundled)


def test_texts_too_long_to_share_nothing_are_not_compared_on_one_topic(tiny):
    """In a model that reads 64 tokens, too, the texts fit; without pairs on one topic their mean is missing."""
    pairs_of_15 = text_similarity.random_pairs(tiny, lengths=(62, 62))
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
            found.setdefault(text_similarity.lengths(*texts, model), []).append(texts)
    return [pair for texts in sorted(found.values(), key=len, reverse=True) for pair in texts][:pairs]


def called_similar(pairs: list[tuple[str, str]], model) -> np.ndarray:
    """Which pairs are called more similar than 95% under which combination and pooling: (pairs, cells)."""
    by_lengths: dict[tuple[int, int], text_similarity.RandomPairs] = {}
    rows = []
    for pair in pairs:
        lengths = text_similarity.lengths(*pair, model)
        if lengths not in by_lengths:
            by_lengths[lengths] = text_similarity.random_pairs(model, lengths=lengths)
        rows.append(
            text_similarity.compare(*pair, model, pairs=by_lengths[lengths])["above"].to_numpy()
            > 1 - text_similarity.SPREAD
        )
    return np.array(rows)


@pytest.mark.thorough("4")
@pytest.mark.slow
@pytest.mark.parametrize("sentences", [1, 4])
def test_about_five_of_a_hundred_unrelated_texts_of_any_length_are_called_more_similar_than_95_percent(
    sentences, bundled, pairs_of_15
):
    """Compared with single sentences, as before, most of those with four were."""
    called = called_similar(unrelated("corpus", sentences, 100, bundled), bundled)
    cell = pairs_of_15.combinations.index(CELL[0]) * len(SENTENCE_POOLINGS) + SENTENCE_POOLINGS.index(CELL[1])
    assert called[:, cell].mean() <= 0.11  # at 5%, more of a hundred are rarer than one in a hundred
    assert 0.02 < called.mean() < 0.08


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


def test_the_chart_is_a_histogram_of_each_kind(pairs_of_15):
    rows = text_similarity.random_cosines(pairs_of_15, *CELL)
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


# Random pairs of the same length, compared with scipy


def test_every_pair_of_texts_is_compared(pairs_of_15, bundled):
    firsts, seconds = text_similarity.references((15, 15), bundled)
    topics = wordlists.load("corpus")["topic"].nunique()
    assert len(firsts) == len(seconds) == topics * text_similarity.PER_TOPIC
    assert pairs_of_15.same.shape == (bundled.layers + 5, len(SENTENCE_POOLINGS), topics * text_similarity.PER_TOPIC**2)
    assert pairs_of_15.others.shape[-1] + pairs_of_15.same.shape[-1] == len(firsts) * len(seconds)
    first, second = (bundled.hidden_states(side[0].text)[-2].astype(float).mean(0) for side in (firsts, seconds))
    cell = pairs_of_15.combinations.index(CELL[0]), SENTENCE_POOLINGS.index(CELL[1])
    assert firsts[0].topic == seconds[0].topic
    assert pairs_of_15.same[cell][0] == pytest.approx(1 - scipy_cosine(first, second), abs=1e-5)


@pytest.mark.parametrize("lengths", [(1, 1), (7, 62), (178, 178), (4, 510)])
def test_reference_texts_have_the_length_and_share_no_sentence(lengths, bundled):
    pool = wordlists.load("corpus")
    firsts, seconds = text_similarity.references(lengths, bundled)
    for texts, length in ((firsts, lengths[0]), (seconds, lengths[1])):
        counts = [len(bundled.pieces(one.text)) for one in texts]
        assert all(count <= max(length, 2) for count in counts)
        assert np.mean(counts) >= (length - 1.5 if length < 400 else 0.97 * length)
        assert length < 10 or all(count >= length / text_similarity.STEP**0.5 - 2 for count in counts)
        for one in texts:
            assert set(pool.loc[list(one.sentences), "topic"]) == {one.topic}
            assert any(text.startswith(one.text[: min(len(one.text), 20)].rstrip(".")) for text in pool["sentence"])
        used = [number for one in texts for number in one.sentences]
        assert len(used) == len(set(used))
    if sum(lengths) < 400:
        assert not {n for one in firsts for n in one.sentences} & {n for one in seconds for n in one.sentences}


def test_texts_of_the_longest_length_are_not_compared_with_shorter_ones(bundled):
    """Six of the seventeen topics have too few sentences for 510 tokens; they would be 20% shorter."""
    firsts, seconds = text_similarity.references((510, 510), bundled)
    pool = wordlists.load("corpus")
    total = {topic: sum(map(len, map(bundled.pieces, rows["sentence"]))) for topic, rows in pool.groupby("topic")}
    enough = {topic for topic, count in total.items() if np.log(510 / count) <= np.log(1.2) / 2}
    assert {one.topic for one in firsts} == {one.topic for one in seconds} == enough and 2 < len(enough) < len(total)


def test_lengths_that_no_text_has_are_refused(bundled, monkeypatch):
    monkeypatch.setattr(bundled, "max_tokens", 8_192)
    with pytest.raises(ValueError, match="no random texts of 8,000 tokens"):
        text_similarity.references((8_000, 8_000), bundled)


def test_lengths_are_rounded_to_steps_and_sorted(bundled):
    long = "The king sent a letter to every city in the country asking for ships. " * 4
    count = len(bundled.pieces(long))
    short, rounded = text_similarity.lengths(long, "They were closed.", bundled)
    assert short == 4 and count / text_similarity.STEP < rounded < count * text_similarity.STEP
    assert text_similarity.lengths("They were closed.", long, bundled) == (short, rounded)


# Answers ranked by cosine, against scipy; and their bars

QUESTIONS = ("he is a king", "she is a queen", "the river is green")

KNOWN = ("a man of rome", "a woman of paris", "the red bank works")


def test_answers_are_ranked_by_cosine(tiny):
    result = pairs_questions.compare_answers(QUESTIONS, KNOWN, tiny)
    frame = result.ranked("second-to-last layer", "sentence: mean", 1)
    question = tiny.hidden_states(QUESTIONS[1])[-2].mean(0)
    expected = {a: 1 - scipy_cosine(question, tiny.hidden_states(a)[-2].mean(0)) for a in KNOWN}
    assert frame["answer"].tolist() == sorted(expected, key=expected.__getitem__, reverse=True)
    assert dict(zip(frame["answer"], frame["cosine"], strict=True)) == pytest.approx(expected, abs=1e-5)


def test_answers_that_share_no_word_get_their_mean_rank(tiny):
    result = pairs_questions.compare_answers(("the king",), ("red king", "green", "blue"), tiny)
    frame = result.ranked("layer 1", "sentence: mean", 0).set_index("answer")
    assert frame["control_rank"].to_dict() == {"red king": 1, "green": 2.5, "blue": 2.5}
    # Nothing to share at all: punctuation marks and single letters.
    result = pairs_questions.compare_answers(("?",), ("a", "a a"), tiny)
    assert not result.control.any()
    assert result.ranked("layer 1", "sentence: mean", 0)["control_rank"].tolist() == [1.5, 1.5]


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
    chart = answer_charts.answers(result, "layer 1", "sentence: mean")
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
    assert not len(answer_charts.answers(unknown, "layer 1", "sentence: mean").figure.data[1].x)
    headline = unknown.headline("layer 1", "sentence: mean")
    assert headline.startswith(f"The most similar answer is “{HOSTILE[:120]}” (cosine ")
    assert headline.endswith(f" {unknown.ranked('layer 1', 'sentence: mean')['cosine'].iloc[0]:.2f}).")


def test_quality_of_the_built_in_questions(bundled):
    known = wordlists.load("questions")
    compared = pairs_questions.compare_answers(known["question"].tolist(), known["answer"].tolist(), bundled)
    pd.testing.assert_frame_equal(pairs_questions.built_in_quality(bundled), pairs_questions.quality(compared))
    assert pairs_questions.right_answer("Who wrote nothing?") is None
