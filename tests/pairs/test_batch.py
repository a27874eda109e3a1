"""Many pairs: reading them, and how often BERT is right."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools import next_sentence, wordlists
from embtools.charts.pairs import batch as charts
from embtools.pairs import batch
from embtools.statistics.intervals import wilson
from tests.drawn import HOSTILE, shows_no_markup

PAIRS = (("the king", "the queen", True), ("rome", "a river", False), ("he works", "she works", None))
TEXT = st.text(st.characters(exclude_characters="|", exclude_categories=("C", "Z")), min_size=1, max_size=20)


@given(st.lists(st.tuples(TEXT, TEXT, st.sampled_from((True, False, None))), min_size=1, max_size=5))
def test_what_is_written_is_read_again(pairs):
    assert batch.read_pairs(batch.write_pairs(pairs)) == tuple(pairs)


@pytest.mark.parametrize(
    ("word", "label"), [("Yes", True), ("0", False), ("random", False), ("NEXT", True), ("", None)]
)
def test_labels_in_their_spellings(word, label):
    assert batch.read_pairs(f"a | b | {word}") == (("a", "b", label),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no pair"),
        ("a | b\nalone", "Line 2 is no pair: 'alone'"),
        ("a | b | c | d", "Line 1 is no pair"),
        (" | b", "Line 1 is no pair"),
        ("a | b | perhaps", "Line 1 has the label 'perhaps'"),
        ("a | b\n" * 301, "301 pairs; at most 300"),
        ("a" * 60_001, "60,001 characters"),
    ],
)
def test_lines_that_are_no_pairs(text, said):
    with pytest.raises(ValueError, match=said):
        batch.read_pairs(text)


def test_a_csv_file_with_and_without_labels():
    assert batch.from_csv("\ufeffSecond,First\r\nb,a\r\n".encode()) == (("a", "b", None),)
    assert batch.from_csv(b'first,second,label\n"a, a",b,no\nc,d,\n') == (("a, a", "b", False), ("c", "d", None))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"one,two\na,b\n", "columns first, second"),
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b"first,second\na,\n", "Row 2 of the file lacks a sentence"),
        (b'first,second\na,"b|c"\n', "Row 2 of the file has a bar"),
        (b'first,second\na,"b\nc"\n', "end of a line"),
        (b"first,second,label\na,b,maybe\n", "Row 2 has the label 'maybe'"),
        (b"first,second\n", "no pair"),
        (b"x" * 240_001, "240,001 bytes"),
    ],
)
def test_files_that_cannot_be_read(data, said):
    with pytest.raises(ValueError, match=said):
        batch.from_csv(data)


def test_every_probability_is_that_of_a_single_call(tiny):
    found = batch.follow(PAIRS, tiny)
    for row, (first, second, _) in zip(found.frame.itertuples(), PAIRS, strict=True):
        assert row.probability == pytest.approx(next_sentence(first, second, tiny), abs=1e-6)
    # Each first sentence is dealt another pair's second, and each second is dealt once.
    dealt = {
        round(next_sentence(a, b, tiny), 5): (i, j)
        for i, (a, _, _) in enumerate(PAIRS)
        for j, (_, b, _) in enumerate(PAIRS)
    }
    places = [dealt[round(value, 5)] for value in found.frame["dealt"]]
    assert [i for i, _ in places] == [0, 1, 2] and sorted(j for _, j in places) == [0, 1, 2]
    assert all(i != j for i, j in places)


def test_what_is_right_is_counted(tiny):
    found = batch.follow(PAIRS, tiny)
    right = [
        (p >= 0.5) == label
        for p, (_, _, label) in zip(found.frame["probability"], PAIRS, strict=True)
        if label is not None
    ]
    assert (found.right, found.labelled, found.always) == (sum(right), 2, 0.5)
    assert (found.low, found.high) == wilson(sum(right), 2)
    assert found.frame["right"].tolist() == [*("yes" if r else "no" for r in right), ""]
    follows = found.frame[found.frame["label"] != "no"]
    assert (found.above, found.follow) == ((follows["probability"] > follows["dealt"]).sum(), 2)


def test_a_pair_alone_is_dealt_nothing(tiny):
    found = batch.follow([("a king", "a queen", None)], tiny)
    assert found.frame["dealt"].isna().all() and (found.labelled, found.follow) == (0, 0)
    assert "no label says" in batch.finding(found)


def test_a_pair_that_cannot_be_read_is_named(tiny, tiny_distil):
    with pytest.raises(ValueError, match=r"Pair 2: .*reads 64"):
        batch.follow([*PAIRS[:1], ("king " * 70, "queen", None)], tiny)
    with pytest.raises(ValueError, match="no next-sentence head"):
        batch.follow(PAIRS, tiny_distil)
    with pytest.raises(ValueError, match="no pair"):
        batch.follow([], tiny)
    # A dealt pair that is too long is not asked.
    found = batch.follow([("king " * 40, "a", None), ("a", "queen " * 40, None)], tiny)
    assert found.frame["dealt"].isna().tolist() == [True, False]


def test_the_built_in_pairs_are_half_true():
    known = set(wordlists.load("continuations").itertuples(index=False, name=None))
    for false in ("random", "swapped"):
        pairs = batch.built_in(false)
        assert sum(label for _, _, label in pairs) == len(pairs) / 2 == 20
        for first, second, label in pairs:
            assert ((first, second) in known) == label
            assert label or ((second, first) in known) == (false == "swapped")
    assert len({second for _, second, _ in batch.built_in("random")}) == 40


def test_the_head_tells_random_sentences_but_not_their_order(bundled):
    random, swapped = (batch.follow(batch.built_in(false), bundled) for false in ("random", "swapped"))
    assert random.low > 0.5 and batch.finding(random).endswith(
        f"more often than by always giving the same answer (50%); 95% interval {random.low:.0%} to {random.high:.0%}."
    )
    assert swapped.low < 0.5 < swapped.high and "not clearly more or less often than by" in batch.finding(swapped)
    worse = replace(swapped, right=4, low=0.04, high=0.23)
    assert "(10%), less often than by always giving the same answer (50%); 95% interval 4% to 23%." in batch.finding(
        worse
    )


def test_the_strip_holds_every_pair_by_its_label(tiny):
    frame = batch.follow(PAIRS, tiny).frame
    figure = charts.strip(frame)
    assert list(figure.layout.yaxis.ticktext) == ["dealt anew", "not labelled", "does not (no)", "follows (yes)"]
    assert [trace.x.tolist() for trace in figure.data[1:]] == [[pytest.approx(p)] for p in frame["probability"][::-1]]
    assert figure.data[0].x.tolist() == pytest.approx(frame["dealt"].tolist())
    assert charts.alt(frame).startswith("Next-sentence probabilities by kind of pair. follows (yes): 1, mean ")
    assert shows_no_markup(charts.strip(frame.assign(first=HOSTILE)))
