"""Files are complete or missing, even if writing is interrupted."""

import errno
import hashlib
from pathlib import Path

import pytest

from embtools.occurrences.folder.location import Location


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


@pytest.mark.parametrize("cut", range(7))
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
