"""An encoder without a model that any process can import: vectors depend on the word and its sentence."""

import os
import re
import time
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from embtools.occurrences.folder.encoder import occurrence_table
from embtools.occurrences.folder.shards import WORDS

DIMENSIONS = 8


@dataclass(frozen=True)
class Fake:
    """Eight numbers a word; `delay` seconds a shard; each process that encodes leaves its number in `pids`."""

    name: str = "fake"
    delay: float = 0.0
    pids: str = ""

    def __call__(self, sentences: pa.Table) -> pa.Table:
        if self.pids:
            (Path(self.pids) / str(os.getpid())).touch()
        time.sleep(self.delay)
        occ, words, vectors = [], [], []
        for number, text in zip(sentences["sentence"].to_pylist(), sentences["text"].to_pylist(), strict=True):
            for place, word in enumerate(re.findall(r"\w+", text.lower())):
                occ.append(number * WORDS + place)
                words.append(word)
                vectors.append(vector(word, text))
        counts = {"pieces": len(occ) + 2 * len(sentences), "cut": 0, "left_out": 0}
        rows = np.array(vectors, np.float16).reshape(-1, DIMENSIONS)
        return occurrence_table(occ, words, [o % WORDS + 1 for o in occ], [1] * len(occ), rows, counts)

    def fingerprint(self) -> dict[str, Any]:
        return {
            "model": self.name,
            "weights": self.name,
            "tokenizer": "words",
            "recipe": "fake",
            "dimensions": DIMENSIONS,
        }


def vector(word: str, text: str) -> np.ndarray:
    """That of a word in a sentence."""
    return _drawn(word) + 0.5 * _drawn(text)


@lru_cache(maxsize=10_000)
def _drawn(text: str) -> np.ndarray:
    return np.random.default_rng(zlib.crc32(text.encode())).normal(size=DIMENSIONS)


def write_text(path: Path, sentences: int = 60) -> Path:
    """A text in which *the* occurs in every sentence and other words seldom; a blank line after every tenth."""
    rng = np.random.default_rng(0)
    words = "river bank money tree king queen winter summer rome paris élan zoo".split()
    lines = []
    for number in range(sentences):
        some = " ".join(rng.choice(words, 4))
        lines.append(f"The {some} of the year {number}." + ("\n" if number % 10 == 9 else ""))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
