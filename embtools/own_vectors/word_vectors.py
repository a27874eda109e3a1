"""The example of word vectors, from a model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from embtools.doors import import_line
from embtools.limits import enough
from embtools.memory import remembered
from embtools.models.spelling import capitalised_words
from embtools.models.vectors_as_model import Vectors
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


@remembered
def example_vectors(model: "EmbeddingModel") -> Vectors:
    """Static embeddings of about 300 words of the built-in lists that are single tokens, labelled with their list.

    Parameters
    ----------
    model : EmbeddingModel

    Returns
    -------
    Vectors

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
    made = (import_line(example_vectors),)
    rows = model.matrix[[ids[word] for word in words]]
    code = "example_vectors(model)"
    return Vectors(
        words, rows, (("list", tuple(labelled.values())),), title="words of built-in lists", code=code, imports=made
    )


def table_or_example(table: Vectors | None, model: "EmbeddingModel") -> Vectors:
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
