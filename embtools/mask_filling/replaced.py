"""Edits that are the same as writing another word."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from embtools.formula import expression
from embtools.mask_filling.edits import Change, by_target, resolve
from embtools.messages import listed

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_CLOSE = 1e-4  # of the length of a vector: rounding, as in dog + cat - cat


def replaced(change: Change, model: "EmbeddingModel") -> dict[int, int]:
    """Return the word whose static embedding an edit gives to its target, by token id, at strength 1 and with the
    formula's own length; only for edits of this kind.
    """
    edits = by_target(change.edits, model)
    vectors = resolve(replace(change, strength=1.0, keep_length=False), model).vectors
    found = {}
    for target, vector in vectors.items():
        words = dict.fromkeys(model.token_id(word) for word in expression.words(edits[target].expression))
        for word in (*words, target):
            length = float(np.linalg.norm(model.matrix[word]))
            if np.linalg.norm(vector - model.matrix[word]) <= _CLOSE * length:
                found[target] = word
                break
    return found


def sentence(replacements: Sequence[tuple[str, str]], change: Change) -> str:
    """State that edits are the same as writing other words; "" without a replacement.

    >>> sentence([("money", "books")], Change.of(["money = money - money + books"]))
    'This edit is the same as writing books instead of money.'
    >>> sentence([("money", "money")], Change.of(["money = money"]))
    'This edit leaves money as it is.'
    """
    if not replacements:
        return ""
    other = [f"{word} instead of {target}" for target, word in replacements if word != target]
    same = [target for target, word in replacements if word == target]
    stays = f"{listed(same)} as {'it is' if len(same) == 1 else 'they are'}"
    if not other:
        return f"{_subject(len(same), change, 'leaves', 'leave')} {stays}."
    text = f"{_subject(len(other), change)} the same as writing {listed(other)}."
    if change.strength != 1:
        return f"At strength 1, {text[0].lower()}{text[1:]}"
    if change.keep_length:
        return f"Except for the length of the vector, {text[0].lower()}{text[1:]}"
    return f"For what BERT reads, {text[0].lower()}{text[1:]}" if change.scope == "tied" else text


def _subject(count: int, change: Change, one: str = "is", several: str = "are") -> str:
    """Return the subject of a sentence about some edits of a change, with its verb."""
    if count == len(change.edits):
        return f"This edit {one}" if count == 1 else f"These edits {several}"
    return f"One of the edits {one}" if count == 1 else f"{count} of the edits {several}"


def named(found: dict[int, int], model: "EmbeddingModel") -> tuple[tuple[str, str], ...]:
    """Return the result of `replaced` in words."""
    return tuple((model.vocabulary[target], model.vocabulary[word]) for target, word in found.items())
