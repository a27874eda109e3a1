"""Buckets, compared with one sort of all rows."""

from collections import Counter
from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

from embtools.occurrences.folder import packing
from embtools.occurrences.folder.encoder import occurrence_table
from embtools.occurrences.folder.shards import WORDS

WORD = st.sampled_from(["the", "a", "bank", "élan", "zoo", "𝔸", "~", "ab"])


def part(number, words):
    """A part of ten sentences, its words put down one after another."""
    occ = [(number * 10 + place % 10) * WORDS + place for place in range(len(words))]
    vectors = np.array(occ, np.float16)[:, None] if occ else np.empty((0, 1), np.float16)
    return occurrence_table(occ, list(words), [1] * len(occ), [1] * len(occ), vectors % 7, {"pieces": 1})


@pytest.mark.slow
@given(parts=st.lists(st.lists(WORD, max_size=25), min_size=1, max_size=4), size=st.integers(1, 40))
def test_the_buckets_one_after_another_are_all_rows_sorted(parts, size):
    tables = [part(number, words) for number, words in enumerate(parts)]
    bounds = packing.bounds([packing.word_counts(t) for t in tables], [10 * n for n in range(len(tables))], size)
    assert bounds == sorted(bounds) and bounds[0] == packing.FIRST
    files = [pa.BufferReader(packing.parquet_bytes(table)) for table in tables]
    found = []
    for lo, hi in pairwise([*bounds, None]):
        bucket = packing.pack_bucket([packing.read_range(file, lo, hi) for file in files], lo, hi)
        assert bucket.equals(packing.pack_bucket(tables, lo, hi))
        found += zip(bucket["word"].to_pylist(), bucket["occ"].to_pylist(), strict=True)
    everything = pa.concat_tables(tables)
    assert found == sorted(zip(everything["word"].to_pylist(), everything["occ"].to_pylist(), strict=True))


def test_no_bucket_is_much_larger_than_its_size():
    counts = [{"a": 30, "the": 90, "zoo": 5} for _ in range(10)]
    bounds = packing.bounds(counts, list(range(0, 1_000, 100)), 200)
    assert [word for word, _ in bounds] == ["", "a", *["the"] * 5, "zoo"]
    assert bounds[2:4] == [("the", 0), ("the", 200 * WORDS)]


def test_only_row_groups_of_the_range_are_read(monkeypatch):
    monkeypatch.setattr(packing, "GROUP", 4)
    table = part(0, sorted("aaaabbbbccccdddd"))
    file = pa.BufferReader(packing.parquet_bytes(table))
    assert packing.read_range(file, ("b", -1), ("c", -1))["word"].unique().to_pylist() == ["b", "c"]
    assert packing.read_range(file, ("x", -1), None).num_rows == 0


def test_words_are_counted_in_their_order():
    words = ["zoo", "a", "the", "a", "the", "the"]
    assert packing.word_counts(part(0, words)) == dict(sorted(Counter(words).items()))
    assert packing.word_counts(part(0, [])) == {}


def test_equal_tables_give_equal_bytes():
    assert packing.parquet_bytes(part(0, "abab")).equals(packing.parquet_bytes(part(0, "abab")))


def test_a_sample_is_uniform_and_always_the_same():
    occ = np.arange(100_000) * WORDS
    some = packing.chosen(occ, 0.1)
    assert 0.095 < some.mean() < 0.105 and np.array_equal(packing.chosen(occ[500:600], 0.1), some[500:600])
    assert packing.chosen(occ, 1.0).all() and packing.chosen(occ, 3.0).all()
    assert len(np.unique(packing.mixed(occ))) == len(occ)
    assert int(packing.mixed(np.array([0]))[0]) == 0xE220A8397B1DCDAF  # SplitMix64's first number from seed 0
    assert not np.array_equal(packing.mixed(occ), packing.mixed(occ, seed=1))


@pytest.mark.parametrize("columns", [["word", "count"], ["sentence", "text"]])
def test_other_tables_are_written_too(columns):
    table = pa.table({name: ["x", "y"] for name in columns})
    assert pq.read_table(pa.BufferReader(packing.parquet_bytes(table))).equals(table)
