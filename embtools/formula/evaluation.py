"""Evaluation of formulas over the static embeddings of a model."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.formula import expression as formula_expression
from embtools.formula import parser
from embtools.formula.expression import Expression
from embtools.vectors import Array, bounded

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def as_tree(expression: str | Expression) -> Expression:
    """Return an expression unchanged, or parse its text; raises ValueError as `parser.parse` does."""
    return parser.parse(expression) if isinstance(expression, str) else expression


def evaluate(expression: str | Expression, model: "EmbeddingModel") -> Array:
    """Return the vector of a formula over the static embeddings.

    Parameters
    ----------
    expression : str or Expression
        A formula such as "king - man + woman" or "reject(nurse, she - he)".
    model : EmbeddingModel

    Returns
    -------
    ndarray
        (d,) float32.

    Raises
    ------
    ValueError
        For a formula that cannot be read, a word that is not one token, and a result that is too large.
    """
    # In float64, so that words with large factors still cancel out exactly.
    value = formula_expression.value(as_tree(expression), lambda word: model.vector(word).astype(np.float64))
    bounded(value * min(1, model.inverse_norms.min()))  # the vectors of a file may be long themselves
    return np.asarray(value, np.float32)
