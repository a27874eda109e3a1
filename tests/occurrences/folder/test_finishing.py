"""The last files of a folder, compared with the parts they are made of."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from embtools.occurrences.folder import finishing, packing
from embtools.occurrences.folder.encoder import vectors_of
from embtools.occurrences.folder.finishing import npy_header, word_table
from embtools.occurrences.folder.location import Location
from embtools.occurrences.folder.sums import Sums
from embtools.occurrences.folder.writing import encode_texts
from tests.occurrences.folder.fake import Fake


def rows(whole):
    return pa.concat_tables(pq.read_table(path) for path in sorted((whole / "words").iterdir()))


def test_words_lead_to_their_rows(whole):
    everything = rows(whole)
    words = pq.read_table(whole / "words.parquet").to_pylist()
    assert [each["word"] for each in words] == everything["word"].unique().to_pylist()
    for each in words:
        bucket = pq.ParquetFile(whole / f"words/bucket-{each['bucket']:06}.parquet")
        assert bucket.read()["word"][each["row"]].as_py() == each["word"]
        assert each["word"] in bucket.read_row_group(each["row"] // 16)["word"].to_pylist()
        assert each["count"] == everything["word"].to_pylist().count(each["word"])
    assert [each["count"] for each in words if each["word"] == "the"] == [120]
    assert word_table([{"a": packing.GROUP, "b": 1}])["row_group"].to_pylist() == [0, 1]


def test_the_moments_are_those_of_all_rows(whole):
    vectors = vectors_of(rows(whole))
    found, known = Sums.load((whole / "moments.npz").read_bytes()), Sums.of(vectors)
    assert found.n == known.n == len(vectors)
    for name in ("total", "units", "squares"):
        assert getattr(found, name) == pytest.approx(getattr(known, name))


def test_a_small_corpus_is_its_own_sample(whole):
    everything = rows(whole)
    assert np.array_equal(np.load(whole / "sample.npy"), vectors_of(everything).astype(np.float32))
    assert pq.read_table(whole / "sample.parquet").equals(everything.drop_columns(["vector"]))


def test_the_sample_of_a_large_corpus_does_not_depend_on_the_workers(text, tmp_path, monkeypatch):
    samples = []
    monkeypatch.setattr(finishing, "SAMPLE", 100)
    monkeypatch.setattr("embtools.occurrences.folder.writing.SAMPLE", 130)  # more than are wanted come in by chance
    for number, bucket in enumerate((50, 1_000)):
        encode_texts([text], str(tmp_path / str(number)), Fake(), shard=100, bucket=bucket)
        samples.append(pq.read_table(tmp_path / str(number) / "sample.parquet"))
        assert np.load(tmp_path / str(number) / "sample.npy").shape == (100, 8)
    assert len(samples[0]) == 100 and samples[0].equals(samples[1])
    assert len(samples[0]["word"].unique()) > 20


def test_corpus_json_is_written_last_and_lists_all_files(text, tmp_path, monkeypatch):
    written, write = [], Location.write
    monkeypatch.setattr(Location, "write", lambda self, name, chunks: written.append(name) or write(self, name, chunks))
    about = encode_texts([text], str(tmp_path / "out"), Fake(), shard=80)
    assert written[-1] == "corpus.json" and about == json.loads((tmp_path / "out" / "corpus.json").read_bytes())
    assert about["occurrences"] == sum(f["rows"] for name, f in about["files"].items() if name.startswith("words/"))
    assert (about["sentences"], about["documents"], about["pieces"]) == (60, 6, 60 * 11)
    for name, file in about["files"].items():
        assert (tmp_path / "out" / name).stat().st_size == file["bytes"]
    assert not (tmp_path / "out" / "sample").exists()


def test_buckets_that_are_not_the_parts_are_refused(text, tmp_path):
    def engine(job, stage, todo):
        for number in todo:
            yield job.work(stage, number)
            if stage == "bucket":  # after it the folder has another encoder's parts
                for path in (tmp_path / "out" / "receipts").glob("bucket-*"):
                    path.write_bytes((tmp_path / "out" / "receipts" / "part-000000.npz").read_bytes())

    with pytest.raises(ValueError, match="do not contain the same occurrences as the parts"):
        encode_texts([text], str(tmp_path / "out"), Fake(), shard=80, engine=engine)


def test_the_head_of_an_npy_file(tmp_path):
    values = np.arange(6, dtype=np.float32).reshape(3, 2)
    (tmp_path / "x.npy").write_bytes(npy_header(3, 2) + values.tobytes())
    assert np.array_equal(np.load(tmp_path / "x.npy"), values)
