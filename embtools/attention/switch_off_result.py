"""What BERT answers without a part of a layer, compared with what it answers without random parts of the same kind."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import pandas as pd

from embtools.attention.layer_parts import Tokens
from embtools.statistics.percentages import compared, percents
from embtools.statistics.reporting import LEVEL, control_p, p_value

Part = Literal["neurons", "head", "attention", "feed-forward network"]
NEURONS, HEAD, ATTENTION, FEED_FORWARD = PARTS = get_args(Part)
Value = Literal["zero", "mean"]
ZERO, MEAN = get_args(Value)
BEFORE, AFTER = "probability_before", "probability_after"
OWN, NEXT, CONTROL = "this part", "next strongest", "control"


@dataclass(frozen=True)
class SwitchedOff:
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
        return f" {reached} of {n} controls change it at least as much, so this could be chance."

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
            f"Without {self._control_name}, “{self.answer}” gets {low} to {high}, and the top answer changes in"
            f" {changed} of {n} cases. In {reached} of {n}, its log probability changes at least as much"
            f" ({p_value(self.p, n, what='controls')}).{self._next_strongest}"
        )
        if control_p(0, n) > LEVEL:
            return f"{text} {n} controls are too few for a clear result."
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
        others = [self.before, float(self.runs["probability"].iloc[0])]
        others += [] if controls.empty else [float(controls.min()), float(controls.max())]
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
