"""The modules and weights of one layer by their role, because BERT and DistilBERT name them differently."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class LayerModules:
    """The modules of a layer, in the order in which they compute. They are shared: never change them.

    query, key, value   what the heads compute for each token
    projection          the output projection: from the heads' outputs next to each other to the attention output
    attention_norm      the layer norm after the attention
    first, activation   the first projection and the activation of the feed-forward network: the neurons
    second              from the neurons to the output of the feed-forward network
    norm                the layer norm after the feed-forward network
    """

    query: Any
    key: Any
    value: Any
    projection: Any
    attention_norm: Any
    first: Any
    activation: Any
    second: Any
    norm: Any


@dataclass(frozen=True)
class LayerWeights:
    """The weights of a layer as read-only arrays; d dimensions, f neurons. A norm is (weight, bias, epsilon).

    projection, projection_bias   (d, d) and (d,)
    attention_norm                weight (d,), bias (d,) and epsilon
    first, first_bias             (f, d) and (f,): the input weights of each neuron
    second, second_bias           (d, f) and (d,): column n is what neuron n adds per unit of its activation
    norm                          weight (d,), bias (d,) and epsilon
    """

    projection: Array
    projection_bias: Array
    attention_norm: tuple[Array, Array, float]
    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    norm: tuple[Array, Array, float]


def layer_modules(model: "EmbeddingModel", *, layer: int) -> LayerModules:
    """Return the modules of a layer (1 … l). Raises ValueError for a layer that the model does not have."""
    if not 1 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer}. Choose a layer from 1 to {model.layers}.")
    block = model.encoder_layers[layer - 1]
    if model.has_segments:
        heads, inner = block.attention.self, block.intermediate
        return LayerModules(
            heads.query,
            heads.key,
            heads.value,
            block.attention.output.dense,
            block.attention.output.LayerNorm,
            inner.dense,
            inner.intermediate_act_fn,
            block.output.dense,
            block.output.LayerNorm,
        )
    heads, inner = block.attention, block.ffn
    return LayerModules(
        heads.q_lin,
        heads.k_lin,
        heads.v_lin,
        heads.out_lin,
        block.sa_layer_norm,
        inner.lin1,
        inner.activation,
        inner.lin2,
        block.output_layer_norm,
    )


def layer_weights(model: "EmbeddingModel", *, layer: int) -> LayerWeights:
    """Return the weights of a layer (1 … l). Raises ValueError for a layer that the model does not have."""
    modules = layer_modules(model, layer=layer)
    parts = (modules.projection, modules.first, modules.second)
    (projection, first, second), biases = ([_array(part.weight) for part in parts], [_array(p.bias) for p in parts])
    attention_norm, norm = (
        (_array(each.weight), _array(each.bias), float(each.eps)) for each in (modules.attention_norm, modules.norm)
    )
    return LayerWeights(projection, biases[0], attention_norm, first, biases[1], second, biases[2], norm)


def _array(weight: Any) -> Array:
    array: Array = weight.detach().numpy()
    array.flags.writeable = False
    return array
