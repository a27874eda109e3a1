"""A direction between two groups, tested on items that it was not made from, and the sentences that say so."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from embtools.directions.groups import WORDS
from embtools.directions.near_copies import SHARE, near_copies
from embtools.messages import listed, shortened
from embtools.spaces.two_groups import DIFFERENCE, LOGISTIC, METHODS, PAIRS, Groups, Method, check_pairs
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL, control_p, p_value

FIRST, SECOND = "first", "second"


@dataclass(frozen=True)
class Direction:
    """A direction between two groups of words or sentences, tested on those that it was not made from.

    names    both groups by their first items
    layer    the layer that is shown (0: embedding output)
    method   how the direction was found
    layers   layer, accuracy (share of held-out words on their own group's side) with its 95% interval (low,
             high), shuffled and shuffled_95 (mean and 95th percentile of the accuracy with shuffled groups), cosine
             (with the direction of the method in `compared`), distance (between the means of the groups, along the
             direction), and the accuracy by each method: difference_of_means, logistic_regression and, with complete
             pairs, first_component_of_pairs
    words    word or sentence, group ("first" or "second"), score (−1: mean of the first group, +1: mean of the second;
             held out), correct (whether it is on its own group's side)
    tokens   position, token, score: the tokens of a sentence
    shuffled the accuracy in this layer with shuffled groups, for each draw
    kind     what the groups consist of: "words" or "sentences"
    """

    names: tuple[str, str]
    layer: int
    method: Method
    layers: pd.DataFrame
    words: pd.DataFrame
    tokens: pd.DataFrame
    shuffled: tuple[float, ...]
    kind: str = WORDS

    @property
    def item(self) -> str:
        """What one item is, and its column in `words`: "word" or "sentence"."""
        return self.kind.removesuffix("s")

    @property
    def row(self) -> pd.Series:
        """The row of this layer in `layers`."""
        return self.layers.iloc[self.layer]

    @cached_property
    def p(self) -> float:
        """The share of shuffled groups that are separated as well, the true ones included."""
        return control_p(sum(value >= self.row["accuracy"] for value in self.shuffled), len(self.shuffled))

    @property
    def headline(self) -> str:
        """How many held-out items are on the right side, compared with shuffled groups."""
        row, n, most = self.row, len(self.shuffled), max(self.shuffled)
        verdict = (
            f"{n} shuffles are too few for a clear result."
            if control_p(0, n) > LEVEL
            else f"So the direction also holds for {self.kind} that it was not made from."
            if self.p <= LEVEL
            else f"Shuffled groups often reach as much, so nothing shows that it holds for other {self.kind}."
        )
        return (
            f"After layer {self.layer}, {rounded(row['accuracy'])} of the held-out {self.kind} are on their own"
            f" group's side (95% interval {rounded(row['low'])} to {rounded(row['high'])}). With shuffled groups,"
            f" at most {rounded(most)} are, and {rounded(row['shuffled'])} on average ({p_value(self.p, n)}). {verdict}"
        )

    @property
    def mistakes(self) -> str:
        """The words or sentences on the wrong side, and how many sentences are nearly the same as another one."""
        wrong = self.words.loc[~self.words["correct"], self.item].tolist()
        cosine = decimal(self.row["cosine"])
        both = f"The cosine between this direction and the one found by {compared(self.method)} is {cosine}."
        both += f" {self._other_methods}{self._near_copies}"
        if not wrong:
            return f"Every {self.item} is on its own group's side. {both}"
        most = 8 if self.kind == WORDS else 3
        more = f" and {len(wrong) - most} more" if len(wrong) > most else ""
        named = ", ".join(wrong[:most] if self.kind == WORDS else (f"“{shortened(text, 60)}”" for text in wrong[:most]))
        these = f"This {self.item} is" if len(wrong) == 1 else f"These {self.kind} are"
        return f"{these} on the wrong side: {named}{more}. {both}"

    @property
    def others(self) -> tuple[Method, ...]:
        """The other methods that can be used with these groups."""
        return tuple(each for each in METHODS if each != self.method and column(each) in self.layers)

    @property
    def _other_methods(self) -> str:
        found = listed(f"{rounded(self.row[column(each)])} ({each})" for each in self.others)
        return f"With the other methods, the share of {self.kind} on their own group's side is {found}."

    @property
    def _near_copies(self) -> str:
        if self.kind == WORDS or not (count := near_copies(self.words["sentence"], self.words["group"])):
            return ""
        return (
            f" {count} of {len(self.words)} sentences are nearly the same as another sentence of their group"
            f" ({rounded(SHARE)} of all words in common). New sentences will be on the right side less often."
        )


def compared(method: Method) -> Method:
    """Return the method whose direction is compared with this one's: the means, or a regression for the means."""
    return LOGISTIC if method == DIFFERENCE else DIFFERENCE


def column(method: Method) -> str:
    """Return the name of the column with the accuracy by a method.

    >>> column("difference of means")
    'difference_of_means'
    """
    return method.replace(" ", "_")


def possible(method: Method, second: Groups) -> bool:
    """Return whether a method can be used with these groups (n,): the component of pairs needs complete pairs."""
    if method != PAIRS:
        return True
    try:
        check_pairs(second)
    except ValueError:
        return False
    return True
