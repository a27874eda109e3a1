"""The results of erasures, in one layer or in a layer that half of the items chose, and the sentences about them."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from embtools.concepts.groups import WORDS
from embtools.drawing import Displayed
from embtools.spaces.erasers import LEACE
from embtools.statistics.decimals import decimal, signed
from embtools.statistics.percentages import interval_text, percents, rounded

NONE = "nothing removed"
BEFORE, AFTER, RANDOM = "probability_before", "probability_after", "probability_random"


def random_name(count: int) -> str:
    """Return the name of the control that removes this number of random directions.

    >>> random_name(1), random_name(10)
    ('1 random direction', '10 random directions')
    """
    return f"{count} random direction{'' if count == 1 else 's'}"


@dataclass(frozen=True)
class Erased(Displayed):
    """What is left of two groups after erasure, by method.

    names, layer   both groups by their first items, and the layer
    method         the method whose answers are shown
    methods        method (`NONE`, the three erasures, each followed by its control: the same number of random
                   directions), directions (how many are removed), accuracy of a new classifier on items that neither
                   it nor the eraser has seen, with its 95% interval (accuracy_low, accuracy_high), difference (of that
                   accuracy from the one with the same number of random directions; missing for these) with its 95%
                   interval (difference_low, difference_high), accuracy_fitted (on the items of the eraser), moved
                   (mean distance that a vector moves, divided by its mean distance to the centre), cost (change in the
                   log probability of masked words of a held-out text, in nats) with its 95% interval (cost_low,
                   cost_high), cost_difference (of the cost from that of the same number of random directions; missing
                   for these) with its 95% interval, other_accuracy (of a new probe for another property, on words that
                   it has not seen) with its 95% interval, other_change (after minus before) with its 95% interval,
                   other_difference (of other_accuracy from that with the same number of random directions; missing for
                   these) with its 95% interval, accuracy_lowest (after the strongest draw of random directions; missing
                   for other rows)
    answers        token, probability_before, probability_after (at the mask of the sentence), probability_random (mean
                   over the draws of the same number of random directions)
    stays, draws   in how many draws of random directions the top answer stays the same, and the number of draws
    guess          accuracy of guessing: the share of the larger group
    other          the other property
    other_guess    accuracy of guessing that property
    sentences      number of sentences of the held-out text
    masks          number of masked words
    seen           how many of the sentences contain an item of the groups
    kind           what the groups consist of: "words" or "sentences"
    """

    names: tuple[str, str]
    layer: int
    method: str
    methods: pd.DataFrame
    answers: pd.DataFrame
    stays: int
    draws: int
    guess: float
    other: str
    other_guess: float
    sentences: int
    masks: int
    seen: int
    kind: str = WORDS

    def of(self, method: str) -> pd.Series:
        """The row of a method."""
        return self.methods.set_index("method").loc[method]

    @property
    def control(self) -> str:
        """The name of the control of the method: the same number of random directions."""
        return random_name(int(self.of(self.method)["directions"]))

    @property
    def headline(self) -> str:
        """Accuracy of a new classifier before and after the method, next to the same number of random directions."""
        own = self.of(self.method)
        if not self.differs:
            texts = percents(self.of(NONE)["accuracy"], own["accuracy"], digits=0)
            return (
                f"These {self.kind} are too few to show that layer {self.layer} holds the difference, so nothing can be"
                f" said about erasing it. Before, a new classifier is right for {texts[0]} of the held-out {self.kind}"
                f" ({bounds(self.of(NONE), 'accuracy')}; guessing: {rounded(self.guess)}), and after {self.method} for"
                f" {texts[1]}."
            )
        random = self.of(self.control)
        texts = percents(own["accuracy"], self.of(NONE)["accuracy"], *drawn(random), digits=0)
        return (
            f"After {self.method} in layer {self.layer}, a new classifier is right for {texts[0]} of the held-out"
            f" {self.kind} ({bounds(own, 'accuracy')}; before: {texts[1]}; {after(self.control, texts[2:], self.draws)}"
            f"). {verdict(self.removes, self.method)}"
        )

    @property
    def differs(self) -> bool:
        """Whether a classifier is better than guessing before anything is removed."""
        return bool(self.of(NONE)["accuracy_low"] > self.guess)

    @property
    def removes(self) -> bool:
        """Whether a classifier finds less than with the same number of random directions (the interval is below 0), if
        an accuracy below guessing counts as guessing, because it does not show that more was removed.
        """
        row = self.of(self.method)
        return self.differs and bool(row["difference_high"] + max(0.0, self.guess - row["accuracy"]) < 0)

    @property
    def guarantee(self) -> str:
        """What is found on the items of the eraser, and the difference from the same number of random directions."""
        row = self.of(self.method)
        kept = (
            f"LEACE guarantees that no linear classifier can find anything there; for other {self.kind} there is no"
            " guarantee."
            if self.method == LEACE
            else f"For other {self.kind} there is no guarantee."
        )
        return (
            f"On the {self.kind} that the eraser was fitted on, a classifier is right for"
            f" {rounded(row['accuracy_fitted'])}."
            f" {kept} On held-out {self.kind}, the accuracy is {_compared(row['difference'])} after removing"
            f" {self.control} ({_interval(row, 'difference')}).{self._below}"
        )

    @property
    def _below(self) -> str:
        """Why a lower accuracy than with random directions can be no sign of an erasure, after a space; else ""."""
        if self.removes or self.of(self.method)["difference_high"] >= 0:
            return ""
        if not self.differs:
            return " But without an accuracy above guessing before, this does not show that anything was erased."
        return " But below guessing, a lower accuracy does not show that more was erased."

    @property
    def text(self) -> str:
        """What the held-out text consists of, for a caption: also how many of its sentences are not new."""
        texts = f"{self.sentences} built-in sentences"
        if self.seen:
            one = "a word of your groups" if self.kind == WORDS else "one of your sentences"
            return f"{texts} ({self.seen} of them {_contain(self.seen)} {one})"
        return f"{texts} {'without a word of your groups' if self.kind == WORDS else 'that are not among yours'}"

    @property
    def costs(self) -> str:
        """What the method costs in a held-out text, and in a probe for another property."""
        row, random, before = (self.of(each) for each in (self.method, self.control, NONE))
        low, high, lowest, highest = (
            signed(row[f"{name}_{end}"]) for name in ("cost", "cost_difference") for end in ("low", "high")
        )
        own, first, chance = percents(*(each["other_accuracy"] for each in (row, before, random)), digits=0)
        return (
            f"In {self.sentences} other sentences, the log probability of {self.masks} masked words changes by"
            f" {signed(row['cost'])} nats on average (95% interval {low} to {high}). After"
            f" removing {self.control} instead, it changes by {signed(random['cost'])} nats (difference"
            f" {signed(row['cost_difference'])}, 95% interval {lowest} to {highest})."
            f"{not_new(self.seen, self.sentences, self.kind)} A newly trained probe for the {self.other} is"
            f" right for {own} of the words that it has not seen, compared with {first} before"
            f" ({_interval(row, 'other_change')}) and {chance} after removing {self.control}"
            f" ({_interval(row, 'other_difference')}). Guessing would give the right answer for"
            f" {rounded(self.other_guess)}."
        )

    @property
    def answer(self) -> str:
        """The top answer of the sentence before and after, and how often it stays after random directions."""
        tops = [self.answers.loc[self.answers[each].idxmax()] for each in (BEFORE, AFTER)]
        before, after, random = percents(tops[0][BEFORE], tops[1][AFTER], tops[0][RANDOM])
        words = [f"“{top['token']}”" for top in tops]
        both = (
            f"BERT answers {words[0]} both before {self.method} ({before}) and after it ({after})."
            if words[0] == words[1]
            else f"Before {self.method}, BERT answers {words[0]} ({before}), and after it {words[1]} ({after})."
        )
        return (
            f"{both} After removing {self.control} instead, {words[0]} stays the top answer in {self.stays} of"
            f" {self.draws} draws (mean probability: {random})."
        )


def not_new(seen: int, sentences: int, kind: str) -> str:
    """Say how many sentences of the held-out text contain an item, after a space; "" if none does.

    >>> not_new(55, 60, "words"), not_new(0, 60, "words")
    (' 55 of the 60 sentences contain one of your words, because too few others exist.', '')
    """
    return (
        f" {seen} of the {sentences} sentences {_contain(seen)} one of your {kind}, because too few others exist."
        if seen
        else ""
    )


def drawn(random: pd.Series) -> tuple[float, float]:
    """Return the accuracy after the strongest draw of random directions, and the mean over all draws."""
    return float(random["accuracy_lowest"]), float(random["accuracy"])


def after(control: str, texts: Sequence[str], draws: int) -> str:
    """Say what a classifier finds after removing random directions: the strongest of the draws, and their mean.

    >>> after("1 random direction", ["80%", "90%"], 5), after("1 random direction", ["80%", "80%"], 1)
    ('after removing 1 random direction: 80% in the strongest of 5 draws, 90% on average', 'after removing 1 random \
direction: 80%')
    """
    several = f" in the strongest of {draws} draws, {texts[1]} on average" if draws > 1 else ""
    return f"after removing {control}: {texts[0]}{several}"


def verdict(removes: bool, method: str) -> str:
    """Say whether an erasure by a method removes more than the same number of random directions."""
    what = f"{method} removes more than expected by chance."
    return f"So {what}" if removes else f"So nothing shows that {what}"


def bounds(row: pd.Series, name: str) -> str:
    """Return the 95% interval of an accuracy, as text."""
    return interval_text(row[f"{name}_low"], row[f"{name}_high"])


def _contain(count: int) -> str:
    return "contains" if count == 1 else "contain"


def _compared(difference: float) -> str:
    """Return how an accuracy compares with another one.

    >>> _compared(-0.123), _compared(0.01), _compared(0.0)
    ('12.3 points lower than', '1.0 points higher than', 'the same as')
    """
    points = decimal(abs(100 * difference), 1)
    return "the same as" if points == "0.0" else f"{points} points {'lower' if difference < 0 else 'higher'} than"


def _interval(row: pd.Series, name: str) -> str:
    what = name.removeprefix("other_")
    low, high = (decimal(100 * row[f"{name}_{end}"], 1, signed=True) for end in ("low", "high"))
    if low == high == "0.0":
        none = row[f"{name}_low"] == row[f"{name}_high"] == 0
        return f"no {what} for any word" if none else f"95% interval of the {what}: less than 0.1 points"
    return f"95% interval of the {what}: {low} to {high} points"


@dataclass(frozen=True)
class Sweep(Displayed):
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
