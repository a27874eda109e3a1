"""The names of attention heads, and the attention of one head or of several combined."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embtools.attention.reading import Reading
from embtools.messages import listed, quoted
from embtools.models.attention import rollout
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STRONGEST, ALL, ROLLOUT = "strongest head", "all heads", "rollout"
_NAMED = 6  # heads that a sentence names; of more, it gives the number


def options(layers: int, heads: int) -> tuple[str, ...]:
    """Return all values of the argument `heads` of `attend`, for a model with these numbers of layers and heads.

    >>> options(1, 2)
    ('strongest head', 'all heads', 'rollout', 'layer 1', '1.1', '1.2')
    """
    every = range(1, layers + 1)
    single = (f"{layer}.{head}" for layer in every for head in range(1, heads + 1))
    return STRONGEST, ALL, ROLLOUT, *(f"layer {layer}" for layer in every), *single


def members(heads: str, layers: int, count: int) -> tuple[tuple[int, int], ...]:
    """Return layer and number of all heads over which a choice is averaged, also of several names such as "1.2, 2.1";
    () for rollout and the strongest head.

    >>> members("layer 2", 2, 2), members("2.1, 1.2", 2, 2)
    (((2, 1), (2, 2)), ((1, 2), (2, 1)))
    """
    every = tuple((layer, number) for layer in range(1, layers + 1) for number in range(1, count + 1))
    if heads in (ROLLOUT, STRONGEST):
        return ()
    if heads == ALL:
        return every
    if heads in (f"layer {layer}" for layer in range(1, layers + 1)):
        return tuple(head for head in every if f"layer {head[0]}" == heads)
    known = {f"{layer}.{number}": (layer, number) for layer, number in every}
    names = _names(heads)
    if not names or (wrong := [name for name in names if name not in known]):
        raise ValueError(
            f"There is no head {quoted(wrong[0] if names else heads)}. Choose a layer from 1 to {layers} and a head"
            f" from 1 to {count}, such as '1.1'."
        )
    return tuple(sorted({known[name] for name in names}))


def single_head(heads: str, layers: int, count: int) -> tuple[int, int] | None:
    """Return layer and number of a single head such as "4.2", None for several heads; ValueError for an unknown name.

    >>> single_head("4.2", 6, 12), single_head("layer 4", 6, 12), single_head("4.2, 5.1", 6, 12)
    ((4, 2), None, None)
    """
    chosen = members(heads, layers, count)
    return chosen[0] if is_single(heads) else None


def is_single(heads: str) -> bool:
    """Return whether a choice names one head, such as "4.2".

    >>> is_single("4.2"), is_single("4.2, 5.1"), is_single("layer 4")
    (True, False, False)
    """
    return "." in heads and len(_names(heads)) == 1


def joined(names: Sequence[str]) -> str:
    """Return the choice that averages the heads of these names, each once and in order.

    >>> joined(("5.1", "4.12", "4.2", "5.1"))
    '4.2, 4.12, 5.1'
    """
    return ", ".join(sorted(set(names), key=lambda name: [int(part) for part in name.split(".")]))


def head_name(heads: str) -> str:
    """Format a choice of heads for a sentence: a single head by layer and number.

    >>> head_name("4.2"), head_name("layer 4"), head_name("4.2, 5.1")
    ('layer 4, head 2', 'layer 4', 'heads 4.2 and 5.1')
    """
    if is_single(heads):
        layer, _, number = heads.partition(".")
        return f"layer {layer}, head {number}"
    if "." not in heads:
        return heads
    names = _names(heads)
    return f"heads {listed(names)}" if len(names) <= _NAMED else f"{len(names)} chosen heads"


def beginning(heads: str) -> str:
    """Return the beginning of a sentence about these heads.

    >>> beginning("4.2"), beginning("layer 4"), beginning("all heads")
    ('In layer 4, head 2,', 'Averaged over the heads of layer 4,', 'Averaged over all heads,')
    """
    if heads == ALL:
        return "Averaged over all heads,"
    if heads.startswith("layer"):
        return f"Averaged over the heads of {heads},"
    return f"In {head_name(heads)}," if is_single(heads) else f"Averaged over {head_name(heads)},"


def combined(reading: Reading, model: "EmbeddingModel", *, given: Array, source: Sequence[str], heads: str) -> Array:
    """Return the shares (u,) of one head, or combined over several heads."""
    chosen = members(heads, model.layers, model.heads)
    if heads == ROLLOUT:
        return reading.to_words(rollout(reading.states, model)[reading.positions(source)].mean(0))
    layers, numbers = np.array(chosen).T - 1
    return np.asarray(given[layers, numbers].mean(0))


def _names(heads: str) -> list[str]:
    return [name.strip() for name in heads.split(",") if name.strip()]
