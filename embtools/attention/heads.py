"""The names of attention heads, and the attention of one head or of several combined."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from embtools.attention.reading import Reading, rollout
from embtools.messages import quoted
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STRONGEST, ALL, ROLLOUT = "strongest head", "all heads", "rollout"


def options(layers: int, heads: int) -> tuple[str, ...]:
    """Return all values of the argument `heads` of `attend`, for a model with these numbers of layers and heads.

    >>> options(1, 2)
    ('strongest head', 'all heads', 'rollout', 'layer 1', '1.1', '1.2')
    """
    every = range(1, layers + 1)
    single = (f"{layer}.{head}" for layer in every for head in range(1, heads + 1))
    return STRONGEST, ALL, ROLLOUT, *(f"layer {layer}" for layer in every), *single


def single_head(heads: str, layers: int, count: int) -> tuple[int, int] | None:
    """Return layer and number of a single head such as "4.2", None for several heads; ValueError for an unknown name.

    >>> single_head("4.2", 6, 12), single_head("layer 4", 6, 12)
    ((4, 2), None)
    """
    if heads not in options(layers, count):
        raise ValueError(
            f"There is no head {quoted(heads)}. Choose a layer from 1 to {layers} and a head from 1 to {count},"
            " such as '1.1'."
        )
    layer, dot, number = heads.partition(".")
    return (int(layer), int(number)) if dot else None


def head_name(heads: str) -> str:
    """Format a choice of heads for a sentence: a single head by layer and number.

    >>> head_name("4.2"), head_name("layer 4")
    ('layer 4, head 2', 'layer 4')
    """
    layer, dot, number = heads.partition(".")
    return f"layer {layer}, head {number}" if dot else heads


def beginning(heads: str) -> str:
    """Return the beginning of a sentence about these heads.

    >>> beginning("4.2"), beginning("layer 4"), beginning("all heads")
    ('In layer 4, head 2,', 'Averaged over the heads of layer 4,', 'Averaged over all heads,')
    """
    if heads == ALL:
        return "Averaged over all heads,"
    if heads.startswith("layer"):
        return f"Averaged over the heads of {heads},"
    return f"In {head_name(heads)},"


def combined(reading: Reading, model: "EmbeddingModel", *, given: Array, source: Sequence[str], heads: str) -> Array:
    """Return the shares (u,) of one head, or combined over several heads."""
    single = single_head(heads, model.layers, model.heads)
    if single:
        return given[single[0] - 1, single[1] - 1]
    if heads == ROLLOUT:
        return reading.to_words(rollout(reading.states, model)[reading.positions(source)].mean(0))
    return given.mean((0, 1)) if heads == ALL else given[int(heads.split()[1]) - 1].mean(0)
