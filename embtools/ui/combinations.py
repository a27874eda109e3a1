"""The fields for a layer combination and a pooling, with their permanent keys in addresses."""

from collections.abc import Sequence

from embtools.layer_combinations import (
    CONCAT_FOUR,
    SECOND_TO_LAST,
    SENTENCE_POOLINGS,
    SUM_ALL,
    SUM_FOUR,
    WORD_POOLINGS,
    combination_names,
)
from embtools.ui import shown
from embtools.ui.fields import Choice
from embtools.ui.shown import Model

_COMBINATIONS = {
    "second-to-last": SECOND_TO_LAST,
    "sum-four": SUM_FOUR,
    "concat-four": CONCAT_FOUR,
    "sum-all": SUM_ALL,
}
_WORD = {"mean": WORD_POOLINGS[1], "first": WORD_POOLINGS[0]}
_SENTENCE = dict(zip(("cls", "mean", "max"), SENTENCE_POOLINGS, strict=True))


def combination(key: str, default: str = SECOND_TO_LAST) -> Choice:
    """Return a field for a layer combination; its options depend on the model's number of layers."""
    return Choice(key, default, keys=_COMBINATIONS)


def shared(models: Sequence[Model]) -> tuple[str, ...]:
    """Return the layer combinations that all models have, as far as they are known without loading the second one."""
    first, *others = [
        combination_names(model.facts.layers) for number, model in enumerate(models) if not number or model.was_opened
    ]
    return tuple(name for name in first if all(name in names for names in others))


def word_pooling(key: str, default: str = WORD_POOLINGS[1]) -> Choice:
    """Return a field for the pooling of a word's tokens."""
    return Choice(key, default, _WORD)


def sentence_pooling(key: str, default: str = SENTENCE_POOLINGS[1]) -> Choice:
    """Return a field for the pooling of a sentence's tokens."""
    return Choice(key, default, _SENTENCE)


def pooling(key: str, default: str = WORD_POOLINGS[1]) -> Choice:
    """Return a field for the pooling of a word's tokens, or of a sentence's."""
    return Choice(key, default, _WORD | {f"sentence-{name}": option for name, option in _SENTENCE.items()})


def at_same_depth(combination: str, model: Model, other: Model) -> str:
    """Return a layer combination for another model: a single layer is replaced by that at the same relative depth."""
    name, _, layer = combination.partition(" ")
    if name != "layer" or not layer.isdecimal():
        return combination
    return f"layer {shown.same_depth(int(layer), model, other)}"
