"""Splits large texts into shards of sentences, the units of work, before a model reads them."""

import hashlib
import lzma
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as csv

from embtools.occurrences.corpus import split_sentences

LONGEST = 1_000
"""The largest number of characters of a sentence; longer ones are cut, so they have fewer than WORDS words."""
WORDS = 1_024
"""The number of an occurrence is (number of its sentence) × WORDS + (number of the word in it), which is unique."""
SENTENCES = pa.schema(
    [
        pa.field("sentence", pa.int64(), nullable=False),
        pa.field("document", pa.int64(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)


def sentences(paths: Sequence[Path]) -> Iterator[tuple[int, str]]:
    """The sentences of UTF-8 text files (plain or `.xz`, one paragraph per line, a blank line or the end of the file
    between documents), with the number of their document.
    """
    document = 0
    for path in paths:
        filled = False
        try:
            with _opened(path) as file:
                for line in file:
                    if line.strip():
                        filled = True
                        yield from ((document, text) for text in split_sentences(line, longest=LONGEST))
                    else:
                        document, filled = document + filled, False
        except FileNotFoundError:
            raise ValueError(f"There is no text file {path}. Name an existing .txt or .txt.xz file.") from None
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is not UTF-8 text ({error}). Save it as UTF-8.") from error
        except (lzma.LZMAError, EOFError) as error:
            raise ValueError(f"{path} cannot be read ({error}). Copy it again.") from error
        document += filled


def shards(found: Iterator[tuple[int, str]], size: int) -> Iterator[pa.Table]:
    """Sentences in tables (sentence, document, text) of about `size` words each; the last may be shorter."""
    texts: list[str] = []
    documents: list[int] = []
    begin = words = 0
    for document, text in found:
        texts.append(text)
        documents.append(document)
        words += len(text.split())
        if words >= size:
            yield _table(begin, documents, texts)
            begin, words = begin + len(texts), 0
            texts, documents = [], []
    if texts:
        yield _table(begin, documents, texts)


def csv_bytes(table: pa.Table) -> pa.Buffer:
    """Sentences as the bytes of a CSV file, a format that can be read from an object store with a single request."""
    sink = pa.BufferOutputStream()
    csv.write_csv(table, sink)
    return sink.getvalue()


def read_csv(data: bytes) -> pa.Table:
    """The sentences stored by `csv_bytes`."""
    types = {field.name: field.type for field in SENTENCES}
    read = csv.read_csv(pa.BufferReader(data), convert_options=csv.ConvertOptions(column_types=types))
    return read.cast(SENTENCES)


def checksum(path: Path) -> str:
    """The SHA-256 of a file. Raises ValueError if it does not exist."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        raise ValueError(f"There is no text file {path}. Name an existing .txt or .txt.xz file.") from None


def _opened(path: Path) -> Any:
    return lzma.open(path, "rt", encoding="utf-8-sig") if path.suffix == ".xz" else path.open(encoding="utf-8-sig")


def _table(begin: int, documents: list[int], texts: list[str]) -> pa.Table:
    return pa.table([range(begin, begin + len(texts)), documents, texts], schema=SENTENCES)
