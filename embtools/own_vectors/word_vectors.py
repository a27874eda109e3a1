"""Words with one vector each: those of a file, or the example from a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.doors import import_line
from embtools.limits import enough
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.models.spelling import capitalised_words
from embtools.models.unknown_words import UnknownWord, similar
from embtools.vectors import Array
from embtools.wordlists import load

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_LISTS = (
    ("colours", "colour"),
    ("animals", "animal"),
    ("sports", "sport"),
    ("professions", "profession"),
    ("emotions", "emotion"),
    ("family", "member"),
    ("months", "month"),
    ("countries", "country"),
)
_PER_LIST = 40
_TESTS = ("6", "7", "8")  # association tests whose words are part of the example


@dataclass(frozen=True, eq=False, repr=False)
class WordVectors:
    """Different words with one vector each.

    words    n words
    vectors  (n, d), read-only
    labels   label columns: name, and n labels
    code     Python that makes the same object, for copied code
    imports  the lines that the code needs
    notes    what was left out of the file and why
    """

    words: tuple[str, ...]
    vectors: Array
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()
    code: str = ""
    imports: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """The number of words."""
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordVectors) and self.checksum == other.checksum

    def __hash__(self) -> int:
        return hash(self.checksum)

    def __repr__(self) -> str:
        return f"WordVectors({self.checksum[:16]})"

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes in memory."""
        return int(self.vectors.nbytes) + 80 * len(self.words) * (1 + len(self.labels))

    @cached_property
    def checksum(self) -> str:
        """Of the words, the vectors, the labels and the code."""
        found = sha256(np.ascontiguousarray(self.vectors, np.float32).tobytes())
        found.update(repr((self.vectors.shape, self.words, self.labels, self.code)).encode("utf-8", "replace"))
        return found.hexdigest()

    def row(self, word: str) -> int:
        """The row of a word; if it is missing, that of a word that differs in capitals only.

        Raises ValueError for no word, and for one that is not there, with similar words that are.
        """
        word = word.strip()
        if not word:
            raise ValueError(f"Write a word, for example {self.words[0]}.")
        row = self._rows.get(word, self._small.get(word.casefold(), -1))
        if row < 0:
            near = tuple(similar(word, self.words))
            hint = f" Did you mean {' or '.join(near)}?" if near else f" They include {self.words[0]}."
            raise UnknownWord(f"{quoted(word)} is not among the {len(self):,} words.{hint}", word, near)
        return row

    def known(self, words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The different words of a list that are there, in the spelling of the vectors, and those that are not."""
        found, missing = dict[str, None](), dict[str, None]()
        for word in map(str.strip, words):
            row = self._rows.get(word, self._small.get(word.casefold(), -1))
            if row >= 0:
                found[self.words[row]] = None
            elif word:
                missing[word] = None
        return tuple(found), tuple(missing)

    def of(self, words: Sequence[str]) -> Array:
        """The vectors (n, d) of words; raises ValueError as `row` does."""
        return self.vectors[[self.row(word) for word in words]]

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def _small(self) -> dict[str, int]:
        return {word.casefold(): row for row, word in reversed(list(enumerate(self.words)))}


@remembered
def example_vectors(model: "EmbeddingModel") -> WordVectors:
    """Static embeddings of about 300 words of the built-in lists that are single tokens, labelled with their list.

    Parameters
    ----------
    model : EmbeddingModel

    Returns
    -------
    WordVectors

    Raises
    ------
    ValueError
        If the model has fewer than three of these words as single tokens.
    """
    labelled: dict[str, str] = {}
    tests = load("weat")
    tests = tests[tests["test"].astype(str).isin(_TESTS)]
    columns = [(name, load(name)[column]) for name, column in _LISTS]
    columns += [(str(name), group["word"]) for name, group in tests.groupby("group", sort=False)]
    ids = _token_ids(model)
    for name, words in columns:
        spelled = capitalised_words([str(word) for word in words], model)
        known = [word for word in spelled if word in ids and len(model.pieces(word)) == 1]
        for word in sorted(known, key=ids.__getitem__)[:_PER_LIST]:  # frequent words have small ids
            labelled.setdefault(word, name)
    enough(labelled, "words of the example that are single tokens", least=3)
    words = tuple(labelled)
    vectors = model.matrix[[ids[word] for word in words]]
    vectors.flags.writeable = False
    made = (import_line(example_vectors),)
    return WordVectors(words, vectors, (("list", tuple(labelled.values())),), "example_vectors(model)", made)


def table_or_example(table: WordVectors | None, model: "EmbeddingModel") -> WordVectors:
    """The vectors, or those of the example if there are none."""
    return example_vectors(model) if table is None else table


def in_model(words: Sequence[str], model: "EmbeddingModel") -> tuple[NDArray[np.intp], Array]:
    """Which of n words are single tokens of a model, by index (k,), and their static embeddings (k, d)."""
    ids = _token_ids(model)
    found = [(number, ids.get(word if model.cased else word.lower(), -1)) for number, word in enumerate(words)]
    rows = np.array([number for number, token in found if token >= 0], dtype=np.intp)
    return rows, model.matrix[[token for _, token in found if token >= 0]]


@remembered
def _token_ids(model: "EmbeddingModel") -> dict[str, int]:
    return {model.vocabulary[i]: int(i) for i in np.flatnonzero(model.whole_words)}
