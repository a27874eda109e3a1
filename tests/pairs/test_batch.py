"""Many pairs: reading them, and how often BERT is right."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools import next_sentence, wordlists
from embtools.charts import pairs as charts
from embtools.pairs import batch
from embtools.statistics.intervals import wilson

PAIRS = (("the king", "the queen", True), ("rome", "a river", False), ("he works", "she works", None))
TEXT = st.text(st.characters(exclude_characters="|", exclude_categories=("C", "Z")), min_size=1, max_size=20)


@given(st.lists(st.tuples(TEXT, TEXT, st.sampled_from((True, False, None))), min_size=1, max_size=5))
def test_written_pairs_are_read_back(pairs):
    assert batch.read_pairs(batch.write_pairs(pairs)) == tuple(pairs)


@pytest.mark.parametrize(
    ("word", "label"), [("Yes", True), ("0", False), ("random", False), ("NEXT", True), ("", None)]
)
def test_labels_have_several_spellings(word, label):
    assert batch.read_pairs(f"a | b | {word}") == (("a", "b", label),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There are no pairs. Write one per line"),
        ("a | b | c | d", "There is no pair. Write one per line.*line 1"),
        (" | b", "There is no pair.*line 1 .'b'"),
        ("a" * 60_001, "60,001 characters"),
    ],
)
def test_lines_that_are_not_pairs_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        batch.read_pairs(text)


def test_a_csv_file_with_and_without_labels():
    assert batch.read("\ufeffSecond,First\r\nb,a\r\n".encode()).value == (("a", "b", None),)
    assert batch.read(b'first,second,label\n"a, a",b,no\nc,d,\n').value == (("a, a", "b", False), ("c", "d", None))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"one,two\na,b\n", "no columns named first and second"),
        (b"\xff\xfe\x00", "not a text"),
        (b"first,second\na,\n", "There is no pair.*a sentence is missing.*line 2"),
        (b'first,second\na,"b|c"\n', r"There is no pair.*a sentence contains a bar \(\|\): line 2"),
        (b"first,second\n", "There are no pairs"),
        (b"x" * 240_001, "240,001 characters"),
    ],
)
def test_files_that_cannot_be_read(data, message):
    with pytest.raises(ValueError, match=message):
        batch.read(data)


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
    assert found.headline.endswith("of 1 pairs. The pairs have no labels to check this against.")


def test_a_pair_that_cannot_be_read_is_named(tiny, tiny_distil):
    with pytest.raises(ValueError, match=r"Pair 2: .*reads 64"):
        batch.follow([*PAIRS[:1], ("king " * 70, "queen", None)], tiny)
    with pytest.raises(ValueError, match="no next-sentence head"):
        batch.follow(PAIRS, tiny_distil)
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
    frame, chart = found.frame, charts.strips(found)
    shuffled, *labelled = chart.figure.data  # from below
    assert list(chart.y.names) == ["follows (yes)", "does not follow (no)", "no label", "shuffled pairs"]
    assert [trace.x.tolist() for trace in labelled] == [[pytest.approx(p)] for p in frame["probability"][::-1]]
    assert shuffled.x.tolist() == pytest.approx(frame["shuffled"].tolist())
    for trace, line in zip(chart.figure.data, chart.figure.layout.shapes, strict=False):
        assert line.x0 == line.x1 == pytest.approx(trace.x.mean())
    assert chart.alt.startswith("Next-sentence probabilities of the pairs, by kind. follows (yes): 1 with a mean of ")
    assert chart.frame is frame


def test_effort_grows_with_the_length_of_the_pairs(tiny):
    assert 0 < batch.effort(PAIRS, tiny) < batch.effort(PAIRS * 2, tiny)
