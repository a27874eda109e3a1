"""One pair and many: the probability that the second sentence follows, with its controls."""

from dataclasses import replace

import pandas as pd
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from transformers import AutoTokenizer, BertForPreTraining

from embtools import next_sentence, wordlists
from embtools.charts import pairs as batch_charts
from embtools.charts import pairs as charts
from embtools.pairs import batch
from embtools.pairs import next_sentence as numbers
from embtools.pairs.next_sentence import (
    AGAIN,
    COUNT,
    RANDOM,
    SWAPPED,
    TOPIC,
    WRITTEN,
    NextSentence,
    pair_question,
    topic_of,
    with_controls,
)
from embtools.rooms.question import SHARES
from embtools.statistics.intervals import wilson

# A pair and its controls, compared with single calls of next_sentence; and the bar chart

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


@pytest.mark.parametrize(
    ("pair", "topic"),
    [
        (("How do bees make honey?", "They collect nectar."), "nature"),
        (("The guitarist broke a string.", "He went on playing."), "music"),
        (("¿?", "!"), ""),
    ],
)
def test_the_topic_is_chosen_by_the_words(pair, topic, bundled):
    assert topic_of(*pair, bundled) == topic


def test_the_seed_decides_which_sentences_are_drawn(tiny):
    one, again, other = (with_controls("a king", "a queen", tiny, seed=seed) for seed in (0, 0, 1))
    pd.testing.assert_frame_equal(again.runs, one.runs)
    assert set(other.runs["second"]) != set(one.runs["second"])


def test_a_chosen_topic_is_used_and_an_unknown_one_refused(tiny):
    topic = wordlists.load("corpus").set_index("sentence")["topic"]
    found = with_controls("a king", "a queen", tiny, topic="sea")
    drawn = found.runs.loc[found.runs["control"] == TOPIC, "second"]
    assert found.topic == "sea" and set(topic[drawn]) == {"sea"}
    with pytest.raises(ValueError, match="no topic 'space'"):
        with_controls("a king", "a queen", tiny, topic="space")


def test_pairs_that_are_too_long_are_left_out(tiny):
    long, short = "king " * 50, "rome"
    result = with_controls(long, short, tiny)
    assert result.of(AGAIN) is None and result.of(SWAPPED) is not None
    assert all(len(tiny.tokenize(*pair)) <= 64 for pair in result.runs[["first", "second"]].itertuples(index=False))


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
        (scored(0.9, drawn=1), "But only 1 random sentence is short enough for a comparison, too few to rule out chance (p ≤ 0.5, the smallest possible with 1 sentence)."),
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


@pytest.mark.slow
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


# Many pairs: reading them, and how often BERT is right

PAIRS = (("the king", "the queen", True), ("rome", "a river", False), ("he works", "she works", None))
TEXT = st.text(st.characters(exclude_characters="|", exclude_categories=("C", "Z")), min_size=1, max_size=20)


@example([("first", "second", None)])
@example([("Second", "First", False), ('"Yes," he said.', "b", True), ("a", "b", None)])
@example([("premise", "hypothesis", True), ("first", "second", None)])
@given(st.lists(st.tuples(TEXT, TEXT, st.sampled_from((True, False, None))), min_size=1, max_size=5))
def test_written_pairs_are_read_back(pairs):
    assert batch.read_pairs(batch.write_pairs(pairs)) == tuple(pairs)


@pytest.mark.parametrize(
    ("word", "label"), [("Yes", True), ("0", False), ("random", False), ("NEXT", True), ("", None)]
)
def test_labels_have_several_spellings(word, label):
    assert batch.read_pairs(f"a | b | {word}") == (("a", "b", label),)


@pytest.mark.parametrize(
    ("read", "given", "message"),
    [
        (batch.read_pairs, "", "There are no pairs. Write one per line"),
        (batch.read_pairs, "a | b | c | d", "There is no pair. Write one per line.*line 1"),
        (batch.read_pairs, " | b", "There is no pair.*line 1 .'b'"),
        (batch.read_pairs, "a" * 60_001, "60,001 characters"),
        (batch.read, b"one,two\na,b\n", "no columns named first and second"),
        (batch.read, b"\xff\xfe\x00", "not a text"),
        (batch.read, b"first,second\na,\n", "There is no pair.*a sentence is missing.*line 2"),
        (batch.read, b'first,second\na,"b|c"\n', r"There is no pair.*a sentence contains a bar \(\|\): line 2"),
        (batch.read, b"first,second\n", "There are no pairs"),
        (batch.read, b"x" * 240_001, "240,001 characters"),
    ],
)
def test_lines_and_files_without_pairs_are_refused(read, given, message):
    with pytest.raises(ValueError, match=message):
        read(given)


def test_a_csv_file_with_and_without_labels():
    assert batch.read("\ufeffSecond,First\r\nb,a\r\n".encode()).value == (("a", "b", None),)
    assert batch.read(b'first,second,label\n"a, a",b,no\nc,d,\n').value == (("a, a", "b", False), ("c", "d", None))


def test_lines_and_labels_that_are_not_used_are_named():
    found = batch.read("a | b\nalone\nc | d | perhaps\ne | f | no")
    assert found.value == (("a", "b", None), ("c", "d", None), ("e", "f", False))
    assert found.notes == (
        "Left out, because a sentence is missing or there are too many bars: line 2 ('alone').",
        "Labels that are neither yes nor no are not used: line 3 ('perhaps').",
    )
    found = batch.read("a | b\n" * 301)
    assert len(found.value) == 300 and found.notes == ("Only the first 300 of 301 pairs are used.",)


def test_every_probability_is_that_of_a_single_call(tiny):
    found = batch.follow(PAIRS, tiny)
    for row, (first, second, _) in zip(found.frame.itertuples(), PAIRS, strict=True):
        assert row.probability == pytest.approx(next_sentence(first, second, tiny), abs=1e-6)
    # Each first sentence gets another pair's second, and each second is used once.
    positions = {
        round(next_sentence(a, b, tiny), 5): (i, j)
        for i, (a, _, _) in enumerate(PAIRS)
        for j, (_, b, _) in enumerate(PAIRS)
    }
    shuffled = [positions[round(value, 5)] for value in found.frame["shuffled"]]
    assert [i for i, _ in shuffled] == [0, 1, 2] and sorted(j for _, j in shuffled) == [0, 1, 2]
    assert all(i != j for i, j in shuffled)


def test_correct_pairs_are_counted(tiny):
    assert 0 < batch.effort(PAIRS, tiny) < batch.effort(PAIRS * 2, tiny)
    found = batch.follow(PAIRS, tiny)
    right = [
        (p >= 0.5) == label
        for p, (_, _, label) in zip(found.frame["probability"], PAIRS, strict=True)
        if label is not None
    ]
    assert (found.correct, found.labelled, found.baseline) == (sum(right), 2, 0.5)
    assert (found.low, found.high) == wilson(sum(right), 2)
    assert found.frame["correct"].tolist() == [*("yes" if r else "no" for r in right), ""]
    follows = found.frame[found.frame["label"] != "no"]
    assert (found.above, found.compared) == ((follows["probability"] > follows["shuffled"]).sum(), 2)


def test_a_single_pair_has_no_shuffled_pair(tiny):
    found = batch.follow([("a king", "a queen", None)], tiny)
    assert found.frame["shuffled"].isna().all() and (found.labelled, found.compared) == (0, 0)
    assert found.headline.endswith("of 1 pair. There are no labels to check this against.")
    for label in (True, False):
        found = batch.follow([("a king", "a queen", label)], tiny)
        assert found.headline.startswith(f"BERT judges {found.correct} of 1 pair correctly")
        assert found.headline.endswith("All labels are the same, so always giving that answer would be correct.")


def test_a_pair_that_cannot_be_read_is_named(tiny):
    with pytest.raises(ValueError, match=r"Pair 2: .*reads 64"):
        batch.follow([*PAIRS[:1], ("king " * 70, "queen", None)], tiny)
    with pytest.raises(ValueError, match="no pairs"):
        batch.follow([], tiny)
    # A shuffled pair that is too long is not scored.
    found = batch.follow([("king " * 40, "a", None), ("a", "queen " * 40, None)], tiny)
    assert found.frame["shuffled"].isna().tolist() == [True, False]


def test_the_built_in_pairs_are_half_true():
    known = set(wordlists.load("continuations").itertuples(index=False, name=None))
    for false in ("random", "swapped"):
        pairs = batch.built_in(false)
        assert sum(label for _, _, label in pairs) == len(pairs) / 2 == 20
        for first, second, label in pairs:
            assert ((first, second) in known) == label
            assert label or ((second, first) in known) == (false == "swapped")
    assert len({second for _, second, _ in batch.built_in("random")}) == 40


@pytest.mark.slow
def test_the_head_recognises_random_sentences_but_not_reversed_order(bundled):
    random, swapped = (batch.follow(batch.built_in(false), bundled) for false in ("random", "swapped"))
    assert random.low > 0.5 and random.headline.endswith(
        f", 95% interval {random.low:.0%} to {random.high:.0%}). This is clearly more than the 50% that you would"
        " get by always giving the same answer."
    )
    assert swapped.low < 0.5 < swapped.high
    assert "This is not clearly different from the 50% that you would get by always giving" in swapped.headline
    worse = replace(swapped, correct=4, low=0.04, high=0.23)
    assert worse.headline == (
        "BERT judges 4 of 40 pairs correctly (10%, 95% interval 4.0% to 23%). This is clearly less than the 50% that you"
        " would get by always giving the same answer."
    )


def test_the_strip_chart_shows_every_pair_by_label(tiny):
    found = batch.follow(PAIRS, tiny)
    frame, chart = found.frame, batch_charts.strips(found)
    shuffled, *labelled = chart.figure.data  # from below
    assert list(chart.y.names) == ["follows (yes)", "does not follow (no)", "no label", "shuffled pairs"]
    assert [trace.x.tolist() for trace in labelled] == [[pytest.approx(p)] for p in frame["probability"][::-1]]
    assert shuffled.x.tolist() == pytest.approx(frame["shuffled"].tolist())
    for trace, line in zip(chart.figure.data, chart.figure.layout.shapes, strict=False):
        assert line.x0 == line.x1 == pytest.approx(trace.x.mean())
    assert chart.alt.startswith("Next-sentence probabilities of the pairs, by kind. follows (yes): 1 with a mean of ")
    assert chart.frame is frame


# Segment ids, against the Hugging Face network

PAIR = "The king.", "The river bank."


def test_every_token_has_its_sentence_name(tiny):
    frame = numbers.tokens(*PAIR, tiny)
    assert frame["token"].tolist() == "[CLS] the king . [SEP] the river bank . [SEP]".split()
    assert frame["segment"].tolist() == [0] * 5 + [1] * 5
    assert frame["sentence"].unique().tolist() == ["A, the first sentence", "B, the second sentence"]


def test_a_single_sentence_has_0_in_bert_and_1_in_the_article(tiny):
    frame = numbers.single_sentence(PAIR[0], tiny)
    assert len(frame) == 5 and (frame["segment"] == 0).all() and (frame["segment_in_article"] == 1).all()


def test_other_segment_ids_give_what_the_network_gives(tiny, tiny_folder):
    network = BertForPreTraining.from_pretrained(tiny_folder).eval()
    inputs = AutoTokenizer.from_pretrained(tiny_folder)(*PAIR, return_tensors="pt")
    own = inputs["token_type_ids"]
    expected = []
    for ids in (own, 1 - own, torch.zeros_like(own), torch.ones_like(own)):
        with torch.no_grad():
            logits = network(**{**inputs, "token_type_ids": ids}).seq_relationship_logits
        expected.append(float(logits.softmax(-1)[0, 0]))
    found = numbers.other_segments(*PAIR, tiny)
    assert found["probability"].tolist() == pytest.approx(expected, abs=1e-6)
    assert found["probability"].nunique() == 4


def test_a_model_without_segments_says_so(tiny_distil):
    with pytest.raises(ValueError, match="no segment embeddings"):
        numbers.other_segments(*PAIR, tiny_distil)


# A question about a pair of sentences

EVERYDAY = [STORE, ("Rome is the capital of Italy.", "Penguins are birds that cannot fly.")]


@pytest.mark.parametrize("first, second", EVERYDAY)
def test_the_answer_is_the_range_with_berts_probability(bundled, first, second):
    question, probability = pair_question(first, second, bundled), next_sentence(first, second, bundled)
    assert question.choices == SHARES and question.shares == ()  # one answer, of which BERT gives no probability
    low = (0, 25, 50, 75)[question.picked]
    assert low <= round(100 * probability) <= (24, 49, 74, 100)[question.picked]
    assert question.context == f"“{first}”\n“{second}”"


@pytest.mark.parametrize(
    "probability, picked",
    [(0.0, 0), (0.244, 0), (0.246, 1), (0.496, 2), (0.744, 2), (0.746, 3), (1.0, 3)],
)
def test_an_answer_as_it_is_written_fits_one_range_only(monkeypatch, tiny, probability, picked):
    monkeypatch.setattr(numbers, "next_sentences", lambda pairs, model: [probability])
    assert pair_question("A.", "B.", tiny).picked == picked


def test_other_choices_of_the_teacher_are_no_answer(bundled):
    question = pair_question(*EVERYDAY[0], bundled, choices=("yes", "no"))
    assert question.picked is None and question.answer


def test_long_sentences_are_whole(bundled):
    assert pair_question("river " * 60, "bank " * 60, bundled).context.count("river") == 60
