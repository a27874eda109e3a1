"""What a direction that is added to a layer does: the odds of answers over its strength, next to shuffled groups."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from embtools.directions.effects import ONE_WORD
from embtools.directions.fluency import Fluency
from embtools.directions.groups import group_name
from embtools.messages import counted
from embtools.statistics.decimals import signed
from embtools.statistics.reporting import LEVEL, control_p, p_value


@dataclass(frozen=True)
class Steered:
    """The odds of two lists of answers over the strength of a direction, and the cost in other sentences.

    names, answers_of  the groups of words, and the lists of answers, by their first words
    layer, where       the layer, and where the direction is added
    length             the length of what strength 1 adds: the distance between the means along the direction
    strengths          strength, change (of log P(second answers) − log P(first answers), mean over the sentences, in
                       nats) with its 95% interval (low, high; missing for fewer than 8 sentences), random,
                       random_lowest, random_highest (mean, lowest and highest mean change over the directions between
                       shuffled groups), cost (change in the log
                       probability of acceptable answers in other sentences) with cost_low and cost_high,
                       random_cost
    sentences          sentence, strength, top_answer, probability (of it), change
    random             the mean change of each direction between shuffled groups at strength 1
    fluency            the pseudo-log-likelihood of a fixed text over the strength, and where it breaks
    words              with where = "one word": the words to which the direction is added
    """

    names: tuple[str, str]
    answers_of: tuple[str, str]
    layer: int
    where: str
    length: float
    strengths: pd.DataFrame
    sentences: pd.DataFrame
    random: tuple[float, ...]
    fluency: Fluency
    words: tuple[str, ...] = ()

    def at(self, strength: float) -> pd.Series:
        """The row of a strength."""
        return self.strengths.set_index("strength").loc[strength]

    @cached_property
    def p(self) -> float:
        """The share of directions that change the odds at least as much at strength 1, this one included."""
        own = abs(self.at(1.0)["change"])
        return control_p(sum(abs(value) >= own for value in self.random), len(self.random))

    @property
    def headline(self) -> str:
        """The factor by which strength 1 changes the odds, next to the strongest shuffled groups, and the verdict."""
        row, n = self.at(1.0), len(self.random)
        factor, low, high = (_factor(row[name]) for name in ("change", "low", "high"))
        where = f"one word ({group_name(self.words)})" if self.where == ONE_WORD else self.where
        each = self.sentences.loc[self.sentences["strength"] == 1.0, "change"]
        bounds = "" if np.isnan(row["low"]) else f" (95% interval {low} to {high})"
        if not bounds and len(each) > 1:
            bounds = f" (single sentences: {_factor(each.min())} to {_factor(each.max())})"
        strongest = max(self.random, key=abs)
        of = (
            f"The strongest of {n} directions between shuffled groups"
            if n > 1
            else "A direction between shuffled groups"
        )
        verdict = (
            f"{counted(n, 'shuffle')} {'is' if n == 1 else 'are'} too few for a clear result."
            if control_p(0, n) > LEVEL
            else "So the direction does more than one that means nothing."
            if self.p <= LEVEL
            else "So this could be chance."
        )
        return (
            f"Added to {where} after layer {self.layer}, the direction multiplies the odds of"
            f" {self.answers_of[1]} over {self.answers_of[0]} by {factor}{bounds}. {of}: by"
            f" {_factor(strongest)} ({p_value(self.p, n)}). {verdict}"
        )

    @property
    def comparison(self) -> str:
        """The range and the mean of shuffled groups, and the cost."""
        row, n = self.at(1.0), len(self.random)
        low, high, mean = (_factor(row[f"random{name}"]) for name in ("_lowest", "_highest", ""))
        multiply = "multiplies" if n == 1 else "multiply"
        return (
            f"{counted(n, 'direction')} between shuffled groups of the same length {multiply} the odds by {low} to"
            f" {high} (mean {mean}). In other sentences, the log probability of acceptable answers"
            f" changes by {signed(row['cost'])} nats (shuffled groups: {signed(row['random_cost'])}), and by"
            f" {signed(self.at(3.0)['cost'])} with strength 3."
        )


def _factor(nats: float) -> str:
    """Format a change of log odds as a factor.

    >>> _factor(0.0), _factor(7.0)
    ('1.0', '1,097')
    """
    value = float(np.exp(nats))
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}" if value >= 0.1 else f"{value:.2g}"
