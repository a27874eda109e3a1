"""Parts of a layer switched off, and what BERT then answers at a mask, next to the same number of random parts."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.attention import mean_outputs as of_means
from embtools.attention.layer_parts import checked_position, states_of, tokens_of
from embtools.attention.mean_outputs import PACE, mean_outputs
from embtools.attention.strongest_neurons import DIFFERENCE, By, neuron_strengths
from embtools.attention.switch_off_result import (
    AFTER,
    ATTENTION,
    BEFORE,
    CONTROL,
    FEED_FORWARD,
    HEAD,
    MEAN,
    NEURONS,
    NEXT,
    OWN,
    PARTS,
    ZERO,
    Part,
    SwitchedOff,
    Value,
)
from embtools.chance import checked_seed, generator
from embtools.limits import within
from embtools.mask_filling.answers import best_answer
from embtools.mask_filling.forward import mask_positions, probabilities
from embtools.mask_filling.tables import divergence, top_union
from embtools.messages import quoted
from embtools.models.layer_modules import layer_modules
from embtools.models.layer_steps import layer_steps
from embtools.models.switching import Off, with_parts_off
from embtools.progress import Progress, silent
from embtools.progress import part as part_of
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

DRAWS, MAX_DRAWS, MAX_NEURONS = 200, 200, 500


def switch_off(
    text: str,
    model: "EmbeddingModel",
    *,
    layer: int,
    part: Part = NEURONS,
    count: int = 10,
    number: int = 0,
    by: By = DIFFERENCE,
    position: int | None = None,
    everywhere: bool = True,
    value: Value = ZERO,
    k: int = 5,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress = silent,
) -> SwitchedOff:
    """Switch off a part of a layer, and compare the answers with those without random parts of the same kind.

    The controls: for neurons, the same number of other neurons of the layer, drawn at random; for a head, other heads
    of any layer, drawn at random; for a layer's attention or feed-forward network, that of every other layer.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    layer : int
        1 … l.
    part : {"neurons", "head", "attention", "feed-forward network"}, default "neurons"
        What is switched off.
    count : int, default 10
        Number of neurons: the strongest ones at the token.
    number : int, default 0
        One neuron, or the head, from 1; 0 is the `count` strongest neurons, or the first head.
    by : {"difference", "activation"}, default "difference"
        What makes a neuron strong: how far its activation is above its mean over built-in sentences, or above zero.
    position : int or None, optional
        Position of the token whose neurons are chosen; by default that of the first mask. If it is a mask, its answers
        are shown, otherwise those of the first mask.
    everywhere : bool, default True
        Whether the part is switched off at all tokens, or only at this one.
    value : {"zero", "mean"}, default "zero"
        What the part is set to: zero, or its mean over 200 built-in sentences.
    k : int, default 5
        Number of answers before and after.
    draws : int, default 200
        Number of random draws of neurons or heads.
    seed : int, default 0
        Seed of the random draws.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    SwitchedOff
        The answers before and after, and every control.

    Raises
    ------
    ValueError
        For a text without a mask, for layers, neurons, heads and positions that do not exist, and for numbers out of
        range.
    """
    checked_seed(seed)
    _check(model, layer, part, count, number, value, k, draws)
    frame = model.tokenize(text)
    masks = mask_positions(frame, model)
    index = checked_position(text, model, position=position)
    mask = index if index in masks else masks[0]
    if value == MEAN or (part == NEURONS and by == DIFFERENCE):
        mean_outputs(model, progress=part_of(progress, 0.0, 0.5))
    states = states_of(text, model)
    neurons = int(layer_modules(model, layer=layer).first.out_features)
    chosen: tuple[int, ...] = (number or 1,) if part == HEAD else ()
    near: tuple[int, ...] = ()
    if part == NEURONS:
        own = layer_steps(states, model, layer=layer, positions=(index,)).neurons[0]
        strengths = neuron_strengths(own, model, layer=layer, by=by)
        order = [1 + int(each) for each in np.argsort(-strengths, kind="stable")]
        chosen, near = ((number,), near) if number else (tuple(order[:count]), tuple(order[count : 2 * count]))
    controls = _controls(part, layer, chosen, model, neurons, draws, seed)
    rows = [_off(part, layer, chosen), *([_off(part, layer, near)] if near else []), *controls]
    names = [OWN, *([NEXT] if near else []), *[CONTROL] * len(controls)]
    last = with_parts_off(
        states,
        model,
        rows=[Off(layer), *rows],
        positions=None if everywhere else (index,),
        means=None if value == ZERO else mean_outputs(model),
        progress=part_of(progress, 0.5, 0.5),
    )
    shares = probabilities(model.logits(model.transform(last[:, mask])))
    answer = int(best_answer(shares[0], model))
    return SwitchedOff(
        part,
        layer,
        chosen,
        everywhere,
        tokens_of(text, model),
        index,
        value,
        top_union({BEFORE: shares[0], AFTER: shares[1]}, model, k=k),
        model.vocabulary[answer],
        _runs(names, rows, shares, answer, model),
    )


def effort(
    text: str,
    model: "EmbeddingModel",
    *,
    layer: int,
    part: Part = NEURONS,
    by: By = DIFFERENCE,
    value: Value = ZERO,
    draws: int = DRAWS,
) -> float:
    """Return about how many seconds `switch_off` takes."""
    runs = (draws if part in (NEURONS, HEAD) else model.layers - 1) + 3
    from_layer = layer if part == NEURONS else 1
    work = runs * len(model.tokenize(text)) * (model.layers - from_layer + 1)
    means = value == MEAN or (part == NEURONS and by == DIFFERENCE)
    return work * model.dimensions**2 / PACE + (of_means.effort(model) if means else 0.0)


def _check(
    model: "EmbeddingModel", layer: int, part: str, count: int, number: int, value: str, k: int, draws: int
) -> None:
    within(draws, MAX_DRAWS, "draws")
    within(k, 50, "answers")
    if part not in PARTS:
        raise ValueError(f"There is no part {quoted(part)}. Choose one of: {', '.join(PARTS)}.")
    if value not in (ZERO, MEAN):
        raise ValueError(f"A part cannot be set to {quoted(value)}. Choose '{ZERO}' or '{MEAN}'.")
    neurons = int(layer_modules(model, layer=layer).first.out_features)
    within(count, min(MAX_NEURONS, neurons // 2), "neurons")
    most = {NEURONS: neurons, HEAD: model.heads}.get(part, 0)
    if part in (NEURONS, HEAD) and not 0 <= number <= most:
        raise ValueError(f"There is no {part.removesuffix('s')} {number:,} in layer {layer}. Choose 1 to {most:,}.")


def _off(part: str, layer: int, numbers: tuple[int, ...]) -> Off:
    return Off(
        layer,
        neurons=numbers if part == NEURONS else (),
        heads=numbers if part == HEAD else (),
        attention=part == ATTENTION,
        feed_forward=part == FEED_FORWARD,
    )


def _controls(
    part: str, layer: int, chosen: tuple[int, ...], model: "EmbeddingModel", neurons: int, draws: int, seed: int
) -> list[Off]:
    if part == NEURONS:
        others = np.setdiff1d(np.arange(1, neurons + 1), chosen)
        random = generator(seed)
        return [
            _off(part, layer, tuple(sorted(random.choice(others, len(chosen), replace=False).tolist())))
            for _ in range(draws)
        ]
    if part == HEAD:
        every = [(own, head) for own in range(1, model.layers + 1) for head in range(1, model.heads + 1)]
        other_heads = [each for each in every if each != (layer, chosen[0])]
        picked = generator(seed).choice(len(other_heads), min(draws, len(other_heads)), replace=False)
        return [_off(part, own, (head,)) for own, head in (other_heads[i] for i in sorted(picked))]
    return [_off(part, other, ()) for other in range(1, model.layers + 1) if other != layer]


def _runs(names: list[str], rows: list[Off], shares: Array, answer: int, model: "EmbeddingModel") -> pd.DataFrame:
    tiny = np.finfo(np.float64).tiny
    logs = np.log(np.maximum(shares[:, answer], tiny))
    return pd.DataFrame(
        {
            "run": names,
            "parts": [_numbers(row) for row in rows],
            "probability": shares[1:, answer],
            "change": logs[1:] - logs[0],
            "top_answer": [model.vocabulary[int(i)] for i in best_answer(shares[1:], model)],
            "divergence": [divergence(shares[0], row) for row in shares[1:]],
        }
    )


def _numbers(row: Off) -> str:
    """Return which neurons, head or layer were switched off."""
    if row.neurons:
        return ", ".join(map(str, row.neurons))
    return f"{row.layer}.{row.heads[0]}" if row.heads else f"layer {row.layer}"
