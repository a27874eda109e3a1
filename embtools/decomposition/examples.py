"""Examples of a meaning, each a word in a sentence, and their vectors after a layer."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.decomposition.sentence_words import sentence_words
from embtools.limits import enough
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import quoted
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LEAST, MOST = 2, 20
"""Smallest and largest number of examples."""
MAX_CHARACTERS = 10_000


def read_examples(examples: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Read examples, each written `word | sentence`.

    >>> read_examples(["uncle | His uncle sang.", "wife | My wife left."])
    (('uncle', 'His uncle sang.'), ('wife', 'My wife left.'))
    """
    count = sum(map(len, examples))
    if count > MAX_CHARACTERS:
        raise ValueError(
            f"The examples have {count:,} characters, but at most {MAX_CHARACTERS:,} are allowed. Shorten them."
        )
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for number, line in enumerate(examples, 1):
        word, _, sentence = (part.strip() for part in line.partition("|"))
        if not (word and sentence):
            raise ValueError(
                f"Example {number} cannot be read: {quoted(line)}. Write the word, a bar and a sentence, such as: uncle"
                " | His uncle sang."
            )
        found.setdefault(key_of(line), (word, sentence))
    enough(found, "examples", least=LEAST)
    if len(found) > MOST:
        raise ValueError(f"There are {len(found)} examples, but at most {MOST} are allowed. Remove some.")
    return tuple(found.values())


def key_of(line: str) -> tuple[str, str]:
    """Return what makes an example different from others: its word in lower case and its sentence; the first counts.

    >>> key_of("KING | The king slept.")
    ('king', 'The king slept.')
    """
    word, _, sentence = (part.strip() for part in line.partition("|"))
    return word.casefold(), sentence


def example_vectors(examples: Sequence[str], model: "EmbeddingModel", *, layer: int) -> tuple[Array, pd.DataFrame]:
    """Return the vectors of the words of examples after a layer, and where they are in their sentences.

    If a word occurs more than once in its sentence, its first occurrence is the example.
    """
    vectors, rows = [], []
    for number, (word, sentence) in enumerate(read_examples(examples), 1):
        try:
            read = sentence_words(normalise_masks(sentence, gaps=False), model, layer=layer)
        except ValueError as error:
            raise ValueError(f"Example {number}: {error}") from error
        words = [one.casefold() for one in read.words]
        if word.casefold() not in words:
            near = get_close_matches(word.casefold(), words, 1)
            hint = f" Did you mean {quoted(read.words[words.index(near[0])])}?" if near else ""
            raise ValueError(
                f"Example {number}: {quoted(word)} is not a word of its sentence. Write one word exactly as in the"
                f" sentence.{hint}"
            )
        at = words.index(word.casefold())
        vectors.append(read.vectors[at])
        rows.append((number, read.words[at], read.text, *read.places[at]))
    return np.array(vectors, np.float32), pd.DataFrame(rows, columns=["example", "word", "text", "start", "end"])
