"""Texts for training: from documents to sentences and token ids, tokenised once and stored with the run."""

import argparse
import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from embtools.documents import is_held_out, must_exist, read_documents

Encode = Callable[[list[str]], list[list[int]]]
Report = Callable[[str], None]

_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Gen|Col|Lt|Capt|Rev|Hon|No|vs|cf|ca|c|b|d|r|fl|etc"
    r"|e\.g|i\.e|Jan|Feb|Mar|Apr|Aug|Sept|Sep|Oct|Nov|Dec))\.\s+$"
)


@dataclass(frozen=True)
class Text:
    """A tokenised text: its tokens, and where its sentences and documents begin.

    `pieces` (p,) are token ids, uint16; `sentences` (n + 1,) are offsets into `pieces`; `documents` (m + 1,) are
    offsets into the n sentences. The last offset is the end.
    """

    name: str
    pieces: NDArray[np.uint16]
    sentences: NDArray[np.int64]
    documents: NDArray[np.int64]

    def sentence(self, index: int) -> NDArray[np.uint16]:
        """Return the token ids of one sentence, shape (t,)."""
        return self.pieces[self.sentences[index] : self.sentences[index + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each sentence, shape (n,)."""
        return np.diff(self.sentences)


def split_sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph; they end with an end mark, a space, and a capital or digit after it.

    >>> split_sentences("Rome is old. It was founded by Dr. Who? No.")
    ['Rome is old.', 'It was founded by Dr. Who?', 'No.']
    """
    cuts = [0]
    for match in _END.finditer(paragraph):
        if not _ABBREVIATION.search(paragraph[max(0, match.end() - 12) : match.end()]):
            cuts.append(match.end())
    cuts.append(len(paragraph))
    pieces = (paragraph[a:b].strip() for a, b in itertools.pairwise(cuts))
    return [sentence for sentence in pieces if sentence]


def fingerprint(path: Path) -> str:
    """Return sixteen digits of a file's checksum; raises ValueError if the file is missing."""
    must_exist(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def tokenise(documents: Iterable[list[str]], encode: Encode, name: str, batch: int = 500) -> Text:
    """Return documents as a `Text`; `encode` turns sentences into ids without special tokens."""
    chunks: list[NDArray[np.uint16]] = []
    lengths: list[int] = []
    starts: list[int] = [0]
    waiting: list[list[str]] = []

    def flush() -> None:
        encoded = iter(encode([sentence for document in waiting for sentence in document]))
        for document in waiting:
            for _ in document:
                ids = next(encoded)
                if ids:
                    chunks.append(np.array(ids, dtype=np.uint16))
                    lengths.append(len(ids))
            if len(lengths) > starts[-1]:
                starts.append(len(lengths))
        waiting.clear()

    for document in documents:
        waiting.append([s for paragraph in document for s in split_sentences(paragraph)])
        if len(waiting) >= batch:
            flush()
    flush()
    if not lengths:
        raise ValueError(f"{name} contains no text. Give a file with at least one sentence.")
    offsets = np.concatenate([[0], np.cumsum(np.array(lengths, dtype=np.int64))])
    return Text(name, np.concatenate(chunks), offsets, np.array(starts, dtype=np.int64))


def load_text(path: Path, encode: Encode, tokenizer: str, cache: Path, held_out: bool, report: Report = print) -> Text:
    """Return the tokenised training or held-out part of a file, cached by its content and the `tokenizer`."""
    part = "heldout" if held_out else "train"
    folder = cache / f"{path.name}-{fingerprint(path)}-{tokenizer}-{part}"
    parts = ("pieces", "sentences", "documents")
    if not folder.is_dir():
        report(f"Tokenising {path.name} ({part}) …")
        documents = (d for d in read_documents(path) if is_held_out(d) == held_out)
        text = tokenise(documents, encode, path.name)
        temporary = folder.with_name(folder.name + ".partial")
        temporary.mkdir(parents=True, exist_ok=True)
        for part_name in parts:
            np.save(temporary / f"{part_name}.npy", getattr(text, part_name), allow_pickle=False)
        (temporary / "about.json").write_text(json.dumps({"sentences": len(text.lengths)}))
        temporary.rename(folder)
    return Text(path.name, *(np.load(folder / f"{p}.npy", mmap_mode="r") for p in parts))


def text_argument(value: str) -> tuple[Path, float]:
    """Return the file and the share of an argument `FILE` or `FILE=SHARE`; the default share is 1."""
    name, mark, share = value.rpartition("=")
    if not mark:
        return Path(value), 1.0
    try:
        return Path(name), float(share)
    except ValueError:
        raise argparse.ArgumentTypeError(f"The share after '=' in {value} must be a number.") from None
