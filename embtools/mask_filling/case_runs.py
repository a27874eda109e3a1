"""One case of an edit with placeholders: the tokens of its sentence, and the vector that replaces its word."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.formula import expression
from embtools.formula.expression import Expression
from embtools.mask_filling.cases import A, B, C, Pair, filled
from embtools.mask_filling.controls import by_id
from embtools.mask_filling.edits import Change, Patch, moved
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def case_tokens(pair: Pair, model: "EmbeddingModel", *, template: str) -> tuple[Array, tuple[int]]:
    """Return the tokens (t,) of a sentence about a word, and the position of its mask; ValueError if it is part of
    another word in the sentence.
    """
    text = filled(template, pair.a)
    ids = model.tokenize(text)["id"].to_numpy()
    if pair.a_id not in ids:
        raise ValueError(f"In “{text}”, “{pair.a}” is not a word of its own. Write spaces around {{a}}.")
    return ids, (int(np.flatnonzero(ids == model.mask_id)[0]),)


def case_patch(
    pair: Pair, model: "EmbeddingModel", *, formula: Expression, c_id: int, change: Change
) -> tuple[Patch, dict[int, dict[int, float]] | None]:
    """Return the patch of one case, and the weights of the words in its formula by id; None if it has a function."""
    places = {A: pair.a_id, B: pair.b_id, C: c_id}
    ids = {word: places[word] if word in places else model.token_id(word) for word in expression.words(formula)}
    original = model.matrix[pair.a_id]
    value = expression.value(formula, lambda word: model.matrix[ids[word]].astype(np.float64))
    vector = moved(original, value - original, change)
    weights = expression.coefficients(formula)
    sums = None if weights is None else {pair.a_id: by_id((ids[word], weight) for word, weight in weights.items())}
    return Patch({pair.a_id: vector}, (), change.scope == "tied"), sums
