"""A model in which words are edited, for every function that takes a model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from embtools.mask_filling.edits import Change, Scope, resolve

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def edited_model(
    edits: Sequence[str],
    model: "EmbeddingModel",
    *,
    scope: Scope = "input",
    strength: float = 1.0,
    keep_length: bool = False,
) -> "EmbeddingModel":
    """Return a model in which some words have other vectors, for every function that takes a model.

    The edits apply at every occurrence of the words, in every text. The model shares the weights of the original one,
    which does not change. If no vector changes, for example at strength 0, the original model itself is returned.

    Parameters
    ----------
    edits : sequence of str
        Edits such as "rome = rome - italy + france". All formulas use the vectors of `model`.
    model : EmbeddingModel
        May be an edited model.
    scope : {"input", "tied"}, default "input"
        "input" changes what BERT reads; "tied" changes its output scores too.
    strength : float, default 1.0
        0 is the original vector, 1 the result of the formula, at most 2.
    keep_length : bool, default False
        Whether each edited vector is scaled to the length of the original.

    Returns
    -------
    EmbeddingModel
        Its `edited` has the new vectors, its `original` is the model without edits.

    Raises
    ------
    ValueError
        For more than 10 edits, edits that cannot be read, a word that is not one token or is edited twice, a result
        that is too large or, with `keep_length`, zero, a scope that the model does not have, and a strength outside 0 …
        2.
    """
    return with_change(model, change=Change.of(edits, scope, strength, keep_length=keep_length))


def with_change(model: "EmbeddingModel", *, change: Change) -> "EmbeddingModel":
    """Return a model with the edits of a change, at all positions; see `edited_model`."""
    everywhere = replace(change, positions=())
    patch = resolve(everywhere, model)
    return model.with_rows(patch.vectors, everywhere.code, tied=patch.tied)


def edited_words(model: "EmbeddingModel", *, change: Change) -> tuple[str, ...]:
    """Return the words whose vectors a change edits, as tokens of the model.

    Parameters
    ----------
    model : EmbeddingModel
        The model that is edited.
    change : Change
        The edits with their scope and strength.

    Returns
    -------
    tuple of str
        In the order of the edits.

    Raises
    ------
    ValueError
        As `edited_model` does.
    """
    return tuple(model.vocabulary[target] for target in resolve(change, model).vectors)


def contain_token(texts: Sequence[str], model: "EmbeddingModel", *, tokens: Sequence[str]) -> bool:
    """Return whether one of these texts contains one of these tokens; an empty text contains none."""
    wanted = {model.ids[token] for token in tokens if token in model.ids}
    return any(not wanted.isdisjoint(model.words(text)[0]) for text in texts if text.strip())
