"""How the numbers of one dimension follow from each other inside a layer, as lines of arithmetic."""

from typing import TYPE_CHECKING

import numpy as np

from embtools.models.layer_modules import layer_modules, layer_weights
from embtools.models.layer_steps import LayerSteps
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def written(vectors: LayerSteps, model: "EmbeddingModel", *, layer: int, dimension: int) -> str:
    """Return how the numbers of a dimension (1 … d) of one token follow from each other in a layer, line by line.

    Sums of many products name the largest one. Between attention and the second projection, the lines follow the
    strongest neuron, because a dimension has no neuron of its own. Raises ValueError for a layer or a dimension that
    does not exist.
    """
    weights, activation = layer_weights(model, layer=layer), layer_modules(model, layer=layer).activation
    if not 1 <= dimension <= model.dimensions:
        raise ValueError(f"There is no dimension {dimension}. Choose 1 to {model.dimensions:,}.")
    d, width = dimension - 1, model.dimensions // model.heads
    name = type(activation).__name__.removesuffix("Activation")
    heads, middle, neurons = (rows[0].astype(np.float64) for rows in (vectors.heads, vectors.middle, vectors.neurons))
    n = int(np.abs(neurons).argmax())
    projected, attended = float(vectors.projected[0, d]), float(vectors.attended[0, d])
    ahead, total = float(vectors.feed_forward[0, d]), float(vectors.total[0, d])
    head = 1 + int(np.abs(heads * weights.projection[d]).argmax()) // width
    largest = 1 + int(np.abs(neurons * weights.second[d]).argmax())
    through = 1 + int(np.abs(middle * weights.first[n]).argmax())
    lines = (
        f"output projection = {_products(heads, weights.projection[d], weights.projection_bias[d], f'head {head}')}",
        f"+ residual 1 = {number(float(vectors.inputs[0, d]))} {_plus(projected)} = {number(attended)}",
        f"layer norm 1 = {_normed(vectors.attended[0], d, weights.attention_norm)}",
        f"neuron {n + 1:,} = {_products(middle, weights.first[n], weights.first_bias[n], f'dimension {through}')}",
        f"activated = {name}({number(float(vectors.scores[0, n]))}) = {number(float(neurons[n]))}",
        f"second projection = {_products(neurons, weights.second[d], weights.second_bias[d], f'neuron {largest:,}')}",
        f"+ residual 2 = {number(float(middle[d]))} {_plus(ahead)} = {number(total)}",
        f"layer norm 2 = {_normed(vectors.total[0], d, weights.norm)}",
    )
    return "\n".join(lines)


def number(value: float) -> str:
    """Format a number for a formula, with a true minus sign, and with three digits if it is small.

    >>> number(-1.234), number(0.0123), number(-0.0001)
    ('−1.23', '0.012', '0.000')
    """
    return decimal(value, 2 if abs(value) >= 0.0995 else 3).replace(",", "")


def _plus(value: float) -> str:
    """Return a number with its sign in front, as the next term of a sum.

    >>> _plus(0.31), _plus(-0.31)
    ('+ 0.31', '− 0.31')
    """
    return f"− {number(-value)}" if number(value).startswith("−") else f"+ {number(value)}"


def _products(values: Array, row: Array, bias: float, largest: str) -> str:
    """Return a sum of products with its largest one, which is named: "1.20 × −0.31 (head 4) + … = 0.52"."""
    products = values * row
    best = int(np.abs(products).argmax())
    return (
        f"{number(values[best])} × {number(float(row[best]))} ({largest}) + … ({len(values):,} products)"
        f" {_plus(float(bias))} = {number(float(products.sum() + bias))}"
    )


def _normed(vector: Array, d: int, norm: tuple[Array, Array, float]) -> str:
    """Return the layer norm of one number of a vector."""
    weight, bias, epsilon = norm
    x = vector.astype(np.float64)
    mean, spread = float(x.mean()), float(np.sqrt(x.var() + epsilon))
    value = (x[d] - mean) / spread * weight[d] + bias[d]
    return (
        f"({number(x[d])} {_plus(-mean)}) ÷ {number(spread)} × {number(float(weight[d]))} {_plus(float(bias[d]))}"
        f" = {number(float(value))}"
    )
