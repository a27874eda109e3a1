"""A pair and its controls, compared with single calls of next_sentence; and the bar chart."""

import pandas as pd
import pytest

from embtools import next_sentence, wordlists
from embtools.charts import pairs as charts
from embtools.pairs.next_sentence import (
    AGAIN,
    COUNT,
    RANDOM,
    SWAPPED,
    TOPIC,
    WRITTEN,
    NextSentence,
    topic_of,
    with_controls,
)

STORE = "I went to the store.", "They were closed."


@pytest.fixture(scope="module")
def store(bundled):
    return with_controls(*STORE, bundled)


def test_every_run_equals_a_single_call(store, bundled):
    assert store.runs["control"].value_counts().to_dict() == {
        WRITTEN: 1,
        SWAPPED: 1,
        AGAIN: 1,
        TOPIC: (wordlists.load("corpus")["topic"] == store.topic).sum(),
        RANDOM: COUNT,
    }
    for run in store.runs.iloc[[0, 1, 2, 3, 40, -1]].itertuples():
        assert run.probability == pytest.approx(next_sentence(run.first, run.second, bundled), abs=1e-5)
    assert store.probability == store.runs["probability"].iloc[0]
    runs = store.runs.set_index("control")[["first", "second"]]
    assert tuple(runs.loc[SWAPPED]) == STORE[::-1] and tuple(runs.loc[AGAIN]) == (STORE[0], STORE[0])
    assert (store.runs["first"][2:] == STORE[0]).all()


def test_the_drawn_sentences_have_the_right_topics(store):
    topic = wordlists.load("corpus").set_index("sentence")["topic"]
    drawn = {control: rows["second"] for control, rows in store.runs.groupby("control")}
    assert set(topic[drawn[TOPIC]]) == {store.topic} and drawn[TOPIC].is_unique
    assert store.topic not in set(topic[drawn[RANDOM]]) and topic[drawn[RANDOM]].nunique() > 5


def test_the_summary_counts_controls_that_reach_the_pair(store):
    for control in (SWAPPED, TOPIC, RANDOM):
        found = store.runs.loc[store.runs["control"] == control, "probability"]
        row = store.of(control)
        assert (row["pairs"], row["at_least_as_likely"]) == (len(found), (found >= store.probability).sum())
        assert (row["probability"], row["lowest"], row["highest"]) == pytest.approx(
            (found.mean(), found.min(), found.max())
        )
    assert store.of("nothing") is None


@pytest.mark.slow
def test_the_seed_decides_which_sentences_are_drawn(store, bundled):
    again, other = (with_controls(*STORE, bundled, seed=seed) for seed in (0, 1))
    pd.testing.assert_frame_equal(again.runs, store.runs)
    assert set(other.runs["second"]) != set(store.runs["second"])


@pytest.mark.parametrize(
    ("pair", "topic"),
    [
        (("How do bees make honey?", "They collect nectar."), "nature"),
        (("The doctor looked at the picture.", "The bone was broken."), "medicine"),
        (("The guitarist broke a string.", "He went on playing."), "music"),
        (("¿?", "!"), ""),
    ],
)
def test_the_topic_is_chosen_by_the_words(pair, topic, bundled):
    assert topic_of(*pair, bundled) == topic


@pytest.mark.slow
def test_a_chosen_topic_is_used_and_an_unknown_one_refused(bundled):
    assert with_controls(*STORE, bundled, topic="sea").topic == "sea"
    with pytest.raises(ValueError, match="no topic 'space'"):
        with_controls(*STORE, bundled, topic="space")


def test_pairs_that_are_too_long_are_left_out(tiny):
    long, short = "king " * 50, "rome"
    result = with_controls(long, short, tiny)
    assert result.of(AGAIN) is None and result.of(SWAPPED) is not None
    assert all(len(tiny.tokenize(*pair)) <= 64 for pair in result.runs[["first", "second"]].itertuples(index=False))
    with pytest.raises(ValueError, match="reads 64"):
        with_controls(long, long, tiny)
    with pytest.raises(ValueError, match="empty"):
        with_controls("", short, tiny)


def test_a_model_without_the_head_says_so(tiny_distil):
    with pytest.raises(ValueError, match="no next-sentence head"):
        with_controls(*STORE, tiny_distil)


def test_progress_is_reported(tiny):
    reported: list[float] = []
    with_controls("a king", "a queen", tiny, progress=reported.append)
    assert reported == sorted(reported) and reported[-1] == 1


def test_bars_show_means_and_dots_show_sentences(store):
    chart = charts.controls(store)
    own, controls, dots = chart.figure.data
    assert chart.frame is store.summary and chart.figure.layout.shapes[0].x0 == store.probability
    assert own.x.tolist() == pytest.approx([store.probability]) and own.y.tolist() == [0]
    assert controls.x.tolist() == pytest.approx(store.summary["probability"][1:].tolist())
    drawn = store.runs[store.runs["control"].isin([TOPIC, RANDOM])]
    assert dots.x.tolist() == pytest.approx(drawn["probability"].tolist())
    means = [f"{store.of(control)['probability']:.0%}" for control in (TOPIC, RANDOM)]
    assert chart.y.texts[-2:] == [
        f"{store.of(TOPIC)['pairs']} on the topic “{store.topic}”: {means[0]}",
        f"{COUNT} random sentences: {means[1]}",
    ]
    start = f"The pair has a next-sentence probability of {store.probability:.0%}. Controls: order swapped "
    assert chart.alt.startswith(start)
    assert 0.99 < store.of("first sentence repeated")["probability"] < 1
    assert "first sentence repeated over 99%" in chart.alt


# The headline


def scored(
    own: float, *, swapped: float = 0.0, topic: int = 0, random: int = 0, without: str = "", drawn: int = 30
) -> NextSentence:
    rows = [
        (WRITTEN, 1, own, 0), (SWAPPED, 1, swapped, int(swapped >= own)), (AGAIN, 1, 0.99, 1),
        (TOPIC, drawn, 0.4, topic), (RANDOM, drawn, 0.2, random),
    ]  # fmt: skip
    frame = pd.DataFrame(
        [row for row in rows if row[0] != without], columns=["control", "pairs", "probability", "at_least_as_likely"]
    )
    return NextSentence("a", "b", own, "sea", pd.DataFrame(), frame)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (scored(0.3), "so it is more likely that it does not. Random sentences instead of the second get 20% on average."),
        (scored(0.3, without=RANDOM), "so it is more likely that it does not."),
        (scored(0.9, random=4), "But 4 of 30 random sentences are at least as likely to follow (p = 0.161), so this may be chance."),
        # one of thirty is p = 2 / 31: as rare as that is by chance, it is no finding
        (scored(0.9, random=1), "But 1 of 30 random sentences is at least as likely to follow (p = 0.065), so this may be chance."),
        (scored(0.9, topic=4),
         "But 4 of 30 sentences on the topic “sea” are at least as likely to follow (p = 0.161), so the topic alone may explain it."),
        (scored(0.9, drawn=10), 
         "But only 10 random sentences are short enough for a comparison, too few to rule out chance (p ≤ 0.091, the smallest possible with 10 sentences)."),
        (scored(0.9, swapped=0.86), "In swapped order the pair gets 86%, so the order makes little difference here."),
        (scored(0.9, swapped=0.5),
         "follows the first. This is more than for any of 30 random sentences and any of 30 sentences on the topic"
         " “sea”, and"
         " more than in swapped order (50%)."),
        (scored(0.9, swapped=0.5, random=1, topic=1, drawn=60),
         "This is more than for 59 of 60 random sentences and 59 of 60 sentences on the topic “sea”, and more than in"
         " swapped"
         " order (50%)."),
        (scored(0.9, swapped=0.5, without=TOPIC), 
         "This is more than for any of 30 random sentences, and more than in swapped order (50%)."),
        (scored(0.9, without=RANDOM), "No random sentence is short enough for a comparison, so this may be chance."),
        (scored(0.9, without=SWAPPED), 
         "This is more than for any of 30 random sentences and any of 30 sentences on the topic “sea”."),
    ],
)  # fmt: skip
def test_the_first_control_that_could_explain_it_is_named(found, words):
    assert found.headline.endswith(words)
    assert found.headline.startswith(f"BERT gives a probability of {found.probability:.0%}")


def test_clearly_needs_a_small_p_for_both_controls():
    assert scored(0.9).clear and scored(0.9, random=9, drawn=200, topic=9).clear
    assert not scored(0.9, random=1).clear and not scored(0.9, topic=1).clear and not scored(0.4).clear
    assert scored(0.9, drawn=19).clear and not scored(0.9, drawn=18).clear  # p = 0.05 is enough, as in the headline
    assert "too few" not in scored(0.9, drawn=19).headline and "too few" in scored(0.9, drawn=18).headline
    with pytest.raises(ValueError, match="No random sentence is short enough"):
        scored(0.9, without=RANDOM).clear


def test_the_answers_of_the_lesson_do_not_hang_on_a_single_dot(bundled):
    """Another seed draws other random sentences; the sentences on the same topic are always all that there are."""
    late = with_controls("The train was late.", "We missed the boat.", bundled, seed=1)
    hungry = with_controls("He was hungry.", "He ate an apple.", bundled, seed=1)
    assert (late.clear, hungry.clear) == (False, True)
    assert late.of(RANDOM)["at_least_as_likely"] > 30 and late.of(TOPIC)["at_least_as_likely"] > 10
    assert hungry.of(RANDOM)["at_least_as_likely"] < 5 and hungry.of(TOPIC)["at_least_as_likely"] == 0


def test_the_first_sentence_repeated():
    assert scored(0.9).repetition == "If the second sentence only repeats the first, it gets 99%."
    assert scored(0.9, without=AGAIN).repetition == ""
