"""Documents of text files: plain and compressed, held out or not, and files that cannot be read."""

import lzma
from pathlib import Path

import pytest

from embtools.documents import is_held_out, read_documents


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    """Two thousand documents of two paragraphs."""
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join(f"Number {n} is here.\n  {n} it is. " for n in range(2000)))
    return path


def test_plain_and_compressed_files_give_the_same_documents(text_file: Path, tmp_path: Path) -> None:
    packed = tmp_path / "packed.txt.xz"
    packed.write_bytes(lzma.compress(text_file.read_bytes()))
    documents = list(read_documents(text_file))
    assert documents == list(read_documents(packed)) == [[f"Number {n} is here.", f"{n} it is."] for n in range(2000)]


def test_about_one_document_in_a_hundred_is_held_out(text_file: Path) -> None:
    assert 5 <= sum(map(is_held_out, read_documents(text_file))) <= 40
    # The bundled model was trained without these: other ones would be scored although it has read them.
    assert [n for n in range(300) if is_held_out([f"Document {n}."])] == [66, 140, 144, 162, 215]


def test_the_error_for_a_text_that_cannot_be_read_names_the_reason(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no text file .*none\.txt"):
        list(read_documents(tmp_path / "none.txt"))
    broken = tmp_path / "broken.txt.xz"
    broken.write_bytes(lzma.compress(b"A sentence. " * 999)[:60])
    with pytest.raises(ValueError, match="cannot be read"):
        list(read_documents(broken))
