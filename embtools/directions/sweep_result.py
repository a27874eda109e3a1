"""The layer and the method of an erasure that half of the items chose, and what they do on the other half."""

from dataclasses import dataclass

import pandas as pd

from embtools.directions.erased import after, bounds, drawn, not_new, verdict
from embtools.directions.groups import WORDS
from embtools.statistics.decimals import signed
from embtools.statistics.percentages import percents, rounded


@dataclass(frozen=True)
class Sweep:
    """The layer and the method of an erasure that one half of the items chose, and what they do on the other half.

    names         both groups by their first items
    layer, method what was chosen
    choices       layer, method, accuracy_before, accuracy (of a new classifier before and after the erasure, on the
                  half that chooses), cost (change in the log probability of masked words in one half of the text, in
                  nats), chosen
    limit         the lowest accuracy, but at least guessing; a combination with a higher one cannot be chosen
    reported      method (`NONE`, the chosen one, the same number of random directions), accuracy of a new classifier
                  on the other half with its 95% interval (accuracy_low, accuracy_high), difference (of the accuracy
                  from that with random directions; missing for other rows) with its interval, cost in the other half
                  of the text with its interval (cost_low, cost_high), accuracy_lowest (after the strongest draw of
                  random directions; missing for other rows)
    guess         accuracy of guessing on the other half
    items         number of items of both halves
    masks         number of masked words of both halves of the text
    sentences     number of sentences of both halves of the text
    seen          how many of these sentences contain an item of the groups, because too few others exist
    draws         number of draws of random directions
    kind          what the groups consist of: "words" or "sentences"
    """

    names: tuple[str, str]
    layer: int
    method: str
    choices: pd.DataFrame
    limit: float
    reported: pd.DataFrame
    guess: float
    items: tuple[int, int]
    masks: tuple[int, int]
    sentences: tuple[int, int]
    seen: tuple[int, int]
    draws: int
    kind: str = WORDS

    @property
    def chosen(self) -> pd.Series:
        """The row of what was chosen."""
        return self.choices[self.choices["chosen"]].iloc[0]

    @property
    def headline(self) -> str:
        """What was chosen, and what a new classifier finds on the other half."""
        before, own, random = (self.reported.iloc[number] for number in range(3))
        texts = percents(own["accuracy"], before["accuracy"], *drawn(random), digits=0)
        begin = f"One half of the {self.kind} chooses {self.method} in layer {self.layer}. On the other half,"
        if before["accuracy_low"] <= self.guess:
            return (
                f"{begin} the {self.kind} are too few to show the difference, so nothing can be said about erasing it:"
                f" before, a new classifier is right for {texts[1]} ({bounds(before, 'accuracy')}; guessing:"
                f" {rounded(self.guess)}), and after it for {texts[0]}."
            )
        removes = bool(own["difference_high"] + max(0.0, self.guess - own["accuracy"]) < 0)
        return (
            f"{begin} a new classifier is then right for {texts[0]} ({bounds(own, 'accuracy')}; before: {texts[1]};"
            f" {after(random['method'], texts[2:], self.draws)}). {verdict(removes, self.method)}"
        )

    @property
    def rule(self) -> str:
        """How layer and method were chosen, with the numbers on the half that chose them."""
        row, own, random = self.chosen, self.reported.iloc[1], self.reported.iloc[2]
        low, high = (signed(own[f"cost_{end}"]) for end in ("low", "high"))
        return (
            f"{self.items[0]} of the {sum(self.items)} {self.kind} chose among {len(self.choices)} combinations of"
            " layer and method: of those after which a new classifier finds least (accuracy up to"
            f" {rounded(self.limit)}), the one with the smallest cost at {self.masks[0]} masked words. On this half,"
            f" the accuracy is {rounded(row['accuracy'])} and the change {signed(row['cost'])} nats. At {self.masks[1]}"
            " masked words of other sentences, the change is"
            f" {signed(own['cost'])} nats (95% interval {low} to {high}; {random['method']}: {signed(random['cost'])})."
            f"{not_new(sum(self.seen), sum(self.sentences), self.kind)}"
        )
