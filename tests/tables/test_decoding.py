"""Bytes that are a text in some encoding, and those that are none."""

import pytest

from embtools.tables import decoding


@pytest.mark.parametrize(("data", "message"), [
    (b"PK\x03\x04rest", "Excel workbook"), (b"\x1f\x8brest", "gzip"), (b"\x80\x04rest", "could run code"),
    (b"a\0b\x01,1", "zero bytes"), (b"\xff\xfe\x00", "begins like UTF-16"), (b"\xe9\x00\x01", "bytes that texts do not have"),
])  # fmt: skip
def test_what_is_no_text_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decoding.decode(data)


def test_single_wrong_bytes_are_replaced_and_named() -> None:
    text, notes = decoding.decode("Größe\nStraße\n".encode() + b"caf\xe9\n")
    assert text == "Größe\nStraße\ncaf\N{REPLACEMENT CHARACTER}\n" and "line 3 has some" in notes[0]
