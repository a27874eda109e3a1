"""Excerpts: the paragraphs with the lowest hashes, about the number of words that was asked for."""

import lzma
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


def test_what_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no text file"):
        excerpt([tmp_path / "missing.txt"], words=10)
    with pytest.raises(ValueError, match="no texts"):
        excerpt([], words=10)
    with pytest.raises(ValueError, match="1 or more"):
        excerpt([tmp_path], words=0)
