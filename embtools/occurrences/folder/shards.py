"""Large texts as sentences in shards: the pieces of work, fixed before any model reads them."""

import hashlib
import lzma
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as csv

from embtools.occurrences.corpus import split_sentences

LONGEST = 1_000
"""Characters of a sentence; a longer one is cut between words. It has fewer than WORDS words and signs, then."""
WORDS = 1_024
"""An occurrence's number is that of its sentence × WORDS + that of the word in it: unique without coordination."""
SENTENCES = pa.schema(
    [
        pa.field("sentence", pa.int64(), nullable=False),
        pa.field("document", pa.int64(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)


def sentences(paths: Sequence[Path]) -> Iterator[tuple[int, str]]:
    """The sentences of text files with the number of their document: UTF-8, plain or `.xz`.

    A paragraph a line, a blank line (or the end of a file) between documents. Raises ValueError for a file that is
    missing, damaged or no UTF-8 text.
    """
    document = 0
    for path in paths:
        filled = False
        try:
            with _opened(path) as file:
                for line in file:
                    if line.strip():
                        filled = True
                        yield from ((document, text) for text in split_sentences(line, LONGEST))
                    else:
                        document, filled = document + filled, False
        except FileNotFoundError:
            raise ValueError(f"There is no text file {path}. Name an existing .txt or .txt.xz file.") from None
        except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
            raise ValueError(f"{path} cannot be read as UTF-8 text ({error}). Copy it again.") from error
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
    """Sentences as a CSV file: of all formats the one that can be read from an object store by a single request."""
    sink = pa.BufferOutputStream()
    csv.write_csv(table, sink)
    return sink.getvalue()


def read_csv(data: bytes) -> pa.Table:
    """What `csv_bytes` wrote."""
    types = {field.name: field.type for field in SENTENCES}
    read = csv.read_csv(pa.BufferReader(data), convert_options=csv.ConvertOptions(column_types=types))
    return read.cast(SENTENCES)


def checksum(path: Path) -> str:
    """SHA-256 of a file; ValueError where there is none."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        raise ValueError(f"There is no text file {path}. Name an existing .txt or .txt.xz file.") from None


def _opened(path: Path) -> Any:
    return lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8")


def _table(begin: int, documents: list[int], texts: list[str]) -> pa.Table:
    return pa.table([range(begin, begin + len(texts)), documents, texts], schema=SENTENCES)
