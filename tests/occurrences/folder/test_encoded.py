"""A text becomes parts and buckets: shards, vectors, sorting, receipts and sums."""

import lzma
from collections import Counter
from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given

from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder import packing
from embtools.occurrences.folder.encoder import ModelEncoder, encode_shard, machine, occurrence_table, vectors_of
from embtools.occurrences.folder.location import Written
from embtools.occurrences.folder.receipts import Receipt
from embtools.occurrences.folder.shards import LONGEST, SENTENCES, WORDS, checksum, sentences, shards
from embtools.occurrences.folder.sums import Sums

# Texts split into sentences and shards

TEXT = "One is here. Two is here.\nThree.\n\n\nFour is the second document's.\n"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(TEXT, encoding="utf-8-sig")
    return path


def test_sentences_with_their_documents_plain_and_xz(path, tmp_path):
    packed = tmp_path / "a.txt.xz"
    packed.write_bytes(lzma.compress(TEXT.encode()))
    expected = [(0, "One is here."), (0, "Two is here."), (0, "Three."), (1, "Four is the second document's.")]
    assert list(sentences([path])) == list(sentences([packed])) == expected
    assert [document for document, _ in sentences([path, packed])] == [0, 0, 0, 1, 2, 2, 2, 3]


def test_a_long_sentence_is_cut_between_words(path):
    path.write_text("word " * 1_000, encoding="utf-8")
    found = [text for _, text in sentences([path])]
    assert len(found) > 1 and all(len(text) <= LONGEST < WORDS for text in found)
    assert " ".join(found).split() == ["word"] * 1_000


def test_shards_end_with_a_sentence_and_together_are_the_text():
    found = [(n // 3, f"a b c {n}") for n in range(10)]
    tables = list(shards(iter(found), 9))
    assert [len(table) for table in tables] == [3, 3, 3, 1]
    rows = [row for table in tables for row in table.to_pylist()]
    assert rows == [{"sentence": n, "document": d, "text": t} for n, (d, t) in enumerate(found)]
    assert list(shards(iter([]), 9)) == []


@pytest.mark.parametrize(
    "name, data", [("a.txt", b"\xff\xfe\x00"), ("a.txt.xz", b"no xz"), ("b.txt.xz", lzma.compress(b"x" * 99)[:-9])]
)
def test_a_file_that_is_no_text_is_refused(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match="Save it as UTF-8" if name == "a.txt" else "cannot be read .*Copy it again"):
        list(sentences([tmp_path / name]))


def test_a_missing_file_is_refused(tmp_path, path):
    for function in (lambda p: list(sentences([p])), checksum):
        with pytest.raises(ValueError, match="no text file"):
            function(tmp_path / "nothing.txt")
    assert len(checksum(path)) == 64


# A shard as a table, compared with the corpus that is encoded in memory

TEXTS = ("The bank of Paris, France.", "Works unable!", "He is the king, he is.", "bank", "Xylophone ,")


def shard(texts=TEXTS, first=0):
    return pa.table([range(first, first + len(texts)), [0] * len(texts), texts], schema=SENTENCES)


@pytest.mark.parametrize("combination", ["layer 1", "sum of last four", "concatenation of last four"])
def test_the_table_is_the_corpus_in_memory_sorted_by_word(tiny, combination):
    table, known = (
        encode_shard(shard(first=7), tiny, combination=combination),
        encode_corpus(Corpus(TEXTS), tiny, combination=combination),
    )
    frame = table.drop_columns(["vector"]).to_pandas()
    assert [*zip(frame["word"], frame["occ"], strict=True)] == sorted(zip(frame["word"], frame["occ"], strict=True))
    order = frame["occ"].argsort()  # the order of the text, which is that in memory
    assert frame["word"].iloc[order].tolist() == known.table["word"].tolist()
    for column in ("position", "pieces"):
        assert frame[column].iloc[order].tolist() == known.table[column].tolist()
    assert (frame["sentence"] == frame["occ"] // WORDS).all() and frame["sentence"].min() == 7
    vectors = vectors_of(table)
    assert vectors.dtype == np.float16 and vectors[order] == pytest.approx(known.vectors, rel=1e-3, abs=1e-3)
    assert frame["norm"].to_numpy() == pytest.approx(np.linalg.norm(vectors.astype(np.float64), axis=1), rel=1e-6)
    for row in frame.to_dict("records"):
        _, places = tiny.words(TEXTS[row["sentence"] - 7])
        _, _, start, end = places[row["occ"] % WORDS]
        assert TEXTS[row["sentence"] - 7][start:end].lower() == row["word"]


def test_what_is_cut_and_left_out_is_counted(tiny):
    long = " ".join(["king queen ,"] * 40)
    table = encode_shard(shard((long, "rome xylophone .")), tiny, combination="layer 1")
    said = {key.decode(): int(value) for key, value in table.schema.metadata.items()}
    assert said["cut"] == 1 and said["left_out"] == 42 and len(table) == 81
    assert len(set(table["occ"].to_pylist())) == 81
    assert said["pieces"] == 120 + 3 + 2 * 3  # the long one in two rows
    assert len(encode_shard(shard(("xylophone",)), tiny, combination="layer 1")) == 0


def test_fingerprints_differ_between_models_tokenizers_and_combinations(tiny_folder, tiny):
    encoder = ModelEncoder(str(tiny_folder), "layer 1")
    known = encoder.fingerprint()
    assert known["weights"] == tiny.checksum and known["tokenizer"] == tiny.tokenizer_checksum
    assert ModelEncoder(str(tiny_folder), "layer 2").fingerprint() != known
    assert encoder(shard()).equals(encode_shard(shard(), tiny, combination="layer 1"))
    assert ModelEncoder(str(tiny_folder), "layer 1", "cuda").fingerprint() != known
    assert machine().strip()


def test_a_missing_device_is_refused(tiny_folder):
    import torch

    encoder = ModelEncoder(str(tiny_folder), "layer 1", "cuda")
    if torch.cuda.is_available():
        near = vectors_of(encoder(shard())), vectors_of(ModelEncoder(str(tiny_folder), "layer 1")(shard()))
        assert near[0] == pytest.approx(near[1], abs=2e-3)
    else:
        with pytest.raises(ValueError, match="cannot compute on 'cuda'. Leave out --gpus"):
            encoder(shard())


def test_vectors_too_long_for_half_precision_are_refused(tiny, monkeypatch):
    monkeypatch.setattr("embtools.occurrences.folder.encoder.combine", lambda states, combination: states[1] * 1e6)
    with pytest.raises(ValueError, match="too large for half precision"):
        encode_shard(shard(), tiny, combination="layer 1")


# Buckets, compared with one sort of all rows

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


def test_a_sample_is_uniform_and_always_the_same():
    occ = np.arange(100_000) * WORDS
    some = packing.chosen(occ, 0.1)
    assert 0.095 < some.mean() < 0.105 and np.array_equal(packing.chosen(occ[500:600], 0.1), some[500:600])
    assert packing.chosen(occ, 1.0).all() and packing.chosen(occ, 3.0).all()
    assert len(np.unique(packing.mixed(occ))) == len(occ)
    assert int(packing.mixed(np.array([0]))[0]) == 0xE220A8397B1DCDAF  # SplitMix64's first number from seed 0


# Receipts of finished files


def table(occ):
    vectors = np.arange(2 * len(occ), dtype=np.float16).reshape(-1, 2) + 1
    words = ["bank" if o % 2 else "élan" for o in occ]
    return occurrence_table(occ, words, [1] * len(occ), [1] * len(occ), vectors, {"pieces": 9, "cut": 1, "left_out": 2})


@pytest.mark.parametrize("occ", [[1, 2, 3], []])
def test_what_is_saved_is_loaded(occ):
    rows = table(occ)
    receipt = Receipt.of(rows, Written(10, "sum"), Sums.of(vectors_of(rows)))
    again = Receipt.load(receipt.saved())
    assert again.counts == ({"bank": 2, "élan": 1} if occ else {}) and again.written == Written(10, "sum")
    assert (again.rows, again.dimensions, again.pieces, again.cut, again.left_out) == (len(occ), 2, 9, 1, 2)
    assert again.sums and again.sums.total == pytest.approx(vectors_of(rows).astype(float).sum(0))
    for name in ("units", "squares"):
        assert np.array_equal(getattr(again.sums, name), getattr(receipt.sums, name))
    assert Receipt.load(Receipt.of(rows, Written(1, "x")).saved()).sums is None


def test_the_hash_depends_only_on_the_set():
    def hashed(*tables):
        return sum(Receipt.of(t, Written(0, "")).hashed for t in tables) % 2**64

    assert hashed(table([1, 2]), table([3])) == hashed(table([3, 1, 2]))
    assert hashed(table([1, 2])) != hashed(table([1, 3])) and hashed(table([1, 2])) != hashed(
        pa.concat_tables([table([1, 2])] * 2)
    )


# Sums, compared with numpy on all rows


@pytest.fixture
def rows():
    return (np.random.default_rng(1).normal(size=(300, 7)) + 0.4).astype(np.float16)


@given(cuts=st.lists(st.integers(0, 300), max_size=4))
def test_parts_sum_to_the_whole_however_it_is_cut(cuts):
    rows = (np.random.default_rng(1).normal(size=(300, 7)) + 0.4).astype(np.float16)
    found = sum((Sums.of(part) for part in np.split(rows, sorted(cuts))), Sums.none(7))
    exact = rows.astype(np.float64)
    moments = found.moments()
    assert found.n == moments.count == 300 and moments.mean == pytest.approx(exact.mean(0))
    assert moments.covariance == pytest.approx(np.cov(exact.T, bias=True), abs=1e-12)
    assert found.units == pytest.approx((exact / np.linalg.norm(exact, axis=1)[:, None]).sum(0))


def test_the_mean_cosine_is_that_of_all_pairs(rows):
    unit = rows.astype(np.float64) / np.linalg.norm(rows.astype(np.float64), axis=1)[:, None]
    cosines = unit @ unit.T
    assert Sums.of(rows).mean_cosine == pytest.approx(cosines[~np.eye(300, dtype=bool)].mean())
    assert np.isnan(Sums.of(rows[:1]).mean_cosine)
    with pytest.raises(ValueError, match="A covariance needs at least two vectors"):
        Sums.of(rows[:1]).moments()


def test_more_rows_than_a_block(monkeypatch, rows):
    whole = Sums.of(rows)
    monkeypatch.setattr("embtools.occurrences.folder.sums._ROWS", 64)
    assert Sums.of(rows).squares == pytest.approx(whole.squares)
