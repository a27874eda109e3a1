"""Files are complete or missing, even if writing is interrupted."""

import errno
import hashlib
from pathlib import Path

import pytest

from embtools.occurrences.folder.place import Place


@pytest.fixture
def place(tmp_path):
    return Place(str(tmp_path))


def test_what_is_written_is_read_counted_and_hashed(place):
    written = place.write("a/b.bin", [b"one", b"", b"two"])
    assert place.read("a/b.bin") == b"onetwo"
    assert (written.bytes, written.sha256) == (6, hashlib.sha256(b"onetwo").hexdigest())
    assert place.names("a") == {"b.bin": 6} and place.names("nothing") == {}
    assert place.has("a/b.bin") and not place.has("a") and not place.has("a/c.bin")
    place.remove("a")
    assert not place.has("a/b.bin")


@pytest.mark.parametrize("cut", range(7))
def test_a_write_that_is_cut_at_any_byte_leaves_the_old_file(place, tmp_path, cut):
    place.write("x", [b"before"])

    def parts():
        yield from (bytes([byte]) for byte in b"behind"[:cut])
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        place.write("x", parts())
    assert place.read("x") == b"before" and [p.name for p in tmp_path.iterdir()] == ["x"]


def test_a_kill_between_writing_and_renaming_leaves_a_file_that_nobody_reads(place, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        patch.setattr(Path, "unlink", lambda *_, **__: None)  # a process that was killed does not tidy up
        with pytest.raises(KeyboardInterrupt):
            place.write("folder/x", [b"all of it"])
    (left,) = (tmp_path / "folder").iterdir()
    assert left.name.startswith("x.") and left.name.endswith(".tmp")
    assert place.names("folder") == {} and not place.has("folder/x")
    place.clean()
    assert not left.exists()


def test_two_writers_of_the_same_name_do_not_interfere(place):
    def parts():
        yield b"fir"
        place.write("x", [b"first"])
        yield b"st"

    place.write("x", parts())
    assert place.read("x") == b"first"


def test_the_shown_address_has_no_secrets():
    assert Place("s3://key:secret@bucket/corpus?endpoint_override=host").shown == "s3://bucket/corpus"
    assert Place("/some/folder").shown == "/some/folder"
    with pytest.raises(ValueError, match="is neither a path nor the address of an object store"):
        Place("nothing://x/y").has("z")
