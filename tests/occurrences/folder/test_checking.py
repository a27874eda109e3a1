"""Problems with a folder are found."""

import json
from hashlib import sha256

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from embtools.occurrences.folder.checking import status, verify
from embtools.occurrences.folder.packing import parquet_bytes
from embtools.occurrences.folder.writing import encode_texts
from tests.occurrences.folder.fake import Fake


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
