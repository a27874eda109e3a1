"""Files that are computed from the bundled weights carry their checksum: a stale one fails here."""

import importlib.util
import json
import struct
import zlib
from pathlib import Path
from types import ModuleType

import pytest

from embtools.decomposition.learned import about_file
from embtools.ui import answers

ROOT = Path(__file__).parents[1]
BUNDLED = ROOT / "embtools" / "bundled"
STALE = "The weights have changed since this file was made: python docs/rebuild.py --text … --start …"


def program(name: str) -> ModuleType:
    """A program of the folder docs as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", ["embtools/bundled/scores.json", "embtools/paper/bundled.json"])
def test_stored_results_are_those_of_the_weights(bundled, file: str) -> None:  # type: ignore[no-untyped-def]
    assert json.loads((ROOT / file).read_text(encoding="utf-8"))["checksum"] == bundled.checksum, STALE


def test_a_dictionary_is_that_of_the_weights(bundled) -> None:  # type: ignore[no-untyped-def]
    found = sorted(BUNDLED.glob("dictionary-*.safetensors"))
    assert found and sum(path.stat().st_size for path in found) < 8_000_000
    for path in found:
        about = about_file(path)
        assert about["weights"] == bundled.checksum, STALE
        assert path.name == f"dictionary-{about['layer']}.safetensors" and about["layer"] < bundled.layers


def test_prepared_answers_are_those_of_the_weights(bundled) -> None:  # type: ignore[no-untyped-def]
    assert answers.checksum() == bundled.checksum, STALE


def test_the_picture_shows_the_weights(bundled) -> None:  # type: ignore[no-untyped-def]
    picture = program("take_picture")
    assert picture.checksum_in((ROOT / "docs" / "arithmetic.png").read_bytes()) == bundled.checksum, STALE


def test_a_marked_picture_is_still_a_whole_png() -> None:
    """Every chunk has its length, its name, its content and the CRC-32 of both, and the last one is IEND."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    picture = program("take_picture")
    plain = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13)) + chunk(b"IEND", b"")
    marked, names, at = picture.marked(plain, "5" * 64), [], 8
    while at < len(marked):
        (length,) = struct.unpack(">I", marked[at : at + 4])
        name, content = marked[at + 4 : at + 8], marked[at + 8 : at + 8 + length]
        assert marked[at : at + 12 + length] == chunk(name, content)
        names.append(name)
        at += 12 + length
    assert names == [b"IHDR", b"tEXt", b"IEND"]
    assert picture.checksum_in(marked) == "5" * 64
    assert picture.checksum_in(plain) == ""


def test_one_command_rebuilds_every_such_file() -> None:
    """Each step is a module or a program that exists, and the texts and the first checkpoint reach the scoring."""
    rebuild = program("rebuild")
    assert rebuild.absolute("/texts/a.txt=.5") == "/texts/a.txt=.5"
    scoring, paper, *dictionary, prepared, picture = rebuild.steps(["/texts/a.txt=.5"], "START", "/folder")
    assert [*scoring] == [
        *("-m", "embtools.scoring", "bundled", "--text", "/texts/a.txt=.5", "--start", "START"),
        *("--out", "embtools/bundled/scores.json"),
    ]
    assert paper == ["-m", "embtools.paper", "--write"]
    assert dictionary[0] == ["-m", "embtools.dictionary", "excerpt", "/texts/a.txt", "--out", "/folder/excerpt.txt"]
    written = [step[step.index("--out") + 1] for step in dictionary if "--control" in step]
    assert written == [str(path.relative_to(ROOT)) for path in sorted(BUNDLED.glob("dictionary-*"))]
    assert prepared == ["-m", "embtools.ui.prepare_answers"]
    assert (ROOT / picture[0]).is_file()
