"""Parts of a layer switched off, and what BERT then answers at a mask, next to the same number of random parts."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.drawing import Displayed
from embtools.limits import within
from embtools.mask_filling.answers import best_answer, divergence, top_union
from embtools.mask_filling.forward import probabilities
from embtools.mask_filling.tokens import Tokens, checked_position, states_of, tokens_of
from embtools.messages import counted, quoted
from embtools.models import neurons as of_neurons
from embtools.models.layer_modules import layer_modules
from embtools.models.layer_steps import layer_steps
from embtools.models.neurons import DIFFERENCE, PACE, By, mean_outputs, neuron_strengths
from embtools.models.switching import Off, with_parts_off
from embtools.progress import Progress, silent
from embtools.progress import part as part_of
from embtools.statistics.percentages import compared, percents
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

DRAWS, MAX_DRAWS, MAX_NEURONS = 200, 200, 500
Part = Literal["neurons", "head", "attention", "feed-forward network"]
NEURONS, HEAD, ATTENTION, FEED_FORWARD = PARTS = get_args(Part)
Value = Literal["zero", "mean"]
ZERO, MEAN = get_args(Value)
BEFORE, AFTER = "probability_before", "probability_after"
OWN, NEXT, CONTROL = "this part", "next strongest", "control"


@dataclass(frozen=True)
class SwitchedOff(Displayed):
    """The answers at a mask with and without a part of a layer, and without random parts of the same kind.

    part, layer, chosen   what was switched off: the part, its layer, and the numbers of its neurons or head (from 1)
    everywhere            whether it was switched off at all tokens, or at the chosen one only
    tokens, position      the tokens of the text, and the position of the chosen one
    value                 what the part was set to: `ZERO`, or its `MEAN` over built-in sentences
    answers               token, probability_before, probability_after: the probabilities of the best words of both runs
    answer                the top answer before
    runs                  run (`OWN`, `NEXT`: the next strongest neurons, or `CONTROL`), parts (numbers of neurons, a
                          head or a layer), probability (of `answer`), change (of its log probability, in nats),
                          top_answer, divergence (from the answers before, in bits)
    """

    part: str
    layer: int
    chosen: tuple[int, ...]
    everywhere: bool
    tokens: Tokens
    position: int
    value: str
    answers: pd.DataFrame
    answer: str
    runs: pd.DataFrame

    @property
    def token(self) -> str:
        """The chosen token."""
        return self.tokens.names[self.position]

    @property
    def controls(self) -> pd.DataFrame:
        """The rows of the controls in `runs`."""
        return self.runs[self.runs["run"] == CONTROL]

    @property
    def before(self) -> float:
        """The probability of the top answer before anything is switched off."""
        return float(self.answers.loc[self.answers["token"] == self.answer, BEFORE].iloc[0])

    @property
    def named(self) -> str:
        """What was switched off, for a sentence: "the 10 strongest neurons of layer 6"."""
        where = f"layer {self.layer}"
        if self.part == NEURONS and len(self.chosen) == 1:
            return f"neuron {self.chosen[0]:,} of {where}"
        if self.part == NEURONS:
            return f"the {len(self.chosen)} strongest neurons of {where}"
        return f"head {self.layer}.{self.chosen[0]}" if self.part == HEAD else f"the {self.part} of {where}"

    @cached_property
    def p(self) -> float:
        """The share of runs that change the answer's log probability at least as much, this one included."""
        own = abs(self.runs["change"].iloc[0])
        return control_p(int((self.controls["change"].abs() >= own).sum()), len(self.controls))

    @property
    def headline(self) -> str:
        """The answer without the part, and with it."""
        own = self.runs.iloc[0]
        where = "" if self.everywhere else f" at “{self.token}”"
        if own["top_answer"] == self.answer:
            before, after = percents(self.before, own["probability"])
            text = f"BERT still answers “{self.answer}”, with {after} instead of {before}."
        else:
            new_answer = float(self.answers.loc[self.answers["token"] == own["top_answer"], AFTER].iloc[0])
            before, after, new = percents(self.before, own["probability"], new_answer)
            text = (
                f"BERT answers “{own['top_answer']}” ({new}) instead of “{self.answer}” (now {after}, before {before})."
            )
        return f"Without {self.named}{where}, {text}{self._doubt}"

    @property
    def _doubt(self) -> str:
        """Whether the change could be chance, after a space; else ""."""
        n = len(self.controls)
        if n == 0 or control_p(0, n) > LEVEL or self.p <= LEVEL:
            return ""
        reached = round(self.p * (n + 1)) - 1
        return f" For {reached} of {n} controls, the change is at least as large, so this could be chance."

    @property
    def comparison(self) -> str:
        """How much random parts of the same kind change, and whether this one changes more."""
        controls = self.controls
        if controls.empty:
            return "There is no other part of this kind to compare with, so nothing follows from the change."
        low, high = percents(controls["probability"].min(), controls["probability"].max())
        changed = int((controls["top_answer"] != self.answer).sum())
        reached = int((controls["change"].abs() >= abs(self.runs["change"].iloc[0])).sum())
        n = len(controls)
        text = (
            f"Without {self._control_name}, “{self.answer}” gets {low if low == high else f'{low} to {high}'}, and the"
            f" top answer changes in {changed} of {counted(n, 'case')}. In {reached} of {n}, its log probability"
            f" changes at least as much ({p_value(self.p, n, what='controls')}).{self._next_strongest}"
        )
        if control_p(0, n) > LEVEL:
            return f"{text} {counted(n, 'control')} {'is' if n == 1 else 'are'} too few for a clear result."
        if self.p > LEVEL:
            return f"{text} So this could be chance."
        stays = self.runs["top_answer"].iloc[0] == self.answer
        what = f"the probability of “{self.answer}”" if stays else "the answer"
        but = f", but less than {self._next_name}" if self._next_is_stronger else ""
        return f"{text} So in this sentence, the part changes {what} more than a random one{but}."

    @property
    def _next_strongest(self) -> str:
        """What the answer gets without the next strongest neurons; nothing for parts that are not ranked."""
        near = self.runs[self.runs["run"] == NEXT]
        if near.empty:
            return ""
        change = "; this is a larger change" if self._next_is_stronger else ""
        controls = self.controls["probability"]
        others = [self.before, float(self.runs["probability"].iloc[0]), float(controls.min()), float(controls.max())]
        share, _ = compared(float(near["probability"].iloc[0]), others)
        return f" Without {self._next_name}, it gets {share}{change}."

    @property
    def _next_name(self) -> str:
        return "the next neuron in strength" if len(self.chosen) == 1 else f"the next {len(self.chosen)} in strength"

    @property
    def _next_is_stronger(self) -> bool:
        near = self.runs.loc[self.runs["run"] == NEXT, "change"].abs()
        return bool((near > abs(self.runs["change"].iloc[0])).any())

    @property
    def _control_name(self) -> str:
        if self.part == NEURONS:
            many = f"{len(self.chosen)} random neurons" if len(self.chosen) > 1 else "one random neuron"
            return f"{many} of this layer"
        return "another head of any layer" if self.part == HEAD else f"the {self.part} of another layer"


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
    progress : callable, optional

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
    index = checked_position(text, model, position=position)
    tokens = tokens_of(text, model)
    mask = index if index in tokens.masks else checked_position(text, model, position=None)
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
        tokens,
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
    return work * model.dimensions**2 / PACE + (of_neurons.effort(model) if means else 0.0)


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
    if part == NEURONS and not number:
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
