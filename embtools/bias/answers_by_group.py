"""Answers for several groups and for their average: the numbers, and the sentences about them.

They are about the model and its texts, never about people.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.messages import counted, listed
from embtools.statistics.percentages import percent, percents, rounded

AVERAGE = "average"
SAME = 5e-4  # largest difference of a probability at which the scopes still agree
_SMALLEST = 1e-5  # differences of probabilities below this are not written out
_SHOWN = 4  # top answers in a headline


@dataclass(frozen=True)
class Spread:
    """Distances between answers in bits, for the groups that are part of the average; nan if there is none.

    nearest  distance between the two groups that differ least
    average  distance from the average to the group farthest from it
    control  distance from the first group mixed with unrelated words to the group farthest from that
    """

    nearest: float = float("nan")
    average: float = float("nan")
    control: float = float("nan")

    @cached_property
    def sentence(self) -> str:
        """Whether the average is closer to its groups than they are to each other, and than the control; "" if none.

        >>> Spread(0.4, 0.2, 0.5).sentence.partition(" to ")[0]
        'The answers for the average are closer'
        """
        if np.isnan(self.average):
            return ""
        closer = "closer" if self.average < self.nearest else "not closer"
        little = "" if self.average < self.control else ", so the average shows little"
        return (
            f"The answers for the average are {closer} to each averaged group than these groups are to each other: they"
            f" are at most {self.average:.3f} bits away, and the two closest groups are {self.nearest:.3f} bits apart."
            f" The control is up to {self.control:.3f} bits away from the groups{little}."
        )


@dataclass(frozen=True)
class GroupAnswers(Displayed):
    """The model's answers for each group and for their average.

    groups     the groups, without empty and repeated ones
    answers    long: column (a group, or "average"), rank, token, probability: the k best of each column
    union      wide: token, then one column of probabilities per group and for the average
    distances  answers_for, kind (group, average, control), then one column per group: the distance to it in bits
    formula    the average as a formula, "0.5 he + 0.5 she"; "" if there is none
    left_out   groups of several tokens: they have a column of their own, but are not part of the average
    scope_gap  the largest difference of any probability between the scopes input and tied; nan without an average
    gaps       word → how much more likely it is for the first group than for the others, in nats: its log probability
               for the first group minus its mean log probability for the others, for the 50 best words of each group
    """

    groups: tuple[str, ...]
    answers: pd.DataFrame
    union: pd.DataFrame
    distances: pd.DataFrame
    formula: str
    left_out: tuple[str, ...]
    scope_gap: float
    gaps: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def headline(self) -> str:
        """The top answer for every group and for the average with its probability; equal answers are named together."""
        return _top_answers(self.answers)

    @cached_property
    def widest(self) -> str:
        """Of the best words, that whose probability differs most between two groups, and these probabilities."""
        return _widest(self.union.set_index("token")[list(self.groups)])

    @cached_property
    def best(self) -> pd.DataFrame:
        """The best words with their probabilities as texts: rank, then one column per group and for the average."""
        cells = [
            f"{t} {rounded(p, 1)}" for t, p in zip(self.answers["token"], self.answers["probability"], strict=True)
        ]
        table = self.answers.assign(answer=cells).pivot(index="rank", columns="column", values="answer")
        return table[list(self.answers["column"].unique())].reset_index()

    @cached_property
    def averaged(self) -> tuple[str, ...]:
        """The groups that are part of the average."""
        return tuple(group for group in self.groups if group not in self.left_out)

    @cached_property
    def spread(self) -> Spread:
        """The distances between groups, average and control in three numbers."""
        if not self.formula:
            return Spread()
        groups, table = list(self.averaged), self.distances.set_index("answers_for")
        nearest = min(float(table.loc[a, b]) for n, a in enumerate(groups) for b in groups[n + 1 :])
        control = table.loc[table["kind"] == "control", groups].to_numpy(np.float64)
        return Spread(nearest, float(table.loc[AVERAGE, groups].max()), float(control.max()))

    @cached_property
    def scopes(self) -> str:
        """Whether the scopes input and tied agree; "" without an average."""
        return scopes(self.scope_gap) if self.formula else ""


def scopes(gap: float) -> str:
    """Whether the scopes input and tied agree, from the largest difference of any word's probability.

    >>> scopes(0.0001)
    'The scopes “input” and “tied” agree here: no probability differs by more than 0.010 percentage points.'
    >>> scopes(0.0)
    'The scopes “input” and “tied” give the same probabilities here.'
    """
    if gap == 0:
        return "The scopes “input” and “tied” give the same probabilities here."
    if gap < _SMALLEST:
        return (
            "The scopes “input” and “tied” agree here: no probability differs by as much as"
            f" {100 * _SMALLEST:.3f} percentage points."
        )
    if gap < SAME:
        return (
            f"The scopes “input” and “tied” agree here: no probability differs by more than {100 * gap:.3f} percentage"
            " points."
        )
    return (
        f"The scopes “input” and “tied” do not agree here: probabilities differ by up to {100 * gap:.3f} percentage"
        " points."
    )


def _top_answers(answers: pd.DataFrame) -> str:
    first = answers[answers["rank"] == 1]
    by_token: dict[str, list[str]] = {}
    for row in first.itertuples():
        name = "the average" if row.column == AVERAGE else str(row.column)
        by_token.setdefault(str(row.token), []).append(f"{name} ({percent(float(row.probability))})")
    if len(by_token) == 1:
        token, names = next(iter(by_token.items()))
        return f"BERT gives the same top answer, “{token}”, for {listed(names)}."
    parts = [f"“{token}” for {listed(names)}" for token, names in by_token.items()]
    if (more := len(parts) - _SHOWN) > 0:
        parts[_SHOWN:] = [f"{counted(more, 'other word')} for the rest"]
    *most, last = parts
    if all(len(names) == 1 for names in by_token.values()):
        return f"BERT answers {', '.join(most)} and {last}."
    # With several groups for one answer, a comma alone would be ambiguous.
    return f"BERT answers {'; '.join(most)}{'; and' if len(most) > 1 else ', and'} {last}."


def _widest(columns: pd.DataFrame) -> str:
    token = str((columns.max(axis=1) - columns.min(axis=1)).idxmax())
    row = columns.loc[token]
    high, low = str(row.idxmax()), str(row.idxmin())
    most, least = percents(row[high], row[low], digits=1)
    if most == least:
        return "None of these words is more probable for one group than for another."
    return f"Of these words, “{token}” has the widest gap: {most} for {high} and {least} for {low}."
