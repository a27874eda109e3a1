"""Named vectors of any source, which take the place of a model wherever only static embeddings are compared.

They come from a visitor's file, or were computed from texts. Each name has one vector, as if it were a single token.
"""

import json
import unicodedata
from collections.abc import Sequence
from copy import copy
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from embtools.messages import quoted
from embtools.models.embedding_model import EmbeddingModel
from embtools.models.unknown_words import UnknownWord, similar
from embtools.vectors import Array

LEAST_RANKED = 2_000  # shorter lists are rarely sorted by frequency
_FIRST, _COMMON = 100, 5_000  # names at the start, most of which must be among this many common words
_TOKENIZER = Path(__file__).parents[1] / "bundled" / "tokenizer.json"
CONTEXT = "sentence"
"""The column of labels that is shown with each name, for example the sentence of an occurrence, and groups nothing."""
Labels = tuple[tuple[str, tuple[str, ...]], ...]
"""Columns of labels: a name, and one label for each of n vectors."""


class Vectors(EmbeddingModel):
    """Different names with one vector each: (n, d). A model without layers, which cannot read a sentence.

    Attributes
    ----------
    names : tuple of str
        n names, also as `vocabulary`.
    matrix : ndarray
        (n, d) vectors, float32, read-only.
    labels : tuple
        Columns of labels: name, and n labels.
    title : str
        What they are, for people: the name of a file, for example.
    code : str
        Python that makes the same object, for copied code.
    imports : tuple of str
        The lines that the code needs.
    notes : tuple of str
        What was left out and why.
    kind : str
        What a name stands for: "word", "occurrence" or "sentence".
    """

    def __init__(
        self,
        names: Sequence[str],
        matrix: Array,
        labels: Labels = (),
        *,
        title: str = "Your file",
        code: str = "",
        imports: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        kind: str = "word",
    ) -> None:
        rows = np.ascontiguousarray(matrix, np.float32)
        if rows.ndim != 2 or len(rows) != len(names) or len(set(names)) != len(names):
            raise ValueError("The names and the vectors do not fit. Give one vector for each of different names.")
        rows.flags.writeable = False
        self.names = self.vocabulary = tuple(names)
        self.matrix, self.labels = rows, labels
        self.title, self.code, self.imports, self.notes, self.kind = title, code, imports, notes, kind
        lengths = np.linalg.norm(rows, axis=1)
        self.inverse_norms = 1 / np.where(lengths == 0, 1, lengths)
        self.ids = MappingProxyType({name: row for row, name in enumerate(self.names)})
        self.rankable = self.whole_words = np.ones(len(rows), bool)
        self.name, self.revision, self.cased = "", None, True
        self.dimensions = rows.shape[1]
        self.layers = self.heads = self.max_tokens = self.parameters = 0
        self.has_segments = self.has_next_sentence = self.tied = False
        self.special, self.edited = frozenset[str](), MappingProxyType({})
        self._original, self._network, self._base, self._output = None, None, None, rows

    def __len__(self) -> int:
        """The number of vectors, n."""
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vectors) and self.checksum == other.checksum

    def __hash__(self) -> int:
        return hash(self.checksum)

    def __repr__(self) -> str:
        return f"Vectors({self.checksum[:16]})"

    @property
    def nbytes(self) -> int:
        """About how many bytes they take in memory."""
        return int(self.matrix.nbytes) + 80 * len(self.names) * (1 + len(self.labels))

    @cached_property
    def checksum(self) -> str:
        """Of the names, the vectors, the labels and the code."""
        found = sha256(self.matrix.tobytes())
        found.update(repr((self.matrix.shape, self.names, self.labels, self.code)).encode("utf-8", "replace"))
        return found.hexdigest()

    @cached_property
    def by_frequency(self) -> bool:
        """Whether the order of the names is one of frequency: a long list that begins with common English words."""
        if len(self) < LEAST_RANKED:
            return False
        return 2 * sum(name.lower() in _common_words() for name in self.names[:_FIRST]) > _FIRST

    def called(self, code: str) -> "Vectors":
        """Return the same vectors with other Python that makes them."""
        copied = copy(self)
        copied.code = code
        copied.__dict__.pop("checksum", None)
        return copied

    def token_id(self, word: str) -> int:
        """Return the row of a name; if it is missing, that of a name that differs in capitals, accents or
        apostrophes as they are typed."""
        word = word.strip()
        if not word:
            raise ValueError(f"Write a word, for example {self.names[0]}.")
        row = self._row(word)
        if row < 0:
            near = tuple(similar(word, self.names))
            hint = f" Did you mean {' or '.join(near)}?" if near else f" They include {self.names[0]}."
            raise UnknownWord(f"{quoted(word)} is not among the {len(self):,} words.{hint}", word, near)
        return row

    def pieces(self, word: str) -> tuple[str, ...]:
        """Return the name that a word stands for; raises ValueError as `token_id` does."""
        return (self.names[self.token_id(word)],)

    def known(self, words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the different words of a list that are there, in the spelling of the names, and those that are not."""
        found, missing = dict[str, None](), dict[str, None]()
        for word in map(str.strip, words):
            row = self._row(word)
            if row >= 0:
                found[self.names[row]] = None
            elif word:
                missing[word] = None
        return tuple(found), tuple(missing)

    def of(self, words: Sequence[str]) -> Array:
        """Return the vectors (n, d) of words; raises ValueError as `token_id` does."""
        return self.matrix[[self.token_id(word) for word in words]]

    def tokenize(self, text: str, pair: str | None = None) -> NoReturn:
        """Raise ValueError: these vectors cannot read a sentence."""
        raise ValueError(
            f"{self.title} has one vector for each word and cannot read a sentence. Choose a model's vectors."
        )

    def encode(self, *arguments: Any, **named: Any) -> NoReturn:
        """Raise ValueError, as `tokenize` does."""
        self.tokenize("")

    hidden_states_many = encode

    @cached_property
    def _small(self) -> dict[str, int]:
        return {_plain(name): row for row, name in reversed(list(enumerate(self.names)))}

    def _row(self, word: str) -> int:
        return self.ids.get(word, self._small.get(_plain(word), -1))


def _plain(name: str) -> str:
    """Return a name without differences that a keyboard makes: capitals, composed accents, curly apostrophes."""
    return unicodedata.normalize("NFC", name.casefold()).replace("’", "'")


@cache
def _common_words() -> frozenset[str]:
    """The most frequent words of the bundled vocabulary, which lists words from frequent to rare."""
    vocabulary = json.loads(_TOKENIZER.read_text(encoding="utf-8"))["model"]["vocab"]
    words = [token for token in sorted(vocabulary, key=vocabulary.get) if len(token) > 1 and token[0].isalpha()]
    return frozenset(words[:_COMMON])
