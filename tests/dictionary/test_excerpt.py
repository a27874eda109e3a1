"""Excerpts: the paragraphs with the lowest hashes, about the requested number of words."""

import lzma
import zlib
from hashlib import blake2b

import pytest

from embtools.dictionary.excerpt import LEAST_WORDS, excerpt

LINES = [f"paragraph {number} " + "word " * (8 + number % 5) for number in range(200)]


def test_paragraphs_are_those_with_the_lowest_hashes(tmp_path):
    plain, packed = tmp_path / "a.txt", tmp_path / "b.txt.xz"
    plain.write_text("\n\n".join([*LINES[:100], LINES[3], "A heading"]))
    packed.write_bytes(lzma.compress("\n".join(LINES[100:]).encode()))
    found = excerpt([plain, packed], words=400)
    for lines in (LINES[:100], LINES[100:]):
        order = sorted(
            (line.strip() for line in lines), key=lambda line: blake2b(line.encode(), digest_size=8).digest()
        )
        own = [line for line in order if line in found]
        assert own == order[: len(own)]
        assert 200 <= sum(len(line.split()) for line in own) < 220
    assert len(set(found)) == len(found) and all(len(line.split()) >= LEAST_WORDS for line in found)
    assert excerpt([packed, plain], words=400) == found


def test_only_held_out_documents_are_used_on_request(tmp_path):
    """By hand: a document is held out if the CRC-32 of its lines is a multiple of 100; repeated lines were trained on."""
    documents = [
        [f"document {number} " + "word " * 9 + "end", f"line {number} " + "x " * 8 + "end"] for number in range(3_000)
    ]
    held = [document for document in documents if zlib.crc32("\n".join(document).encode()) % 100 == 0]
    assert len(held) > 2
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_text("\n\n".join("\n".join(document) for document in documents))
    other.write_text(f"{held[0][1]}\n{held[0][1]}")
    assert zlib.crc32(other.read_bytes()) % 100
    expected = {line for document in held for line in document}
    assert set(excerpt([path], words=10_000, held_out=True)) == expected
    assert set(excerpt([path, other], words=20_000, held_out=True)) == expected - {held[0][1]}
    assert set(excerpt([path], words=12, held_out=True)) < expected
    with pytest.raises(ValueError, match="No document of these texts is held out of training. Give larger texts."):
        excerpt([other], words=10, held_out=True)


def test_what_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no text file"):
        excerpt([tmp_path / "missing.txt"], words=10)
    with pytest.raises(ValueError, match="no texts"):
        excerpt([], words=10)
    with pytest.raises(ValueError, match="1 or more"):
        excerpt([tmp_path], words=0)
