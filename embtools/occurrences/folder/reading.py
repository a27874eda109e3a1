"""Open a corpus folder: its words, their occurrences, their sentences, and what is nearest in all of it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.messages import quoted
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.files import Block, Files, Rows
from embtools.occurrences.folder.index import Index
from embtools.occurrences.folder.keeping import Kept, keep
from embtools.occurrences.folder.packing import GROUP
from embtools.occurrences.folder.place import Place
from embtools.occurrences.folder.shards import WORDS
from embtools.occurrences.folder.sums import Sums
from embtools.progress import Progress, part, silent
from embtools.spaces.fitting import Fitted, fit_by_moments
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

AT_ONCE = GROUP
"""Occurrences of a word that are read at a time."""
MOST_KEPT = 2_000_000
"""Occurrences up to which all vectors are kept as float32 on this machine; above, the files are read each time."""
KEPT, FILES = "kept", "files"


@dataclass(frozen=True, eq=False)
class Found:
    """The nearest occurrences: row, occ, word, sentence, cosine. `rung`: what was searched; `searched`: how many."""

    table: pd.DataFrame
    rung: str
    searched: int


@dataclass(frozen=True, eq=False)
class CorpusFolder:
    """A folder that `writing.encode_texts` has finished, on this machine or in an object store; it is never changed.

    about: what stands in its corpus.json;  index: its words;  space: in which its vectors are seen
    """

    uri: str
    about: dict[str, Any]
    files: Files
    index: Index
    space: Space = AS_IS

    @classmethod
    def open(cls, uri: str) -> "CorpusFolder":
        """Open a folder by its path or URI; ValueError for one that is not there, not finished or cut short."""
        place = Place(uri)
        try:
            about = dict(json.loads(place.read("corpus.json")))
            if about["fingerprint"]["schema"] != 1:
                raise ValueError(f"The folder {place.shown} is of another version. Encode the text again.")
            files = Files(place, about)
            wanted = files.named("words/")
            there = place.names("words") if place.local else {}  # an object store is asked file by file
        except FileNotFoundError:
            raise ValueError(
                f"The folder {place.shown} has no corpus.json: it is not there, or its encoding is not finished."
                " Run the command that began it again."
            ) from None
        except (OSError, KeyError, json.JSONDecodeError) as error:
            raise ValueError(f"The folder {place.shown} cannot be read: {error}") from error
        cut = [name for name, file in wanted.items() if there.get(name.removeprefix("words/")) != file["bytes"]]
        if place.local and cut:
            raise ValueError(
                f"The folder {place.shown} is cut short: {len(cut):,} of {len(wanted):,} files are missing or not"
                f" whole, {cut[0]} among them. Copy it again."
            )
        index = Index(files.table("words.parquet"))
        if index.table.num_rows != about["words"]:
            raise ValueError(f"words.parquet of the folder {place.shown} is not the one it had. Copy the folder again.")
        return cls(uri, about, files, index)

    def __repr__(self) -> str:
        what = f"{len(self):,} occurrences of {self.about['words']:,} words, {self.checksum[:8]}, {self.space.says}"
        return f"<CorpusFolder: {what}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CorpusFolder) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __len__(self) -> int:
        return int(self.about["occurrences"])

    @property
    def dimensions(self) -> int:
        """Of the vectors."""
        return int(self.about["fingerprint"]["dimensions"])

    @property
    def recipe(self) -> str:
        """The layers that its vectors are made of."""
        return str(self.about["fingerprint"]["recipe"])

    @property
    def _key(self) -> tuple[str, str, Space]:
        return self.uri, self.checksum, self.space

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of what stands in its corpus.json, and so of all its files."""
        return sha256(json.dumps(self.about, sort_keys=True).encode()).hexdigest()

    def check(self, model: "EmbeddingModel") -> None:
        """Raise ValueError for a model or tokenizer that has not encoded the folder."""
        made = self.about["fingerprint"]
        if (made["weights"], made["tokenizer"]) != (model.checksum, model.tokenizer_checksum):
            raise ValueError(
                f"This folder was encoded with the model {quoted(made['model'], 80)}, and here another one is loaded,"
                f" {quoted(model.name, 80)}. Choose the folder's model in the settings, or another text."
            )

    def seen(self, space: Space) -> "CorpusFolder":
        """The same folder, all of its vectors in a space that is fitted to all of them, by their sums.

        They are processed while they are read, so that every search there is exact too.
        """
        return self if space == self.space else _seen(self, space)

    @cached_property
    def fitted(self) -> Fitted:
        """The space as it is fitted. Raises ValueError for all-but-the-top by cluster, which sums do not know."""
        return Fitted(AS_IS, ()) if self.space == AS_IS else fit_by_moments(self.sums().moments(), self.space)

    # Its words

    def words(self) -> pd.DataFrame:
        """The words and how often each occurs, in the order of their spelling: word, count."""
        return self.index.words()

    def count(self, word: str) -> int:
        """How often a word occurs."""
        begin, end = self.span(word)
        return end - begin

    def span(self, word: str) -> tuple[int, int]:
        """The numbers of a word's rows in the order of all: from, to before."""
        return self.index.span(word)

    def word_of(self, rows: NDArray[np.int64]) -> NDArray[np.object_]:
        """The words (n,) of rows (n,) of these numbers."""
        return self.index.word_of(rows)

    def occurrences(self, word: str, first: int = 0, most: int = AT_ONCE) -> Rows:
        """Occurrences of a word, in the order of the text, from the number `first` (from 0) on; at most `most`."""
        begin, end = self.span(word)
        return self.files.rows(begin + first, min(end, begin + first + most)).seen(self.fitted)

    def blocks_of(self, word: str, progress: Progress = silent) -> Iterator[Block]:
        """All occurrences of a word, in the order of the text, AT_ONCE at a time."""
        begin, end = self.span(word)
        for first in range(begin, end, AT_ONCE):
            progress((first - begin) / (end - begin))
            rows = self.files.rows(first, min(end, first + AT_ONCE)).seen(self.fitted)
            yield Block(first, rows.table["occ"].to_numpy(), rows.table["norm"].to_numpy(), rows.vectors)

    def sentences(self, numbers: Sequence[int]) -> list[str]:
        """The sentences of these numbers; a file is read once for all of them that stand in it."""
        firsts = np.asarray(self.about["firsts"])
        shards = np.searchsorted(firsts, numbers, side="right") - 1
        return [
            self.files.text(int(shard), int(number - firsts[shard]))
            for shard, number in zip(shards, numbers, strict=True)
        ]

    # All of it

    def rung(self, most_kept: int | None = None) -> str:
        """What a search of all looks at: KEPT, the array on this machine, up to so many rows; above, the FILES."""
        return KEPT if len(self) <= (MOST_KEPT if most_kept is None else most_kept) else FILES

    def blocks(self, most_kept: int | None = None, progress: Progress = silent) -> Iterator[Block]:
        """All rows in their order, some at a time. What is to be kept (see `rung`) is kept first."""
        if self.rung(most_kept) == FILES:
            yield from (block.seen(self.fitted) for block in self.files.blocks(progress))
            return
        told = progress if self.is_kept() else part(progress, 0.9, 0.1)
        kept = self.kept(part(progress, 0.0, 0.9))
        for first in range(0, len(self), scan.BLOCK):
            told(first / len(self))
            some = slice(first, first + scan.BLOCK)
            yield Block(first, kept.occ[some], kept.norms[some], kept.vectors[some]).seen(self.fitted)

    def nearest(
        self,
        vector: Array,
        k: int,
        *,
        without: Sequence[tuple[int, int]] = (),
        most_kept: int | None = None,
        progress: Progress = silent,
    ) -> Found:
        """The k occurrences nearest to a vector (d,) by cosine, exactly, out of all.

        Up to `most_kept` rows (MOST_KEPT) are kept on this machine, which the first search does; above, all files are
        read. without: ranges of rows that do not take part (see `span`). `progress` is told 0 … 1 and may raise to
        stop.
        """
        best, occ = scan.through(self.blocks(most_kept, progress), vector, k, without)
        return self.found(best, occ, self.rung(most_kept))

    def found(self, best: scan.Best, occ: NDArray[np.int64], rung: str) -> Found:
        """The best of all rows and their occ, with their words and sentences."""
        columns = {"row": best.rows, "occ": occ, "word": self.word_of(best.rows), "sentence": occ // WORDS}
        return Found(pd.DataFrame({**columns, "cosine": best.cosines}), rung, len(self))

    def is_kept(self) -> bool:
        """Whether all vectors are on this machine already, so that the next search is quick."""
        return Kept.open(self.checksum, len(self), self.dimensions) is not None

    def kept(self, progress: Progress = silent) -> Kept:
        """All vectors as they are, float32, mapped into memory: read once, shared by all processes of a host."""
        read = ((block.occ, block.norms, block.vectors) for block in self.files.blocks(progress))
        return keep(self.checksum, len(self), self.dimensions, read)

    def sums(self) -> Sums:
        """The sums over all vectors as they are."""
        return Sums.load(self.files.read("moments.npz"))


@lru_cache(maxsize=8)
def _seen(folder: CorpusFolder, space: Space) -> CorpusFolder:
    """The folder in a space; what it has read and fitted is kept."""
    return replace(folder, space=space)
