"""Folders: their files, where they are, which are offered, and how they are opened."""

import errno
import hashlib
import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from embtools.occurrences.folder import encoder, finishing, opened, packing
from embtools.occurrences.folder.checking import status, verify
from embtools.occurrences.folder.encoder import vectors_of
from embtools.occurrences.folder.finishing import word_table
from embtools.occurrences.folder.location import Location, offered
from embtools.occurrences.folder.opened import OpenFolder, described, seconds, sentence_positions
from embtools.occurrences.folder.packing import parquet_bytes
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sums import Sums
from embtools.occurrences.folder.writing import encode_texts
from embtools.spaces.space import CENTRED, WHITENED, Space
from tests.occurrences.folder.fake import Fake
from tests.store import encoded

# Files are complete or missing, even if writing is interrupted


@pytest.fixture
def location(tmp_path):
    return Location(str(tmp_path))


def test_what_is_written_is_read_counted_and_hashed(location):
    written = location.write("a/b.bin", [b"one", b"", b"two"])
    assert location.read("a/b.bin") == b"onetwo"
    assert (written.bytes, written.sha256) == (6, hashlib.sha256(b"onetwo").hexdigest())
    assert location.names("a") == {"b.bin": 6} and location.names("nothing") == {}
    assert location.has("a/b.bin") and not location.has("a") and not location.has("a/c.bin")
    location.remove("a")
    assert not location.has("a/b.bin")


@pytest.mark.parametrize("cut", [0, 3, 6])
def test_a_write_that_is_cut_at_any_byte_leaves_the_old_file(location, tmp_path, cut):
    location.write("x", [b"before"])

    def parts():
        yield from (bytes([byte]) for byte in b"behind"[:cut])
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        location.write("x", parts())
    assert location.read("x") == b"before" and [p.name for p in tmp_path.iterdir()] == ["x"]


def test_a_kill_between_writing_and_renaming_leaves_a_file_that_nobody_reads(location, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        patch.setattr(Path, "unlink", lambda *_, **__: None)  # a process that was killed does not tidy up
        with pytest.raises(KeyboardInterrupt):
            location.write("folder/x", [b"all of it"])
    (left,) = (tmp_path / "folder").iterdir()
    assert left.name.startswith("x.") and left.name.endswith(".tmp")
    assert location.names("folder") == {} and not location.has("folder/x")
    location.clean()
    assert not left.exists()


def test_two_writers_of_the_same_name_do_not_interfere(location):
    def parts():
        yield b"fir"
        location.write("x", [b"first"])
        yield b"st"

    location.write("x", parts())
    assert location.read("x") == b"first"


def test_the_shown_address_has_no_secrets():
    assert Location("s3://key:secret@bucket/corpus?endpoint_override=host").shown == "s3://bucket/corpus"
    assert Location("/some/folder").shown == "/some/folder"
    with pytest.raises(ValueError, match="is neither a path nor the address of an object store"):
        Location("nothing://x/y").has("z")


# The folders that a server offers


def test_folders_that_are_offered(monkeypatch):
    monkeypatch.delenv("EMBTOOLS_CORPORA", raising=False)
    assert offered() == {}
    monkeypatch.setenv("EMBTOOLS_CORPORA", " /a/wiki/ ,, s3://key:secret@lab/news?scheme=http")
    assert offered() == {"wiki": "/a/wiki/", "news": "s3://key:secret@lab/news?scheme=http"}
    assert list(offered("/a/wiki,/b/wiki,/c/wiki")) == ["wiki", "wiki (2)", "wiki (3)"]


# An open folder: the model and the layers that encoded it, and how long a search of all rows takes

SENTENCES = ("the bank of the river", "a bank works in paris", "the king is in france")


@pytest.fixture
def banks(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
    return CorpusFolder.open(str(encoded(SENTENCES, tmp_path / "folder", tiny)))


def test_only_its_own_model_and_layers_open_it(banks, tiny, bundled):
    assert len(OpenFolder.of_model(banks, tiny, combination=banks.combination).of("bank")) == 2
    with pytest.raises(ValueError, match="encoded with the model"):
        OpenFolder.of_model(banks, bundled)
    with pytest.raises(ValueError, match="stores only the sum of last four, not 'layer 1'"):
        OpenFolder.of_model(banks, tiny, combination="layer 1")


def test_an_engine_searches_file_by_file(banks, tiny):
    source = OpenFolder.of_model(banks, tiny)
    files = OpenFolder.of_model(banks, tiny, most_stored=3)

    def one_by_one(work, numbers):
        return (row for number in numbers for row in pd.DataFrame(work(number)).to_dict("records"))

    spread = OpenFolder.of_model(banks, tiny, engine=one_by_one)
    assert (source.how, files.how, spread.how) == ("kept", "files", "files")
    vector = source.of("bank").one(0)[1]
    found = [each.all().nearest(vector, 5, ())[0] for each in (source, files, spread)]
    assert all(best.rows.tolist() == found[0].rows.tolist() for best in found)
    assert found[2].cosines == pytest.approx(found[0].cosines, abs=1e-6)


def test_estimated_seconds(banks, tiny, monkeypatch):
    monkeypatch.setattr(opened, "_PACE", (10, 20))
    assert seconds(banks) == pytest.approx(len(banks) * banks.dimensions / 384 / 10)
    OpenFolder.of_model(banks, tiny).all().nearest(banks.occurrences("bank").vectors[0], 3, ())
    assert seconds(banks) == 0 < seconds(banks, most_stored=3)
    centred, whitened = (seconds(banks.in_space(Space(kind))) for kind in (CENTRED, WHITENED))
    assert 0 < centred < 1 and 0 < whitened < 1  # stored vectors are raw, so they are processed each time


# A word of a folder in its sentence

TEXT = "The bank, of the river. A bank works!\nShe is unbelievably blue; is she?\n"


def test_the_word_is_at_its_stated_position(bundled, tmp_path, monkeypatch):
    monkeypatch.setattr(encoder, "_loaded", lambda name, device="cpu": bundled)
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    encode_texts([tmp_path / "text.txt"], str(tmp_path / "out"), encoder.ModelEncoder())
    folder = CorpusFolder.open(str(tmp_path / "out"))
    rows = folder.files.rows(0, len(folder)).table
    found = sentence_positions(folder, bundled, occ=rows["occ"].to_numpy())
    for word, place in zip(rows["word"], found.itertuples(), strict=True):
        assert place.text[place.start : place.end].lower() == word
    table = described(
        folder, bundled, occ=rows["occ"].to_numpy()[:2], words=rows["word"][:2], cosine=np.array([1.0, 0.5])
    )
    assert list(table.columns) == ["rank", "word", "cosine", "sense", "text", "start", "end"]
    assert table["rank"].tolist() == [1, 2] and table["cosine"].tolist() == [1, 0.5] and set(table["sense"]) == {""}
    assert described(folder, bundled, occ=rows["occ"].to_numpy()[:0], words=[]).empty
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        folder.check(type("Other", (), {"checksum": "x", "tokenizer_checksum": "y", "name": "other"})())


# The last files of a folder, compared with the parts they are made of


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


# Problems with a folder are found


def test_a_whole_folder(whole):
    reported = []
    found = verify(str(whole), progress=reported.append)
    assert not found.problems and found.rows == 540 and reported == sorted(reported)
    assert status(str(whole)).startswith("Finished: 540 occurrences of")


@pytest.mark.parametrize(
    "name", ["words/bucket-000001.parquet", "sentences/part-000000.csv", "sample.npy", "moments.npz"]
)
def test_a_changed_byte_is_found(damaged, name):
    data = bytearray((damaged / name).read_bytes())
    data[len(data) // 2] ^= 1
    (damaged / name).write_bytes(data)
    assert verify(str(damaged)).problems == (f"{name} has changed since it was written.",)


def test_a_file_that_is_missing(damaged):
    (damaged / "words/bucket-000001.parquet").unlink()
    assert verify(str(damaged)).problems == ("words/bucket-000001.parquet cannot be read: FileNotFoundError.",)


def claim(folder, name, table):
    """Replace a file by a table, and update corpus.json."""
    data = parquet_bytes(table).to_pybytes()
    (folder / name).write_bytes(data)
    about = json.loads((folder / "corpus.json").read_bytes())
    about["files"][name] |= {"sha256": sha256(data).hexdigest(), "bytes": len(data)}
    (folder / "corpus.json").write_text(json.dumps(about))


def test_an_occurrence_that_comes_twice_and_one_too_few(damaged):
    name = "words/bucket-000001.parquet"
    table = pq.read_table(damaged / name)
    claim(damaged, name, pa.concat_tables([table.slice(0, 1), table]))
    assert f"{name} is not in order, or contains an occurrence twice." in verify(str(damaged)).problems
    claim(damaged, name, table.slice(1))
    assert verify(str(damaged)).problems == ("The folder contains 539 occurrences instead of 540.",)


def test_buckets_that_are_not_the_parts(damaged):
    part = pq.read_table(damaged / "parts/part-000002.parquet")
    (damaged / "parts/part-000002.parquet").write_bytes(parquet_bytes(pa.concat_tables([part, part.slice(0, 1)])))
    problems = verify(str(damaged)).problems
    assert problems == (
        "parts/part-000002.parquet contains an occurrence twice.",
        "The buckets do not contain the same occurrences as the parts.",
    )
    for path in (damaged / "parts").iterdir():
        path.unlink()
    assert not verify(str(damaged)).problems  # the parts may be deleted


def test_a_folder_that_is_not_finished(text, tmp_path):
    def engine(job, stage, todo):
        yield from (job.work(stage, number) for number in todo[:3])
        raise ValueError("stopped")

    with pytest.raises(ValueError, match="stopped"):
        encode_texts([text], str(tmp_path), Fake(), shard=80, engine=engine)
    assert status(str(tmp_path)) == "Not finished: 3 of 7 parts are encoded."
    with pytest.raises(ValueError, match="not finished"):
        verify(str(tmp_path))
    with pytest.raises(ValueError, match="No encoding was started in"):
        status(str(tmp_path / "nothing"))
