"""Encoding in steps that are interrupted anywhere produces the same bytes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from embtools.occurrences.folder import packing, writing
from embtools.occurrences.folder.checking import verify
from embtools.occurrences.folder.location import Location
from embtools.occurrences.folder.writing import PACK, PART, encode_texts, finished, pack, read_plan
from tests.occurrences.folder.fake import Fake, files

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def groups(monkeypatch):
    monkeypatch.setattr(packing, "GROUP", 16)


def build(text, out, **named):
    return encode_texts([text], str(out), named.pop("encoder", Fake()), **{"shard": 80, "bucket": 100} | named)


class Lost(Exception):
    """A worker died."""


def dying(after):
    """An engine whose workers die after this many steps in all."""
    left = [after]

    def engine(job, stage, todo):
        for number in todo:
            if not left[0]:
                raise Lost
            left[0] -= 1
            yield job.work(stage, number)

    return engine


@pytest.mark.parametrize("after", [1, 7, 8])
def test_resuming_produces_the_same_bytes(text, whole, tmp_path, after):
    with pytest.raises(Lost):
        build(text, tmp_path / "out", engine=dying(after))
    assert not (tmp_path / "out" / "corpus.json").exists()
    done = []
    build(text, tmp_path / "out", tell=lambda *said: done.append(said[:2]))
    assert done[0][0] == (after + 1 if after < 7 else after - 6)  # what was finished is not done again
    assert files(tmp_path / "out") == files(whole)


@pytest.mark.parametrize("name", ["parts/part-000001.parquet", "receipts/part-000003.npz", "plan.json", "corpus.json"])  # fmt: skip
def test_a_kill_before_any_file_is_renamed(text, whole, tmp_path, monkeypatch, name):
    rename = Path.replace

    def killed(self, target):
        if str(target).endswith(name):
            raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            build(text, tmp_path / "out")
    (tmp_path / "out" / "parts" / "part-000004.parquet.0a1b2c3d.tmp").parent.mkdir(exist_ok=True)
    (tmp_path / "out" / "parts" / "part-000004.parquet.0a1b2c3d.tmp").write_bytes(b"half")
    build(text, tmp_path / "out")
    assert files(tmp_path / "out") == files(whole)


@pytest.mark.slow
def test_a_process_that_is_killed_for_good(text, whole, tmp_path):
    out = tmp_path / "out"
    program = (
        "from tests.occurrences.folder.fake import Fake; from embtools.occurrences.folder import packing, writing;"
        f"packing.GROUP = 16; writing.encode_texts([{str(text)!r}], {str(out)!r}, Fake(delay=0.2), shard=80, bucket=100)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)
    while len(finished(Location(str(out)), PART)) < 2:
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert 2 <= len(finished(Location(str(out)), PART)) < 7
    build(text, out)
    assert files(out) == files(whole) and not verify(str(out)).problems


def test_what_fails_for_a_while_is_tried_again(text, whole, tmp_path):
    with pytest.raises(Lost):
        build(text, tmp_path / "a", engine=dying(3), attempts=2)  # dead for good
    fail = iter([True, False, True])

    def engine(job, stage, todo):
        yield job.work(stage, todo[0])
        if next(fail, False):
            raise Lost
        yield from (job.work(stage, number) for number in todo[1:])

    build(text, tmp_path / "b", engine=engine, attempts=3)
    assert files(tmp_path / "b") == files(whole)


def test_missing_steps_are_noticed_even_if_the_engine_reports_success(text, tmp_path):
    with pytest.raises(OSError, match="7 of 7 steps are not done"):
        build(text, tmp_path / "out", engine=lambda job, stage, todo: iter([0] * len(todo)))


@pytest.mark.parametrize(
    "named, differs", [({"encoder": Fake("another")}, "model, tokenizer, weights"), ({"shard": 90}, "shard")]
)
def test_another_corpus_in_the_same_folder_is_refused(text, tmp_path, whole, monkeypatch, named, differs):
    monkeypatch.setattr(
        Fake, "fingerprint", lambda self: {"model": self.name, "tokenizer": self.name, "weights": self.name}
    )
    with pytest.raises(Lost):
        build(text, tmp_path / "out", engine=dying(2))
    before = files(tmp_path / "out")
    with pytest.raises(ValueError, match=rf"contains another corpus \(different: {differs}\)"):
        build(text, tmp_path / "out", **named)
    assert files(tmp_path / "out") == before


def test_a_finished_folder_needs_neither_parts_nor_receipts(text, damaged):
    for name in ("parts", "receipts"):
        shutil.rmtree(damaged / name)
    before = files(damaged)
    assert build(text, damaged)["occurrences"] == 540 and files(damaged) == before


def test_another_text_is_refused_and_a_finished_folder_is_left_alone(text, whole, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("Another text.", encoding="utf-8")
    with pytest.raises(ValueError, match=r"\(different: texts\)"):
        build(other, whole)
    before = files(whole)
    assert build(text, whole)["occurrences"] == 60 * 9 == pack(str(whole), Fake())["occurrences"]
    assert files(whole) == before


def test_packing_needs_all_parts_and_a_plan(text, tmp_path):
    with pytest.raises(Lost):
        build(text, tmp_path / "out", engine=dying(3))
    with pytest.raises(ValueError, match="4 of 7 parts are missing"):
        pack(str(tmp_path / "out"), Fake())
    with pytest.raises(ValueError, match="No encoding was started in"):
        read_plan(Location(str(tmp_path / "nothing")))
    assert finished(Location(str(tmp_path / "out")), PACK) == set()


def test_a_text_without_a_sentence(tmp_path):
    (tmp_path / "empty.txt").write_text("... !\n")
    with pytest.raises(ValueError, match="no sentence in the texts"):
        build(tmp_path / "empty.txt", tmp_path / "out")


def test_a_text_of_which_no_word_is_known(text, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.occurrences.folder.fake.re.findall", lambda *_: [])
    with pytest.raises(ValueError, match="no word in the texts"):
        build(text, tmp_path / "out")
    assert writing.quiet(1, 2, 3) is None
